"""The sheets Problems and Waiting of a result workbook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from kawe.domain.batch.deadlines import is_near, may_leave
from kawe.domain.batch.outcomes import RowReport
from kawe.domain.sheet.findings import Finding, Severity
from kawe.workbook import result_styles as styles
from kawe.workbook.result_cells import (
    write_headings,
    write_jump,
    write_link,
    write_value,
)
from kawe.workbook.result_rows import RowsLayout
from kawe.workbook.result_words import SEVERITIES
from kawe.workbook.sheet_book import WorkbookWriter
from kawe.workbook.sheet_page import Shape, SheetWriter

_PROBLEM_COLUMNS: Final = {
    "Sheet": 16.0,
    "Cell": 9.0,
    "Heading": 20.0,
    "Value": 30.0,
    "Severity": 18.0,
    "What is wrong": 52.0,
    "What to do": 52.0,
}
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
_MOST_PROBLEMS: Final = 500_000
_PLAIN: Final = styles.body()


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetAt:
    """What a sheet is called, and which one it is, counted from 1."""

    title: str
    number: int


def write_problems(
    book: WorkbookWriter,
    findings: Sequence[Finding],
    *,
    layout: RowsLayout,
    as_: SheetAt,
) -> None:
    """Write one row for each finding, linked to its cell."""
    with book.page(_shape(as_, _PROBLEM_COLUMNS), number=as_.number) as page:
        write_headings(page, tuple(_PROBLEM_COLUMNS), own_from=0)
        for finding in findings[:_MOST_PROBLEMS]:
            _write_problem(page, finding, layout)
        if not findings:
            page.line(("No problems were found.", styles.LEAD))
        more = len(findings) - _MOST_PROBLEMS
        if more > 0:
            page.line((f"{more:,} more: see the .json beside this.", styles.LEAD))
        page.table("kawe_problems", tuple(_PROBLEM_COLUMNS), first_row=1)


def write_waiting(
    book: WorkbookWriter,
    waiting: Sequence[RowReport],
    *,
    layout: RowsLayout,
    as_: SheetAt,
    today: date,
) -> None:
    """Write the rows that wait for a person.

    First those that need a decision, by their respond by; then those that wait
    for tokens, in the order in which they go.
    """
    with book.page(_shape(as_, _WAITING_COLUMNS), number=as_.number) as page:
        write_headings(page, tuple(_WAITING_COLUMNS), own_from=0)
        for row in sorted(waiting, key=_order):
            _write_waiting(page, row, layout, today=today)
        if not waiting:
            page.line(("No row waits for a person.", styles.LEAD))
        page.table("kawe_waiting", tuple(_WAITING_COLUMNS), first_row=1)


def _order(row: RowReport) -> tuple[int, date, int]:
    if row.turn is not None:
        return row.turn, date.min, 0
    return 0, _respond_by(row) or date.max, row.where.row


def _shape(as_: SheetAt, columns: Mapping[str, float]) -> Shape:
    return Shape(title=as_.title, widths=tuple(columns.values()), heading_row=1)


def _write_problem(page: SheetWriter, finding: Finding, layout: RowsLayout) -> None:
    is_cell = layout.index_of(finding) is not None
    at = layout.address_of(finding)
    shown = at if is_cell else f"Row {finding.row.row}"
    cells = page.begin_row()
    cells.text(layout.title, _PLAIN)
    write_jump(page, shown, sheet=layout.title, address=at)
    cells.text(finding.heading, _PLAIN)
    cells.text(finding.value, _PLAIN)
    cells.text(SEVERITIES[finding.severity], styles.severity_style(finding.severity))
    cells.text(finding.message, _PLAIN)
    cells.text(finding.advice, _PLAIN)
    page.end_row()


def _write_waiting(
    page: SheetWriter, row: RowReport, layout: RowsLayout, *, today: date
) -> None:
    number = row.where.row
    respond_by = _respond_by(row)
    cells = page.begin_row()
    write_value(cells, row.turn)
    write_jump(page, f"{number}", sheet=layout.title, address=f"A{number}")
    cells.text(row.name, _PLAIN)
    cells.text(row.reference or "", _PLAIN)
    write_value(cells, respond_by)
    if respond_by is None:
        write_value(cells, None)
    else:
        days = (respond_by - today).days
        mark = _urgency(respond_by, today=today)
        cells.number(days, styles.body("count", mark=mark))
    cells.text(row.outcome.value.capitalize(), styles.outcome_style(row.outcome))
    cells.text(row.what_to_do, _PLAIN)
    cells.text(row.project_id or "", _PLAIN)
    write_link(page, cells, row.link or "")
    page.end_row()


def _urgency(respond_by: date, *, today: date) -> Severity | None:
    if not may_leave(respond_by, today=today):
        return Severity.ERROR
    return Severity.WARNING if is_near(respond_by, today=today) else None


def _respond_by(row: RowReport) -> date | None:
    try:
        return date.fromisoformat(row.respond_by) if row.respond_by else None
    except ValueError:
        return None
