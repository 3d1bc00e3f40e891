"""A person's rows, carried from an older or own sheet into a new template.

What they typed is carried, not what kawe makes of it: a correction is theirs
to make. Only a day that Excel gave as a bare number becomes a date, since the
number means another day in a workbook that counts from 1904.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Final, TypeAlias

from openpyxl.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.tables import RawValue, Table, TableRow
from kawe.errors import WorkbookError
from kawe.workbook.limits import EXCEL_TEXT_LIMIT
from kawe.workbook.sheet_text import safe_text

CarriedRow: TypeAlias = Mapping[str, RawValue]
"""What a person typed, by field; only cells that are not empty."""

_DAY: Final = "d mmm yyyy"
_DAY_AND_HOUR: Final = "d mmm yyyy h:mm"
_HOUR: Final = "h:mm"
_FIRST_DAY: Final = date(1900, 3, 1)
"""Before this day Excel counts a 29 February 1900 that never was."""
_HAVE_NO_VALUE: Final = frozenset({"formula-uncalculated", "cells-merged"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What can be carried from a sheet, and what cannot."""

    rows: tuple[CarriedRow, ...]
    left_out: tuple[str, ...]
    """Headings that kawe does not know."""
    lost: tuple[Finding, ...]
    """Cells that show something and hold no value."""


def carry(table: Table) -> Carried:
    """Take the rows of a sheet that was read.

    Raises:
        WorkbookError: A text is longer than a cell of Excel can be.
    """
    return Carried(
        rows=tuple(_carried(row, table) for row in table.rows),
        left_out=tuple(
            heading.text
            for heading in table.headings
            if heading.means is None and heading.text
        ),
        lost=tuple(
            finding
            for row in table.rows
            for finding in row.findings
            if finding.rule in _HAVE_NO_VALUE
        ),
    )


def _carried(row: TableRow, table: Table) -> CarriedRow:
    values: dict[str, RawValue] = {}
    for heading, raw in zip(table.headings, row.raw, strict=True):
        column = heading.means
        if column is None or raw is None:
            continue
        if isinstance(raw, str) and len(raw) > EXCEL_TEXT_LIMIT:
            where = row.ref.cell(heading.column)
            raise WorkbookError(
                message=f"The text in {where} is longer than a cell of Excel can be.",
                hint=f"Shorten it to {EXCEL_TEXT_LIMIT:,} characters.",
            )
        values[column.field] = _day_or(raw, column=column, row=row)
    return values


def _day_or(raw: RawValue, *, column: Column, row: TableRow) -> RawValue:
    means = row.value(column.field)
    is_number = isinstance(raw, int | float) and not isinstance(raw, bool)
    if column.kind is CellKind.DATE and is_number and isinstance(means, str):
        return date.fromisoformat(means)
    return raw


def fill_page(
    sheet: Worksheet, columns: Sequence[Column], rows: Sequence[CarriedRow]
) -> None:
    """Write rows below the headings, text as text and never as a formula."""
    for number, row in enumerate(rows, start=2):
        for at, column in enumerate(columns, start=1):
            raw = row.get(column.field)
            if raw is not None:
                cell = sheet.cell(row=number, column=at)
                assert isinstance(cell, Cell)
                _write(cell, raw, like=sheet.column_dimensions[cell.column_letter])


def _write(cell: Cell, raw: RawValue, *, like: object) -> None:
    for name in ("font", "alignment", "number_format"):
        # openpyxl hands out proxies of what several cells share.
        setattr(cell, name, copy(getattr(like, name)))
    value, number_format = _shown(raw)
    if isinstance(value, str):
        cell.value = safe_text(value)
        cell.data_type = "s"
        cell.quotePrefix = True
        return
    cell.value = value
    if isinstance(value, float) and float(f"{value:.16g}") != value:
        # openpyxl writes 16 digits, and one digit less is another place.
        cell.value = repr(value)
        cell.data_type = "n"
    if number_format:
        cell.number_format = number_format


def _shown(raw: RawValue) -> tuple[RawValue, str]:
    """Give a value as Excel can hold it, and its format where it needs one."""
    match raw:
        case datetime():
            too_early, shown = raw.date() < _FIRST_DAY, _DAY_AND_HOUR
            shown = _DAY if raw.time() == time() else shown
        case date():
            too_early, shown = raw < _FIRST_DAY, _DAY
        case time():
            too_early, shown = False, _HOUR
        case _:
            return raw, ""
    return (raw.isoformat(), "") if too_early else (raw, shown)
