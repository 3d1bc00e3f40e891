"""The cells of one row, and where their columns stand.

A workbook of 100,000 rows has two million cells, so no `Cell` is made before
someone asks for it: a row keeps its values, and makes a cell when it is
looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kawe.domain.sheet.refs import CellRef
from kawe.domain.sheet.tables import Cell, CellValue, Heading, RawValue, TableRow
from kawe.workbook.cells.readers import ColumnReader
from kawe.workbook.cells.reading import show
from kawe.workbook.tally import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPosition:
    """Where one known column stands."""

    heading: Heading
    index: int
    """Among the values that the table keeps of a row."""
    reader: ColumnReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the known columns of a sheet stand."""

    sheet: str
    places: Mapping[str, ColumnPosition]
    """By field."""
    shown: Mapping[Position, str]
    """What to show of cells that hold something although they look empty."""


class RowCells(Mapping[str, Cell]):
    """The cells of one row by field, each made when it is asked for."""

    __slots__ = ("_layout", "_raw", "_row", "_values")

    def __init__(
        self,
        row: int,
        *,
        layout: Layout,
        raw: tuple[RawValue, ...],
        values: tuple[CellValue, ...],
    ) -> None:
        self._row = row
        self._layout = layout
        self._raw = raw
        self._values = values

    def __getitem__(self, field: str) -> Cell:
        place = self._layout.places[field]
        column = place.heading.column
        shown = show(self._raw[place.index])
        return Cell(
            ref=CellRef(sheet=self._layout.sheet, row=self._row, column=column),
            heading=place.heading.text,
            shown=shown or self._layout.shown.get((self._row, column), ""),
            value=self._values[place.index],
        )

    def value(self, field: str) -> CellValue:
        """Give what the cell of `field` means, without making the cell."""
        place = self._layout.places.get(field)
        return None if place is None else self._values[place.index]

    def values_there(self) -> dict[str, CellValue]:
        """Give every value that is there, by field, without making cells."""
        values = self._values
        return {
            field: value
            for field, place in self._layout.places.items()
            if (value := values[place.index]) is not None
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self._layout.places)

    def __len__(self) -> int:
        return len(self._layout.places)


class ReadRow(TableRow):
    """A row whose values can be had without making its cells."""

    __slots__ = ()
    cells: RowCells

    def value(self, field: str) -> CellValue:
        """Give what the cell of `field` means, None where there is none."""
        return self.cells.value(field)

    def values(self) -> dict[str, CellValue]:
        """Give every value that is there, by field, for the row schema."""
        return self.cells.values_there()
