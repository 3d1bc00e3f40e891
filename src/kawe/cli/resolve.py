"""`kawe resolve`: a person decides about a held row."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import click

from kawe.cli import _words
from kawe.cli._exit import ExitCode
from kawe.cli._options import (
    Surroundings,
    open_surroundings,
    output_options,
    service_options,
)
from kawe.domain.entries import Entry
from kawe.domain.outcomes import Outcome, outcome_of
from kawe.domain.service_words import ProjectId
from kawe.domain.texts import one_line
from kawe.flows.resolving import AS_MADE, Decision
from kawe.toolkit import open_session


@click.command(epilog="Example: kawe resolve R-17 --retry")
@click.argument("row")
@click.option("--adopt", type=click.UUID, help="This project is the row's own.")
@click.option("--retry", is_flag=True, help="Let the row go on.")
@click.option("--abandon", is_flag=True, help="Do nothing more for the row.")
@service_options
@output_options
def resolve(row: str, **options: Any) -> int:  # noqa: ANN401 - by name
    """Decide about ROW, the reference of a row that kawe held lists.

    Nothing is sent by this command: a row that may go on does so with the
    next kawe submit.
    """
    decision = _decision(options)
    around = open_surroundings(options)
    moved = asyncio.run(
        _resolve(around, row, decision=decision, project=options["adopt"])
    )
    outcome = outcome_of(moved.state)
    goes_on = decision is not Decision.ABANDON
    if around.as_json:
        _words.print_json(
            {
                "schema": "kawe.resolve/1",
                "exit_code": ExitCode.DONE,
                "reference": moved.marker,
                "outcome": outcome.value,
            }
        )
    else:
        how = "" if goes_on and outcome is not Outcome.SENT else f"; it is {outcome}"
        click.echo(f"{one_line(moved.marker)} is no longer held{how}.")
        if moved.reason == AS_MADE:
            click.echo("Its draft goes as it was made; the edit is not applied.")
        if outcome is Outcome.SENT:
            click.echo("The service shows it as sent; kawe does not send it again.")
        elif goes_on:
            click.echo("Submit its workbook again to let it go on.")
    return ExitCode.DONE


def _decision(options: dict[str, Any]) -> Decision:
    chosen = [each for each in Decision if options[each.value]]
    if len(chosen) != 1:
        raise click.UsageError("Choose one of --adopt, --retry and --abandon.")
    return chosen[0]


async def _resolve(
    around: Surroundings, row: str, *, decision: Decision, project: UUID | None
) -> Entry:
    async with open_session(around.toolkit) as session:
        return await session.resolve(
            row,
            decision,
            project=None if project is None else ProjectId(str(project)),
        )
