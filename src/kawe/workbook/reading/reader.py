"""The reader of workbooks, Excel and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.read_as import ReadAs
from kawe.domain.sheet.refs import RowRef, column_letters
from kawe.domain.sheet.tables import Heading, Table
from kawe.domain.text.texts import fold, one_line
from kawe.errors import WorkbookError
from kawe.workbook.cells.reading import Remark, error, note, warning
from kawe.workbook.own_words import is_own_sheet
from kawe.workbook.reading.csv_book import CsvBook
from kawe.workbook.reading.grids import Book, SheetName
from kawe.workbook.reading.headings import NONE_TAUGHT, Recogniser, TaughtHeadings
from kawe.workbook.reading.lines import runs
from kawe.workbook.reading.sheets import Body, OpenSheet
from kawe.workbook.reading.stamps import age_findings, stamp_of
from kawe.workbook.reading.unread import findings_of, unread_columns
from kawe.workbook.reading.xlsx_book import XlsxBook
from kawe.workbook.scan.identify import WorkbookFormat, form_of, load

_LISTED: Final = 10


class CalamineReader:
    """Reads .xlsx, .xlsm and .csv files, copied into memory: Excel may have them open.

    Without `include_hidden`, hidden or filtered rows are an error, and so are
    struck-through rows, unless `takes_struck` says to read or to skip them. `taught`
    gives the fields of the person's own headings; `given` fields need no column.
    """

    def __init__(
        self,
        columns: Mapping[SheetKind, Sequence[Column]],
        *,
        include_hidden: bool = False,
        taught: TaughtHeadings = NONE_TAUGHT,
        given: frozenset[str] = frozenset(),
        takes_struck: bool | None = None,
    ) -> None:
        self._recogniser = Recogniser(columns, taught=taught, given=given)
        self._include_hidden = include_hidden
        self._takes_struck = takes_struck

    def read(self, path: Path, *, kind: SheetKind | None, sheet: str | None) -> Table:
        """Read the rows of the sheet that `kind` or `sheet` names.

        With neither, the headings decide. An unreadable cell becomes a finding
        and a `None` value. Blank rows and kawe's own result columns are skipped.

        Raises:
            WorkbookError: `path` is not a workbook that can be read, or no
                sheet of it can be taken for one of kawe's.
        """
        return self.open(path, kind=kind, sheet=sheet).table()

    def open(
        self, path: Path, *, kind: SheetKind | None, sheet: str | None
    ) -> OpenSheet:
        """Open a sheet as `read` does, without reading its rows."""
        chooser = Chooser(
            recogniser=self._recogniser, include_hidden=self._include_hidden
        )
        book = self._open(path)
        body = chooser.choose(book, kind=kind, sheet=sheet)
        if body.hidden and not self._include_hidden:
            raise _hidden_rows(body)
        if body.struck and self._takes_struck is None:
            raise _struck_rows(body)
        if self._takes_struck is False:
            body = replace(body, skipped=frozenset(body.struck))
        read_as = self._read_as(book, body)
        findings = (
            *self._recogniser.findings(body.headings, sheet=body.grid.sheet),
            *self._doubts(read_as, body),
            *body.grid.facts.findings,
            *_remarks(body),
        )
        return OpenSheet(body, findings=findings, read_as=read_as)

    def _read_as(self, book: Book, body: Body) -> ReadAs:
        row, stamp = body.headings, stamp_of(book)
        unread = unread_columns(
            body,
            self._recogniser.columns[row.kind],
            declined=self._recogniser.declined[row.kind],
        )
        return ReadAs(
            columns=tuple(self._recogniser.read_columns(row)),
            unread=tuple(unread),
            template=stamp if stamp and stamp.kind == row.kind else None,
        )

    def _doubts(self, read_as: ReadAs, body: Body) -> Iterator[Finding]:
        row, sheet = body.headings, body.grid.sheet
        yield from findings_of(read_as.unread, at=RowRef(sheet=sheet, row=row.row))
        if read_as.template is not None:
            missing = self._recogniser.missing(row)
            yield from age_findings(read_as.template, row, sheet=sheet, missing=missing)

    def _open(self, path: Path) -> Book:
        data = load(path)
        match form_of(data, path=path):
            case WorkbookFormat.XLSX:
                return XlsxBook(data, name=path.name)
            case WorkbookFormat.CSV:
                return CsvBook(data, path=path, recogniser=self._recogniser)


def _hidden_rows(body: Body) -> WorkbookError:
    return WorkbookError(
        message=(
            f"Sheet “{one_line(body.grid.sheet)}” has hidden or filtered rows: "
            f"{runs(body.hidden)}. kawe does not guess whether they are meant."
        ),
        hint=(
            "Show them (Data > Clear, or select all rows and Unhide) or delete "
            "them; or run again with --include-hidden to take them too."
        ),
    )


def _struck_rows(body: Body) -> WorkbookError:
    return WorkbookError(
        message=(
            f"Sheet “{one_line(body.grid.sheet)}” has struck-through rows: "
            f"{runs(body.struck)}. kawe does not guess whether they are meant."
        ),
        hint=(
            "Run again with --skip-struck to leave them out, or with "
            "--include-struck to take them too."
        ),
    )


def _remarks(body: Body) -> Iterator[Finding]:
    """Give the findings on the whole sheet."""
    sheet, row = body.grid.sheet, body.headings.row
    if body.is_empty:
        yield error(
            "no-rows",
            message=f"There are no rows below the headings in row {row}.",
            advice="Fill in at least one row, or name another sheet with --sheet.",
        ).at(RowRef(sheet=sheet, row=row))
    if body.hidden:
        yield warning(
            "rows-hidden",
            message=f"Hidden or filtered rows were read too: {runs(body.hidden)}.",
            advice="Nothing, if they are meant.",
        ).at(RowRef(sheet=sheet, row=body.hidden[0]))
    if struck := [] if body.skipped else body.struck:
        yield warning(
            "rows-struck",
            message=f"Struck-through rows were read too: {runs(struck)}.",
            advice="Nothing, if they are meant.",
        ).at(RowRef(sheet=sheet, row=struck[0]))
    for heading, _ in body.headings.known():
        for remark in _column_remarks(body, heading):
            where = body.headings.cell(heading, sheet)
            yield remark.at(where, heading=heading.text)


def _column_remarks(body: Body, heading: Heading) -> Iterator[Remark]:
    facts, row = body.grid.facts, body.headings.row
    named = f"Column {column_letters(heading.column)} “{heading.text}”"
    if heading.column in facts.hidden_columns:
        yield warning(
            "column-hidden",
            message=f"{named} is hidden, and was read.",
            advice="Look at what stands in it, or delete it.",
        )
    if facts.formulas.get(heading.column, (0, 0))[0] > row:
        yield note(
            "column-formulas",
            message=f"{named} has formulas; their last values were used.",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chooser:
    """Chooses the sheet to read.

    It is the sheet with the kind's name, else the only one with known headings. Two
    such sheets are an error: the wrong sheet would send the wrong projects.
    """

    recogniser: Recogniser
    include_hidden: bool

    def choose(self, book: Book, *, kind: SheetKind | None, sheet: str | None) -> Body:
        """Choose the sheet of `book` that holds rows of `kind`.

        Raises:
            WorkbookError: No sheet, or more than one, can be meant.
        """
        if sheet is not None:
            return self._named(book, self._find(book, sheet), kind)
        names = [each.name for each in book.sheets]
        visible = [
            each
            for each in book.sheets
            if not each.is_hidden and not is_own_sheet(each.name, among=names)
        ]
        kinds = self._kinds(kind)
        titled = [each for each in visible if _kind_of(each.name, kinds) is not None]
        if len(titled) == 1:
            return self._named(book, titled[0], _kind_of(titled[0].name, kinds))
        return self._only(book, titled or visible, kind)

    def _named(self, book: Book, sheet: SheetName, kind: SheetKind | None) -> Body:
        """Open a sheet that was found by name."""
        grid = book.grid(sheet.name)
        found = self.recogniser.best(grid, kinds=self._kinds(kind))
        if found is None:
            raise self._no_headings(book, [sheet], kind)
        return Body(grid=grid, headings=found)

    def _only(
        self, book: Book, sheets: Sequence[SheetName], kind: SheetKind | None
    ) -> Body:
        """Open the only sheet with known headings, else the only one with rows."""
        candidates = []
        for sheet in sheets:
            grid = book.grid(sheet.name)
            named = _kind_of(sheet.name, self._kinds(kind))
            found = self.recogniser.best(grid, kinds=self._kinds(named or kind))
            if found is not None:
                candidates.append(Body(grid=grid, headings=found))
        filled = [each for each in candidates if each.has_rows]
        if len(candidates) == 1:
            return candidates[0]
        if len(filled) == 1:
            return filled[0]
        if not candidates:
            raise self._no_headings(book, sheets, kind)
        raise WorkbookError(
            message=(
                f"“{book.name}” has several sheets that could be meant: "
                f"{_listed([each.grid.sheet for each in candidates])}."
            ),
            hint="Name one with --sheet.",
        )

    def _find(self, book: Book, wanted: str) -> SheetName:
        """Find the sheet that the person named; an exact name comes first."""
        exact = [each for each in book.sheets if each.name == wanted]
        alike = [each for each in book.sheets if fold(each.name) == fold(wanted)]
        found = exact or alike
        if len(found) != 1:
            sheets = _listed([each.name for each in book.sheets])
            raise WorkbookError(
                message=f"“{book.name}” has no sheet called “{one_line(wanted)}”.",
                hint=f"Its sheets are {sheets}. Name one with --sheet.",
            )
        if found[0].is_hidden and not self.include_hidden:
            raise WorkbookError(
                message=f"Sheet “{one_line(found[0].name)}” is hidden.",
                hint="Unhide it in Excel, or run again with --include-hidden.",
            )
        return found[0]

    def _kinds(self, kind: SheetKind | None) -> tuple[SheetKind, ...]:
        return tuple(self.recogniser.columns) if kind is None else (kind,)

    def _no_headings(
        self, book: Book, sheets: Sequence[SheetName], kind: SheetKind | None
    ) -> WorkbookError:
        needed = {
            each: [column.title for column in columns if column.required]
            for each, columns in self.recogniser.columns.items()
        }
        wanted = [
            f"{each.value}: {_listed(needed[each])}" for each in self._kinds(kind)
        ]
        where = _listed([each.name for each in sheets]) if sheets else "no sheet"
        return WorkbookError(
            message=(
                f"kawe found no headings that it knows in “{book.name}” "
                f"(looked at {where})."
            ),
            hint=(
                f"One of the first 20 rows should hold the headings for "
                f"{'; or for '.join(wanted)}. Make an empty workbook with "
                "kawe template, or name the sheet with --sheet."
            ),
        )


def _kind_of(name: str, kinds: Sequence[SheetKind]) -> SheetKind | None:
    return next((kind for kind in kinds if fold(name) in kind.sheet_names), None)


def _listed(names: Sequence[str]) -> str:
    shown = [f"“{one_line(name)}”" for name in names[:_LISTED]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
