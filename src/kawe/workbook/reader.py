"""The reader of workbooks, Excel and CSV behind one front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.refs import RowRef, column_letters
from kawe.domain.sheet.tables import Heading, Table
from kawe.domain.text.texts import one_line
from kawe.errors import WorkbookError
from kawe.workbook.body import Body
from kawe.workbook.cells.reading import Remark, note, warning
from kawe.workbook.choosing import Chooser, Chosen
from kawe.workbook.csv_book import CsvBook
from kawe.workbook.grids import Book
from kawe.workbook.headings import Recogniser
from kawe.workbook.identify import WorkbookFormat, form_of, load
from kawe.workbook.sheets import OpenSheet
from kawe.workbook.xlsx_book import XlsxBook

_LISTED: Final = 8
_NOTHING: Final[Mapping[SheetKind, Mapping[str, str]]] = {}


class CalamineReader:
    """Reads .xlsx, .xlsm and .csv files, copied into memory: Excel may have them open.

    `include_hidden` reads rows that are hidden or filtered out, at which it
    otherwise stops. `taught` says, for headings of the person's own, which
    fields they mean.
    """

    def __init__(
        self,
        columns: Mapping[SheetKind, Sequence[Column]],
        *,
        include_hidden: bool = False,
        taught: Mapping[SheetKind, Mapping[str, str]] = _NOTHING,
    ) -> None:
        self._recogniser = Recogniser(columns, taught=taught)
        self._include_hidden = include_hidden

    def read(self, path: Path, *, kind: SheetKind | None, sheet: str | None) -> Table:
        """Read the rows of the sheet that `kind` or `sheet` names.

        With neither, the sheet and its kind are found by its headings. Every
        cell of a known column is read by its column's kind; what cannot be
        read becomes a finding on the row and a `None` value, never an
        exception. Blank rows and kawe's own result columns are skipped.

        Raises:
            WorkbookError: `path` is not a workbook that can be read, or no
                sheet of it can be taken for one of kawe's.
        """
        return self.open(path, kind=kind, sheet=sheet).table()

    def open(
        self, path: Path, *, kind: SheetKind | None, sheet: str | None
    ) -> OpenSheet:
        """Open a sheet as `read` does, to take of it what is wanted."""
        chooser = Chooser(
            recogniser=self._recogniser, include_hidden=self._include_hidden
        )
        chosen = chooser.choose(self._open(path), kind=kind, sheet=sheet)
        body = Body(grid=chosen.grid, headings=chosen.headings)
        if body.hidden and not self._include_hidden:
            raise _hidden_rows(body)
        return OpenSheet(body, findings=self._findings(chosen, body))

    def _open(self, path: Path) -> Book:
        data = load(path)
        match form_of(data, path=path):
            case WorkbookFormat.XLSX:
                return XlsxBook(data, name=path.name)
            case WorkbookFormat.CSV:
                return CsvBook(data, path=path, recogniser=self._recogniser)

    def _findings(self, chosen: Chosen, body: Body) -> tuple[Finding, ...]:
        sheet = chosen.grid.sheet
        return (
            *self._recogniser.findings(chosen.headings, sheet=sheet),
            *chosen.grid.facts.findings,
            *_remarks(body),
        )


def _hidden_rows(body: Body) -> WorkbookError:
    return WorkbookError(
        message=(
            f"Sheet “{one_line(body.grid.sheet)}” has hidden or filtered rows: "
            f"{_runs(body.hidden)}. kawe does not guess whether they are meant."
        ),
        hint=(
            "Show them (Data > Clear, or select all rows and Unhide) or delete "
            "them; or run again with --include-hidden to take them too."
        ),
    )


def _remarks(body: Body) -> list[Finding]:
    """Say what a person should know of the sheet as a whole."""
    sheet, row = body.grid.sheet, body.headings.row
    remarks = []
    if body.is_empty:
        remarks.append(
            Finding(
                where=RowRef(sheet=sheet, row=row),
                severity=Severity.ERROR,
                rule="no-rows",
                heading="",
                value="",
                message=f"There are no rows below the headings in row {row}.",
                advice="Fill in at least one row, or name another sheet with --sheet.",
            )
        )
    if body.hidden:
        remarks.append(
            Finding(
                where=RowRef(sheet=sheet, row=body.hidden[0]),
                severity=Severity.WARNING,
                rule="rows-hidden",
                heading="",
                value="",
                message=f"Hidden or filtered rows were read too: {_runs(body.hidden)}.",
                advice="Nothing, if they are meant.",
            )
        )
    return remarks + _column_remarks(body)


def _column_remarks(body: Body) -> list[Finding]:
    facts, row = body.grid.facts, body.headings.row
    remarks = []
    for heading, _ in body.headings.known():
        named = f"Column {column_letters(heading.column)} “{heading.text}”"
        if heading.column in facts.hidden_columns:
            remark = warning(
                "column-hidden",
                message=f"{named} is hidden, and was read.",
                advice="Look at what stands in it, or delete it.",
            )
            remarks.append(_about(body, heading, remark))
        if facts.formulas.get(heading.column, (0, 0))[0] > row:
            remark = note(
                "column-formulas",
                message=f"{named} has formulas; their last values were used.",
            )
            remarks.append(_about(body, heading, remark))
    return remarks


def _about(body: Body, heading: Heading, remark: Remark) -> Finding:
    at = RowRef(sheet=body.grid.sheet, row=body.headings.row).cell(heading.column)
    return Finding(
        where=at,
        severity=remark.severity,
        rule=remark.rule,
        heading=heading.text,
        value="",
        message=remark.message,
        advice=remark.advice,
    )


def _runs(rows: Sequence[int]) -> str:
    """List row numbers as runs: 4–9, 12 and 3 more."""
    runs = []
    for _, members in groupby(enumerate(rows), lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in members]
        first, last = numbers[0], numbers[-1]
        runs.append(f"{first}" if first == last else f"{first}–{last}")
    more = len(runs) - _LISTED
    return ", ".join(runs[:_LISTED]) + (f" and {more} more" if more > 0 else "")
