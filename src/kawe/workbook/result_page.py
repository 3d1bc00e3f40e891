"""One sheet of a result workbook, written from top to bottom.

Rows are written as they come, so that a workbook of 100,000 rows needs no
memory of them; whatever depends on all rows is set before the first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, cast

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.worksheet.filters import AutoFilter
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.table import (
    Table,
    TableColumn,
    TableStyleInfo,
)
from openpyxl.worksheet.worksheet import Worksheet

from kawe.domain.refs import column_letters
from kawe.workbook import result_styles as styles
from kawe.workbook.result_cells import safe_text, text_cell

_LINE_POINTS: Final = 15.0
_HEADING_POINTS: Final = 33.0
_MOST_LINES: Final = 8
_MOST_LINKS: Final = 60_000
"""Excel repairs, that is damages, a sheet with more than 65,530 links."""
_PAPERS: Final = {"A3": 8, "A4": 9}


class Page:
    """A sheet under way; rows count from 1 as they are written."""

    def __init__(
        self,
        book: Workbook,
        title: str,
        *,
        widths: Sequence[float],
        paper: Literal["A3", "A4"] = "A4",
    ) -> None:
        # The published types leave out most of what a write-only sheet can do.
        sheet = cast("Worksheet", book.create_sheet(title))
        self.sheet = sheet
        self.title = title
        self.row = 0
        self.links_left = _MOST_LINKS
        self._widths = tuple(widths)
        for column, width in enumerate(widths, start=1):
            sheet.column_dimensions[column_letters(column)].width = width
        self._set_up_print(_PAPERS[paper])

    def freeze_below(self, row: int) -> None:
        """Keep the rows up to `row` in view and on every printed page."""
        self.sheet.freeze_panes = f"A{row + 1}"
        self.sheet.print_title_rows = f"{row}:{row}"

    def print_on_one_page(self) -> None:
        """Make the whole sheet fit on one printed page."""
        self.sheet.page_setup.fitToHeight = 1

    def write(
        self, cells: Sequence[Cell | None], *, points: float | None = None
    ) -> None:
        """Write the next row, as high as its texts need unless `points` says."""
        self.row += 1
        height = points or self._height(cells)
        if cells and height != _LINE_POINTS:
            self.sheet.row_dimensions[self.row].height = height
        self.sheet.append(list(cells))
        # openpyxl keeps what it has written; a large sheet need not.
        self.sheet.row_dimensions.pop(self.row, None)

    def skip_to(self, row: int) -> None:
        """Leave rows blank so that the next one written is `row`."""
        while self.row < row - 1:
            self.write(())

    def headings(self, names: Sequence[str], *, own_from: int) -> None:
        """Write a heading row; from index `own_from` on the columns are kawe's."""
        self.write(
            [
                text_cell(
                    self.sheet,
                    name,
                    style=styles.OWN_HEADING if index >= own_from else styles.HEADING,
                )
                for index, name in enumerate(names)
            ],
            points=_HEADING_POINTS,
        )

    def table(self, name: str, headings: Sequence[str], *, first_row: int) -> None:
        """Make what was written from `first_row` on an Excel table called `name`."""
        if self.row == first_row:
            # Excel wants at least one row below the headings of a table.
            self.write(())
        area = f"A{first_row}:{column_letters(len(headings))}{self.row}"
        table = Table(
            displayName=name,
            ref=area,
            autoFilter=AutoFilter(ref=area),
            tableColumns=tuple(
                TableColumn(id=number, name=safe_text(heading))
                for number, heading in enumerate(headings, start=1)
            ),
            tableStyleInfo=TableStyleInfo(
                name="TableStyleLight1", showRowStripes=False
            ),
        )
        # add_table would warn that a table must name its columns; it does.
        self.sheet.tables.add(table)

    def take_link(self) -> bool:
        """Say whether one more link fits on the sheet, and count it."""
        self.links_left -= 1
        return self.links_left >= 0

    def _height(self, cells: Sequence[Cell | None]) -> float:
        lines = 1
        for cell, width in zip(cells, self._widths, strict=False):
            if cell is None or cell.hyperlink is not None:
                continue
            if isinstance(cell.value, str):
                lines = max(lines, lines_needed(cell.value, width=width))
        return _LINE_POINTS * min(lines, _MOST_LINES)

    def _set_up_print(self, paper: int) -> None:
        sheet = self.sheet
        sheet.page_setup.orientation = "landscape"
        sheet.page_setup.paperSize = paper
        sheet.page_setup.fitToWidth = 1
        sheet.page_setup.fitToHeight = 0
        sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        sheet.page_margins.left = sheet.page_margins.right = 0.4
        sheet.page_margins.top, sheet.page_margins.header = 0.5, 0.2
        footer = sheet.oddFooter
        if footer is not None:
            footer.left.text, footer.right.text = "&A", "&P / &N"
        sheet.sheet_view.showGridLines = False


def lines_needed(text: str, *, width: float) -> int:
    """Estimate how many lines a text takes in a column `width` characters wide."""
    # A width counts digits; most letters are narrower, but lines break at words.
    room = max(width * 1.05 - 2, 1)
    return sum(max(1, math.ceil(len(line) / room)) for line in text.split("\n"))
