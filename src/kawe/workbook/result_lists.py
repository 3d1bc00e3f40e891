"""The sheets Problems and Waiting of a result workbook."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from openpyxl import Workbook
from openpyxl.cell import Cell

from kawe.domain.findings import Finding, Severity
from kawe.domain.outcomes import NEEDS_PERSON, BatchReport, RowReport
from kawe.domain.refs import CellRef
from kawe.workbook import result_styles as styles
from kawe.workbook.result_cells import (
    link_cell,
    number_cell,
    place_cell,
    text_cell,
    value_cell,
)
from kawe.workbook.result_page import Page
from kawe.workbook.result_rows import RowsLayout, local_time
from kawe.workbook.result_words import SEVERITIES

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
_SOON_DAYS: Final = 7


def write_problems(
    book: Workbook, report: BatchReport, layout: RowsLayout, *, title: str
) -> None:
    """Write one row for each finding, linked to its cell."""
    page = Page(book, title, widths=list(_PROBLEM_COLUMNS.values()))
    page.freeze_below(1)
    page.headings(list(_PROBLEM_COLUMNS), own_from=0)
    findings = [finding for row in report.rows for finding in row.findings]
    findings.sort(key=lambda each: (each.row.row, _column(each)))
    for finding in findings[:_MOST_PROBLEMS]:
        page.write(_problem(page, finding, layout))
    if not findings:
        said = "No problems were found."
        page.write([text_cell(page.sheet, said, style=styles.LEAD)])
    page.table("kawe_problems", list(_PROBLEM_COLUMNS), first_row=1)


def write_waiting(
    book: Workbook, report: BatchReport, layout: RowsLayout, *, title: str
) -> None:
    """Write the rows that wait for a person, the most urgent first."""
    page = Page(book, title, widths=list(_WAITING_COLUMNS.values()))
    page.freeze_below(1)
    page.headings(list(_WAITING_COLUMNS), own_from=0)
    today = local_time(report.written_at).date()
    waiting = waiting_rows(report)
    for row in waiting:
        page.write(_waiting(page, row, layout, today=today))
    if not waiting:
        said = "No row waits for a person."
        page.write([text_cell(page.sheet, said, style=styles.LEAD)])
    page.table("kawe_waiting", list(_WAITING_COLUMNS), first_row=1)


def waiting_rows(report: BatchReport) -> Sequence[RowReport]:
    """Give the rows that wait for a person by the day to respond by."""
    waiting = [row for row in report.rows if row.outcome in NEEDS_PERSON]
    return sorted(
        waiting,
        key=lambda row: (_respond_by(row) or date.max, row.where.row),
    )


def _problem(page: Page, finding: Finding, layout: RowsLayout) -> list[Cell | None]:
    sheet, plain = page.sheet, styles.body()
    is_cell = layout.index_of(finding) is not None
    at = layout.address_of(finding)
    shown = at if is_cell else f"Row {finding.row.row}"
    return [
        text_cell(sheet, layout.title, style=plain),
        place_cell(sheet, shown, target=layout.title, address=at)
        if page.take_link()
        else text_cell(sheet, shown, style=plain),
        text_cell(sheet, finding.heading, style=plain),
        text_cell(sheet, finding.value, style=plain),
        text_cell(
            sheet,
            SEVERITIES[finding.severity],
            style=styles.severity_style(finding.severity),
        ),
        text_cell(sheet, finding.message, style=plain),
        text_cell(sheet, finding.advice, style=plain),
    ]


def _waiting(
    page: Page, row: RowReport, layout: RowsLayout, *, today: date
) -> list[Cell | None]:
    sheet, plain = page.sheet, styles.body()
    number = row.where.row
    respond_by = _respond_by(row)
    link = row.link or ""
    return [
        place_cell(sheet, f"{number}", target=layout.title, address=f"A{number}")
        if page.take_link()
        else text_cell(sheet, f"{number}", style=plain),
        text_cell(sheet, row.name, style=plain),
        text_cell(sheet, row.reference or "", style=plain),
        value_cell(sheet, respond_by),
        value_cell(sheet, None)
        if respond_by is None
        else _days_left(page, (respond_by - today).days),
        text_cell(
            sheet,
            row.outcome.value.capitalize(),
            style=styles.outcome_style(row.outcome),
        ),
        text_cell(sheet, row.what_to_do, style=plain),
        text_cell(sheet, row.project_id or "", style=plain),
        link_cell(sheet, link)
        if link and page.take_link()
        else text_cell(sheet, link, style=plain),
    ]


def _days_left(page: Page, days: int) -> Cell:
    mark = None
    if days < _SOON_DAYS:
        mark = Severity.ERROR if days < 0 else Severity.WARNING
    return number_cell(page.sheet, days, style=styles.body("count", mark=mark))


def _respond_by(row: RowReport) -> date | None:
    try:
        return date.fromisoformat(row.respond_by) if row.respond_by else None
    except ValueError:
        return None


def _column(finding: Finding) -> int:
    return finding.where.column if isinstance(finding.where, CellRef) else 0
