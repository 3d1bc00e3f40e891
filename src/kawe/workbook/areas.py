"""Rectangles of cells and the addresses that name them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kawe.domain.sheet.refs import CellRef

_ADDRESS: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Area:
    """Cells from one corner to the other, both of them in it, counted from 1."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int

    def __str__(self) -> str:
        first = CellRef(sheet="", row=self.first_row, column=self.first_column)
        last = CellRef(sheet="", row=self.last_row, column=self.last_column)
        return f"{first.address}:{last.address}"


def column_number(letters: str) -> int:
    """Count a column named as Excel does, from 1: A is 1, AB is 28."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def position_of(address: str) -> tuple[int, int] | None:
    """Read `C7` as row 7, column 3; None when it is no address."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        return None
    return int(match[2]), column_number(match[1])


def area_of(reference: str) -> Area | None:
    """Read `A1:C7`, or `A1` alone; None when it is no area."""
    first, _, last = reference.partition(":")
    corner, opposite = position_of(first), position_of(last or first)
    if corner is None or opposite is None:
        return None
    rows = sorted((corner[0], opposite[0]))
    columns = sorted((corner[1], opposite[1]))
    return Area(
        first_row=rows[0],
        first_column=columns[0],
        last_row=rows[1],
        last_column=columns[1],
    )
