"""`kawe check`: every problem of every row, and nothing sent."""

import asyncio
import contextlib
import gc
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import click

from kawe.cases.batches.checking import CheckedSheet, check_sheets
from kawe.cases.batches.ending import Closing
from kawe.cases.sheets import SheetToRead
from kawe.cli.output import printing
from kawe.cli.output.next_command import suggested
from kawe.cli.shared import running
from kawe.cli.shared.declaring import command, option, options_class
from kawe.cli.shared.options import PersonOptions, WorkbookOptions
from kawe.cli.shared.read_words import print_reading
from kawe.cli.shared.sheets import SheetAnswer, TakenSheets, take_sheets
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.shown_files import ShownFile, file_lines, files_below
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.texts import counted, one_line

_NOT_ASKED: Final = (
    "Not asked: which iwi each place belongs to; organisations; what was sent before."
)
_KNOWN: Final = (
    "known from an earlier check or run of the last 24 hours; --fresh asks again."
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
    extracts: running.ExtractOptions
    ask: PersonOptions
    opening: running.OpenOptions


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
    workbook, no_input = options.reading.workbook, options.ask.no_input
    reading = options.reading
    taken = take_sheets(context, reading.reading, reading, no_input=no_input)
    places = taken.places(options.reading.result, options.extracts)
    taken = taken.asked()
    context = taken.context
    with contextlib.closing(context.progress):
        checked, places_known = asyncio.run(
            check_sheets(
                context.toolkit,
                taken.readings,
                is_offline=options.offline,
                is_fresh=options.fresh,
            )
        )
    writer = context.toolkit.writer(workbook)
    ended, ready = [], 0
    for each, sheet, (result, beside) in zip(
        checked, taken.sheets.lists, places.items(), strict=True
    ):
        written = writer.write(each.report, result)
        closing = Closing(report=each.report, result=written, code=each.code)
        closing = beside.write(closing)
        ended.append(
            _Ended(
                checked=each, closing=closing, result=written, sheet=sheet, taken=taken
            )
        )
        ready += each.report.counts()[Outcome.READY]
        context.state.run.record(each.report)
    answers = [each.answer() for each in ended]
    code = taken.answer("check", answers, more={"places_known": places_known})
    if not context.as_json:
        printing.print_lines([_NOT_ASKED] if options.offline else [])
        if places_known:
            printing.print_lines([f"{counted(places_known, 'place')} {_KNOWN}"])
        if not any(each.note for each in checked):
            step = _next_step(suggested("submit", workbook), ready=ready, code=code)
            printing.print_lines([step])
    options.opening.open([each.result for each in ended], no_input=no_input)
    return code


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ended:
    """One sheet, checked, and its result."""

    checked: CheckedSheet
    closing: Closing
    result: Path
    sheet: SheetToRead
    taken: TakenSheets

    def answer(self) -> SheetAnswer:
        """Give the answer of the command for this sheet."""
        files = files_below(self.sheet.reading.root.resolve(), self.checked.attached)
        return SheetAnswer(
            sheet=self.sheet,
            code=self.closing.code,
            document=partial(running.closing_document, self.closing, files=files),
            show=partial(self._show, files),
        )

    def _show(self, files: Sequence[ShownFile]) -> None:
        """Print how the sheet was read, what was found, and how its rows stand."""
        context, reading = self.taken.context, self.sheet.reading
        print_reading(
            context.toolkit.head(reading),
            reading.workbook,
            context,
            rows=len(self.checked.report.rows),
        )
        printing.print_problems(
            self.checked.problems,
            least=Severity.WARNING,
            rest=f"in Problems, a sheet of {one_line(self.result.name)}; or --verbose",
            verbose=context.verbose,
        )
        printing.print_lines(self._lines(file_lines(files, every=context.verbose)))

    def _lines(self, files: Iterable[str]) -> Iterator[str]:
        report, result = self.closing.report, self.result
        yield from printing.count_lines(report)
        if report.sending is not None:
            yield from report.sending.remarks()
        for place, line in enumerate(files):
            if not place:
                yield "Files of these rows:"
            yield line
        also = report.iwi_load.words(), self.checked.far, self.checked.note
        yield from filter(None, also)
        yield from printing.result_lines(result, is_wrong=self.checked.is_wrong)
        yield from running.beside_lines(self.closing)


def _next_step(submit: str, *, ready: int, code: ExitCode) -> str:
    if code is ExitCode.DONE:
        return f"Next: {submit}" if ready else "No row is ready to be submitted."
    words = "Correct what is marked, and check again"
    if not ready:
        return f"{words}."
    rows = counted(ready, "row that is", "rows that are")
    return f"{words}; or submit the {rows} ready now: {submit}"
