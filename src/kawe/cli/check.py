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
from kawe.cli.shared.finding_lines import print_problems
from kawe.cli.shared.giving import ask_for_lacking
from kawe.cli.shared.next_command import suggested
from kawe.cli.shared.opening import OpenOptions
from kawe.cli.shared.options import (
    AskingOptions,
    AskOptions,
    CommandContext,
    WorkbookOptions,
    option,
    options_class,
    reading_of,
    taking,
)
from kawe.cli.shared.read_words import ask_headings, print_read_as
from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.rows.shown_files import ShownFile, file_lines, files_below
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.finding_groups import Problems
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.toolkit import Reading, open_session

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
    asking: AskingOptions
    ask: AskOptions
    opening: OpenOptions


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
    context.toolkit.check_there(reading.workbook)
    result = context.toolkit.result_path(
        reading.workbook, wanted=options.reading.result
    )
    writer = context.toolkit.writer(reading.workbook)
    writer.check_writable(result)
    context = ask_headings(context, reading, no_input=options.asking.never_asks)
    reading = ask_for_lacking(
        context.toolkit,
        reading,
        no_input=options.asking.never_asks or context.as_json,
    )
    checked = asyncio.run(_check(context, reading, options))
    report = checked.report
    written = writer.write(report, result)
    files = files_below(reading.root.resolve(), checked.attached)
    counts = report.counts()
    wrong = counts[Outcome.INVALID] or report.changed_too_late
    refused = bool(wrong) or checked.refuses_all
    code = ExitCode.ROWS_TO_CORRECT if refused else ExitCode.DONE
    submit = suggested("submit", reading.workbook)
    ready = counts[Outcome.READY]
    if not context.as_json:
        print_read_as(report.read_as)
        print_problems(
            checked.problems,
            least=Severity.WARNING,
            rest=f"in Problems, a sheet of {one_line(written.name)}; or --verbose",
            verbose=context.verbose,
        )
    printing.answer(
        "check",
        code,
        as_json=context.as_json,
        document=lambda: (
            printing.report_document(report, result=written, files=files)
            | {"places_known": checked.places_known}
        ),
        lines=[
            *_lines(report, files=files, workbook=reading.workbook),
            *([_NOT_ASKED] if options.offline else []),
            *_known(checked.places_known),
            _next_step(submit, ready=ready, code=code, written=written),
        ],
    )
    options.opening.open([written], no_input=context.as_json)
    return code


def _known(places: int) -> Iterator[str]:
    if places:
        yield (
            f"{counted(places, 'place')} known from an earlier check or run of the "
            "last 24 hours; --fresh asks again."
        )


def _lines(
    report: BatchReport, *, files: Sequence[ShownFile], workbook: Path
) -> Iterator[str]:
    yield f"Checked {one_line(workbook.name)}, sheet {one_line(report.sheet)}:"
    yield from printing.count_lines(report)
    if report.sending is not None:
        yield from report.sending.remarks()
    if files:
        yield "Files that go with these rows:"
    yield from file_lines(files)
    if report.iwi_load.shares:
        yield report.iwi_load.words()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    report: BatchReport
    problems: Problems
    refuses_all: bool
    attached: Sequence[tuple[int, Attachment]]
    places_known: int = 0


async def _check(
    context: CommandContext, reading: Reading, options: _CheckOptions
) -> _Checked:
    try:
        if options.offline:
            quick = await context.toolkit.check_offline(reading)
            return _Checked(
                report=context.toolkit.check_report(quick, workbook=reading.workbook),
                problems=quick.problems(),
                refuses_all=quick.refuses_all,
                attached=quick.attached,
            )
        async with open_session(context.toolkit, read_only=True) as session:
            preview = await session.preview(reading, is_fresh=options.fresh)
        return _Checked(
            report=preview.report,
            problems=preview.report.problems(),
            refuses_all=preview.checked.refuses_all,
            attached=preview.checked.attached,
            places_known=preview.places_known,
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
