"""The rows of a sheet that count: below the headings, not blank, not a total."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from kawe.domain.sheet.tables import RawValue
from kawe.workbook.cells.readers import is_blank
from kawe.workbook.grids import Grid, GridRow
from kawe.workbook.headings import HeadingRow

CoarseRow: TypeAlias = tuple[int, Sequence[Any]]
"""A row's number and its values, as far as the library gives them quickly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The rows of a sheet below its headings that are not blank.

    They can be gone through any number of times.
    """

    grid: Grid
    headings: HeadingRow

    @property
    def is_empty(self) -> bool:
        """Say whether there is no row at all."""
        return next(self._whole(), None) is None

    @property
    def hidden(self) -> list[int]:
        """Give the numbers of the rows that nobody sees."""
        hidden = self.grid.facts.hidden_rows
        if not hidden:
            return []
        return [number for number, _ in self._whole() if number in hidden]

    def rows(self) -> Iterator[GridRow]:
        """Give each row with the values under its headings, in their order."""
        keep = _keeper(self._indices)
        for number, values in self._whole():
            yield number, keep(values)

    def coarse(self, at_once: int) -> Iterator[Sequence[CoarseRow]]:
        """Give the same rows as quickly as they can be had, many at a time.

        They begin with column A, an empty text stands for an empty cell, and
        the rows in which the library does not show what is there,
        `grid.differing`, are left out.
        """
        whole = self.grid.rows if self.grid.coarse is None else self.grid.coarse
        rows: Iterator[CoarseRow] = iter(whole)
        counts, differing = self._counts(), self.grid.differing
        while some := list(islice(rows, at_once)):
            if not differing and self._all_count(some):
                yield some
            else:
                yield [row for row in some if row[0] not in differing and counts(*row)]

    def _all_count(self, some: Sequence[CoarseRow]) -> bool:
        """Say at a glance that a letter or digit begins each row's first cell."""
        at = min(self._indices, default=0)
        if some[0][0] <= self.headings.row or self.grid.facts.totals_rows:
            return False
        cells = [values[at] for _, values in some if at < len(values)]
        if set(map(type, cells)) != {str}:
            return False
        begins = "".join([cell[:1] for cell in cells])
        return len(begins) == len(some) and begins.isalnum()

    @property
    def _indices(self) -> list[int]:
        return [heading.column - 1 for heading in self.headings.headings]

    def _whole(self) -> Iterator[GridRow]:
        counts = self._counts()
        return (row for row in self.grid.rows if counts(*row))

    def _counts(self) -> Callable[[int, Sequence[Any]], bool]:
        """Make the test: a row is blank when no column of theirs shows anything."""
        facts, last_heading, theirs = self.grid.facts, self.headings.row, self._indices
        totals = facts.totals_rows
        special = {row for row, _ in facts.uncalculated}
        first = theirs[0] if theirs else 0

        def counts(number: int, values: Sequence[Any]) -> bool:
            if number <= last_heading or number in totals:
                return False
            width = len(values)
            # As a rule a letter or a digit begins the first cell.
            if first < width:
                value = values[first]
                if isinstance(value, str) and value[:1].isalnum():
                    return True
            return number in special or any(
                index < width and not is_blank(values[index]) for index in theirs
            )

        return counts


def _keeper(
    indices: Sequence[int],
) -> Callable[[tuple[RawValue, ...]], tuple[RawValue, ...]]:
    """Make what takes the values at `indices` out of a row, however short it is."""
    width = len(indices)
    reach = max(indices) + 1 if indices else 0
    is_whole = list(indices) == list(range(width))

    def keep(values: tuple[RawValue, ...]) -> tuple[RawValue, ...]:
        if len(values) < reach:
            values = (*values, *(None for _ in range(reach - len(values))))
        if is_whole:
            return values[:width]
        return tuple(values[index] for index in indices)

    return keep
