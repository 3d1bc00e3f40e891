"""`kawe plan`: what submitting would do, or what a plan says; changes nothing."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from kawe.cases import is_plan, read_plan, write_plan
from kawe.cases.batches.plans import Made, plan_sheets
from kawe.cases.records.reporting import how_far
from kawe.cases.sheets import SheetToRead
from kawe.cli.output import printing
from kawe.cli.output.next_command import PLACE, suggested, typed_flag
from kawe.cli.shared.declaring import command, names_of, option, options_class, output
from kawe.cli.shared.options import (
    BoundOptions,
    CommandContext,
    PersonOptions,
    ReadingOptions,
    WhichOptions,
)
from kawe.cli.shared.read_words import print_reading
from kawe.cli.shared.sheets import SheetAnswer, TakenSheets, take_sheets
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.sheet.findings import ACT_CHANGES, MESSAGE_FILLED, Problems, Severity
from kawe.domain.text.texts import counted, one_line
from kawe.domain.text.wording import message_lines
from kawe.errors import SettingsError
from kawe.flows.plan import wording
from kawe.flows.plan.counting import as_they_stand, changed_too_late, sent_now
from kawe.flows.plan.differing import Differing, difference_lines, differences
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
        help="Say what is new, gone, postponed, renamed or repeated beside LAST.",
    )
    ask: PersonOptions


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
    context = options.ask.open(keep_reserve=options.bounds.keep_reserve)
    if is_plan(options.reading.workbook):
        context.state.run.is_quiet = True
        return _show(context, options)
    taken = take_sheets(
        context,
        options.reading.reading,
        options.reading,
        no_input=options.ask.no_input,
        of_one={"only", "canary", "written", "since"},
    ).asked(acts=True)
    context = taken.context
    limits = options.which.limits(options.bounds)
    made = context.at_service(
        lambda session: plan_sheets(session, taken.readings, limits=limits),
        read_only=True,
        heeds=False,
    )
    beside = asyncio.run(_beside(context, options, made[0]))
    context.state.run.team = made[0].saved.account.team_name
    if options.written is not None:
        write_plan(made[0].saved, options.written)
    answers, before = [], 0
    for each, sheet in zip(made, taken.sheets.lists, strict=True):
        planned = _Planned(
            made=each, sheet=sheet, taken=taken, options=options, beside=beside
        )
        answers.append(planned.answer(before))
        before += each.saved.sends
    code = taken.answer("planned", answers)
    acts = any(row.action.acts for each in made for row in each.saved.rows)
    acts = acts and not any(each.saved.iwi_load.above for each in made)
    if acts and options.written is None and not context.as_json:
        click.echo(f"Next: {suggested('submit', options.reading.workbook)}")
    return code


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planned:
    """The plan of one sheet."""

    made: Made
    sheet: SheetToRead
    taken: TakenSheets
    options: _PlanOptions
    beside: Sequence[Differing] | None
    """What is another than in the workbook of before; None: nobody asked for that."""

    def answer(self, before: int) -> SheetAnswer:
        """Give the answer of the command; so many sends go `before` this sheet."""
        made = self.made
        code = ExitCode.DONE
        if made.prepared.checked.refuses_all or made.saved.to_correct:
            code = ExitCode.ROWS_TO_CORRECT
        if made.saved.iwi_load.above:
            # A submit of it is refused with this code.
            code = ExitCode.USAGE
        return SheetAnswer(
            sheet=self.sheet,
            code=code,
            document=self._document,
            show=partial(self._show, before),
        )

    def _document(self) -> dict[str, Any]:
        made, beside = self.made, self.beside
        return (
            wording.plan_document(made.saved, written=self.options.written)
            | {
                "no_longer_in_workbook": [e.marker for e in made.prepared.plan.missing],
                "messages": dict(_messages(made)),
                "since": None if beside is None else [e.as_json() for e in beside],
                "findings": [each.as_json() for each in _problems(made)],
            }
            | made.prepared.checked.table.read_as.as_json()
        )

    def _show(self, before: int) -> None:
        context, checked = self.taken.context, self.made.prepared.checked
        if before:
            sends = counted(before, "send")
            click.echo(f"Tokens are counted after the {sends} of the sheets before.")
        print_reading(checked.table, self.options.reading.workbook, context)
        problems = _problems(self.made)
        if any(row.marker for row in self.made.saved.in_order):
            # The order of the acts says it.
            problems = tuple(e for e in problems if e.first.rule != ACT_CHANGES)
        printing.print_problems(
            problems,
            least=Severity.ERROR,
            also={THERE_ALREADY},
            rest="(--verbose shows them)",
            verbose=context.verbose,
        )
        printing.print_lines(self._lines(verbose=context.verbose))

    def _lines(self, *, verbose: bool) -> Iterator[str]:
        made, options = self.made, self.options
        plan, checked = made.prepared.plan, made.prepared.checked
        yield from wording.plan_lines(made.saved, verbose=verbose)
        far = checked.far_words(today=self.taken.context.toolkit.today)
        yield from filter(None, [far])
        yield from message_lines(_messages(made), shown=None if verbose else 1)
        yield from wording.absent_lines(plan)
        yield from changed_too_late(plan)
        if (path := options.written) is not None:
            name = one_line(str(path))
            yield f"The plan is {name}, made by {one_line(made.saved.author)}."
            if not made.saved.iwi_load.above:
                submit = suggested("submit", path, only=PLACE)
                yield f"To carry it out, exactly so: {submit}"
        if self.beside is not None and options.since is not None:
            name, shown = options.since.name, None if verbose else _SHOWN
            yield from difference_lines(self.beside, beside=name, shown=shown)


def _messages(made: Made) -> list[tuple[str, str]]:
    """Give the messages of the workbook, as they leave for rows that are to be sent."""
    plan = made.prepared.plan
    own = plan.found({MESSAGE_FILLED})
    sends = ((e, e.content.project) for e in sent_now(plan) if e.key in own)
    return [(entry.marker, said.message) for entry, said in sends if said is not None]


def _problems(made: Made) -> Problems:
    checked = made.prepared.checked
    there = there_findings(checked, made.foreseen.there).values()
    return checked.problems([*there, *as_they_stand(made.prepared.plan)])


_SHOWN: Final = 5
_SHAPES: Final = {"written", "since"}.union(
    *map(names_of, (ReadingOptions, WhichOptions, BoundOptions))
)
"""The options that shape a plan."""


def _show(context: CommandContext, options: _PlanOptions) -> ExitCode:
    """Show a saved plan; ask the service nothing."""
    path = options.reading.workbook
    if (flag := typed_flag(_SHAPES)) is not None:
        raise SettingsError(
            message=f"{flag} shapes a new plan, and {one_line(str(path))} is one "
            "already.",
            hint=f"To look at it: {suggested('plan', path, only=())}. To make "
            f"another, name the workbook: kawe plan WORKBOOK {flag}",
        )
    saved = read_plan(path)
    return context.answer(
        "planned",
        lambda: wording.plan_document(saved, written=path),
        lines=_saved_lines(context, saved, path),
    )


def _saved_lines(
    context: CommandContext, saved: SavedPlan, path: Path
) -> Iterator[str]:
    """Say what a plan says, and how far it came or what can be done with it."""
    begun = asyncio.run(how_far(context.toolkit, saved))
    yield from wording.shown_plan_lines(saved, path, begun=begun)
    if not begun:
        submit, name = suggested("submit", path, only=PLACE), one_line(str(path))
        whether = "Whether all of it still fits is looked at when it is carried out"
        yield f"{whether}: {submit}"
        yield f"To approve it with a key of your own: kawe approve {name}"
