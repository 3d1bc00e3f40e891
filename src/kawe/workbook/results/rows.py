"""The person's own sheet in a result workbook, or what stands for it in a new one.

It has their columns in order and each row at its own number, so that “Projects!C7” is
C7 here too; then kawe's columns.

What people know a row by is shown also where it is wrong.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain, islice, repeat
from typing import Any, Final, TypeAlias

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
    IWI,
    LINK,
    NAMING,
    OUTCOME,
    STATUS,
    WHAT_TO_DO,
    WIDE,
    WIDTHS,
    free_name,
)
from kawe.workbook.results import cells, styles
from kawe_xlsx.cells import column_letters
from kawe_xlsx.limits import HEADING_ROWS
from kawe_xlsx.patching.book import PatchedBook, SheetPatch
from kawe_xlsx.patching.original import Original
from kawe_xlsx.patching.sheet_rows import RowEdit
from kawe_xlsx.patching.xml_edits import Unpatchable
from kawe_xlsx.writing.book import WorkbookWriter
from kawe_xlsx.writing.page import (
    LINE_POINTS,
    MOST_LINKS,
    CellLink,
    Comment,
    Printed,
    Shape,
    SheetWriter,
    dated,
    number_cell,
    text_cell,
)
from kawe_xlsx.writing.text import plain_text, safe_text

_TITLE_CHARACTERS: Final = 31
_NOT_IN_TITLES: Final = re.compile(r"[\[\]:*?/\\]")
LONGEST: Final = 300
"""A longer text would fill the screen alone; it stands whole in their sheet."""


OwnValues: TypeAlias = Mapping[str, str | datetime | None]
"""What stands below each of kawe's headings."""
WriteRow: TypeAlias = Callable[[RowReport, OwnValues], None]
WriteNamedRow: TypeAlias = Callable[[RowReport, OwnValues, tuple[str, str]], None]
"""Takes what `names_of` says too."""


def names_of(report: BatchReport) -> Callable[[RowReport], tuple[str, str]]:
    """Give the function that says a row's reference and name; empty where unknown."""
    named = naming_columns(report)

    def said(row: RowReport, field: str) -> str:
        at = named.get(field)
        typed = show(row.raw[at]) if at is not None and at < len(row.raw) else ""
        return one_line(typed, limit=LONGEST)

    return lambda row: (
        row.reference or said(row, "reference"),
        row.name or said(row, "name"),
    )


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
READ: Final = (OUTCOME, WHAT_TO_DO, IWI, STATUS, EXPIRES)
"""Of kawe's columns, those that people read; programs read the others."""
_PLAIN: Final = styles.body()
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
    is_patched: bool = False
    """It is the person's own sheet, and each cell stands where it stood."""

    def index_of(self, finding: Finding) -> int | None:
        """Find the column of a finding; None: the whole row."""
        if not isinstance(finding.where, CellRef):
            return None
        index = finding.where.column - 1
        if self.is_patched:
            return index
        wanted = _heading_text(finding.heading)
        # Without kawe's earlier columns the index differs; the heading decides.
        if self.by_text.get(wanted, index) == index and index < self.theirs:
            return index
        return self.by_text.get(wanted)

    def address_of(self, finding: Finding) -> str:
        """Give the cell address of a finding."""
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
    widths = (
        cells.width_of(
            heading,
            (show(row.raw[at]) for row in first_rows if at < len(row.raw)),
            widest=WIDE,
        )
        for at, heading in enumerate(named)
    )
    return RowsLayout(
        title=title,
        headings=headings,
        theirs=len(named),
        # The reader finds headings in the first rows only.
        heading_row=max(1, min(first - 1, HEADING_ROWS)),
        by_text=by_text,
        is_patched=is_patched,
        widths=(*widths, *(WIDTHS[each] for each in ours)),
        own=ours,
    )


def own_columns(report: BatchReport) -> tuple[str, ...]:
    return tuple(
        heading
        for heading, field in FIELDS.items()
        if heading in ALWAYS or field in report.gives
    )


def own_values(said: Mapping[str, Any]) -> OwnValues:
    """Give what kawe writes beside a row; `said` is its `RowReport.as_json`."""
    shown = {
        **said,
        "outcome": said["outcome"].capitalize(),
        "iwi": iwi_words(said["iwi"]),
        "invitation_status": (said.get("invitation_status") or "").capitalize(),
    }
    # A document of an earlier kawe has fewer fields.
    return {heading: shown.get(field) for heading, field in FIELDS.items()}


def naming_columns(report: BatchReport) -> dict[str, int]:
    """Give the places, among theirs, of the columns that name a row.

    By what `RowReport` calls them.
    """
    return {
        NAMING[each.means.field]: report.headings.index(each.text)
        for each in report.read_as.read
        if each.means is not None
        and each.means.field in NAMING
        and each.text in report.headings
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
    book: WorkbookWriter, report: BatchReport, layout: RowsLayout
) -> Iterator[WriteRow]:
    """Write the sheet of a new workbook; give the function that writes the next row."""
    columns = {name: layout.theirs + at for at, name in enumerate(layout.own, start=1)}
    wrapped = [each for each in (WHAT_TO_DO, IWI) if each in columns]
    names = [at + 1 for at in naming_columns(report).values()]
    shape = Shape(
        title=layout.title,
        widths=layout.widths,
        heading_row=layout.heading_row,
        printed=printed_part(columns, names=names),
    )
    with book.page(shape, number=2) as page:
        if layout.heading_row > 1:
            page.line((_KEPT_NUMBERS, styles.LEAD), points=LINE_POINTS)
        page.skip_to(layout.heading_row)
        cells.write_headings(page, layout.headings, own_from=layout.theirs)

        def write(row: RowReport, own: OwnValues) -> None:
            cells, marks = writer.written(row, own)
            _write_theirs(page, row, layout, marks=marks)
            for each in wrapped:
                page.make_room(str(own[each]), column=columns[each])
            page.end_row(more=cells)

        writer = _RowWriter(report, layout, page, columns=columns, book=book)
        yield write
        name = book.free_table(TABLE)
        page.table(name, layout.headings, first_row=layout.heading_row)


def _write_theirs(
    page: SheetWriter,
    row: RowReport,
    layout: RowsLayout,
    *,
    marks: Mapping[int, Severity],
) -> None:
    """Write the person's cells, each below its heading."""
    lost = {layout.index_of(each) for each in row.findings if each.rule in _LOST}
    page.skip_to(row.where.row)
    page.begin_row()
    for index, value in enumerate(islice(chain(row.raw, repeat(None)), layout.theirs)):
        if mark := marks.get(index + 1):
            style_of = partial(styles.body, mark=mark, keeps_text=index in lost)
            cells.write_value(page, value, style_of=style_of)
        elif isinstance(value, str):
            page.text(value, _PLAIN)
        else:
            cells.write_value(page, value)


_SAVED: Final = "it and the batch no longer have the same rows"


@contextmanager
def their_sheet(
    book: PatchedBook, original: Original, *, report: BatchReport, layout: RowsLayout
) -> Iterator[WriteRow]:
    """Write the person's own sheet; give the function that writes the next row.

    Raises:
        Unpatchable: The sheet has other rows than the report.
    """
    theirs = original.headings
    if theirs != report.headings:
        raise Unpatchable(_SAVED)
    names = {each: free_name(each, taken=theirs) for each in own_columns(report)}
    printed = printed_part(book.columns, names=original.keys)
    with book.rows(names, printed=printed) as sheet:
        rows = original.rows()

        def write(row: RowReport, own: OwnValues) -> None:
            if next(rows, None) != (row.where.row, row.raw):
                raise Unpatchable(_SAVED)
            cells, marks = writer.written(row, own)
            tints = dict.fromkeys(original.keys, styles.OUTCOME_TINTS[row.outcome])
            tints |= {at: styles.MARK_TINTS[mark] for at, mark in marks.items()}
            sheet.write(row.where.row, RowEdit(cells=cells, tints=tints))

        writer = _RowWriter(
            report, layout, sheet, columns=book.columns, book=book, keys=original.keys
        )
        yield write
        if next(rows, None) is not None:
            raise Unpatchable(_SAVED)


def worst(findings: Iterable[Finding]) -> Severity | None:
    """Give the severity that marks a cell; notes do not."""
    there = {finding.severity for finding in findings}
    return next((s for s in (Severity.ERROR, Severity.WARNING) if s in there), None)


def said_at(written_at: datetime) -> str:
    return f"kawe, {moment_words(written_at)}:"


def said_of(outcome: str, what_to_do: str) -> str:
    return f"{outcome.capitalize()}. {what_to_do}".strip()


def words_of(findings: Iterable[Finding]) -> list[str]:
    """Give what is wrong and what to do, each sentence once."""
    said = (f"{each.message} {each.advice}".strip() for each in findings)
    return list(dict.fromkeys(said))


class _RowWriter:
    """Says what kawe writes into the rows of a sheet."""

    def __init__(
        self,
        report: BatchReport,
        layout: RowsLayout,
        sheet: SheetWriter | SheetPatch,
        *,
        columns: Mapping[str, int],
        book: WorkbookWriter,
        keys: Sequence[int] = (),
    ) -> None:
        self._sheet, self._columns, self._keys = sheet, columns, keys
        self._styles, self._layout = book.styles, layout
        self._said_at = said_at(report.written_at)
        # A person's own rows keep the height that they have.
        self._text = styles.BESIDE if layout.is_patched else "text"

    def written(
        self, row: RowReport, own: OwnValues
    ) -> tuple[dict[int, str], dict[int, Severity]]:
        """Give kawe's cells and the marks of the person's, both by column."""
        about: dict[int | None, list[Finding]] = {}
        for finding in row.findings:
            about.setdefault(self._layout.index_of(finding), []).append(finding)
        about_row = about.get(None, ())
        mark_of_row = Severity.ERROR if row.is_changed_too_late else worst(about_row)
        notes, marks = {}, {}
        if self._keys:
            notes[self._keys[0]] = [said_of(row.outcome, row.what_to_do)]
        elif about_row and mark_of_row:
            notes[self._columns[WHAT_TO_DO]] = words_of(about_row)
        for index, findings in about.items():
            mark = worst(findings)
            if index is not None and mark is not None:
                marks[index + 1] = mark
                notes.setdefault(index + 1, []).extend(words_of(findings))
        for column, words in notes.items():
            self._note(row.where.row, column, words)
        return self._own(row, own, mark=mark_of_row), marks

    def _own(
        self, row: RowReport, own: OwnValues, *, mark: Severity | None
    ) -> dict[int, str]:
        """Give kawe's cells by column."""
        link, linked = self._link(row)
        styled = {
            OUTCOME: styles.outcome_style(row.outcome),
            WHAT_TO_DO: styles.body(self._text, mark=mark),
            LINK: linked,
        }
        columns, plain = self._columns, styles.body(self._text)
        of_texts = self._styles.of_texts
        cells = {}
        for name, value in own.items():
            if not value or name not in columns:
                continue
            if isinstance(value, str):
                cells[columns[name]] = text_cell(
                    link if name == LINK else value, of_texts[styled.get(name, plain)]
                )
                continue
            at, style = dated(local_time(value))
            if not isinstance(at, str):
                number = self._styles.of_values[styles.body(style)]
                cells[columns[name]] = number_cell(at, number)
        return cells

    def _link(self, row: RowReport) -> tuple[str, str]:
        """Give the text of a link and its style, and make it one."""
        url = row.link or ""
        if not url or not cells.is_web(url) or len(self._sheet.links) >= MOST_LINKS:
            return url, styles.body(self._text)
        cell = f"{column_letters(self._columns[LINK])}{row.where.row}"
        self._sheet.links.append(CellLink(cell=cell, url=url, tip=cells.link_tip(url)))
        return cells.link_text(url), styles.LINK

    def _note(self, row: int, column: int, words: list[str]) -> None:
        if len(self._sheet.comments) < MOST_COMMENTS:
            text = "\n\n".join((self._said_at, *words))
            comment = Comment(row=row, column=column, text=safe_text(text))
            self._sheet.comments.append(comment)


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
