"""`kawe submit`: check, upload, draft, send; again to resume."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click

from kawe.cli import _running, _words
from kawe.cli._asked import Asked, asked_of
from kawe.cli._left_out import left_out_of
from kawe.cli._missing import absent_lines, ask_about_missing
from kawe.cli._options import (
    Surroundings,
    open_surroundings,
    output_options,
    run_options,
    service_options,
    which_options,
    workbook_options,
)
from kawe.cli._plan_words import carrying_out
from kawe.cli._telling import ToldCommand
from kawe.domain.columns import SheetKind
from kawe.domain.findings import Severity
from kawe.domain.iwi_load import NO_LOAD
from kawe.domain.tokens import Budget
from kawe.flows.reporting import Submitted
from kawe.toolkit import Prepared, Session, open_session


@click.command(
    cls=ToldCommand,
    epilog="Examples: kawe submit monthly.xlsx · kawe submit monthly.xlsx --yes 40 "
    "--no-input · kawe submit plan.json --approved-by Aroha",
)
@workbook_options
@which_options
@click.option(
    "--max-errors",
    metavar="N|P%",
    help="Stop when more than N rows, or P percent of the rows, fail.",
)
@click.option(
    "--approved-by", metavar="NAME", help="Who agreed to the plan, beside its author."
)
@click.option(
    "--workbook",
    "moved_to",
    type=click.Path(path_type=Path),
    help="Where the workbook of the plan is now, if it was moved.",
)
@run_options
@service_options
@output_options
def submit(**options: Any) -> int:  # noqa: ANN401 - click passes options by name
    """Submit WORKBOOK: upload files, make drafts, send them, invite people.

    Rows that need correcting are left out and listed. Running the same
    command again goes on where the last run stopped; rows that are done are
    left alone.

    A plan that kawe plan has kept may stand in place of WORKBOOK: then exactly
    that is done, or nothing where something has changed since.
    """
    around = open_surroundings(options)
    asked = asked_of(around, options)
    workbook = asked.reading.workbook
    result = around.toolkit.result_path(workbook, wanted=options["result"])
    around.toolkit.writer(workbook).check_writable(result)
    return asyncio.run(_submit(around, asked, result=result))


async def _submit(around: Surroundings, asked: Asked, *, result: Path) -> int:
    agree = _running.asker(no_input=asked.no_input)
    async with open_session(
        around.toolkit, accept=asked.accept, agree=agree
    ) as session:
        prepared = await session.sighted(await asked.prepare(session))
        around.progress.close()
        may_fail = asked.may_fail(prepared)
        budget = asked.budget(session)
        prepared = await asked.approved(session, prepared)
        load = NO_LOAD
        if not asked.drafts_only:
            load = await session.iwi_load(prepared, budget=budget)
        files = prepared.files(asked.reading.root)
        if not around.as_json:
            told = _running.plan_lines(
                prepared.plan,
                session=session,
                budget=budget,
                drafts_only=asked.drafts_only,
                files=files,
            )
            await _announce(session, prepared, asked=asked, lines=[*told, load.words()])
        prepared = ask_about_missing(
            prepared, accepts=asked.reading.accepts_missing, no_input=asked.no_input
        )
        budget = _agreed(session, prepared, budget=budget, asked=asked)
        run = session.start(may_fail=may_fail)
        with around.stopping.on_signals():
            await session.submit(
                prepared, run=run, budget=budget, drafts_only=asked.drafts_only
            )
        around.progress.close()
        plan = prepared.plan
        ending = _running.Ending(
            around=around,
            session=session,
            run=run,
            command="submit",
            result=result,
            refused=prepared.checked.refuses_all,
            iwi_load=load,
            submitted=Submitted(
                reading=plan.batch.reading, same_sends=not asked.drafts_only
            ),
            rows_read=plan.rows_read,
            left_out=left_out_of(plan, only=asked.only, canary=asked.canary),
            files=files,
        )
        return await ending.tell(plan.batch, workbook=asked.reading.workbook)


async def _announce(
    session: Session, prepared: Prepared, *, asked: Asked, lines: list[str]
) -> None:
    _words.print_findings(prepared.checked.findings, least=Severity.ERROR)
    if asked.saved is not None:
        approvals = await session.journal.approvals()
        lines[1:1] = carrying_out(asked.saved, approvals, plan=prepared.plan)
    for line in filter(None, (*lines, *absent_lines(prepared.plan))):
        click.echo(line)


def _agreed(
    session: Session, prepared: Prepared, *, budget: Budget, asked: Asked
) -> Budget:
    plan = prepared.plan
    if plan.kind is SheetKind.INVITATIONS:
        reach = _running.invitations_of(plan.to_invite)
    else:
        sends = 0 if asked.drafts_only else budget.sends(plan.to_send)
        reach = _running.sends_of(sends)
    return _running.ask_agreement(
        reach,
        budget=budget,
        is_live=session.reaches_people(prepared.plan.kind),
        agreed=asked.agreed,
        no_input=asked.no_input,
    )
