"""Where something stands in a workbook, printed as Excel prints it."""

from __future__ import annotations

from dataclasses import dataclass

from kawe_xlsx.cells import address


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
        return address(self.row, self.column)

    @property
    def row_ref(self) -> RowRef:
        return RowRef(sheet=self.sheet, row=self.row)
