"""One sheet, written to a file from top to bottom as its rows come.

What stands above the rows in the XML is said when the sheet is begun, what
stands below them when it ends; Excel insists on the order of the elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Final

from kawe.domain.sheet.refs import column_letters
from kawe.workbook.sheet_rows import CellLink, Comment, RowWriter
from kawe.workbook.sheet_styles import MAIN, PROLOG, StyleSheet
from kawe.workbook.sheet_text import attribute

RELATIONS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DRAWING: Final = "drawing"
TABLE: Final = "table"
LINE_POINTS: Final = 15.0
_MOST_LINES: Final = 8
_MOST_LINKS: Final = 60_000
"""Excel repairs, that is damages, a sheet with more than 65,530 links."""
_BUFFERED_ROWS: Final = 128
_A3: Final = 8
_A4: Final = 9
_SELECTED: Final = ' tabSelected="1"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What is known of a sheet before its first row."""

    title: str
    widths: tuple[float, ...]
    heading_row: int = 0
    """Stays in view and is printed on every page; 0 for none."""
    is_wide: bool = False
    """Printed on A3."""
    on_one_page: bool = False
    is_first: bool = False
    """The sheet that is in front when the workbook is opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableArea:
    """An Excel table: its name, and what stands above its columns."""

    name: str
    headings: tuple[str, ...]
    first_row: int
    last_row: int

    @property
    def area(self) -> str:
        """Give the cells that the table covers."""
        last = column_letters(len(self.headings))
        return f"A{self.first_row}:{last}{self.last_row}"


class SheetWriter:
    """A sheet under way; rows count from 1 as they are written."""

    def __init__(self, out: IO[bytes], shape: Shape, *, styles: StyleSheet) -> None:
        self.shape = shape
        self.row = 0
        self.cells = RowWriter(widths=shape.widths, styles=styles)
        self.area: TableArea | None = None
        self._out = out
        self._rows: list[str] = [_head(shape)]

    @property
    def links(self) -> Sequence[CellLink]:
        """Give the links of the sheet so far."""
        return self.cells.links

    @property
    def comments(self) -> Sequence[Comment]:
        """Give the comments of the sheet so far."""
        return self.cells.comments

    @property
    def has_room_for_links(self) -> bool:
        """Say whether one more link fits on the sheet."""
        return len(self.cells.links) < _MOST_LINKS

    def begin_row(self) -> RowWriter:
        """Give the next row, to be filled with cells."""
        self.row += 1
        self.cells.begin(self.row)
        return self.cells

    def end_row(self, *, points: float | None = None) -> None:
        """Write the row, as high as its texts need unless `points` says."""
        height = points or LINE_POINTS * min(self.cells.lines, _MOST_LINES)
        said = "" if height == LINE_POINTS else f' ht="{height:g}" customHeight="1"'
        self._rows.append(f'<row r="{self.row}"{said}>{self.cells.finish()}</row>')
        if len(self._rows) >= _BUFFERED_ROWS:
            self._flush()

    def line(self, *texts: tuple[str, str], points: float | None = None) -> None:
        """Write a row of texts, each with its style."""
        cells = self.begin_row()
        for text, style in texts:
            cells.text(text, style)
        self.end_row(points=points)

    def skip_to(self, row: int) -> None:
        """Leave rows blank so that the next one written is `row`."""
        self.row = max(self.row, row - 1)

    def table(self, name: str, headings: Sequence[str], *, first_row: int) -> None:
        """Make what was written from `first_row` on an Excel table called `name`."""
        self.area = TableArea(
            name=name,
            headings=tuple(headings),
            first_row=first_row,
            # Excel wants at least one row below the headings of a table.
            last_row=max(self.row, first_row + 1),
        )

    def close(self) -> None:
        """Write what stands below the rows."""
        tail = ["</sheetData>", _links(self.links), _print_set_up(self.shape)]
        if self.comments:
            tail.append(f'<legacyDrawing r:id="{DRAWING}"/>')
        if self.area is not None:
            tail.append(
                f'<tableParts count="1"><tablePart r:id="{TABLE}"/></tableParts>'
            )
        self._rows += (*tail, "</worksheet>")
        self._flush()

    def _flush(self) -> None:
        self._out.write("".join(self._rows).encode())
        self._rows.clear()


def link_relation(number: int) -> str:
    """Name the relation of a sheet to the address of its link `number`."""
    return f"link{number}"


def _head(shape: Shape) -> str:
    pane = f"A{shape.heading_row + 1}"
    frozen = (
        f'<pane ySplit="{shape.heading_row}" topLeftCell="{pane}" '
        'activePane="bottomLeft" state="frozen"/>'
        f'<selection pane="bottomLeft" activeCell="{pane}" sqref="{pane}"/>'
        if shape.heading_row
        else '<selection activeCell="A1" sqref="A1"/>'
    )
    columns = "".join(
        f'<col min="{at}" max="{at}" width="{width:g}" customWidth="1"/>'
        for at, width in enumerate(shape.widths, start=1)
    )
    return (
        f'{PROLOG}<worksheet xmlns="{MAIN}" xmlns:r="{RELATIONS}">'
        '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>'
        f'<sheetViews><sheetView showGridLines="0"{_SELECTED if shape.is_first else ""}'
        f' workbookViewId="0">{frozen}</sheetView></sheetViews>'
        f'<sheetFormatPr defaultRowHeight="{LINE_POINTS:g}"/>'
        f"<cols>{columns}</cols><sheetData>"
    )


def _links(links: Sequence[CellLink]) -> str:
    if not links:
        return ""
    said = []
    for number, link in enumerate(links, start=1):
        where = (
            f'r:id="{link_relation(number)}"'
            if link.url
            else f'location="{attribute(link.location)}"'
        )
        tip = f' tooltip="{attribute(link.tip)}"' if link.tip else ""
        said.append(f'<hyperlink ref="{link.cell}" {where}{tip}/>')
    return f"<hyperlinks>{''.join(said)}</hyperlinks>"


def _print_set_up(shape: Shape) -> str:
    return (
        '<pageMargins left="0.4" right="0.4" top="0.5" bottom="1" header="0.2" '
        f'footer="0.5"/><pageSetup paperSize="{_A3 if shape.is_wide else _A4}" '
        f'fitToWidth="1" fitToHeight="{int(shape.on_one_page)}" '
        'orientation="landscape"/>'
        "<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter>"
        "</headerFooter>"
    )
