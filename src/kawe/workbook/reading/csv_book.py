"""A CSV file as a book of one sheet.

Excel writes CSV in the encoding and with the delimiter of the computer's region, and
says neither. kawe takes the delimiter that gives the most known headings.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.sheet_guard import unguarded
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.errors import WorkbookError
from kawe.workbook.cells.reading import warning
from kawe.workbook.own_words import own_headings
from kawe.workbook.reading.grids import Grid, GridFacts, GridRow, SheetName
from kawe.workbook.reading.headings import Recogniser
from kawe_xlsx.cells import RawValue
from kawe_xlsx.limits import HEADING_ROWS, MAX_COLUMNS, MAX_ROWS

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DELIMITERS: Final = (",", ";", "\t")
_SAID_DELIMITERS: Final = (*_DELIMITERS, "|")


class CsvBook:
    """A CSV file in memory; its only sheet has the file's name."""

    def __init__(self, data: bytes, *, path: Path, recogniser: Recogniser) -> None:
        self.name = one_line(path.name)
        self._sheet = one_line(path.stem) or "CSV"
        self.sheets: tuple[SheetName, ...] = (
            SheetName(name=self._sheet, is_hidden=False),
        )
        self._text, self._is_guess = _decoded(data, name=self.name)
        self._recogniser = recogniser

    def grid(self, sheet: str) -> Grid:
        """Read the rows."""
        text, delimiter = self._delimiter()
        rows = list(self._rows(text, delimiter))
        uncertain = frozenset(
            (number, column)
            for number, values in (rows if self._is_guess else ())
            for column, value in enumerate(values, start=1)
            if isinstance(value, str) and not value.isascii()
        )
        findings = (_guessed(sheet, len(uncertain)),) if uncertain else ()
        facts = GridFacts(uncertain=uncertain, findings=findings)
        return Grid(sheet=sheet, rows=_without_guards(rows), facts=facts)

    def _delimiter(self) -> tuple[str, str]:
        """Give the text without a `sep=` line, and its delimiter."""
        first, end, rest = self._text.partition("\n")
        first = first.strip("\r")
        if end and first[:4].lower() == "sep=" and first[4:] in _SAID_DELIMITERS:
            return rest, first[4:]
        # max takes the first of equals: the comma.
        return self._text, max(_DELIMITERS, key=self._known_headings)

    def _known_headings(self, delimiter: str) -> int:
        try:
            every = self._rows(self._text, delimiter)
            rows = list(itertools.islice(every, HEADING_ROWS))
        except WorkbookError:
            return 0
        grid = Grid(sheet=self._sheet, rows=rows, facts=GridFacts())
        found = self._recogniser.best(grid, kinds=self._recogniser.columns)
        return len(found.fields) if found else 0

    def _rows(self, text: str, delimiter: str) -> Iterator[GridRow]:
        # Strict: an open quotation mark would hide all rows after it.
        reader = csv.reader(
            io.StringIO(text, newline=""), delimiter=delimiter, strict=True
        )
        try:
            for number, record in enumerate(reader, start=1):
                values = tuple(cell or None for cell in record)
                if not any(values):
                    continue
                self._check_bounds(number, values)
                yield number, values
        except csv.Error as why:
            raise WorkbookError(
                message=(
                    f"“{self.name}” cannot be read near line {reader.line_num}: a "
                    "quotation mark is missing or too many, or a cell is very long."
                ),
                hint="Open it in Excel and save it as an Excel Workbook (.xlsx).",
            ) from why

    def _check_bounds(self, number: int, values: tuple[RawValue, ...]) -> None:
        if number > MAX_ROWS + HEADING_ROWS or len(values) > MAX_COLUMNS:
            raise WorkbookError(
                message=(
                    f"“{self.name}” has more than {MAX_ROWS:,} rows or "
                    f"{MAX_COLUMNS} columns."
                ),
                hint="Split it into several files.",
            )


def _without_guards(rows: list[GridRow]) -> list[GridRow]:
    """Undo the marks that kawe adds to texts in its own CSV results."""
    top = itertools.takewhile(lambda row: row[0] <= HEADING_ROWS, rows)
    if not any(own_headings([str(value or "") for value in row]) for _, row in top):
        return rows
    return [
        (
            number,
            tuple(unguarded(each) if isinstance(each, str) else each for each in row),
        )
        for number, row in rows
    ]


def _decoded(data: bytes, *, name: str) -> tuple[str, bool]:
    """Give the text, and whether its encoding is a guess.

    The order is: a byte order mark, UTF-8, then the encoding of Excel on Windows.
    """
    said = next((each for bom, each in _BOMS if data.startswith(bom)), None)
    try:
        return data.decode(said or "utf-8"), False
    except UnicodeDecodeError as why:
        if said is not None:
            raise WorkbookError(
                message=f"“{name}” is damaged: it is not the {said} it says it is.",
                hint="Save it again as CSV UTF-8 or as an Excel Workbook (.xlsx).",
            ) from why
    return data.decode("cp1252", errors="replace"), True


def _guessed(sheet: str, count: int) -> Finding:
    cells = "cell with letters beyond a–z was", "cells with letters beyond a–z were"
    return warning(
        "csv-encoding",
        message=(
            f"The file is not UTF-8; {counted(count, *cells)} read as Windows text "
            "and may be wrong."
        ),
        advice="Save it as CSV UTF-8 or as an Excel Workbook (.xlsx).",
    ).at(RowRef(sheet=sheet, row=1))
