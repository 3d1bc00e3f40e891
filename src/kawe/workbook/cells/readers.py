"""The reader of a whole column: the right kind, with a memory for repeats."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeGuard
from unicodedata import is_normalized

from kawe.domain.columns import CellKind, Column
from kawe.domain.tables import RawValue
from kawe.domain.texts import clean
from kawe.workbook.cells.choices import choice_reader, yes_no_reader
from kawe.workbook.cells.dates import date_reader, is_month_first
from kawe.workbook.cells.emails import email_reader
from kawe.workbook.cells.numbers import number_reader, place_reader
from kawe.workbook.cells.reading import EMPTY, CellReader, ColumnFacts, Reading
from kawe.workbook.cells.words import list_reader, text_reader

_PADDED: Final = re.compile(r"0[0-9]+")
# Anything that a reader of words might have something to say about.
_NOTABLE: Final = re.compile(r"  |\?|[0-9][Ee]\+|cut by kawe|[ÂÃÄÅâ\ufffd]")
_LONG: Final = 32_000
_REMEMBERED: Final = 5_000
_WORDS: Final = frozenset(
    {CellKind.TEXT, CellKind.LONG_TEXT, CellKind.IDENTIFIER, CellKind.PHONE}
)


def facts_of(
    column: Column, cells: Iterable[RawValue], *, counts_from_1904: bool
) -> ColumnFacts:
    """Look through a whole column for what bears on each of its cells."""
    if column.kind is CellKind.DATE:
        return ColumnFacts(
            counts_from_1904=counts_from_1904,
            month_comes_first=any(map(is_month_first, set(cells))),
        )
    if column.kind in _WORDS:
        padded = (
            len(cell)
            for cell in cells
            if isinstance(cell, str) and cell[:1] == "0" and _PADDED.fullmatch(cell)
        )
        return ColumnFacts(padded_digits=max(padded, default=0))
    return ColumnFacts()


class ColumnReader:
    """Reads the cells of one column; equal cells are read once."""

    def __init__(self, column: Column, facts: ColumnFacts) -> None:
        self.column = column
        self._read = _MAKERS[column.kind](column, facts)
        self._known: dict[tuple[type, RawValue], Reading] = {}
        self._takes_plain = column.kind in _WORDS

    def is_plain(self, raw: RawValue) -> TypeGuard[str]:
        """Say whether a cell means exactly what it holds, at a glance."""
        return (
            self._takes_plain
            and isinstance(raw, str)
            and raw.isprintable()
            and raw[:1] not in {" ", ""}
            and raw[-1] != " "
            and len(raw) < _LONG
            and (raw.isascii() or is_normalized("NFC", raw))
            and _NOTABLE.search(raw) is None
        )

    def read(self, raw: RawValue) -> Reading:
        """Read one cell; a blank one is an empty one."""
        if self.column.kind is CellKind.LIST:
            # Each cell gets a list of its own.
            return EMPTY if is_blank(raw) else self._read(raw)
        key = (raw.__class__, raw)
        reading = self._known.get(key)
        if reading is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            reading = EMPTY if is_blank(raw) else self._read(raw)
            self._known[key] = reading
        return reading


def is_blank(raw: RawValue) -> bool:
    """Say whether a cell shows nothing."""
    if not isinstance(raw, str):
        return raw is None
    if raw.isprintable():
        # Nothing printable but the space itself is invisible.
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
