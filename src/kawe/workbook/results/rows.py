"""The person's own sheet in a result workbook.

It has their columns in order and each row at its own number, so that “Projects!C7” is
C7 here too; then kawe's columns.

What people know a row by is shown also where it is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice, repeat
from typing import Final, TypeAlias

from kawe.domain.batch.outcomes import BatchReport, RowReport
from kawe.domain.batch.sending import iwi_words
from kawe.domain.sheet.findings import CellRef, Finding, Severity
from kawe.domain.text.new_zealand import local_time, moment_words
from kawe.domain.text.texts import one_line
from kawe.workbook.cells.reading import show
from kawe.workbook.own_words import (
    ALWAYS,
    EXPIRES,
    FIELDS,
    HEADINGS,
    INVITATION_ID,
    IWI,
    LINK,
    MADE,
    MARKER,
    MESSAGE,
    NAMING,
    OUTCOME,
    PROJECT_ID,
    RECEIPT,
    STATUS,
    TIME,
    WHAT_TO_DO,
    free_name,
)
from kawe.workbook.results import styles
from kawe.workbook.results.cells import (
    write_headings,
    write_link,
    write_value,
)
from kawe_xlsx.cells import RawValue, column_letters
from kawe_xlsx.limits import HEADING_ROWS
from kawe_xlsx.writing.book import WorkbookWriter
from kawe_xlsx.writing.page import LINE_POINTS, Printed, Shape, SheetWriter
from kawe_xlsx.writing.text import plain_text

_TITLE_CHARACTERS: Final = 31
_NOT_IN_TITLES: Final = re.compile(r"[\[\]:*?/\\]")
_LONGEST: Final = 300
"""A longer text would fill the screen alone; it stands whole in their sheet."""


OwnValues: TypeAlias = tuple[str | datetime | None, ...]
"""What stands below each of `HEADINGS`, in their order."""
WriteRow: TypeAlias = Callable[[RowReport, OwnValues], None]
WriteNamedRow: TypeAlias = Callable[[RowReport, OwnValues, tuple[str, str]], None]
"""Takes what `names_of` says too."""


def names_of(report: BatchReport) -> Callable[[RowReport], tuple[str, str]]:
    """Give the function that says a row's reference and name; empty where unknown."""
    named = naming_columns(report)

    def said(row: RowReport, field: str) -> str:
        at = named.get(field)
        typed = show(row.raw[at]) if at is not None and at < len(row.raw) else ""
        return one_line(typed, limit=_LONGEST)

    def names(row: RowReport) -> tuple[str, str]:
        reference = row.reference or said(row, "reference")
        return reference, row.name or said(row, "name")

    return names


def sheet_title(name: str) -> str:
    """Make a name that Excel allows for a sheet."""
    title = _NOT_IN_TITLES.sub("-", plain_text(name).replace("\n", " "))
    return title[:_TITLE_CHARACTERS].strip().strip("'") or "Rows"


TABLE: Final = "kawe_rows"
_KEPT_NUMBERS: Final = "Each row has the number that it has in your workbook."
_HEADING_CHARACTERS: Final = 200
MOST_COMMENTS: Final = 1_000
LOOKED_AT: Final = 300
"""So many rows decide how wide the columns are."""
# Excel must not turn later edits of these into numbers.
_LOST: Final = frozenset({"zero-lost", "digits-lost", "date-in-text"})
_NARROW: Final = 9.0
_WIDE: Final = 44.0
OWN_WIDTHS: Final = {
    OUTCOME: 14.0,
    WHAT_TO_DO: 48.0,
    IWI: 34.0,
    STATUS: 20.0,
    EXPIRES: 19.0,
    MARKER: 24.0,
    PROJECT_ID: 38.0,
    LINK: 17.0,
    RECEIPT: 18.0,
    INVITATION_ID: 38.0,
    MADE: 19.0,
    TIME: 19.0,
    MESSAGE: _WIDE,
}
READ: Final = (OUTCOME, WHAT_TO_DO, IWI, STATUS, EXPIRES)
"""Of kawe's columns, those that people read; programs read the others."""
_PLAIN: Final = styles.body()
_LINK: Final = HEADINGS.index(LINK)
_MOST_REPEATED: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsLayout:
    """The layout of the person's sheet."""

    title: str
    headings: tuple[str, ...]
    """All headings, unique, as an Excel table needs."""
    theirs: int
    """Number of the person's headings."""
    heading_row: int
    by_text: Mapping[str, int]
    """Index of each heading as typed."""
    widths: tuple[float, ...]
    own: tuple[str, ...]
    """kawe's own headings, as `own_words` has them."""
    names: tuple[int, ...]
    """The places of the columns that name a row."""
    is_patched: bool = False
    """It is the person's own sheet, and each cell stands where it stood."""

    def index_of(self, finding: Finding) -> int | None:
        """Find the column of a finding; None: the whole row."""
        if not isinstance(finding.where, CellRef):
            return None
        index = finding.where.column - 1
        wanted = _heading_text(finding.heading)
        # Without kawe's earlier columns the index differs; the heading decides.
        if self.by_text.get(wanted, index) == index and index < self.theirs:
            return index
        return self.by_text.get(wanted)

    def is_cell(self, finding: Finding) -> bool:
        """Say whether a finding concerns one cell."""
        if self.is_patched:
            return isinstance(finding.where, CellRef)
        return self.index_of(finding) is not None

    def address_of(self, finding: Finding) -> str:
        """Give the cell address of a finding."""
        if self.is_patched:
            where = finding.where
            column = where.column if isinstance(where, CellRef) else 1
            return f"{column_letters(column)}{finding.row.row}"
        index = self.index_of(finding)
        return f"{column_letters((index or 0) + 1)}{finding.row.row}"


def layout_of(
    report: BatchReport,
    *,
    title: str,
    first_rows: Sequence[RowReport],
    is_patched: bool = False,
) -> RowsLayout:
    """Plan the sheet by its first rows."""
    theirs = [_heading_text(heading) for heading in report.headings]
    named = list(_different(theirs))
    ours = own_columns(report)
    own = [free_name(heading, taken=named) for heading in ours]
    first = first_rows[0].where.row if first_rows else 2
    by_text: dict[str, int] = {}
    for index, text in enumerate(theirs):
        by_text.setdefault(text, index)
    headings = (*named, *own)
    return RowsLayout(
        title=title,
        headings=headings,
        theirs=len(named),
        # The reader finds headings in the first rows only.
        heading_row=max(1, min(first - 1, HEADING_ROWS)),
        by_text=by_text,
        is_patched=is_patched,
        widths=(*_widths(named, first_rows), *(OWN_WIDTHS[each] for each in ours)),
        own=ours,
        names=tuple(naming_columns(report).values()),
    )


def own_columns(report: BatchReport) -> tuple[str, ...]:
    return tuple(
        heading
        for heading, field in FIELDS.items()
        if heading in ALWAYS or field in report.gives
    )


def own_values(row: RowReport) -> OwnValues:
    """Give what kawe writes beside a row; made once, for every file."""
    said = row.invitation
    name, status, made_at, expires_at = (
        ("", "", None, None)
        if said is None
        else (said.id, said.status.capitalize(), said.made_at, said.expires_at)
    )
    return (
        row.outcome.value.capitalize(),
        row.what_to_do,
        iwi_words(row.iwi),
        status,
        expires_at,
        row.project_id,
        row.link,
        row.receipt_number,
        name,
        made_at,
        row.at,
        row.reference,
        row.message,
    )


def naming_columns(report: BatchReport) -> dict[str, int]:
    """Give the places, among theirs, of the columns that name a row.

    By what `RowReport` calls them.
    """
    return {
        NAMING[each.means.field]: report.headings.index(each.heading)
        for each in report.read_as.read
        if each.means is not None
        and each.means.field in NAMING
        and each.heading in report.headings
    }


def printed_part(own: Mapping[str, int], *, names: Sequence[int]) -> Printed | None:
    """Say what of a sheet with rows is printed; by kawe's headings and columns.

    What names a row is repeated left of what became of it.
    """
    shown = [own[each] for each in READ if each in own]
    last = max(shown)
    if sorted(shown) != list(range(min(shown), last + 1)):
        return None
    # More than a few columns leave no room for the words.
    near = [each for each in names if each < min(names) + _MOST_REPEATED]
    left = (min(near), max(near)) if near else None
    return Printed(columns=(min(shown), last), left=left)


@contextmanager
def rows_sheet(
    book: WorkbookWriter, layout: RowsLayout, *, number: int
) -> Iterator[WriteRow]:
    """Write the sheet; give the function that writes the next row."""
    first = layout.theirs + 1
    shape = Shape(
        title=layout.title,
        widths=layout.widths,
        heading_row=layout.heading_row,
        printed=printed_part(
            {name: first + at for at, name in enumerate(layout.own)},
            names=[at + 1 for at in layout.names],
        ),
    )
    with book.page(shape, number=number) as page:
        if layout.heading_row > 1:
            page.line((_KEPT_NUMBERS, styles.LEAD), points=LINE_POINTS)
        page.skip_to(layout.heading_row)
        write_headings(page, layout.headings, own_from=layout.theirs)
        yield _RowWriter(page, layout).write
        name = book.free_table(TABLE)
        page.table(name, layout.headings, first_row=layout.heading_row)


def worst(findings: Iterable[Finding]) -> Severity | None:
    """Give the severity that marks a cell; notes do not."""
    there = {finding.severity for finding in findings}
    return next((s for s in (Severity.ERROR, Severity.WARNING) if s in there), None)


def row_mark(row: RowReport, about: Iterable[Finding]) -> Severity | None:
    """Give the severity that marks what to do; `about` are findings of no one cell."""
    return Severity.ERROR if row.is_changed_too_late else worst(about)


def said_at(written_at: datetime) -> str:
    return f"kawe, {moment_words(written_at)}:"


def said_of(outcome: str, what_to_do: str) -> str:
    return f"{outcome.capitalize()}. {what_to_do}".strip()


def words_of(findings: Iterable[Finding]) -> list[str]:
    """Give what is wrong and what to do, each sentence once."""
    said = (f"{each.message} {each.advice}".strip() for each in findings)
    return list(dict.fromkeys(said))


class _RowWriter:
    def __init__(self, page: SheetWriter, layout: RowsLayout) -> None:
        self._page = page
        self._layout = layout
        others = (each for each in layout.own if each not in (OUTCOME, WHAT_TO_DO))
        self._others = [HEADINGS.index(each) for each in others]

    def write(self, row: RowReport, own: OwnValues) -> None:
        """Write the person's cells, then kawe's."""
        about: dict[int | None, list[Finding]] = {}
        for finding in row.findings:
            about.setdefault(self._layout.index_of(finding), []).append(finding)
        page = self._page
        page.skip_to(row.where.row)
        page.begin_row()
        raw = islice(chain(row.raw, repeat(None)), self._layout.theirs)
        for index, value in enumerate(raw):
            if index in about:
                self._found(value, about[index])
            elif isinstance(value, str):
                page.text(value, _PLAIN)
            else:
                write_value(page, value)
        self._own(row, own, about.get(None, ()))
        page.end_row()

    def _found(self, value: RawValue, findings: Sequence[Finding]) -> None:
        mark = worst(findings)
        lost = any(finding.rule in _LOST for finding in findings)
        keeps_text = lost and (mark, value) != (None, None)
        write_value(
            self._page,
            value,
            style_of=lambda name: styles.body(
                "text" if keeps_text else name, mark=mark
            ),
        )
        if mark is not None:
            self._comment(findings)

    def _own(
        self, row: RowReport, values: OwnValues, about_row: Sequence[Finding]
    ) -> None:
        page = self._page
        page.text(row.outcome.value.capitalize(), styles.outcome_style(row.outcome))
        mark = row_mark(row, about_row)
        page.text(row.what_to_do, styles.body(mark=mark))
        if about_row and mark is not None:
            self._comment(about_row)
        for at in self._others:
            value = values[at]
            if at == _LINK:
                write_link(page, row.link or "")
            elif isinstance(value, datetime):
                write_value(page, local_time(value))
            else:
                page.text(value or "", _PLAIN)

    def _comment(self, findings: Sequence[Finding]) -> None:
        if len(self._page.comments) < MOST_COMMENTS:
            self._page.comment("\n\n".join(words_of(findings)))


def _heading_text(text: str) -> str:
    return one_line(text, limit=_HEADING_CHARACTERS)


def _different(texts: Sequence[str]) -> Iterator[str]:
    """Make headings unique with a number in brackets."""
    seen: set[str] = set()
    for index, text in enumerate(texts, start=1):
        wanted = text or f"Column {column_letters(index)}"
        name, number = wanted, 1
        while name.casefold() in seen:
            number += 1
            name = f"{wanted} ({number})"
        seen.add(name.casefold())
        yield name


def _widths(headings: Sequence[str], rows: Sequence[RowReport]) -> Iterator[float]:
    for index, heading in enumerate(headings):
        texts = [show(row.raw[index]) for row in rows if index < len(row.raw)]
        longest = max(
            (len(line) for text in texts for line in text.split("\n")), default=0
        )
        # Headings wrap; their longest word and the filter button must fit.
        words = max((len(word) for word in heading.split()), default=0)
        yield max(_NARROW, min(float(max(longest + 2, words + 5)), _WIDE))
