"""Reads the rows of a sheet, cell by cell.

Every cell of a known column is read here, those that need a second look (in
a merged area, an error, a formula without its value) apart from the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.refs import CellRef, RowRef
from kawe.domain.sheet.tables import CellValue, RawValue
from kawe.domain.text.texts import one_line
from kawe.workbook.cells.reading import (
    EMPTY,
    CellReading,
    refused,
    show,
    warning,
)
from kawe.workbook.grids import Grid, GridFacts
from kawe.workbook.merging import Merged
from kawe.workbook.row_cells import ColumnPosition, Layout, ReadRow, RowCells
from kawe.workbook.tally import Position

_SHOWN_CHARACTERS: Final = 200
FORMULA: Final = "(formula)"
"""What is shown of a formula that was saved without its value."""
MERGED: Final = "(merged)"
"""What is shown of a merged cell."""


def special_rows(facts: GridFacts, *, merged: Iterable[Position]) -> frozenset[int]:
    """Give the rows with a cell that holds something else than its value tells."""
    return frozenset(
        row
        for positions in (facts.errors, facts.uncalculated, facts.uncertain, merged)
        for row, _ in positions
    )


class RowReading:
    """Reads one row after the other."""

    def __init__(
        self, *, layout: Layout, grid: Grid, merged: Mapping[Position, Merged]
    ) -> None:
        self._layout = layout
        self._places = tuple(layout.places.values())
        self._facts = grid.facts
        self._merged = merged
        self._special_rows = special_rows(grid.facts, merged=merged)

    def read(self, number: int, raw: tuple[RawValue, ...]) -> ReadRow:
        """Read the known cells of row `number`."""
        values: list[CellValue] = [None] * len(raw)
        findings: list[Finding] = []
        is_special = number in self._special_rows
        for place in self._places:
            cell = raw[place.index]
            if is_special:
                reading = self._special(number, cell, place)
            elif cell is None:
                continue
            elif place.reader.is_plain(cell):
                values[place.index] = cell
                continue
            else:
                reading = place.reader.read(cell)
            values[place.index] = reading.value
            if reading.remarks:
                findings += self._findings(number, cell, place, reading=reading)
        return ReadRow(
            ref=RowRef(sheet=self._layout.sheet, row=number),
            cells=RowCells(number, layout=self._layout, raw=raw, values=tuple(values)),
            raw=raw,
            findings=tuple(findings),
        )

    def _special(
        self, number: int, cell: RawValue, place: ColumnPosition
    ) -> CellReading:
        position = (number, place.heading.column)
        if position in self._facts.errors:
            return _error(show(cell))
        if position in self._merged:
            return _merged(self._merged[position])
        if position in self._facts.uncalculated:
            return _UNCALCULATED
        reading = place.reader.read(cell)
        if position not in self._facts.uncertain:
            return reading
        return replace(reading, remarks=(*reading.remarks, _UNCERTAIN))

    def _findings(
        self,
        number: int,
        cell: RawValue,
        place: ColumnPosition,
        *,
        reading: CellReading,
    ) -> Iterator[Finding]:
        column = place.heading.column
        shown = show(cell) or self._layout.shown.get((number, column), "")
        for remark in reading.remarks:
            yield Finding(
                where=CellRef(sheet=self._layout.sheet, row=number, column=column),
                severity=remark.severity,
                rule=remark.rule,
                heading=place.heading.text,
                value=one_line(shown, limit=_SHOWN_CHARACTERS),
                message=remark.message,
                advice=remark.advice,
            )


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


def _error(shown: str) -> CellReading:
    return refused(
        "cell-error",
        message=f"The cell shows the error {shown}.",
        advice="Correct its formula, or type the value.",
    )


def _merged(merged: Merged) -> CellReading:
    if not merged.speaks:
        return EMPTY
    return refused(
        "cells-merged",
        message=f"The cells {merged.area} are merged, so not each has its own value.",
        advice="Unmerge them (Home > Merge & Center) and fill each cell.",
    )
