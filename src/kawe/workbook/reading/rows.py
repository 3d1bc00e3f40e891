"""Reads rows cell by cell.

Special cells (merged, errors, formulas without value) are read separately.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Final

from kawe.domain.sheet.findings import Finding, RowRef
from kawe.domain.sheet.tables import Cell, Heading, TableRow
from kawe.domain.text.texts import one_line
from kawe.errors import WorkbookError
from kawe.workbook.cells.readers import ColumnReader, are_plain, is_blank
from kawe.workbook.cells.reading import (
    EMPTY,
    CellReading,
    Remark,
    quoted,
    refused,
    show,
    warning,
)
from kawe.workbook.reading.grids import Grid
from kawe_places.values import CellValue
from kawe_xlsx.cells import RawValue
from kawe_xlsx.scan.tally import Area, Position

_SHOWN_CHARACTERS: Final = 200
_MOST: Final = 500_000
_CORNERS: Final = attrgetter("first_row", "first_column", "last_row", "last_column")


class RowReading:
    """Reads one row after the other; `places` are the known columns by field."""

    def __init__(
        self,
        places: Mapping[str, ColumnPosition],
        *,
        grid: Grid,
        merged: Mapping[Position, str],
    ) -> None:
        self.places = places
        self._in_parts = tuple(place for place in places.values() if place.parts)
        words = {e.index for e in places.values() if e.reader.takes_plain}
        self._words = tuple(words)
        self._others = tuple(e for e in places.values() if e.index not in words)
        self._grid, self._merged, tally = grid, merged, grid.tally
        special = (*tally.errors, *tally.uncalculated, *grid.uncertain, *merged)
        self._special_rows = frozenset(row for row, _ in special)

    def read(self, number: int, raw: tuple[RawValue, ...]) -> ReadRow:
        """Read the known cells of row `number`."""
        findings: list[Finding] = []
        ref = RowRef(sheet=self._grid.sheet, row=number)
        is_special = number in self._special_rows
        cells = self._whole(raw) if self._in_parts else raw
        is_plain = not is_special and are_plain([cells[at] for at in self._words])
        # Of a plain row, what is no word is read below, or of no known column.
        values: list[Any] = list(cells) if is_plain else [None] * len(cells)
        for place in self._others if is_plain else self.places.values():
            cell = cells[place.index]
            if is_special:
                reading = self._special(number, cell, place)
            elif cell is None:
                continue
            elif not is_plain and place.reader.is_plain(cell):
                values[place.index] = cell
                continue
            else:
                reading = place.reader.read(cell)
            values[place.index] = reading.value
            if reading.remarks:
                findings += self._findings(ref, cell, place, remarks=reading.remarks)
        for place in self._in_parts:
            if values[place.index] is not None:
                findings += _empty_parts(ref, raw, place)
        return ReadRow(
            ref=ref,
            cells=RowCells(ref, reading=self, raw=cells, values=tuple(values)),
            raw=raw,
            findings=tuple(findings),
        )

    def _whole(self, raw: tuple[RawValue, ...]) -> tuple[RawValue, ...]:
        """Put each column that stands in parts together, in place of its first."""
        cells = list(raw)
        for place in self._in_parts:
            cells[place.index] = joined([raw[index] for index, _ in place.parts])
        return tuple(cells)

    def _special(
        self, number: int, cell: RawValue, place: ColumnPosition
    ) -> CellReading:
        positions = [(number, column) for column in place.columns]
        for position in positions:
            if position in self._grid.tally.errors:
                return refused(
                    "cell-error",
                    message=f"The cell shows the error {show(cell)}.",
                    advice="Correct its formula, or type the value.",
                )
            if position in self._merged:
                return _merged(self._merged[position])
            if position in self._grid.tally.uncalculated:
                return _UNCALCULATED
        reading = place.reader.read(cell)
        if self._grid.uncertain.isdisjoint(positions):
            return reading
        return replace(reading, remarks=(*reading.remarks, _UNCERTAIN))

    def _findings(
        self,
        ref: RowRef,
        cell: RawValue,
        place: ColumnPosition,
        *,
        remarks: Iterable[Remark],
    ) -> Iterator[Finding]:
        value = one_line(self.shown(ref.row, cell, place), limit=_SHOWN_CHARACTERS)
        where, heading = ref.cell(place.heading.column), place.heading.text
        return (each.at(where, heading=heading, value=value) for each in remarks)

    def shown(self, row: int, cell: RawValue, place: ColumnPosition) -> str:
        """Give what people see in a cell, or what it is if it only looks empty."""
        if text := show(cell):
            return text
        at = [(row, column) for column in place.columns]
        if any(each in self._grid.tally.uncalculated for each in at):
            return "(formula)"
        return "(merged)" if any(each in self._merged for each in at) else ""


def _empty_parts(
    ref: RowRef, raw: tuple[RawValue, ...], place: ColumnPosition
) -> Iterator[Finding]:
    shown = show(joined([raw[index] for index, _ in place.parts]))
    title = place.reader.column.title
    for index, heading in place.parts:
        if is_blank(raw[index]):
            yield warning(
                "name-part-empty",
                message=f"The cell is empty, so {title} is read as {quoted(shown)}.",
                advice="Fill it in; leave it empty if that is the whole name.",
            ).at(ref.cell(heading.column), heading=heading.text)


def joined(cells: Sequence[RawValue]) -> RawValue:
    """Give the cells of the parts, in their order, as one cell."""
    there = [cell for cell in cells if not is_blank(cell)]
    return " ".join(map(show, there)) if len(there) > 1 else next(iter(there), None)


_UNCALCULATED: Final = refused(
    "formula-uncalculated",
    message="The cell has a formula, but the workbook was saved without its value.",
    advice="Open the workbook in Excel, save it, and try again; or type the value.",
)
_UNCERTAIN: Final = warning(
    "csv-encoding",
    message="The letters beyond a–z were read as Windows text and may be wrong.",
    advice="Look at them, or save the file as CSV UTF-8 or as .xlsx.",
)


def _merged(area: str) -> CellReading:
    if not area:
        return EMPTY
    return refused(
        "cells-merged",
        message=f"The cells {area} are merged, so not each has its own value.",
        advice="Unmerge them (Home > Merge & Center) and fill each cell.",
    )


def merged_cells(
    merges: Iterable[Area], *, rows: Sequence[int], columns: Sequence[int]
) -> Mapping[Position, str]:
    """Find the cells in `rows` and `columns`, both sorted, that are merged.

    None of them is read: Excel keeps one value for the area, so the meaning of the
    other cells is unknown. The first of a row has the finding, and gets the area; the
    others get an empty text.

    Raises:
        WorkbookError: There are so many that the sheet is no table.
    """
    found: dict[Position, str] = {}
    work = 0
    for area in sorted(merges, key=_CORNERS):
        across = _within(columns, area.first_column, area.last_column)
        down = _within(rows, area.first_row, area.last_row)
        work += len(across) * len(down) + 1
        if work > _MOST:
            raise WorkbookError(
                message="The sheet has very many merged cells.",
                hint="Unmerge them in Excel (Home > Merge & Center) and save.",
            )
        for row in down:
            for column in across:
                said = str(area) if column == across[0] else ""
                found.setdefault((row, column), said)
    return found


def _within(numbers: Sequence[int], first: int, last: int) -> Sequence[int]:
    return numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPosition:
    """The position of one known column."""

    heading: Heading
    index: int
    """Among the values that the table keeps of a row."""
    reader: ColumnReader
    parts: tuple[tuple[int, Heading], ...] = ()
    """Where people have several columns for it: each with its index, in order."""

    @property
    def columns(self) -> tuple[int, ...]:
        return tuple(part.column for _, part in self.parts) or (self.heading.column,)


class RowCells(Mapping[str, Cell]):
    """The cells of one row by field, made on demand: a workbook has millions."""

    __slots__ = ("_raw", "_reading", "_ref", "_values")

    def __init__(
        self,
        ref: RowRef,
        *,
        reading: RowReading,
        raw: tuple[RawValue, ...],
        values: tuple[CellValue, ...],
    ) -> None:
        self._ref, self._reading = ref, reading
        self._raw, self._values = raw, values

    def __getitem__(self, field: str) -> Cell:
        place = self._reading.places[field]
        return Cell(
            ref=self._ref.cell(place.heading.column),
            heading=place.heading.text,
            shown=self._reading.shown(self._ref.row, self._raw[place.index], place),
            value=self._values[place.index],
            may_be_empty=not place.reader.column.required,
        )

    def value(self, field: str) -> CellValue:
        """Give the value of `field` without making its cell."""
        place = self._reading.places.get(field)
        return None if place is None else self._values[place.index]

    def values_there(self) -> dict[str, CellValue]:
        """Give every value by field without making cells."""
        values = self._values
        return {
            field: value
            for field, place in self._reading.places.items()
            if (value := values[place.index]) is not None
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self._reading.places)

    def __len__(self) -> int:
        return len(self._reading.places)


class ReadRow(TableRow):
    """A row that gives values without making cells."""

    __slots__ = ()
    cells: RowCells

    def value(self, field: str) -> CellValue:
        return self.cells.value(field)

    def values(self) -> dict[str, CellValue]:
        return self.cells.values_there()
