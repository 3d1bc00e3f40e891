"""Files as books of sheets: an .xlsx or .xlsm, and a CSV file as a book of one sheet.

An .xlsx is scanned first, then read by calamine, which omits blank rows and columns
before the first value, and gives every number as a float and an empty cell as an empty
text; this module corrects that.

Excel writes CSV in the encoding and with the delimiter of the computer's region, and
says neither. kawe takes the delimiter that gives the most known headings.
"""

import codecs
import csv
import io
import itertools
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Final, TextIO, TypeAlias

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from kawe.domain.sheet.findings import Finding, RowRef
from kawe.domain.text.table_doc import unguarded
from kawe.domain.text.texts import one_line
from kawe.errors import WorkbookError
from kawe.workbook.cells.reading import warning
from kawe.workbook.identify import WorkbookFormat, check_package, form_of, wide_encoding
from kawe.workbook.own_words import own_headings
from kawe.workbook.reading.headings import Grid, GridRow, Recogniser
from kawe_xlsx.cells import BookError, RawValue, shared
from kawe_xlsx.limits import HEADING_ROWS, MAX_COLUMNS, MAX_ROWS
from kawe_xlsx.patching.notes import commented_rows
from kawe_xlsx.scan.package import (
    Package,
    SheetEntry,
    damaged,
    read_manifest,
    totals_rows,
)
from kawe_xlsx.scan.scanning import is_surely_small, scan_sheet
from kawe_xlsx.scan.tally import Position, Scanned, SheetScan

_Value: TypeAlias = RawValue | timedelta
# calamine unpacks these, so they are checked before.
_SHARED_PARTS = ("xl/sharedStrings.xml", "xl/styles.xml")
# calamine rounds the last moment of a day up to the next midnight.
_ROUNDED: Final = timedelta(seconds=1)
_DAYLESS: Final = timedelta.max
"""Where a format shows no day, a first of the month is no day that anybody typed."""
_open = CalamineWorkbook.from_filelike


@contextmanager
def _in_our_words() -> Iterator[None]:
    """Turn what the scan says of a workbook into a `WorkbookError`."""
    try:
        yield
    except BookError as why:
        raise WorkbookError(message=why.message, hint=why.hint) from why


class XlsxBook:
    """An Excel workbook held in memory."""

    @_in_our_words()
    def __init__(self, data: bytes, *, name: str) -> None:
        self._package = Package(data, name=name)
        check_package(self._package)
        manifest = read_manifest(self._package)
        self.name = self._package.name
        self._counts_from_1904 = manifest.counts_from_1904
        self.sheets = tuple(each for each in manifest.sheets if each.part)
        for part in _SHARED_PARTS:
            self._package.verify(part)
        self.grid = cache(self._grid)

    @_in_our_words()
    def _grid(self, sheet: str) -> Grid:
        """Read one sheet; a surely small one is scanned at the same time."""
        entry = next(each for each in self.sheets if each.name == sheet)
        # calamine releases the lock of Python, so the scan runs beside it.
        with ThreadPoolExecutor(max_workers=1) as aside:
            opening = aside.submit(_open, io.BytesIO(self._package.data))
            if is_surely_small(self._package, entry):
                reading = aside.submit(self._cells, opening, sheet)
                scanned = scan_sheet(self._package, entry, is_light=True)
                cells = reading.result()
            else:
                scanned = scan_sheet(self._package, entry)
                if scanned.stray_count:
                    opening = aside.submit(_open, io.BytesIO(scanned.data))
                cells = self._cells(opening, sheet)
        tally = scanned.tally
        return Grid(
            sheet=sheet,
            rows=_SheetRows(cells, name=self.name, tally=tally),
            tally=tally,
            counts_from_1904=self._counts_from_1904,
            totals_rows=totals_rows(self._package, entry),
            commented_rows=commented_rows(self._package, entry.part),
            reach=None if scanned.stray_count else (tally.last_row, tally.last_column),
            findings=_strays(entry, scanned),
        )

    def _cells(self, book: Future[CalamineWorkbook], sheet: str) -> CalamineSheet:
        """Read the cells of one sheet that is known to be small enough."""
        with _calamine(self.name):
            return book.result().get_sheet_by_name(sheet)


@contextmanager
def _calamine(name: str) -> Iterator[None]:
    """Turn an error of calamine, or a Rust panic, into one of the scan's."""
    try:
        yield
    except (CalamineError, OSError, ValueError, OverflowError) as why:
        raise damaged(name) from why
    except BaseException as why:
        if type(why).__name__ != "PanicException":
            raise
        raise damaged(name) from why


class _SheetRows:
    """A sheet's rows, made anew for each iteration, with calamine's changes undone."""

    def __init__(self, sheet: CalamineSheet, *, name: str, tally: SheetScan) -> None:
        self._sheet, self._name = sheet, name
        self._odd: dict[int, dict[int, _Value]] = {}
        """By row and column: what stands where calamine shows something else."""
        odd: dict[Position, _Value] = {
            **dict.fromkeys(tally.dayless, _DAYLESS),
            **dict.fromkeys(tally.before_midnight, _ROUNDED),
            **dict.fromkeys(tally.uncalculated),
            **{at: one_line(e, limit=20) for at, e in tally.errors.items()},
        }
        for (row, column), value in odd.items():
            self._odd.setdefault(row, {})[column] = value

    def __iter__(self) -> Iterator[GridRow]:
        odd, last = self._odd, 0
        start = self._sheet.start
        margin: list[_Value] = [""] * (start[1] if start else 0)
        with _in_our_words(), _calamine(self._name):
            # iter_rows always begins at row 1.
            for last, cells in enumerate(self._sheet.iter_rows() if start else (), 1):
                plain = [
                    cell if cell and not isinstance(cell, timedelta) else _plain(cell)
                    for cell in (*margin, *cells)
                ]
                values = shared(plain)
                if last in odd:
                    yield last, _mended(values, odd[last])
                elif any(value is not None for value in values):
                    yield last, values
        for number in sorted(set(odd).difference(range(last + 1))):
            yield number, _mended((), odd[number])


def _mended(
    values: tuple[RawValue, ...], odd: Mapping[int, _Value]
) -> tuple[RawValue, ...]:
    mended = [*values, *[None] * (max(odd) - len(values))]
    for at, right in odd.items():
        value = mended[at - 1]
        if not isinstance(right, timedelta):
            mended[at - 1] = right
        elif right is _DAYLESS and isinstance(value, date):
            mended[at - 1] = f"{value:%b %Y}" if value.day == 1 else value
        elif isinstance(value, datetime) and value.time() == time.min:
            mended[at - 1] = value - right
    return tuple(mended)


def _plain(cell: _Value) -> RawValue:
    """Give an empty cell as None, and a length of time as Excel shows [h]:mm:ss."""
    if not isinstance(cell, timedelta):
        return None if cell == "" else cell
    minutes, seconds = divmod(round(cell.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


def _strays(entry: SheetEntry, scanned: Scanned) -> tuple[Finding, ...]:
    if not scanned.stray_count:
        return ()
    named, rest = ", ".join(scanned.strays), scanned.stray_count - len(scanned.strays)
    more = f" and {rest} more" if rest else ""
    remark = warning(
        "cells-far-out",
        message=f"Left out, because it is far from all other cells: {named}{more}.",
        advice="Delete them, or move them to the other rows if they belong there.",
    )
    return (remark.at(RowRef(sheet=entry.name, row=1), value=named),)


_DELIMITERS: Final = (",", ";", "\t", "|")
_EXCELS: Final = "cp1252"  # On Windows; only ever a guess.


class CsvBook:
    """A CSV file in memory; its only sheet has the file's name."""

    def __init__(self, data: bytes, *, path: Path, recogniser: Recogniser) -> None:
        self.name = one_line(path.name)
        self._sheet = one_line(path.stem) or "CSV"
        self.sheets: tuple[SheetEntry, ...] = (SheetEntry(name=self._sheet),)
        self._encoding = _encoding_of(data, name=self.name)
        # Files that were put together have a mark in front of each one's headings.
        self._data = data.replace(b"\n" + codecs.BOM_UTF8, b"\n")
        self._recogniser = recogniser
        self.grid = cache(self._grid)

    def _grid(self, sheet: str) -> Grid:
        """Read the rows."""
        rows = list(self._rows(*self._delimiter()))
        uncertain = frozenset(
            (number, column)
            for number, values in (rows if self._encoding == _EXCELS else ())
            for column, value in enumerate(values, start=1)
            if isinstance(value, str) and not value.isascii()
        )
        return Grid(sheet=sheet, rows=_without_guards(rows), uncertain=uncertain)

    def _lines(self) -> TextIO:
        """Decode as it is read: as texts, the lines take four times as much memory."""
        return io.TextIOWrapper(io.BytesIO(self._data), self._encoding, "replace", "")

    def _delimiter(self) -> tuple[TextIO, str]:
        """Give the lines without a `sep=` line, and their delimiter."""
        lines = self._lines()
        first, end, _ = lines.readline().partition("\n")
        first = first.strip("\r")
        if end and first[:4].lower() == "sep=" and first[4:] in _DELIMITERS:
            return lines, first[4:]
        parts = iter(partial(self._lines().read, 2**20), "")
        seen = {e for part in parts for e in _DELIMITERS if e in part}
        there = [each for each in _DELIMITERS if each in seen] or [","]
        # max takes the first of equals, and would read all headings for one alone.
        best = max(there, key=self._known_headings) if there[1:] else there[0]
        return self._lines(), best

    def _known_headings(self, delimiter: str) -> int:
        try:
            lines = self._rows(self._lines(), delimiter)
            rows = [*itertools.islice(lines, HEADING_ROWS)]
        except WorkbookError:
            return 0
        grid = Grid(sheet=self._sheet, rows=rows)
        found = self._recogniser.best(grid, kinds=self._recogniser.columns)
        return len(found.fields) if found else 0

    def _rows(self, lines: TextIO, delimiter: str) -> Iterator[GridRow]:
        # Strict: an open quotation mark would hide all rows after it.
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        try:
            for number, record in enumerate(reader, start=1):
                values = shared([cell or None for cell in record])
                if not any(values):
                    continue
                if number > MAX_ROWS + HEADING_ROWS or len(values) > MAX_COLUMNS:
                    raise WorkbookError(
                        message=f"“{self.name}” has more than {MAX_ROWS:,} rows or "
                        f"{MAX_COLUMNS} columns.",
                        hint="Split it into several files.",
                    )
                yield number, values
        except csv.Error as why:
            raise WorkbookError(
                message=f"“{self.name}” cannot be read near line {reader.line_num}: a "
                "quotation mark is missing or too many, or a cell is very long.",
                hint="Open it in Excel and save it as an Excel Workbook (.xlsx).",
            ) from why


def _without_guards(rows: list[GridRow]) -> list[GridRow]:
    """Undo the marks that kawe adds to texts in its own CSV results."""
    top = itertools.takewhile(lambda row: row[0] <= HEADING_ROWS, rows)
    if not any(own_headings([str(value or "") for value in row]) for _, row in top):
        return rows
    return [
        (number, tuple(unguarded(e) if isinstance(e, str) else e for e in row))
        for number, row in rows
    ]


def _encoding_of(data: bytes, *, name: str) -> str:
    """Name the encoding: by a byte order mark, UTF-8, then that of Excel on Windows."""
    is_wide = wide_encoding(data)
    said = is_wide or "utf-8-sig"
    try:
        data.decode(said)
    except UnicodeDecodeError as why:
        if is_wide or data.startswith(codecs.BOM_UTF8):
            raise WorkbookError(
                message=f"“{name}” is damaged: it is not the {said} it says it is.",
                hint="Save it again as CSV UTF-8 or as an Excel Workbook (.xlsx).",
            ) from why
        return _EXCELS
    return said


Book: TypeAlias = XlsxBook | CsvBook
"""A workbook whose sheets, those that hold cells, are read one by one, each once; each
raises `WorkbookError` where it is broken or too large."""


class Books:
    """Opens workbooks; all who share it parse the last one once."""

    def __init__(self) -> None:
        self._last: tuple[Path, bytes, Book] | None = None

    def open(self, path: Path, data: bytes, *, recogniser: Recogniser) -> Book:
        """Open a workbook whose `data` were read from `path`."""
        if self._last is None or self._last[:2] != (path, data):
            book: Book
            if form_of(data, path=path) is WorkbookFormat.CSV:
                book = CsvBook(data, path=path, recogniser=recogniser)
            else:
                book = XlsxBook(data, name=path.name)
            self._last = path, data, book
        return self._last[2]

    def let_go(self) -> None:
        self._last = None
