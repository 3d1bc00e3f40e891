"""An opened sheet: its rows one by one, by column, or as the person has them.

The rows are read anew each time they are gone through, so that a sheet of
200,000 rows costs no more memory than what is kept of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, zip_longest
from typing import Final

from kawe.domain.sheet.columns import Column
from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.tables import Block, CellValue, RawValue, Table
from kawe.workbook.body import Body
from kawe.workbook.cells.glancing import ColumnGlance
from kawe.workbook.cells.readers import ColumnReader, facts_of
from kawe.workbook.cells.reading import ColumnFacts
from kawe.workbook.merging import Merged, merged_cells
from kawe.workbook.row_cells import ColumnPosition, Layout, ReadRow
from kawe.workbook.rows import FORMULA, MERGED, RowReading, special_rows
from kawe.workbook.tally import Position

_BLOCK_ROWS: Final = 4_096


class OpenSheet:
    """A Sheet; `findings` concern it as a whole.

    Raises:
        WorkbookError: The sheet is a patchwork of merged cells.
    """

    def __init__(self, body: Body, *, findings: tuple[Finding, ...]) -> None:
        self._body = body
        self.head = Table(
            kind=body.headings.kind,
            sheet=body.grid.sheet,
            heading_row=body.headings.row,
            headings=body.headings.headings,
            rows=(),
            findings=findings,
        )
        self._merged = self._merged_cells()

    def rows(self, numbers: Collection[int] | None = None) -> Iterator[ReadRow]:
        """Read rows cell by cell, all of them or those with `numbers`."""
        read = self._reading.read
        for number, raw in self._body.rows():
            if numbers is None or number in numbers:
                yield read(number, raw)

    def table(self, numbers: Collection[int] | None = None) -> Table:
        """Give the table with all rows, or those with `numbers`, held at once."""
        return replace(self.head, rows=tuple(self.rows(numbers)))

    def raw_rows(self) -> Iterator[tuple[int, tuple[RawValue, ...]]]:
        """Give every row as it stands in the sheet, with its number."""
        return self._body.rows()

    def blocks(self) -> Iterator[Block]:
        """Give all rows by column, and say which must be read cell by cell."""
        special = special_rows(self._body.grid.facts, merged=self._merged)
        columns = [
            _WatchedColumn(heading.column - 1, column, counts_from_1904=self._is_1904)
            for heading, column in self._body.headings.known()
        ]
        for some in self._body.coarse(_BLOCK_ROWS):
            if not some:
                continue
            numbers = [number for number, _ in some]
            by_column = list(zip_longest(*(values for _, values in some)))
            blank = (None,) * len(some)
            odd = (
                {number for number in numbers if number in special}
                if special
                else set()
            )
            values = {
                each.field: each.look(
                    by_column[each.index] if each.index < len(by_column) else blank,
                    numbers,
                    odd=odd,
                )
                for each in columns
            }
            yield Block(numbers=numbers, values=values, odd=odd)
        yield from self._others(columns)

    def _others(self, columns: Sequence[_WatchedColumn]) -> Iterator[Block]:
        """Give what only the whole sheet shows, and what calamine does not."""
        late = {number for each in columns for number in each.late()}
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
        """Look through every column for what bears on each of its cells."""
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


class _WatchedColumn:
    """A column that is looked at block by block."""

    def __init__(self, index: int, column: Column, *, counts_from_1904: bool) -> None:
        self.index = index
        self.field = column.field
        self._glance = ColumnGlance(column, counts_from_1904=counts_from_1904)
        self._late: list[int] = []

    def look(
        self, cells: Sequence[RawValue], numbers: Sequence[int], *, odd: set[int]
    ) -> Sequence[CellValue]:
        """Look at the cells of the rows `numbers`; add to `odd` those that are."""
        found = self._glance.look(cells)
        odd.update(numbers[at] for at in found.odd)
        self._late += (numbers[at] for at in found.late)
        return found.values

    def late(self) -> Sequence[int]:
        """Give the rows that have become odd since they were looked at."""
        return self._late if self._glance.is_wary else ()
