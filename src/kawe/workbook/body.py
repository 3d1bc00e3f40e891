"""The rows of a sheet that count: below the headings, not blank, not a total."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeAlias

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
        keep = _keeper(self._indices, blank=None)
        for number, values in self._whole():
            yield number, keep(values)

    def coarse(self) -> Iterator[CoarseRow]:
        """Give the same rows as quickly as they can be had.

        An empty text stands for an empty cell. The rows in which the library
        does not show what is there, `grid.differing`, are left out.
        """
        rows = self.grid.coarse
        if rows is None:
            yield from self.rows()
            return
        keep = _keeper(self._indices, blank="")
        counts, differing = self._counts(), self.grid.differing
        for number, values in rows:
            if number not in differing and counts(number, values):
                yield number, keep(values)

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

        def counts(number: int, values: Sequence[Any]) -> bool:
            if number <= last_heading or number in totals:
                return False
            width = len(values)
            return number in special or any(
                index < width and not is_blank(values[index]) for index in theirs
            )

        return counts


def body_of(grid: Grid, headings: HeadingRow) -> Body:
    """Take the rows below the headings, without blank and totals rows."""
    return Body(grid=grid, headings=headings)


def _keeper(indices: Sequence[int], *, blank: object) -> Callable[[Sequence[Any]], Any]:
    """Make what takes the values at `indices` out of a row, however short it is."""
    width = len(indices)
    reach = max(indices) + 1 if indices else 0
    is_whole = list(indices) == list(range(width))
    pick: Callable[[Sequence[Any]], Any] = (
        (lambda values: values[:width])
        if is_whole
        else itemgetter(*indices)
        if width > 1
        else (lambda values: tuple(values[index] for index in indices))
    )

    def keep(values: Sequence[Any]) -> Any:  # noqa: ANN401 - whatever a cell holds
        if len(values) < reach:
            values = (*values, *(blank for _ in range(reach - len(values))))
        elif is_whole and len(values) == width:
            return values
        return pick(values)

    return keep
