"""Quick reading of a column: thousands of cells at once.

Equal cells are read once, and the texts of a column are searched as one long text.
Every cell that may need a remark is left to the reader of single cells.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import NoneType
from typing import Any, Final

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.tables import CellValue
from kawe.workbook.cells.dates import is_month_first
from kawe.workbook.cells.readers import (
    LONG_TEXT,
    WORDS,
    ColumnReader,
    is_normal,
    is_notable,
    is_padded,
)
from kawe.workbook.cells.reading import ColumnFacts

_REMEMBERED: Final = 50_000
_PADDED_LINE: Final = re.compile(r"^0[0-9]+$", re.MULTILINE)
_NUMBERS: Final = frozenset({CellKind.NUMBER, CellKind.PLACE})
_MANY_DIGITS: Final = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class _QuickCells:
    """Some cells of one column; `odd` and `late` count from the first of them."""

    values: Sequence[CellValue]
    """The values; not valid for odd cells."""
    odd: Collection[int] = ()
    """Cells that the reader of single cells must read."""
    late: Collection[int] = ()
    """Cells that become odd because of another cell of the column."""


class QuickColumn:
    """Reads one column, block after block."""

    def __init__(self, column: Column, *, counts_from_1904: bool) -> None:
        self._column = column
        self._plainly = ColumnReader(
            column, ColumnFacts(counts_from_1904=counts_from_1904)
        )
        self._warily = ColumnReader(
            column,
            ColumnFacts(
                counts_from_1904=counts_from_1904,
                month_comes_first=True,
                padded_digits=_MANY_DIGITS,
            ),
        )
        self._known: dict[Any, CellValue] = {}
        self._odd: set[Any] = set()
        self._late: set[Any] = set()
        self._late_rows: list[int] = []
        self._is_wary = False
        """A cell was found that makes the late cells odd."""

    @property
    def field(self) -> str:
        """Name the column as rows do."""
        return self._column.field

    @property
    def late(self) -> Sequence[int]:
        """Give the rows that became odd after they were read."""
        return self._late_rows if self._is_wary else ()

    def read(
        self, cells: Sequence[Any], *, numbers: Sequence[int], odd: set[int]
    ) -> Sequence[CellValue]:
        """Read the cells of the rows `numbers`; add odd rows to `odd`."""
        found = self._read(cells)
        odd.update(numbers[at] for at in found.odd)
        self._late_rows += (numbers[at] for at in found.late)
        return found.values

    def _read(self, cells: Sequence[Any]) -> _QuickCells:
        kinds = set(map(type, cells))
        if self._column.kind in WORDS:
            return self._read_texts(cells, kinds=kinds)
        is_number = kinds == {float} and self._column.kind in _NUMBERS
        # A sum is finite only if each number is.
        if is_number and math.isfinite(sum(cells)):
            return _QuickCells(values=cells)
        return self._remember(cells, single=len(kinds) == 1)

    def _read_texts(self, cells: Sequence[Any], *, kinds: set[type]) -> _QuickCells:
        if kinds == {str} and self._are_plain(cells):
            return _QuickCells(values=cells)
        if kinds <= {str, NoneType}:
            texts = list(filter(None, cells))
            if not texts or (len(texts) < len(cells) and self._are_plain(texts)):
                return _QuickCells(values=[cell or None for cell in cells])
        is_plain = self._plainly.is_plain
        rest = [at for at, cell in enumerate(cells) if not is_plain(cell)]
        found = self._remember([cells[at] for at in rest], single=False)
        values = list(cells)
        for at, value in zip(rest, found.values, strict=True):
            values[at] = value
        if not self._is_wary:
            self._is_wary = any(type(cell) is str and is_padded(cell) for cell in cells)
        return _QuickCells(
            values=values,
            odd=[rest[at] for at in found.odd],
            late=[rest[at] for at in found.late],
        )

    def _are_plain(self, cells: Sequence[str]) -> bool:
        """Check that every text is its own value."""
        text = "\n".join(cells)
        if text.count("\n") != len(cells) - 1 or is_notable(text):
            return False
        if not text.replace("\n", "").isprintable():
            return False
        if "\n " in text or " \n" in text or "\n\n" in text:
            return False
        if text[:1] in {" ", "\n", ""} or text[-1] in {" ", "\n"}:
            return False
        if len(text) >= LONG_TEXT and max(map(len, cells)) >= LONG_TEXT:
            return False
        if not self._is_wary and ("\n0" in text or text[0] == "0"):
            self._is_wary = _PADDED_LINE.search(text) is not None
        return is_normal(text)

    def _remember(self, cells: Sequence[Any], *, single: bool) -> _QuickCells:
        """Read each different cell once; `single`: all are of one type."""
        # True, 1 and 1.0 are equal but mean different values.
        keys = cells if single else list(zip(map(type, cells), cells, strict=True))
        if len(self._known) > _REMEMBERED:
            self._known, self._odd, self._late = {}, set(), set()
        distinct = set(keys)
        for key in distinct - self._known.keys():
            self._learn(key, key if single else key[1])
        odd: list[int] = []
        late: list[int] = []
        if not self._odd.isdisjoint(distinct):
            odd = [at for at, key in enumerate(keys) if key in self._odd]
        if not self._late.isdisjoint(distinct):
            late = [at for at, key in enumerate(keys) if key in self._late]
        values = list(map(self._known.__getitem__, keys))
        return _QuickCells(values=values, odd=odd, late=late)

    def _learn(self, key: object, cell: Any) -> None:  # noqa: ANN401 - as calamine gives it
        """Read a new cell."""
        if isinstance(cell, timedelta):
            # Only the reader of single cells knows what it shows.
            self._known[key] = None
            self._odd.add(key)
            return
        plainly, warily = self._plainly.read(cell), self._warily.read(cell)
        self._known[key] = plainly.value
        if plainly.remarks:
            self._odd.add(key)
        elif warily != plainly:
            self._late.add(key)
        if isinstance(cell, str) and not self._is_wary:
            self._is_wary = (
                is_month_first(cell)
                if self._column.kind is CellKind.DATE
                else self._column.kind in WORDS and is_padded(cell)
            )
