"""The person's own sheet in a result workbook.

Their columns in their order and every row under the number that it has in
their workbook, so that “Projects!C7” is C7 here too; then what kawe adds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from openpyxl import Workbook
from openpyxl.cell import Cell

from kawe.domain.findings import Finding, Severity
from kawe.domain.outcomes import BatchReport, RowReport
from kawe.domain.refs import CellRef, column_letters
from kawe.domain.tables import RawValue
from kawe.domain.texts import one_line
from kawe.workbook import result_styles as styles
from kawe.workbook.cells.reading import show
from kawe.workbook.limits import HEADING_ROWS
from kawe.workbook.own_words import (
    HEADINGS,
    LINK,
    OUTCOME,
    PROJECT_ID,
    RECEIPT,
    TIME,
    WHAT_TO_DO,
    free_name,
)
from kawe.workbook.result_cells import (
    add_comment,
    link_cell,
    text_cell,
    value_cell,
)
from kawe.workbook.result_page import Page

TABLE: Final = "kawe_results"
_HEADING_CHARACTERS: Final = 200
_MOST_COMMENTS: Final = 1_000
_LOOKED_AT: Final = 300
# What a person types over these must not be turned into a number again.
_LOST: Final = frozenset({"zero-lost", "digits-lost", "date-in-text"})
_KEPT_NUMBERS: Final = "Each row has the number that it has in your workbook."
_NARROW: Final = 9.0
_WIDE: Final = 44.0
_OWN_WIDTHS: Final = {
    OUTCOME: 14.0,
    WHAT_TO_DO: 48.0,
    PROJECT_ID: 38.0,
    LINK: 17.0,
    RECEIPT: 18.0,
    TIME: 19.0,
}
_ZONE: Final = "Pacific/Auckland"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsLayout:
    """Where things stand on the person's sheet."""

    title: str
    headings: tuple[str, ...]
    """All, kawe's included; each one different, as an Excel table wants it."""
    theirs: int
    """How many of the headings are the person's."""
    heading_row: int
    by_text: Mapping[str, int]
    """The index of each heading by the person's own words."""

    def index_of(self, finding: Finding) -> int | None:
        """Find the column that a finding is about, None for the whole row."""
        if not isinstance(finding.where, CellRef):
            return None
        index = finding.where.column - 1
        wanted = _heading_text(finding.heading)
        # Columns that kawe added earlier are gone; then the words decide.
        if self.by_text.get(wanted, index) == index and index < self.theirs:
            return index
        return self.by_text.get(wanted)

    def address_of(self, finding: Finding) -> str:
        """Give the address of the cell that a finding is about."""
        index = self.index_of(finding)
        return f"{column_letters((index or 0) + 1)}{finding.row.row}"


def layout_of(report: BatchReport, *, title: str) -> RowsLayout:
    """Plan the sheet."""
    theirs = [_heading_text(heading) for heading in report.headings]
    named = list(_different(theirs))
    own = [free_name(heading, taken=named) for heading in HEADINGS]
    first = min((row.where.row for row in report.rows), default=2)
    by_text: dict[str, int] = {}
    for index, text in enumerate(theirs):
        by_text.setdefault(text, index)
    return RowsLayout(
        title=title,
        headings=(*named, *own),
        theirs=len(named),
        # The reader looks for headings in the first rows only.
        heading_row=max(1, min(first - 1, HEADING_ROWS)),
        by_text=by_text,
    )


def write_rows(book: Workbook, report: BatchReport, layout: RowsLayout) -> None:
    """Write the sheet."""
    rows = sorted(report.rows, key=lambda row: row.where.row)
    page = Page(book, layout.title, widths=_widths(layout, rows), paper="A3")
    page.freeze_below(layout.heading_row)
    if layout.heading_row > 1:
        page.write([text_cell(page.sheet, _KEPT_NUMBERS, style=styles.LEAD)], points=15)
    page.skip_to(layout.heading_row)
    page.headings(layout.headings, own_from=layout.theirs)
    writer = _RowWriter(page, layout)
    for row in rows:
        page.skip_to(row.where.row)
        page.write(writer.cells(row))
    page.table(TABLE, layout.headings, first_row=layout.heading_row)


def local_time(at: datetime) -> datetime:
    """Give an instant as the clock on a New Zealand wall, for a cell."""
    return at.astimezone(ZoneInfo(_ZONE)).replace(tzinfo=None, microsecond=0)


def worst(findings: Iterable[Finding]) -> Severity | None:
    """Give the mark that a cell gets: red before amber; notes get none."""
    there = {finding.severity for finding in findings}
    return next((s for s in (Severity.ERROR, Severity.WARNING) if s in there), None)


class _RowWriter:
    def __init__(self, page: Page, layout: RowsLayout) -> None:
        self._page = page
        self._layout = layout
        self._comments_left = _MOST_COMMENTS

    def cells(self, row: RowReport) -> list[Cell | None]:
        """Make the cells of one row: the person's, then kawe's."""
        about: dict[int | None, list[Finding]] = {}
        for finding in row.findings:
            about.setdefault(self._layout.index_of(finding), []).append(finding)
        raw = (*row.raw, *(None for _ in range(self._layout.theirs - len(row.raw))))
        theirs = [
            self._value(value, about.get(index, ()))
            for index, value in enumerate(raw[: self._layout.theirs])
        ]
        return [*theirs, *self._own(row, about.get(None, ()))]

    def _value(self, value: RawValue, findings: Sequence[Finding]) -> Cell | None:
        mark = worst(findings)
        if value is None and mark is None:
            return value_cell(self._page.sheet, None)
        lost = any(finding.rule in _LOST for finding in findings)
        cell = value_cell(self._page.sheet, value, mark=mark, keeps_text=lost)
        if mark is not None:
            self._comment(cell, findings)
        return cell

    def _own(self, row: RowReport, about_row: Sequence[Finding]) -> list[Cell]:
        sheet = self._page.sheet
        to_do = text_cell(
            sheet, row.what_to_do, style=styles.body(mark=worst(about_row))
        )
        if worst(about_row) is not None:
            self._comment(to_do, about_row)
        plain = styles.body()
        link = row.link or ""
        return [
            text_cell(
                sheet,
                row.outcome.value.capitalize(),
                style=styles.outcome_style(row.outcome),
            ),
            to_do,
            text_cell(sheet, row.project_id or "", style=plain),
            link_cell(sheet, link)
            if link and self._page.take_link()
            else text_cell(sheet, link, style=plain),
            text_cell(sheet, row.receipt_number or "", style=plain),
            value_cell(sheet, None if row.at is None else local_time(row.at)),
        ]

    def _comment(self, cell: Cell, findings: Sequence[Finding]) -> None:
        self._comments_left -= 1
        if self._comments_left < 0:
            return
        said = [f"{each.message} {each.advice}".strip() for each in findings]
        add_comment(cell, "\n\n".join(dict.fromkeys(said)))


def _heading_text(text: str) -> str:
    return one_line(text, limit=_HEADING_CHARACTERS)


def _different(texts: Sequence[str]) -> Iterator[str]:
    """Name each column differently; the number in brackets is no new meaning."""
    seen: set[str] = set()
    for index, text in enumerate(texts, start=1):
        wanted = text or f"Column {column_letters(index)}"
        name, number = wanted, 1
        while name.casefold() in seen:
            number += 1
            name = f"{wanted} ({number})"
        seen.add(name.casefold())
        yield name


def _widths(layout: RowsLayout, rows: Sequence[RowReport]) -> list[float]:
    """Make each column as wide as most of its texts, within reason."""
    widths = []
    for index in range(layout.theirs):
        texts = [
            show(row.raw[index]) for row in rows[:_LOOKED_AT] if index < len(row.raw)
        ]
        longest = max(
            (len(line) for text in texts for line in text.split("\n")), default=0
        )
        words = [len(word) for word in layout.headings[index].split()]
        # Headings may wrap, but their longest word and the filter button fit.
        needed = max(longest + 2, max(words, default=0) + 5)
        widths.append(max(_NARROW, min(float(needed), _WIDE)))
    return [*widths, *(_OWN_WIDTHS[heading] for heading in HEADINGS)]
