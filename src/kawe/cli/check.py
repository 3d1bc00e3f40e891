"""`kawe check`: every problem of every row, and nothing sent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from kawe.cli.shared import printing
from kawe.cli.shared.exit import ExitCode
from kawe.cli.shared.options import (
    AskOptions,
    CommandContext,
    WorkbookOptions,
    option,
    options_class,
    reading_of,
    taking,
)
from kawe.cli.shared.sheets import (
    SheetAnswer,
    answer_in_json,
    head_line,
    left_lines,
    result_path,
    sheets_of,
    worst,
)
from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.rows.shown_files import ShownFile, file_lines, files_below
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.flows.check.checking import Checked
from kawe.toolkit import (
    Reading,
    SheetsToRead,
    SheetToRead,
    mark_across,
    open_session,
)

_NOT_ASKED: Final = (
    "Not asked: which iwi each place belongs to; organisations; what was sent before."
)


@options_class
class _CheckOptions:
    reading: WorkbookOptions
    offline: bool = option("--offline", help="Ask the service nothing.")
    ask: AskOptions


@click.command(epilog="Example: kawe check monthly.xlsx")
@taking(_CheckOptions)
def check(options: _CheckOptions) -> int:
    """Check WORKBOOK and write a result workbook; send nothing.

    Which iwi a place belongs to, whether an organisation is known, and what was
    sent before, only the service and the journal can say: --offline leaves that
    out.
    """
    context = options.ask.open()
    reading = reading_of(options.reading)
    every = options.reading.all_sheets
    sheets = sheets_of(context, reading, options.reading, of_one={})
    results = [
        result_path(context, each, wanted=options.reading.result, every=every)
        for each in sheets.lists
    ]
    checked = asyncio.run(_check(context, sheets, offline=options.offline))
    writer = context.toolkit.writer(reading.workbook)
    ended = [
        _Ended(
            checked=each,
            sheet=sheet,
            result=writer.write(each.report, result),
            files=files_below(reading.root.resolve(), each.attached),
        )
        for each, sheet, result in zip(checked, sheets.lists, results, strict=True)
    ]
    answers = [each.answer() for each in ended]
    submit = f"kawe submit {reading.workbook}{' --all-sheets' if every else ''}"
    submit += "".join(f" --accept {each}" for each in options.reading.accept)
    if context.as_json:
        return answer_in_json("check", answers, sheets, every=every)
    for each, answer in zip(ended, answers, strict=True):
        if every:
            click.echo(head_line(each.sheet))
        printing.print_findings(each.checked.findings, least=Severity.WARNING)
        printing.print_lines(answer.lines)
    printing.print_lines(left_lines(sheets))
    printing.print_lines([_NOT_ASKED] if options.offline else [])
    printing.print_lines(_next_step(submit, ended))
    return worst(answers)


def _lines(
    report: BatchReport, *, files: Sequence[ShownFile], workbook: Path
) -> Iterator[str]:
    yield f"Checked {one_line(workbook.name)}, sheet {one_line(report.sheet)}:"
    yield from printing.count_lines(report)
    if files:
        yield "Files that go with these rows:"
    yield from file_lines(files)
    if report.iwi_load.shares:
        yield report.iwi_load.words()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    report: BatchReport
    findings: tuple[Finding, ...]
    refuses_all: bool
    attached: Sequence[tuple[int, Attachment]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ended:
    """One sheet, checked, and its result."""

    checked: _Checked
    sheet: SheetToRead
    result: Path
    files: Sequence[ShownFile]

    @property
    def ready(self) -> int:
        """Count the rows that can be submitted."""
        return self.checked.report.counts()[Outcome.READY]

    def answer(self) -> SheetAnswer:
        """Give the answer of the command for this sheet."""
        report, files = self.checked.report, self.files
        wrong = report.counts()[Outcome.INVALID] or report.changed_too_late
        refused = bool(wrong) or self.checked.refuses_all
        return SheetAnswer(
            sheet=self.sheet,
            code=ExitCode.ROWS_TO_CORRECT if refused else ExitCode.DONE,
            document=lambda: printing.report_document(
                report, result=self.result, files=files
            ),
            lines=[
                *_lines(report, files=files, workbook=self.sheet.reading.workbook),
                f"Every problem is marked in {self.result}"
                if refused
                else printing.result_words(self.result),
            ],
        )


async def _check(
    context: CommandContext, sheets: SheetsToRead, *, offline: bool
) -> list[_Checked]:
    """Check the sheets, by themselves and together."""
    readings = [each.reading for each in sheets.lists]
    try:
        if offline:
            return await _check_offline(context, readings)
        async with open_session(context.toolkit, read_only=True) as session:
            some = [await session.check(each, keeps=False) for each in readings]
            together = mark_across(some)
            return [
                _previewed(each, await session.preview(reading, each))
                for each, reading in zip(together, readings, strict=True)
            ]
    finally:
        context.progress.close()


async def _check_offline(
    context: CommandContext, readings: Sequence[Reading]
) -> list[_Checked]:
    # Rows of several sheets are compared, and a quick check holds none.
    toolkit, is_one = context.toolkit, len(readings) == 1
    some = [
        await toolkit.check_offline(reading, is_quick=is_one) for reading in readings
    ]
    held = [each for each in some if isinstance(each, Checked)]
    return [
        _Checked(
            report=toolkit.check_report(each, workbook=readings[0].workbook),
            findings=each.findings,
            refuses_all=each.refuses_all,
            attached=each.attached,
        )
        for each in (some if is_one else mark_across(held))
    ]


def _previewed(checked: Checked, report: BatchReport) -> _Checked:
    return _Checked(
        report=report,
        findings=(
            *checked.table.findings,
            *(finding for row in report.rows for finding in row.findings),
        ),
        refuses_all=checked.refuses_all,
        attached=checked.attached,
    )


def _next_step(submit: str, ended: Sequence[_Ended]) -> Iterator[str]:
    ready = sum(each.ready for each in ended)
    if all(each.answer().code is ExitCode.DONE for each in ended):
        yield f"Next: {submit}" if ready else "No row is ready to be submitted."
        return
    words = "Correct what is marked, check again"
    if ready:
        rows = counted(ready, "row that is", "rows that are")
        words += f"; or submit the {rows} ready now: {submit}"
    yield words
