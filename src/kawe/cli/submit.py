"""`kawe submit`: check, upload, draft, send; again to resume."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click

from kawe.cli import _running, _words
from kawe.cli._options import (
    Surroundings,
    open_surroundings,
    output_options,
    reading_of,
    run_options,
    service_options,
    workbook_options,
)
from kawe.cli._telling import ToldCommand
from kawe.domain.findings import Severity
from kawe.domain.iwi_load import NO_LOAD, IwiLoad
from kawe.domain.tokens import Budget
from kawe.toolkit import Prepared, Reading, Session, open_session


@click.command(
    cls=ToldCommand,
    epilog="Examples: kawe submit monthly.xlsx · kawe submit monthly.xlsx --yes 40 "
    "--no-input",
)
@workbook_options
@click.option("--drafts-only", is_flag=True, help="Make drafts, send nothing.")
@click.option(
    "--update-drafts",
    is_flag=True,
    help="Change drafts too whose rows were edited after they were made.",
)
@run_options
@service_options
@output_options
def submit(**options: Any) -> int:  # noqa: ANN401 - click passes options by name
    """Submit WORKBOOK: upload files, make drafts, send them, invite people.

    Rows that need correcting are left out and listed. Running the same
    command again goes on where the last run stopped; rows that are done are
    left alone.
    """
    around = open_surroundings(options)
    reading = reading_of(options)
    result = around.toolkit.result_path(reading.workbook, wanted=options["result"])
    around.toolkit.writer(reading.workbook).check_writable(result)
    return asyncio.run(_submit(around, reading, result=result, options=options))


async def _submit(
    around: Surroundings, reading: Reading, *, result: Path, options: dict[str, Any]
) -> int:
    async with open_session(around.toolkit) as session:
        prepared = await session.prepare(
            reading, update_drafts=options["update_drafts"]
        )
        around.progress.close()
        budget = session.budget(max_tokens=options["max_tokens"], agreed=None)
        if not around.as_json:
            _announce(session, prepared, budget=budget, options=options)
        budget = _agreed(session, prepared, budget=budget, options=options)
        run = session.start()
        with around.stopping.on_signals():
            await session.submit(
                prepared, run=run, budget=budget, drafts_only=options["drafts_only"]
            )
        around.progress.close()
        ending = _running.Ending(
            around=around,
            session=session,
            run=run,
            command="submit",
            result=result,
            refused=prepared.checked.refuses_all,
            iwi_load=_load(prepared, options),
            rows_read=prepared.plan.rows_read,
        )
        return await ending.tell(prepared.plan.batch, workbook=reading.workbook)


def _announce(
    session: Session, prepared: Prepared, *, budget: Budget, options: dict[str, Any]
) -> None:
    plan = prepared.plan
    _words.print_notes(prepared.checked.findings)
    _words.print_findings(prepared.checked.findings, least=Severity.ERROR)
    for line in _running.plan_lines(
        plan, session=session, budget=budget, drafts_only=options["drafts_only"]
    ):
        click.echo(line)
    load = _load(prepared, options).words()
    if load:
        click.echo(load)


def _load(prepared: Prepared, options: dict[str, Any]) -> IwiLoad:
    return NO_LOAD if options["drafts_only"] else prepared.checked.iwi_load


def _agreed(
    session: Session, prepared: Prepared, *, budget: Budget, options: dict[str, Any]
) -> Budget:
    sends = 0 if options["drafts_only"] else budget.sends(prepared.plan.to_send)
    return _running.ask_agreement(
        sends,
        budget=budget,
        is_live=session.is_live,
        agreed=options["agreed"],
        no_input=options["no_input"] or options["as_json"],
    )
