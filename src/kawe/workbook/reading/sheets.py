"""An open sheet: its rows one by one, by column, or as typed.

Each iteration reads the rows anew, so that a large sheet needs little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice, zip_longest
from typing import Any, Final, TypeAlias

from kawe.domain.sheet.columns import Column
from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.read_as import NO_COLUMNS, ReadAs
from kawe.domain.sheet.tables import Block, RawValue, Table
from kawe.workbook.cells.quick_columns import QuickColumn
from kawe.workbook.cells.readers import ColumnReader, facts_of, is_blank
from kawe.workbook.cells.reading import ColumnFacts, show
from kawe.workbook.own_words import PROJECT_ID
from kawe.workbook.reading.grids import Grid, GridRow
from kawe.workbook.reading.headings import HeadingRow
from kawe.workbook.reading.lines import Lines
from kawe.workbook.reading.parts import joined_quickly
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
        self._findings, self._read_as = findings, read_as
        self._merged = self._merged_cells()

    @property
    def head(self) -> Table:
        """Give the table without its rows; of rows left out, those met so far."""
        headings, sheet = self._body.headings, self._body.grid.sheet
        return Table(
            kind=headings.kind,
            sheet=sheet,
            heading_row=headings.row,
            headings=headings.headings,
            rows=(),
            findings=(*self._findings, *self._body.lines.notes(sheet)),
            read_as=self._read_as,
        )

    def rows(self, numbers: Collection[int] | None = None) -> Iterator[ReadRow]:
        """Read rows cell by cell, all of them or those with `numbers`."""
        read = self._reading.read
        for number, raw in self._body.rows():
            if numbers is None or number in numbers:
                yield read(number, raw)

    def table(self, numbers: Collection[int] | None = None) -> Table:
        """Give a table of all rows, or of those with `numbers`."""
        rows = tuple(self.rows(numbers))
        return replace(self.head, rows=rows, projects=self._body.projects())

    def raw_rows(self) -> Iterator[tuple[int, tuple[RawValue, ...]]]:
        """Give every row as typed, with its number."""
        return self._body.rows()

    def blocks(self) -> Iterator[Block]:
        """Give all rows by column, and the rows to read cell by cell."""
        special = set(special_rows(self._body.grid.facts, merged=self._merged))
        headings = self._body.headings.headings
        columns = [
            (
                [headings[index].column - 1 for index in indices],
                QuickColumn(column, counts_from_1904=self._is_1904),
            )
            for column, indices in self._columns()
        ]
        for some in filter(None, self._body.coarse(_BLOCK_ROWS)):
            numbers = [number for number, _ in some]
            by_column = list(zip_longest(*(values for _, values in some)))
            blank = (None,) * len(some)
            odd = special.intersection(numbers)
            values = {}
            for indices, quick in columns:
                cells = [
                    by_column[index] if index < len(by_column) else blank
                    for index in indices
                ]
                values[quick.field] = quick.read(
                    cells[0]
                    if len(cells) == 1
                    else joined_quickly(cells, numbers=numbers, odd=odd),
                    numbers=numbers,
                    odd=odd,
                )
            yield Block(numbers=numbers, values=values, odd=odd)
        late = {number for _, quick in columns for number in quick.late}
        yield Block(numbers=[], values={}, odd=late)
        differing = self._body.grid.differing
        if differing:
            there = [number for number, _ in self._body.rows() if number in differing]
            yield Block(numbers=there, values={}, odd=set(there))

    def _columns(self) -> Iterator[tuple[Column, list[int]]]:
        """Give each known column and where it stands: each of its parts."""
        found: dict[str, tuple[Column, list[tuple[int, int]]]] = {}
        for index, heading in enumerate(self._body.headings.headings):
            if heading.means is not None:
                _, places = found.setdefault(heading.means.field, (heading.means, []))
                places.append((heading.part, index))
        for column, places in found.values():
            yield column, [index for _, index in sorted(places)]

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
                heading=headings[indices[0]],
                index=indices[0],
                reader=ColumnReader(column, facts[indices[0]]),
                parts=tuple((index, headings[index]) for index in indices)
                if len(indices) > 1
                else (),
            )
            for column, indices in self._columns()
        }
        shown = dict.fromkeys(self._merged, MERGED)
        shown.update(dict.fromkeys(self._body.grid.facts.uncalculated, FORMULA))
        return Layout(sheet=self._body.grid.sheet, places=places, shown=shown)

    def _column_facts(self) -> dict[int, ColumnFacts]:
        """Find the facts of every column."""
        columns = {indices[0]: column for column, indices in self._columns()}
        known = {
            index: ColumnFacts(counts_from_1904=self._is_1904) for index in columns
        }
        rows = self._body.rows()
        while some := [values for _, values in islice(rows, _BLOCK_ROWS)]:
            by_column = list(zip(*some, strict=True))
            for index, column in columns.items():
                known[index] = facts_of(column, by_column[index], known=known[index])
        return known


@dataclass(frozen=True, kw_only=True)
class Body:
    """The rows below the headings that are not blank; iterable many times."""

    grid: Grid
    headings: HeadingRow
    skipped: frozenset[int] = frozenset()
    """Rows that the person left out: struck-through ones."""

    @cached_property
    def lines(self) -> Lines:
        """Know the lines that are no rows."""
        return Lines(
            [(each, self.headings.names(each)) for each in self.headings.headings],
            row=self.headings.row,
            meanings=self.headings.meanings,
            skipped=self.skipped,
        )

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
        return self._among(self.grid.facts.hidden_rows)

    @property
    def struck(self) -> list[int]:
        """Give the numbers of struck-through rows."""
        return self._among(self.grid.facts.struck_rows)

    def _among(self, rows: frozenset[int]) -> list[int]:
        return [number for number, _ in self._whole() if number in rows] if rows else []

    def projects(self) -> dict[int, str]:
        """Give what stands in the column Project id of kawe, by row."""
        column = self.headings.own.get(PROJECT_ID)
        if column is None:
            return {}
        return {
            number: show(values[column - 1])
            for number, values in self._whole()
            if len(values) >= column and not is_blank(values[column - 1])
        }

    def rows(self) -> Iterator[GridRow]:
        """Give each row with the values of its headings."""
        keep = _keeper(self._indices)
        for number, values in self._whole():
            yield number, keep(values)

    def coarse(self, at_once: int) -> Iterator[Sequence[CoarseRow]]:
        """Give the rows quickly, many at a time, without those in `grid.differing`.

        They begin with column A; an empty text is an empty cell.
        """
        last = max(self.grid.differing, default=0)
        return self.lines.without_sum(self._coarse(at_once), last=last)

    def _coarse(self, at_once: int) -> Iterator[Sequence[CoarseRow]]:
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
        if self.skipped:
            return False
        cells = [values[at] for _, values in some if at < len(values)]
        if set(map(type, cells)) != {str}:
            return False
        begins = "".join([cell[:1] for cell in cells])
        return (
            len(begins) == len(some)
            and begins.isalnum()
            and not self.lines.may_be_among(cells)
        )

    @property
    def _indices(self) -> list[int]:
        return [heading.column - 1 for heading in self.headings.headings]

    def _whole(self) -> Iterator[GridRow]:
        counts = self._counts()
        rows = ([row] for row in self.grid.rows if counts(*row))
        return chain.from_iterable(self.lines.without_sum(rows))

    def _counts(self) -> Callable[[int, Sequence[Any]], bool]:
        """Make the test that a row is not blank in the person's columns."""
        facts, last_heading, theirs = self.grid.facts, self.headings.row, self._indices
        totals = facts.totals_rows
        special = {row for row, _ in facts.uncalculated}
        first = theirs[0] if theirs else 0
        lines, may_be = self.lines, self.lines.may_be
        skipped = self.skipped

        def counts(number: int, values: Sequence[Any]) -> bool:
            if number <= last_heading or number in totals:
                return False
            width = len(values)
            # Most first cells begin with a letter or a digit.
            if first < width:
                value = values[first]
                if (
                    isinstance(value, str)
                    and value[:1].isalnum()
                    and not may_be(value)
                    and not skipped
                ):
                    return True
            if number not in special and not any(
                index < width and not is_blank(values[index]) for index in theirs
            ):
                return False
            return not lines.is_no_row(number, values)

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
