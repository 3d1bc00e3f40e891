"""An open sheet: its rows one by one, by column, or as typed.

Each iteration reads the rows anew, so that a large sheet needs little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, zip_longest
from typing import Any, Final, TypeAlias

from kawe.domain.sheet.columns import Column
from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.read_as import NO_COLUMNS, ReadAs
from kawe.domain.sheet.tables import Block, RawValue, Table
from kawe.workbook.cells.quick_columns import QuickColumn
from kawe.workbook.cells.readers import ColumnReader, facts_of, is_blank
from kawe.workbook.cells.reading import ColumnFacts
from kawe.workbook.reading.grids import Grid, GridRow
from kawe.workbook.reading.headings import HeadingRow
from kawe.workbook.reading.rows import (
    FORMULA,
    MERGED,
    ColumnPosition,
    Layout,
    Merged,
    ReadRow,
    RowReading,
    merged_cells,
    special_rows,
)
from kawe.workbook.scan.tally import Position

_BLOCK_ROWS: Final = 4_096
CoarseRow: TypeAlias = tuple[int, Sequence[Any]]
"""A row's number and its values as the library gives them."""


class OpenSheet:
    """A Sheet; `findings` concern it as a whole."""

    def __init__(
        self, body: Body, *, findings: tuple[Finding, ...], read_as: ReadAs = NO_COLUMNS
    ) -> None:
        self._body = body
        self.head = Table(
            kind=body.headings.kind,
            sheet=body.grid.sheet,
            heading_row=body.headings.row,
            headings=body.headings.headings,
            rows=(),
            findings=findings,
            read_as=read_as,
        )
        self._merged = self._merged_cells()

    def rows(self, numbers: Collection[int] | None = None) -> Iterator[ReadRow]:
        """Read rows cell by cell, all of them or those with `numbers`."""
        read = self._reading.read
        for number, raw in self._body.rows():
            if numbers is None or number in numbers:
                yield read(number, raw)

    def table(self, numbers: Collection[int] | None = None) -> Table:
        """Give a table of all rows, or of those with `numbers`."""
        return replace(self.head, rows=tuple(self.rows(numbers)))

    def raw_rows(self) -> Iterator[tuple[int, tuple[RawValue, ...]]]:
        """Give every row as typed, with its number."""
        return self._body.rows()

    def blocks(self) -> Iterator[Block]:
        """Give all rows by column, and the rows to read cell by cell."""
        special = set(special_rows(self._body.grid.facts, merged=self._merged))
        columns = [
            (heading.column - 1, QuickColumn(column, counts_from_1904=self._is_1904))
            for heading, column in self._body.headings.known()
        ]
        for some in filter(None, self._body.coarse(_BLOCK_ROWS)):
            numbers = [number for number, _ in some]
            by_column = list(zip_longest(*(values for _, values in some)))
            blank = (None,) * len(some)
            odd = special.intersection(numbers)
            values = {
                quick.field: quick.read(
                    by_column[index] if index < len(by_column) else blank,
                    numbers=numbers,
                    odd=odd,
                )
                for index, quick in columns
            }
            yield Block(numbers=numbers, values=values, odd=odd)
        late = {number for _, quick in columns for number in quick.late}
        yield Block(numbers=[], values={}, odd=late)
        differing = self._body.grid.differing
        if differing:
            there = [number for number, _ in self._body.rows() if number in differing]
            yield Block(numbers=there, values={}, odd=set(there))

    def _columns(self) -> Iterator[tuple[int, Column]]:
        for index, heading in enumerate(self._body.headings.headings):
            if heading.means is not None:
                yield index, heading.means

    @property
    def _is_1904(self) -> bool:
        return self._body.grid.facts.counts_from_1904

    @cached_property
    def _reading(self) -> RowReading:
        return RowReading(
            layout=self._layout(), grid=self._body.grid, merged=self._merged
        )

    def _merged_cells(self) -> Mapping[Position, Merged]:
        merges = self._body.grid.facts.merges
        if not merges:
            return {}
        return merged_cells(
            merges,
            rows=[number for number, _ in self._body.rows()],
            columns=sorted(h.column for h, _ in self._body.headings.known()),
        )

    def _layout(self) -> Layout:
        headings = self._body.headings.headings
        facts = self._column_facts()
        places = {
            column.field: ColumnPosition(
                heading=headings[index],
                index=index,
                reader=ColumnReader(column, facts[index]),
            )
            for index, column in self._columns()
        }
        shown = dict.fromkeys(self._merged, MERGED)
        shown.update(dict.fromkeys(self._body.grid.facts.uncalculated, FORMULA))
        return Layout(sheet=self.head.sheet, places=places, shown=shown)

    def _column_facts(self) -> dict[int, ColumnFacts]:
        """Find the facts of every column."""
        columns = dict(self._columns())
        known = {
            index: ColumnFacts(counts_from_1904=self._is_1904) for index in columns
        }
        rows = self._body.rows()
        while some := [values for _, values in islice(rows, _BLOCK_ROWS)]:
            by_column = list(zip(*some, strict=True))
            for index, column in columns.items():
                known[index] = facts_of(column, by_column[index], known=known[index])
        return known


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The rows below the headings that are not blank; iterable many times."""

    grid: Grid
    headings: HeadingRow

    @property
    def has_rows(self) -> bool:
        """Check that there is a row below the headings, even a blank one."""
        return any(number > self.headings.row for number, _ in self.grid.rows)

    @property
    def is_empty(self) -> bool:
        """Check that there is no row."""
        return next(self._whole(), None) is None

    @property
    def hidden(self) -> list[int]:
        """Give the numbers of hidden rows."""
        hidden = self.grid.facts.hidden_rows
        if not hidden:
            return []
        return [number for number, _ in self._whole() if number in hidden]

    def rows(self) -> Iterator[GridRow]:
        """Give each row with the values of its headings."""
        keep = _keeper(self._indices)
        for number, values in self._whole():
            yield number, keep(values)

    def coarse(self, at_once: int) -> Iterator[Sequence[CoarseRow]]:
        """Give the rows quickly, many at a time, without those in `grid.differing`.

        They begin with column A; an empty text is an empty cell.
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
        """Check quickly that each row's first cell begins with a letter or digit."""
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
        """Make the test that a row is not blank in the person's columns."""
        facts, last_heading, theirs = self.grid.facts, self.headings.row, self._indices
        totals = facts.totals_rows
        special = {row for row, _ in facts.uncalculated}
        first = theirs[0] if theirs else 0

        def counts(number: int, values: Sequence[Any]) -> bool:
            if number <= last_heading or number in totals:
                return False
            width = len(values)
            # Most first cells begin with a letter or a digit.
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
    """Make the function that takes `indices` out of a row of any length."""
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
