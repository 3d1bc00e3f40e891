"""`kawe resolve`: a person decides about a held row."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
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
from kawe.domain.content import ProjectContent
from kawe.domain.naming_projects import standing
from kawe.domain.outcomes import Outcome, outcome_of
from kawe.domain.service_words import Project, ProjectId
from kawe.domain.texts import one_line
from kawe.flows.resolving import AS_IT_STANDS, Decision, Resolved
from kawe.toolkit import open_session


def _project_id(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> ProjectId | None:
    """Take a project's id, or the address of its page, which ends with the id."""
    if value is None:
        return None
    try:
        last = urlsplit(value.strip()).path.rstrip("/").rpartition("/")[2]
        return ProjectId(str(UUID(last)))
    except ValueError:
        raise click.BadParameter(
            f"{one_line(value, limit=60)!r} is not a project's id. --adopt takes the "
            "whole id, as it stands in the address of the project's page in the "
            "portal and in kawe held; that address does as well."
        ) from None


@click.command(epilog="Example: kawe resolve R-17 --retry")
@click.argument("row")
@click.option(
    "--adopt",
    metavar="PROJECT",
    callback=_project_id,
    help="This project is the row's own.",
)
@click.option("--retry", is_flag=True, help="Let the row go on.")
@click.option("--abandon", is_flag=True, help="Do nothing more for the row.")
@service_options
@output_options
def resolve(row: str, **options: Any) -> int:  # noqa: ANN401 - by name
    """Decide about ROW, the reference of a row that kawe held lists.

    Nothing is sent by this command: a row that may go on does so with the
    next kawe submit. PROJECT is a project's id, or the address of its page.
    """
    decision = _decision(options)
    around = open_surroundings(options)
    resolved = asyncio.run(
        _resolve(around, row, decision=decision, project=options["adopt"])
    )
    adopted = resolved.project if decision is Decision.ADOPT else None
    if around.as_json:
        _words.print_json(_document(resolved, adopted=adopted))
    else:
        for line in _lines(resolved, adopted=adopted):
            click.echo(line)
    return ExitCode.DONE


def _lines(resolved: Resolved, *, adopted: Project | None) -> Iterator[str]:
    moved = resolved.entry
    outcome = outcome_of(moved.state)
    goes_on = outcome not in {Outcome.SENT, Outcome.ABANDONED}
    how = "" if goes_on else f"; it is {outcome}"
    yield f"{one_line(moved.marker)} is no longer held{how}."
    if adopted is not None:
        yield from _told(resolved, adopted)
    if moved.reason == AS_IT_STANDS:
        yield (
            "Its draft goes as it stands in the service; what the workbook says now "
            "is not applied."
        )
    if outcome is Outcome.SENT:
        yield "The service shows it as sent; kawe does not send it again."
    elif goes_on:
        yield "Submit its workbook again to let it go on."


def _told(resolved: Resolved, adopted: Project) -> Iterator[str]:
    """Say what is the row's own by now."""
    yield f"Its project is “{one_line(adopted.name)}”, {standing(adopted)}."
    if not resolved.differs:
        return
    content = resolved.entry.content
    will_go = isinstance(content, ProjectContent) and content.send
    stays = "goes to iwi" if will_go and not adopted.is_sent else "stays"
    yield (
        f"It differs from the row in {', '.join(resolved.differs)}, and {stays} as it "
        "stands in the service."
    )


def _document(resolved: Resolved, *, adopted: Project | None) -> dict[str, Any]:
    document: dict[str, Any] = {
        "schema": "kawe.resolve/1",
        "exit_code": ExitCode.DONE,
        "reference": resolved.entry.marker,
        "outcome": outcome_of(resolved.entry.state).value,
    }
    if adopted is not None:
        document["adopted"] = {
            "project_id": adopted.id,
            "name": adopted.name,
            "sent": None if adopted.status is None else adopted.is_sent,
            "differs": list(resolved.differs),
        }
    return document


def _decision(options: dict[str, Any]) -> Decision:
    chosen = [each for each in Decision if options[each.value]]
    if len(chosen) != 1:
        raise click.UsageError("Choose one of --adopt, --retry and --abandon.")
    return chosen[0]


async def _resolve(
    around: Surroundings, row: str, *, decision: Decision, project: ProjectId | None
) -> Resolved:
    async with open_session(around.toolkit) as session:
        return await session.resolve(row, decision, project=project)
