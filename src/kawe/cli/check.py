"""`kawe check`: every problem of every row, and nothing sent."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from kawe.cases.batches.checking import (
    CheckedSheet,
    check_sheets,
)
from kawe.cases.sheets import SheetsToRead, SheetToRead
from kawe.cli.output import printing
from kawe.cli.output.finding_lines import print_problems
from kawe.cli.output.next_command import suggested
from kawe.cli.shared.declaring import command, option, options_class
from kawe.cli.shared.options import (
    AskingOptions,
    AskOptions,
    CommandContext,
    WorkbookOptions,
)
from kawe.cli.shared.read_words import print_reading
from kawe.cli.shared.running import (
    ExtractOptions,
    OpenOptions,
    WrittenExtracts,
    write_extracts,
)
from kawe.cli.shared.sheets import (
    SheetAnswer,
    answer_in_json,
    ask_about_sheets,
    head_line,
    left_lines,
    places_of,
    sheets_of,
    worst,
)
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.rows.shown_files import ShownFile, file_lines, files_below
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.texts import counted, one_line

_NOT_ASKED: Final = (
    "Not asked: which iwi each place belongs to; organisations; what was sent before."
)


@options_class
class _CheckOptions:
    reading: WorkbookOptions
    offline: bool = option("--offline", help="Ask the service nothing.")
    fresh: bool = option(
        "--fresh",
        help="Ask about every place and organisation again, also those of a check of "
        "the last 24 hours.",
    )
    extracts: ExtractOptions
    asking: AskingOptions
    ask: AskOptions
    opening: OpenOptions


@command("kawe check monthly.xlsx")
def check(options: _CheckOptions) -> int:
    """Check WORKBOOK and write a result workbook; send nothing.

    Which iwi a place belongs to, whether an organisation is known, and what was
    sent before, only the service and the journal can say: --offline leaves that
    out.
    """
    if options.offline:
        # Its objects live to the end, and searching them for cycles finds nothing.
        gc.disable()
        click.get_current_context().call_on_close(gc.enable)
    context = options.ask.open()
    reading, every = options.reading.reading, options.reading.all_sheets
    context.toolkit.check_there(reading.workbook)
    no_input = options.asking.never_asks
    sheets = sheets_of(context, reading, options.reading, of_one={}, no_input=no_input)
    places = places_of(context, sheets, options.reading, extracts=options.extracts)
    context, sheets = ask_about_sheets(context, sheets, no_input=no_input)
    checked, places_known = asyncio.run(_check(context, sheets, options))
    writer = context.toolkit.writer(reading.workbook)
    ended = [
        _Ended(
            checked=each,
            counts=each.report.counts(),
            sheet=sheet,
            result=writer.write(each.report, result),
            extracts=write_extracts(beside, each.report),
            files=files_below(reading.root.resolve(), each.attached),
        )
        for each, sheet, (result, beside) in zip(
            checked, sheets.lists, places.items(), strict=True
        )
    ]
    answers = [each.answer(verbose=context.verbose) for each in ended]
    for each in ended:
        context.run.record(each.checked.report, each.counts)
    never = no_input or context.as_json
    if context.as_json:
        options.opening.open([], no_input=never)
        known = {"places_known": places_known}
        return answer_in_json("check", answers, sheets, every=every, more=known)
    for each, answer in zip(ended, answers, strict=True):
        if every:
            click.echo(head_line(each.sheet))
        each.print_findings(context)
        printing.print_lines(answer.lines)
    printing.print_lines(left_lines(sheets))
    printing.print_lines([_NOT_ASKED] if options.offline else [])
    printing.print_lines(_known(places_known))
    code, ready = worst(answers), sum(each.counts[Outcome.READY] for each in ended)
    submit = suggested("submit", reading.workbook)
    printing.print_lines([_next_step(submit, ready=ready, code=code)])
    options.opening.open([each.result for each in ended], no_input=never)
    return code


def _known(places: int) -> Iterator[str]:
    if places:
        yield (
            f"{counted(places, 'place')} known from an earlier check or run of the "
            "last 24 hours; --fresh asks again."
        )


def _lines(
    report: BatchReport, *, files: Iterable[str], workbook: Path, also: Sequence[str]
) -> Iterator[str]:
    yield f"Checked {one_line(workbook.name)}, sheet {one_line(report.sheet)}:"
    yield from printing.count_lines(report)
    if report.sending is not None:
        yield from report.sending.remarks()
    for place, line in enumerate(files):
        if not place:
            yield "Files that go with these rows:"
        yield line
    yield from filter(None, [report.iwi_load.words(), *also])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ended:
    """One sheet, checked, and its result."""

    checked: CheckedSheet
    counts: Counter[Outcome]
    sheet: SheetToRead
    result: Path
    extracts: WrittenExtracts
    files: Sequence[ShownFile]

    def print_findings(self, context: CommandContext) -> None:
        """Print how the sheet was read, and what was found."""
        print_reading(
            context.toolkit.head(self.sheet.reading),
            self.sheet.reading.workbook,
            context,
            rows=len(self.checked.report.rows),
        )
        print_problems(
            self.checked.problems,
            least=Severity.WARNING,
            rest=f"in Problems, a sheet of {one_line(self.result.name)}; or --verbose",
            verbose=context.verbose,
        )

    def answer(self, *, verbose: bool) -> SheetAnswer:
        """Give the answer of the command for this sheet."""
        report, files = self.checked.report, self.files
        return SheetAnswer(
            sheet=self.sheet,
            code=self.checked.code,
            document=lambda: printing.report_document(
                report, result=self.result, files=files, more=self.extracts.as_json()
            ),
            lines=[
                *_lines(
                    report,
                    files=file_lines(files, every=verbose),
                    workbook=self.sheet.reading.workbook,
                    also=(self.checked.far, self.checked.note),
                ),
                *(
                    (
                        f"Every problem is marked in {self.result}",
                        *printing.new_workbook_lines(self.result),
                    )
                    if self.checked.is_wrong
                    else (printing.result_words(self.result),)
                ),
                *self.extracts.lines(),
            ],
        )


async def _check(
    context: CommandContext, sheets: SheetsToRead, options: _CheckOptions
) -> tuple[list[CheckedSheet], int]:
    """Check the sheets, by themselves and together; count the places not asked."""
    readings = [each.reading for each in sheets.lists]
    try:
        return await check_sheets(
            context.toolkit,
            readings,
            is_offline=options.offline,
            is_fresh=options.fresh,
        )
    finally:
        context.progress.close()


def _next_step(submit: str, *, ready: int, code: ExitCode) -> str:
    if code is ExitCode.DONE:
        return f"Next: {submit}" if ready else "No row is ready to be submitted."
    words = "Correct what is marked, check again"
    if ready:
        rows = counted(ready, "row that is", "rows that are")
        words += f"; or submit the {rows} ready now: {submit}"
    return words
