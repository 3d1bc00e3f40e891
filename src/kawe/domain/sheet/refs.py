"""Where something stands in a workbook, printed as Excel prints it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@cache
def column_letters(column: int) -> str:
    """Name a column, counted from 1, as Excel does: 1 is A, 28 is AB.

    Raises:
        ValueError: `column` is less than 1.
    """
    if column < 1:
        raise ValueError(f"columns count from 1, not {column}")
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class RowRef:
    """One row of one sheet; rows count from 1 and the heading row counts."""

    sheet: str
    row: int

    def __str__(self) -> str:
        return f"{self.sheet}!{self.row}"

    def cell(self, column: int) -> CellRef:
        """Point at one cell of this row; columns count from 1."""
        return CellRef(sheet=self.sheet, row=self.row, column=column)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class CellRef:
    """One cell of one sheet."""

    sheet: str
    row: int
    column: int

    def __str__(self) -> str:
        return f"{self.sheet}!{self.address}"

    @property
    def address(self) -> str:
        """Give the address without the sheet, such as C7."""
        return f"{column_letters(self.column)}{self.row}"

    @property
    def row_ref(self) -> RowRef:
        return RowRef(sheet=self.sheet, row=self.row)
