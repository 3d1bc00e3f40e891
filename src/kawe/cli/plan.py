"""`kawe plan`: what submitting a workbook would do; changes nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click

from kawe.cli import _words
from kawe.cli._exit import ExitCode
from kawe.cli._missing import absent_lines
from kawe.cli._options import (
    Surroundings,
    open_surroundings,
    output_options,
    plan_options,
    reading_of,
    service_options,
)
from kawe.cli._plan_words import plan_document, plan_lines
from kawe.cli._shown_plan import show_plan
from kawe.domain.findings import Severity
from kawe.domain.saved_plans import Action, PlannedLimits, SavedPlan
from kawe.domain.texts import one_line
from kawe.flows.counting import changed_too_late
from kawe.flows.previewing import there_findings
from kawe.toolkit import Made, is_plan, make_saved_plan, open_session, write_plan


@click.command(
    epilog="Examples: kawe plan monthly.xlsx · kawe plan monthly.xlsx -o plan.json "
    "· kawe plan plan.json"
)
@plan_options
@click.option(
    "-o",
    "--output",
    "written",
    type=click.Path(path_type=Path),
    help="Where to keep the plan, for kawe submit to carry out.",
)
@service_options
@output_options
def plan(**options: Any) -> int:  # noqa: ANN401 - click passes options by name
    """Say what submitting WORKBOOK would do, and at what cost.

    The service is asked, and nothing is changed: no file is uploaded, no draft
    is made, nothing is sent. A plan that is kept with -o can be approved by
    somebody else; kawe submit then does exactly that plan. Where such a plan
    stands in place of WORKBOOK, it is shown again, and nothing is asked.
    """
    around = open_surroundings(options)
    if is_plan(options["workbook"]):
        return show_plan(options["workbook"], options)
    made = asyncio.run(_plan(around, options))
    around.progress.close()
    path = options["written"]
    if path is not None:
        write_plan(made.saved, path)
    code = _code(made)
    if around.as_json:
        written = None if path is None else str(path)
        document = plan_document(made.saved, written=written, exit_code=code)
        missing = [entry.marker for entry in made.prepared.plan.missing]
        _words.print_json(document | {"no_longer_in_workbook": missing})
    else:
        _tell(made, path)
    return code


async def _plan(around: Surroundings, options: dict[str, Any]) -> Made:
    async with open_session(around.toolkit, read_only=True) as session:
        return await make_saved_plan(
            session,
            reading_of(options),
            limits=PlannedLimits(
                drafts_only=options["drafts_only"],
                update_drafts=options["update_drafts"],
                max_tokens=options["max_tokens"],
                keep_reserve=around.settings.keep_reserve,
                only=options["only"],
                canary=options["canary"],
            ),
        )


def _tell(made: Made, path: Path | None) -> None:
    findings = made.prepared.checked.findings
    _words.print_findings(findings, least=Severity.ERROR)
    there = there_findings(made.prepared.checked, made.foreseen.there)
    _words.print_findings(there.values(), least=Severity.WARNING)
    for line in plan_lines(made.saved):
        click.echo(line)
    plan = made.prepared.plan
    for line in (*absent_lines(plan), *changed_too_late(plan)):
        click.echo(line)
    if path is not None:
        for line in _next_steps(made.saved, path):
            click.echo(line)


def _next_steps(plan: SavedPlan, path: Path) -> list[str]:
    name = one_line(str(path))
    return [
        f"The plan is {name}, made by {one_line(plan.author)}.",
        f"To carry it out, exactly so: kawe submit {name}",
    ]


def _code(made: Made) -> ExitCode:
    counts = made.saved.summary.counts
    to_correct = counts.get(Action.CORRECT) or counts.get(Action.CHANGED)
    if made.prepared.checked.refuses_all or to_correct:
        return ExitCode.ROWS_TO_CORRECT
    return ExitCode.DONE
