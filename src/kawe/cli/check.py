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
from kawe.cli.shared.giving import ask_for_lacking
from kawe.cli.shared.options import (
    AskOptions,
    CommandContext,
    WorkbookOptions,
    option,
    options_class,
    reading_of,
    taking,
)
from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.rows.shown_files import ShownFile, file_lines, files_below
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.toolkit import Reading, open_session

_NOT_ASKED: Final = (
    "Not asked: which iwi each place belongs to; organisations; what was sent before."
)


@options_class
class _CheckOptions:
    reading: WorkbookOptions
    never_asks: bool = option("--no-input", help="Never ask anything.")
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
    reading = ask_for_lacking(
        context.toolkit,
        reading_of(options.reading),
        no_input=options.never_asks or context.as_json,
    )
    result = context.toolkit.result_path(
        reading.workbook, wanted=options.reading.result
    )
    writer = context.toolkit.writer(reading.workbook)
    writer.check_writable(result)
    checked = asyncio.run(_check(context, reading, offline=options.offline))
    report = checked.report
    written = writer.write(report, result)
    files = files_below(reading.root.resolve(), checked.attached)
    counts = report.counts()
    wrong = counts[Outcome.INVALID] or report.changed_too_late
    refused = bool(wrong) or checked.refuses_all
    code = ExitCode.ROWS_TO_CORRECT if refused else ExitCode.DONE
    submit = f"kawe submit {reading.workbook}"
    if reading.takes_struck is not None:
        submit += " --include-struck" if reading.takes_struck else " --skip-struck"
    submit += "".join(f" --accept {each}" for each in options.reading.accept)
    submit += "".join(
        f" --{name} {each.lower()}" for name, each in reading.given.items()
    )
    ready = counts[Outcome.READY]
    if not context.as_json:
        printing.print_findings(checked.findings, least=Severity.WARNING)
    return printing.answer(
        "check",
        code,
        as_json=context.as_json,
        document=lambda: printing.report_document(report, result=written, files=files),
        lines=[
            *_lines(report, files=files, workbook=reading.workbook),
            *([_NOT_ASKED] if options.offline else []),
            _next_step(submit, ready=ready, code=code, written=written),
        ],
    )


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


async def _check(
    context: CommandContext, reading: Reading, *, offline: bool
) -> _Checked:
    try:
        if offline:
            quick = await context.toolkit.check_offline(reading)
            return _Checked(
                report=context.toolkit.check_report(quick, workbook=reading.workbook),
                findings=quick.findings,
                refuses_all=quick.refuses_all,
                attached=quick.attached,
            )
        async with open_session(context.toolkit, read_only=True) as session:
            checked, report = await session.preview(reading)
        return _Checked(
            report=report,
            findings=(
                *checked.table.findings,
                *(finding for row in report.rows for finding in row.findings),
            ),
            refuses_all=checked.refuses_all,
            attached=checked.attached,
        )
    finally:
        context.progress.close()


def _next_step(submit: str, *, ready: int, code: ExitCode, written: Path) -> str:
    if code is ExitCode.DONE:
        then = f"Next: {submit}" if ready else "No row is ready to be submitted."
        return f"{printing.result_words(written)}\n{then}"
    words = f"Every problem is marked in {written}\nCorrect what is marked, check again"
    if ready:
        rows = counted(ready, "row that is", "rows that are")
        words += f"; or submit the {rows} ready now: {submit}"
    return words
