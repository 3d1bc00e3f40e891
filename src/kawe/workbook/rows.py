"""From a grid and its heading row to the table that kawe works on.

Every cell of a known column is read here, those that need a second look (in
a merged area, an error, a formula without its value) apart from the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kawe.domain.findings import Finding
from kawe.domain.refs import CellRef, RowRef
from kawe.domain.tables import CellValue, RawValue, Table
from kawe.domain.texts import one_line
from kawe.workbook.cells.readers import ColumnReader, facts_of, is_blank
from kawe.workbook.cells.reading import (
    EMPTY,
    Reading,
    refused,
    show,
    warning,
)
from kawe.workbook.grids import Grid, GridRow
from kawe.workbook.headings import HeadingRow
from kawe.workbook.merging import Merged, merged_cells
from kawe.workbook.row_cells import Layout, Place, ReadRow, RowCells
from kawe.workbook.tally import Position

_SHOWN_CHARACTERS: Final = 200
_FORMULA: Final = "(formula)"
_MERGED: Final = "(merged)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The rows of a sheet below its headings that are not blank."""

    grid: Grid
    headings: HeadingRow
    rows: Sequence[GridRow]

    @property
    def hidden(self) -> list[int]:
        """Give the numbers of the rows that nobody sees."""
        hidden = self.grid.facts.hidden_rows
        return [number for number, _ in self.rows if number in hidden]


def body_of(grid: Grid, headings: HeadingRow) -> Body:
    """Take the rows below the headings, without blank and totals rows.

    A row is blank when no column of the person's own shows anything.
    """
    facts = grid.facts
    theirs = [heading.column - 1 for heading in headings.headings]
    waiting = {row for row, _ in facts.uncalculated}

    def counts(number: int, values: tuple[RawValue, ...]) -> bool:
        if number <= headings.row or number in facts.totals_rows:
            return False
        width = len(values)
        return number in waiting or any(
            index < width and not is_blank(values[index]) for index in theirs
        )

    return Body(
        grid=grid,
        headings=headings,
        rows=[row for row in grid.rows if counts(*row)],
    )


def build_table(body: Body, *, findings: tuple[Finding, ...]) -> Table:
    """Read every cell of a known column; `findings` concern the whole sheet.

    Raises:
        WorkbookError: The sheet is a patchwork of merged cells.
    """
    rows = _kept(body)
    merged = merged_cells(
        body.grid.facts.merges,
        rows=[number for number, _ in rows],
        columns=sorted(heading.column for heading, _ in body.headings.known()),
    )
    reading = _RowReading(
        layout=_layout(body, rows, merged), grid=body.grid, merged=merged
    )
    return Table(
        kind=body.headings.kind,
        sheet=body.grid.sheet,
        heading_row=body.headings.row,
        headings=body.headings.headings,
        rows=tuple(reading.read(number, raw) for number, raw in rows),
        findings=findings,
    )


def _kept(body: Body) -> list[GridRow]:
    """Give each row with the values under its headings only, in their order."""
    indices = [heading.column - 1 for heading in body.headings.headings]
    width = len(indices)
    if indices == list(range(width)):
        blank = (None,) * width
        return [
            (
                number,
                (values + blank)[:width] if len(values) < width else values[:width],
            )
            for number, values in body.rows
        ]
    reach = max(indices) + 1
    blank = (None,) * reach
    return [
        (number, tuple((values + blank)[index] for index in indices))
        for number, values in body.rows
    ]


def _layout(
    body: Body, rows: Sequence[GridRow], merged: Mapping[Position, Merged]
) -> Layout:
    facts = body.grid.facts
    places: dict[str, Place] = {}
    for index, heading in enumerate(body.headings.headings):
        column = heading.means
        if column is None:
            continue
        known = facts_of(
            column,
            (raw[index] for _, raw in rows),
            counts_from_1904=facts.counts_from_1904,
        )
        places[column.field] = Place(
            heading=heading, index=index, reader=ColumnReader(column, known)
        )
    shown = dict.fromkeys(merged, _MERGED)
    shown.update(dict.fromkeys(facts.uncalculated, _FORMULA))
    return Layout(sheet=body.grid.sheet, places=places, shown=shown)


class _RowReading:
    """Reads one row after the other."""

    def __init__(
        self, *, layout: Layout, grid: Grid, merged: Mapping[Position, Merged]
    ) -> None:
        self._layout = layout
        self._places = tuple(layout.places.values())
        self._facts = grid.facts
        self._merged = merged
        self._special_rows = {
            row
            for positions in (
                self._facts.errors,
                self._facts.uncalculated,
                self._facts.uncertain,
                merged,
            )
            for row, _ in positions
        }

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

    def _special(self, number: int, cell: RawValue, place: Place) -> Reading:
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
        self, number: int, cell: RawValue, place: Place, *, reading: Reading
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


def _error(shown: str) -> Reading:
    return refused(
        "cell-error",
        message=f"The cell shows the error {shown}.",
        advice="Correct its formula, or type the value.",
    )


def _merged(merged: Merged) -> Reading:
    if not merged.speaks:
        return EMPTY
    return refused(
        "cells-merged",
        message=f"The cells {merged.area} are merged, so not each has its own value.",
        advice="Unmerge them (Home > Merge & Center) and fill each cell.",
    )
