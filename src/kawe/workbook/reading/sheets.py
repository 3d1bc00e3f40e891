"""An open sheet: its rows as they stand, and read cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.read_as import NO_COLUMNS, ReadAs
from kawe.domain.sheet.tables import Table
from kawe.workbook.cells.readers import ColumnReader, facts_of, is_blank
from kawe.workbook.cells.reading import ColumnFacts, show
from kawe.workbook.own_words import MARKER, PROJECT_ID
from kawe.workbook.reading.grids import Grid, GridRow
from kawe.workbook.reading.headings import HeadingRow
from kawe.workbook.reading.lines import Lines
from kawe.workbook.reading.rows import (
    FORMULA,
    MERGED,
    ColumnPosition,
    Layout,
    Merged,
    RowReading,
    merged_cells,
)
from kawe_xlsx.cells import RawValue
from kawe_xlsx.scan.tally import Position


@dataclass(frozen=True, kw_only=True)
class OpenSheet:
    """One table of a workbook; `findings` concern it as a whole."""

    body: Body
    findings: tuple[Finding, ...]
    read_as: ReadAs = NO_COLUMNS
    is_beside: bool = False
    """Another table stands beside it."""

    def is_of(self, kind: SheetKind, sheet: str) -> bool:
        return (self.body.headings.kind, self.body.grid.sheet) == (kind, sheet)

    @property
    def head(self) -> Table:
        """Give the table without its rows."""
        headings, sheet = self.body.headings, self.body.grid.sheet
        return Table(
            kind=headings.kind,
            sheet=sheet,
            heading_row=headings.row,
            headings=headings.headings,
            rows=(),
            findings=(*self.findings, *self.body.lines.notes(sheet)),
            read_as=self.read_as,
        )

    def table(self) -> Table:
        """Give the table with its rows, read cell by cell."""
        reading = RowReading(
            layout=self._layout(), grid=self.body.grid, merged=self._merged
        )
        rows = tuple(reading.read(number, raw) for number, raw in self.body.rows())
        projects, markers = (self.body.own(each) for each in (PROJECT_ID, MARKER))
        return replace(self.head, rows=rows, projects=projects, markers=markers)

    def _columns(self) -> Iterator[tuple[Column, list[int]]]:
        """Give each known column and where it stands: each of its parts."""
        found: dict[str, tuple[Column, list[tuple[int, int]]]] = {}
        for index, heading in enumerate(self.body.headings.headings):
            if heading.means is not None:
                _, places = found.setdefault(heading.means.field, (heading.means, []))
                places.append((heading.part, index))
        for column, places in found.values():
            yield column, [index for _, index in sorted(places)]

    @cached_property
    def _merged(self) -> Mapping[Position, Merged]:
        merges = self.body.grid.facts.merges
        if not merges:
            return {}
        return merged_cells(
            merges,
            rows=[number for number, _ in self.body.rows()],
            columns=sorted(h.column for h, _ in self.body.headings.known()),
        )

    def _layout(self) -> Layout:
        headings, grid = self.body.headings.headings, self.body.grid
        known = ColumnFacts(counts_from_1904=grid.facts.counts_from_1904)
        rows = [values for _, values in self.body.rows()]
        places = {}
        for column, (first, *others) in self._columns():
            facts = facts_of(column, (values[first] for values in rows), known=known)
            parts = tuple((index, headings[index]) for index in (first, *others))
            places[column.field] = ColumnPosition(
                heading=headings[first],
                index=first,
                reader=ColumnReader(column, facts),
                parts=parts if others else (),
            )
        shown = dict.fromkeys(self._merged, MERGED)
        shown.update(dict.fromkeys(grid.facts.uncalculated, FORMULA))
        return Layout(sheet=grid.sheet, places=places, shown=shown)


@dataclass(frozen=True, kw_only=True)
class Body:
    """The rows below the headings that are not blank."""

    grid: Grid
    headings: HeadingRow
    skipped: frozenset[int] = frozenset()
    """Rows that the person left out: struck-through ones."""
    until: int | None = None
    """The row of the headings of another table below."""

    @cached_property
    def lines(self) -> Lines:
        return Lines(
            [(each, self.headings.names(each)) for each in self.headings.headings],
            row=self.headings.row,
            meanings=self.headings.meanings,
            skipped=self.skipped,
        )

    @property
    def next_table(self) -> int | None:
        return self._looked_through[1]

    @property
    def has_rows(self) -> bool:
        return any(number > self.headings.row for number, _ in self.grid.rows)

    @property
    def is_empty(self) -> bool:
        return not self.whole

    @property
    def hidden(self) -> list[int]:
        return self._among(self.grid.facts.hidden_rows)

    @property
    def struck(self) -> list[int]:
        return self._among(self.grid.facts.struck_rows)

    def _among(self, rows: frozenset[int]) -> list[int]:
        return [number for number, _ in self.whole if number in rows] if rows else []

    def own(self, heading: str) -> dict[int, str]:
        """Give what stands in one of kawe's own columns, by row."""
        column = self.headings.own.get(heading)
        if column is None:
            return {}
        return {
            number: show(values[column - 1])
            for number, values in self.whole
            if len(values) >= column and not is_blank(values[column - 1])
        }

    def rows(self) -> Iterator[GridRow]:
        """Give each row with the values of its headings."""
        keep = _keeper(self._indices)
        for number, values in self.whole:
            yield number, keep(values)

    @property
    def _indices(self) -> list[int]:
        return [heading.column - 1 for heading in self.headings.headings]

    @property
    def whole(self) -> Sequence[GridRow]:
        return self._looked_through[0]

    @cached_property
    def _looked_through(self) -> tuple[Sequence[GridRow], int | None]:
        counts, lines = self._counts(), self.lines
        there = [row for row in self.grid.rows if counts(*row)]
        rows = lines.without_notes(lines.without_sum(there))
        return rows, min(lines.moved, default=None)

    def _counts(self) -> Callable[[int, Sequence[Any]], bool]:
        """Make the test that a row is not blank in the person's columns."""
        facts, last_heading, theirs = self.grid.facts, self.headings.row, self._indices
        totals = facts.totals_rows
        special = {row for row, _ in facts.uncalculated}
        first = theirs[0] if theirs else 0
        lines, may_be = self.lines, self.lines.may_be
        skipped, until = self.skipped, self.until

        def counts(number: int, values: Sequence[Any]) -> bool:
            if number <= last_heading or number in totals:
                return False
            if until is not None and number >= until:
                lines.is_of_another_table(number)
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
