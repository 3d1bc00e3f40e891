"""`kawe plan`: what submitting would do, or what a plan says; changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from kawe.cases import is_plan, read_plan, write_plan
from kawe.cases.batches.plans import Made, plan_sheets
from kawe.cases.sheets import SheetsToRead, SheetToRead
from kawe.cli.output import printing
from kawe.cli.output.finding_lines import print_problems
from kawe.cli.output.next_command import PLACE, suggested, typed_flag
from kawe.cli.shared.declaring import command, names_of, option, options_class, output
from kawe.cli.shared.options import (
    AskingOptions,
    BoundOptions,
    CommandContext,
    OutputOptions,
    ReadingOptions,
    ServiceOptions,
    WhichOptions,
    open_context,
)
from kawe.cli.shared.read_words import print_reading
from kawe.cli.shared.sheets import (
    SheetAnswer,
    answer_in_json,
    ask_about_sheets,
    head_line,
    left_lines,
    sheets_of,
    worst,
)
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.saved_plans import Action
from kawe.domain.sheet.findings import (
    ACT_CHANGES,
    MESSAGE_FILLED,
    Problems,
    Severity,
)
from kawe.domain.text.texts import counted, one_line
from kawe.domain.text.wording import message_lines
from kawe.errors import SettingsError
from kawe.flows.plan.counting import as_they_stand, changed_too_late, sent_now
from kawe.flows.plan.differing import Differing, difference_lines, differences
from kawe.flows.plan.wording import (
    absent_lines,
    plan_document,
    plan_lines,
    shown_plan_lines,
)
from kawe.flows.report.previewing import THERE_ALREADY, there_findings


@options_class
class _PlanOptions:
    reading: ReadingOptions
    which: WhichOptions
    bounds: BoundOptions
    written: Path | None = output(
        "Where to keep the plan, for kawe submit to carry out."
    )
    since: Path | None = option(
        "--since",
        metavar="LAST",
        help="Say what is new, gone, postponed or repeated beside this workbook.",
    )
    asking: AskingOptions
    service: ServiceOptions
    output: OutputOptions


@command(
    "kawe plan monthly.xlsx · kawe plan monthly.xlsx -o plan.json · kawe plan "
    "plan.json · kawe plan july.xlsx --since june.xlsx"
)
def plan(options: _PlanOptions) -> int:
    """Say what submitting WORKBOOK would do, and at what cost.

    The service is asked, and nothing is changed: no file is uploaded, no draft
    is made, nothing is sent. A plan that is kept with -o can be approved by
    somebody else; kawe submit then does exactly that plan. Where such a plan
    stands in place of WORKBOOK, it is shown again, and nothing is asked.
    """
    context = open_context(options.service, options.output, bounds=options.bounds)
    if is_plan(options.reading.workbook):
        context.run.is_quiet = True
        return _show(options)
    every = options.reading.all_sheets
    no_input = options.asking.never_asks
    sheets = sheets_of(
        context,
        options.reading.reading,
        options.reading,
        of_one={
            "--only": options.which.only,
            "--canary": options.which.canary,
            "-o": options.written,
            "--since": options.since,
        },
        no_input=no_input,
    )
    context, sheets = ask_about_sheets(context, sheets, no_input=no_input, acts=True)
    made = _made(context, options, sheets)
    beside = asyncio.run(_beside(context, options, made[0]))
    path = options.written
    context.run.team = made[0].saved.account.team_name
    if path is not None:
        write_plan(made[0].saved, path)
    answers = [
        _answer(each, sheet=sheet, path=path, beside=beside)
        for each, sheet in zip(made, sheets.lists, strict=True)
    ]
    if context.as_json:
        return answer_in_json("planned", answers, sheets, every=every)
    before = 0
    for each, sheet in zip(made, sheets.lists, strict=True):
        if every:
            click.echo(head_line(sheet))
        if before:
            sends = counted(before, "send")
            click.echo(f"Tokens are counted after the {sends} of the sheets before.")
        _tell(each, options, context=context)
        printing.print_lines(_since_lines(beside, options, every=context.verbose))
        before += each.saved.sends
    printing.print_lines(left_lines(sheets))
    if path is None and any(
        row.action.acts for each in made for row in each.saved.rows
    ):
        click.echo(f"Next: {suggested('submit', options.reading.workbook)}")
    return worst(answers)


def _made(
    context: CommandContext, options: _PlanOptions, sheets: SheetsToRead
) -> list[Made]:
    readings = [each.reading for each in sheets.lists]
    limits = options.which.limits(context, options.bounds)
    return context.at_service(
        lambda session: plan_sheets(session, readings, limits=limits),
        read_only=True,
        heeds=False,
    )


async def _beside(
    context: CommandContext, options: _PlanOptions, made: Made
) -> list[Differing] | None:
    """Compare with the workbook of before; None: nobody asked for that."""
    if options.since is None:
        return None
    reading = replace(options.reading.reading, workbook=options.since)
    before = await context.toolkit.check(reading)
    rows, past = (
        [row.project for row in each.rows if row.project is not None]
        for each in (made.prepared.checked, before)
    )
    if not rows or not past:
        raise SettingsError(
            message="--since compares lists of projects, and one of the two has none.",
            hint="Name last month's workbook. Nothing was done.",
        )
    return differences(rows, past)


def _since_lines(
    beside: Sequence[Differing] | None, options: _PlanOptions, *, every: bool
) -> Iterator[str]:
    if beside is not None and options.since is not None:
        name, shown = options.since.name, None if every else _SHOWN
        yield from difference_lines(beside, beside=name, shown=shown)


def _answer(
    made: Made,
    *,
    sheet: SheetToRead,
    path: Path | None,
    beside: Sequence[Differing] | None,
) -> SheetAnswer:
    code = _code(made)
    written = None if path is None else str(path)
    missing = [entry.marker for entry in made.prepared.plan.missing]
    return SheetAnswer(
        sheet=sheet,
        code=code,
        document=lambda: (
            plan_document(made.saved, written=written, exit_code=code)
            | {
                "no_longer_in_workbook": missing,
                "messages": dict(_messages(made)),
                "since": None if beside is None else [e.as_json() for e in beside],
                "findings": [each.as_json() for each in _problems(made)],
            }
            | made.prepared.checked.table.read_as.as_json()
        ),
    )


def _tell(made: Made, options: _PlanOptions, *, context: CommandContext) -> None:
    path, verbose = options.written, context.verbose
    print_reading(made.prepared.checked.table, options.reading.workbook, context)
    plan = made.prepared.plan
    print_problems(
        _besides_order(made),
        least=Severity.ERROR,
        also={THERE_ALREADY},
        rest="(--verbose shows them)",
        verbose=verbose,
    )
    printing.print_lines(plan_lines(made.saved, verbose=verbose))
    far = made.prepared.checked.far_words(today=context.toolkit.today)
    printing.print_lines(filter(None, [far]))
    shown = None if verbose else 1
    printing.print_lines(message_lines(_messages(made), shown=shown))
    printing.print_lines((*absent_lines(plan), *changed_too_late(plan)))
    if path is not None:
        name = one_line(str(path))
        click.echo(f"The plan is {name}, made by {one_line(made.saved.author)}.")
        submit = suggested("submit", path, only=PLACE)
        click.echo(f"To carry it out, exactly so: {submit}")


def _messages(made: Made) -> list[tuple[str, str]]:
    """Give the messages of the workbook, as they leave for rows that are to be sent."""
    plan = made.prepared.plan
    own = plan.found({MESSAGE_FILLED})
    sends = ((e, e.content.project) for e in sent_now(plan) if e.key in own)
    return [(entry.marker, said.message) for entry, said in sends if said is not None]


def _besides_order(made: Made) -> Problems:
    """Leave out what the order of the acts says."""
    every = _problems(made)
    if not any(row.marker for row in made.saved.in_order):
        return every
    return tuple(each for each in every if each.first.rule != ACT_CHANGES)


def _problems(made: Made) -> Problems:
    checked = made.prepared.checked
    there = there_findings(checked, made.foreseen.there).values()
    return checked.problems([*there, *as_they_stand(made.prepared.plan)])


def _code(made: Made) -> ExitCode:
    counts = made.saved.counts
    to_correct = counts[Action.CORRECT] + counts[Action.CHANGED]
    if made.prepared.checked.refuses_all or to_correct:
        return ExitCode.ROWS_TO_CORRECT
    return ExitCode.DONE


_SHOWN: Final = 5
_SHAPES: Final = {"written", "since"}.union(
    *map(names_of, (ReadingOptions, WhichOptions, BoundOptions))
)
"""The options that shape a plan."""


def _show(options: _PlanOptions) -> ExitCode:
    """Show a saved plan; ask the service nothing."""
    path = options.reading.workbook
    flag = typed_flag(_SHAPES)
    if flag is not None:
        raise SettingsError(
            message=f"{flag} shapes a new plan, and {one_line(str(path))} is one "
            "already.",
            hint=f"To look at it: {suggested('plan', path, only=())}. To make "
            f"another, name the workbook: kawe plan WORKBOOK {flag}",
        )
    saved = read_plan(path)
    code = ExitCode.DONE
    if options.output.as_json:
        document = plan_document(saved, written=str(path), exit_code=code)
        printing.print_json(document)
        return code
    printing.print_lines((*shown_plan_lines(saved, path), *_next_lines(path)))
    return code


def _next_lines(path: Path) -> Iterator[str]:
    submit = suggested("submit", path, only=PLACE)
    yield (
        f"Whether all of it still fits is looked at when it is carried out: {submit}"
    )
    yield f"To approve it with a key of your own: kawe approve {one_line(str(path))}"
