"""The reader of a column: the right kind, with a cache."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeGuard
from unicodedata import is_normalized

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.tables import RawValue
from kawe.domain.text.texts import clean
from kawe.workbook.cells.choices import choice_reader, yes_no_reader
from kawe.workbook.cells.dates import date_reader, is_month_first
from kawe.workbook.cells.emails import email_reader
from kawe.workbook.cells.numbers import number_reader, place_reader
from kawe.workbook.cells.reading import EMPTY, CellReader, CellReading, ColumnFacts
from kawe.workbook.cells.words import list_reader, text_reader

_PADDED: Final = re.compile(r"0[0-9]+")
_SHORTENED: Final = re.compile(r"[0-9][Ee]\+")
_MISREAD: Final = re.compile(r"[ÂÃÄÅâ\ufffd]")
_CUT_WORDS: Final = "cut by kawe"
LONG_TEXT: Final = 32_000
"""A text of so many characters is never plain."""
_REMEMBERED: Final = 5_000
WORDS: Final = frozenset(
    {CellKind.TEXT, CellKind.LONG_TEXT, CellKind.IDENTIFIER, CellKind.PHONE}
)

# Cells of which a person may not know the right value.
_LEFT_OUT: Final = frozenset(
    {CellKind.CHOICE, CellKind.DATE, CellKind.EMAIL, CellKind.NUMBER, CellKind.YES_NO}
)


def facts_of(
    column: Column, cells: Iterable[RawValue], *, known: ColumnFacts
) -> ColumnFacts:
    """Find the facts of a column in some cells, after `known` from earlier ones."""
    if column.kind is CellKind.DATE:
        first = known.month_comes_first or any(map(is_month_first, set(cells)))
        return replace(known, month_comes_first=first)
    if column.kind in WORDS:
        padded = (
            len(cell) for cell in cells if isinstance(cell, str) and is_padded(cell)
        )
        return replace(known, padded_digits=max(known.padded_digits, *padded, 0))
    return known


class ColumnReader:
    """Reads the cells of one column; equal cells are read once."""

    def __init__(self, column: Column, facts: ColumnFacts) -> None:
        self.column = column
        self._read = _MAKERS[column.kind](column, facts)
        self._known: dict[tuple[type, RawValue], CellReading] = {}
        self._takes_plain = column.kind in WORDS

    def is_plain(self, raw: RawValue) -> TypeGuard[str]:
        """Check quickly that a cell is its own value."""
        return (
            self._takes_plain
            and isinstance(raw, str)
            and raw.isprintable()
            and raw[:1] not in {" ", ""}
            and raw[-1] != " "
            and len(raw) < LONG_TEXT
            and is_normal(raw)
            and not is_notable(raw)
        )

    def read(self, raw: RawValue) -> CellReading:
        """Read one cell; a blank one is an empty one."""
        if self.column.kind is CellKind.LIST:
            # A list is never shared.
            return EMPTY if is_blank(raw) else self._read(raw)
        key = (raw.__class__, raw)
        reading = self._known.get(key)
        if reading is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            reading = EMPTY if is_blank(raw) else self._read(raw)
            if self.column.kind in _LEFT_OUT:
                reading = self._or_empty(reading)
            self._known[key] = reading
        return reading

    def _or_empty(self, reading: CellReading) -> CellReading:
        remarks = (
            replace(remark, advice=self.column.or_empty(remark.advice))
            if remark.severity is Severity.ERROR
            else remark
            for remark in reading.remarks
        )
        return replace(reading, remarks=tuple(remarks))


def is_padded(text: str) -> bool:
    """Check for a number with leading zeros."""
    return text[:1] == "0" and _PADDED.fullmatch(text) is not None


def is_normal(text: str) -> bool:
    """Check that a text is normalised as it is sent."""
    return text.isascii() or is_normalized("NFC", text)


def is_notable(text: str) -> bool:
    """Check that a reader of words may remark on a text, or on a line of it."""
    # Plain searches are many times quicker than patterns.
    return (
        "?" in text
        or "  " in text
        or _CUT_WORDS in text
        or ("+" in text and _SHORTENED.search(text) is not None)
        or (not text.isascii() and _MISREAD.search(text) is not None)
    )


def is_blank(raw: RawValue) -> bool:
    """Check that a cell shows nothing."""
    if not isinstance(raw, str):
        return raw is None
    if raw.isprintable():
        return not raw or raw.isspace()
    return not clean(raw)


_MAKERS: Final[Mapping[CellKind, Callable[[Column, ColumnFacts], CellReader]]] = {
    CellKind.TEXT: text_reader,
    CellKind.LONG_TEXT: text_reader,
    CellKind.IDENTIFIER: text_reader,
    CellKind.PHONE: text_reader,
    CellKind.DATE: lambda _, facts: date_reader(facts),
    CellKind.CHOICE: lambda column, _: choice_reader(column),
    CellKind.YES_NO: lambda *_: yes_no_reader(),
    CellKind.NUMBER: lambda *_: number_reader(),
    CellKind.EMAIL: lambda *_: email_reader(),
    CellKind.LIST: lambda *_: list_reader(),
    CellKind.PLACE: lambda *_: place_reader(),
}
