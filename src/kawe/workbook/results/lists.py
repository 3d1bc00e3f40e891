"""The sheets Problems, Waiting and Files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import date
from typing import Final

from kawe.domain.batch.outcomes import BatchReport, RowReport
from kawe.domain.batch.waiting import is_near, may_leave
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import Problems, Severity
from kawe.workbook.results import styles
from kawe.workbook.results.cells import table_sheet, write_jump, write_link, write_value
from kawe.workbook.results.overview import Overview
from kawe.workbook.results.rows import RowsLayout, local_time
from kawe.workbook.results.summary import Titles
from kawe_xlsx.writing.book import WorkbookWriter
from kawe_xlsx.writing.page import Printed, Shape, SheetWriter

_PROBLEM_COLUMNS: Final = {
    "Sheet": 16.0,
    "Cell": 9.0,
    "Rows": 18.0,
    "Heading": 20.0,
    "Value": 26.0,
    "Severity": 17.0,
    "What is wrong": 44.0,
    "What to do": 44.0,
}
# What is printed of the lists: narrow enough for letters of 9 points on A4.
_PRINTED_PROBLEMS: Final = Printed(columns=(2, 8))
_PRINTED_WAITING: Final = Printed(columns=(1, 8))
_WAITING_COLUMNS: Final = {
    "Turn": 8.0,
    "Row": 9.0,
    "Name": 34.0,
    "Reference": 18.0,
    "Respond by": 14.0,
    "Days left": 10.0,
    "Outcome": 12.0,
    "What to do": 56.0,
    "Project id": 38.0,
    "Link": 17.0,
}
_FILE_COLUMNS: Final = {
    "Row": 9.0,
    "Reference": 18.0,
    "Name": 34.0,
    "File": 40.0,
    "Size in bytes": 14.0,
    "SHA-256": 66.0,
}
_PRINTED_FILES: Final = Printed(columns=(1, 5))
_MOST_PROBLEMS: Final = 500_000
_PLAIN: Final = styles.body()
_SEVERITIES: Final = {
    Severity.ERROR: "Must be corrected",
    Severity.WARNING: "Please look",
    Severity.NOTE: "For your information",
}


def write_lists(
    book: WorkbookWriter,
    report: BatchReport,
    overview: Overview,
    *,
    titles: Titles,
    layout: RowsLayout,
) -> None:
    """Write Problems, Waiting and Files; `layout` is of the sheet with the rows."""
    shape = _shape(titles.problems, of=_PROBLEM_COLUMNS, printed=_PRINTED_PROBLEMS)
    with _list(book, shape, "kawe_problems", number=4, of=_PROBLEM_COLUMNS) as page:
        _write_problems(page, overview.problems, layout)
    today = local_time(report.written_at).date()
    shape = _shape(titles.waiting, of=_WAITING_COLUMNS, printed=_PRINTED_WAITING)
    with _list(book, shape, "kawe_waiting", number=5, of=_WAITING_COLUMNS) as page:
        # First rows for a decision, by respond by; then the queue for tokens.
        for row in sorted(overview.waiting, key=_order):
            _write_waiting(page, row, layout, today=today)
        if not overview.waiting:
            page.line(("No row waits for a person.", styles.LEAD))
    if overview.files:
        shape = _shape(titles.files, of=_FILE_COLUMNS, printed=_PRINTED_FILES)
        with _list(book, shape, "kawe_files", number=6, of=_FILE_COLUMNS) as page:
            for row, file in overview.files:
                _write_file(page, row, file, layout=layout)


def _shape(title: str, *, of: Mapping[str, float], printed: Printed) -> Shape:
    return Shape(
        title=title,
        widths=tuple(of.values()),
        heading_row=1,
        printed=printed,
        is_own=True,
    )


def _list(
    book: WorkbookWriter, shape: Shape, name: str, *, number: int, of: Iterable[str]
) -> AbstractContextManager[SheetWriter]:
    """Write a list with the headings `of`."""
    return table_sheet(book, shape, number=number, name=name, headings=tuple(of))


def _write_problems(page: SheetWriter, problems: Problems, layout: RowsLayout) -> None:
    """Write one row for all findings that say the same, linked to the first cell."""
    for group in problems[:_MOST_PROBLEMS]:
        finding, severity = group.first, group.severity
        is_cell = layout.is_cell(finding)
        at = layout.address_of(finding)
        shown = at if is_cell else f"Row {finding.row.row}"
        page.begin_row()
        page.text(layout.title, _PLAIN)
        write_jump(page, shown, sheet=layout.title, address=at)
        page.text(group.rows_words.partition(" ")[2], _PLAIN)
        page.text(finding.heading, _PLAIN)
        several = len(group.values) > 1
        value = group.values_words(limit=60) if several else finding.value
        page.text(value, _PLAIN)
        page.text(_SEVERITIES[severity], styles.body(mark=severity))
        page.text(finding.message, _PLAIN)
        page.text(finding.advice, _PLAIN)
        page.end_row()
    if not problems:
        page.line(("No problems were found.", styles.LEAD))
    more = len(problems) - _MOST_PROBLEMS
    if more > 0:
        page.line((f"{more:,} more: see the .json beside this.", styles.LEAD))


def _write_waiting(
    page: SheetWriter, row: RowReport, layout: RowsLayout, *, today: date
) -> None:
    number = row.where.row
    respond_by = _respond_by(row)
    page.begin_row()
    write_value(page, row.turn)
    write_jump(page, f"{number}", sheet=layout.title, address=f"A{number}")
    page.text(row.name, _PLAIN)
    page.text(row.reference or "", _PLAIN)
    write_value(page, respond_by)
    if respond_by is None:
        write_value(page, None)
    else:
        mark = _urgency(respond_by, today=today)
        page.numeric((respond_by - today).days, styles.body("count", mark=mark))
    page.text(row.outcome.value.capitalize(), styles.outcome_style(row.outcome))
    page.text(row.what_to_do, _PLAIN)
    page.text(row.project_id or "", _PLAIN)
    write_link(page, row.link or "")
    page.end_row()


def _write_file(
    page: SheetWriter, row: RowReport, file: Attachment, *, layout: RowsLayout
) -> None:
    number = row.where.row
    page.begin_row()
    write_jump(page, f"{number}", sheet=layout.title, address=f"A{number}")
    page.text(row.reference or "", _PLAIN)
    page.text(row.name, _PLAIN)
    page.text(file.name, _PLAIN)
    page.numeric(file.size_bytes, styles.body("count"))
    page.text(file.sha256, _PLAIN)
    page.end_row()


def _order(row: RowReport) -> tuple[int, date, int]:
    if row.turn is not None:
        return row.turn, date.min, 0
    return 0, _respond_by(row) or date.max, row.where.row


def _urgency(respond_by: date, *, today: date) -> Severity | None:
    if not may_leave(respond_by, today=today):
        return Severity.ERROR
    return Severity.WARNING if is_near(respond_by, today=today) else None


def _respond_by(row: RowReport) -> date | None:
    try:
        return date.fromisoformat(row.respond_by) if row.respond_by else None
    except ValueError:
        return None
