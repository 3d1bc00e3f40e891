"""Writes one sheet from top to bottom.

The elements above the rows are written at the beginning, those below at the end;
Excel needs this order. There is one method for each kind of cell, and none for
formulas. No cell stays in memory: a large workbook has five million.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import lru_cache
from itertools import zip_longest
from types import MappingProxyType
from typing import IO, Final, TypeAlias

from kawe_xlsx.cells import RawValue, column_letters
from kawe_xlsx.limits import EXCEL_TEXT_LIMIT
from kawe_xlsx.writing.charts import Chart
from kawe_xlsx.writing.styles import MAIN, PROLOG, StyleSheet
from kawe_xlsx.writing.text import (
    attribute,
    element,
    escaped,
    is_simple,
    plain_text,
    safe_text,
)

Number: TypeAlias = bool | float | date | time

RELATIONS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TABLE: Final = "table"
CHARTS: Final = "drawing"
BOXES: Final = "vmlDrawing"
LINKS: Final = "link"
LINE_POINTS: Final = 15.0
_MOST_LINES: Final = 8
MOST_LINKS: Final = 60_000
"""Excel damages a sheet with more than 65,530 links."""
_BUFFERED_ROWS: Final = 128
_A4: Final = 9
_SELECTED: Final = ' tabSelected="1"'
_EPOCH: Final = date(1899, 12, 30)
_FIRST_DAY: Final = date(1900, 3, 1)
"""Before it, Excel counts a false 29 February 1900."""
_DAY_SECONDS: Final = 86_400
_NO_CELLS: Final[Mapping[int, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What is printed of a sheet: columns from the first to the last, from 1."""

    columns: tuple[int, int] | None = None
    """None: all."""
    left: tuple[int, int] | None = None
    """Printed too, left of these on every page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The settings of a sheet before its first row."""

    title: str
    widths: tuple[float, ...]
    """Of the columns, in characters."""
    cell_styles: tuple[str, ...] = ()
    """Of the columns: the style of cells that nobody has written yet."""
    heading_row: int = 0
    """Frozen, and printed on every page; 0: none."""
    table_row: int = 0
    """Frozen too: names for programs, where those are others than the headings."""
    frozen_columns: int = 0
    folded_from: int = 0
    """Columns from this one on are folded away; 0: none."""
    printed: Printed | None = None
    """None: all columns."""
    pages_across: int = 1
    """Printed on so many sheets of paper beside each other."""
    has_grid: bool = False
    """Lines between cells are shown, for people to write there."""
    is_hidden: bool = False
    is_first: bool = False
    """Shown when the workbook is opened."""
    is_own: bool = False
    """kawe's own, and never read as data."""
    is_aside: bool = False
    """It grows beside another sheet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellLink:
    """A link of a cell, to a web address or within the workbook."""

    cell: str
    url: str = ""
    location: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment on a cell; row and column count from 1."""

    row: int
    column: int
    text: str

    @property
    def cell(self) -> str:
        return f"{column_letters(self.column)}{self.row}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRule:
    """What the cells of an area take, and the hint that they show."""

    area: str = ""
    title: str = ""
    hint: str = ""
    kind: str = ""
    """As in ECMA-376 part 1, 18.18.21; empty: they take anything."""
    operator: str = "between"
    formulas: tuple[str, ...] = ()


class SheetWriter:
    """Writes sheet `number`, from 1: rows in order, cells from left to right."""

    def __init__(
        self, out: IO[bytes], shape: Shape, *, number: int, styles: StyleSheet
    ) -> None:
        self.shape = shape
        self.number = number
        self.table_part = ""
        """The XML of its Excel table; empty: it has none."""
        self.links: list[CellLink] = []
        self.comments: list[Comment] = []
        self.charts: list[Chart] = []
        self.rules: list[CellRule] = []
        self.names: dict[str, str] = {}
        """Areas of the sheet by the names that the workbook has for them."""
        self._row = 0
        self._cells: list[str] = []
        self._shown: list[RawValue] = []
        self._digest = hashlib.sha256()
        self._lines = 1
        self._letters = [column_letters(at) for at in range(1, len(shape.widths) + 1)]
        # Widths count digits; letters are narrower, but lines break at words.
        self._rooms = [max(width * 1.05 - 2, 1) for width in shape.widths]
        self._of_texts = styles.of_texts
        self._of_values = styles.of_values
        self._out = out
        self._rows: list[str] = [_head(shape, numbers=styles.of_values)]

    @property
    def row(self) -> int:
        """Give the number of the last row, from 1."""
        return self._row

    @property
    def has_room_for_links(self) -> bool:
        return len(self.links) < MOST_LINKS

    def begin_row(self) -> None:
        """Begin the next row with its first cell."""
        self._row += 1
        self._cells = []
        self._shown = []
        self._lines = 1

    def text(self, text: str, style: str) -> None:
        """Write a text, never a formula; empty: a blank cell."""
        cells = self._cells
        at = len(cells)
        self.make_room(text, column=at + 1)
        rest = text_cell(text, self._of_texts[style])
        cells.append(f'<c r="{self._letters[at]}{self._row}{rest}')
        self._shown.append(text)

    def make_room(self, text: str, *, column: int) -> None:
        """Make the row as high as a text in `column`, from 1, needs."""
        room = self._rooms[column - 1]
        if len(text) > room or "\n" in text:
            # Estimated: `room` letters are on each line.
            lines = (max(1, math.ceil(len(line) / room)) for line in text.split("\n"))
            self._lines = max(self._lines, sum(lines))

    def numeric(self, value: Number, style: str) -> None:
        """Write a finite number, a boolean, a day or a time after 1900."""
        self._put(number_cell(value, self._of_values[style]))
        self._shown.append(value)

    def blank(self, style: str) -> None:
        """Leave a cell empty, in its style."""
        self._put(f'" s="{self._of_values[style]}"/>')
        self._shown.append(None)

    def link(
        self, text: str, style: str, *, url: str = "", location: str = "", tip: str = ""
    ) -> None:
        """Write a link on one line."""
        cell = f"{self._letters[len(self._cells)]}{self._row}"
        lines = self._lines
        self.text(text, style)
        self._lines = lines
        self.links.append(CellLink(cell=cell, url=url, location=location, tip=tip))

    def end_row(
        self, *, points: float | None = None, more: Mapping[int, str] = _NO_CELLS
    ) -> None:
        """Write the row; without `points`, its texts decide the height.

        `more` has cells behind those that were written, by column.
        """
        for column, rest in more.items():
            self._cells.append(f'<c r="{self._letters[column - 1]}{self._row}{rest}')
        if self.shape.is_own:
            self._digest.update(shown_row(self._shown))
        height = points or LINE_POINTS * min(self._lines, _MOST_LINES)
        said = "" if height == LINE_POINTS else f' ht="{height:g}" customHeight="1"'
        self._add(f'<row r="{self._row}"{said}>{"".join(self._cells)}</row>')

    def line(self, *texts: tuple[str, str], points: float | None = None) -> None:
        """Write a row of texts, each with its style."""
        self.begin_row()
        for text, style in texts:
            self.text(text, style)
        self.end_row(points=points)

    def skip_to(self, row: int) -> None:
        self._row = max(self._row, row - 1)

    def table(
        self,
        name: str,
        headings: Sequence[str],
        *,
        first_row: int,
        prepared_rows: int = 0,
    ) -> None:
        """Make the Excel table `name` from `first_row` on.

        One that has `prepared_rows` below those that are written has stripes.
        """
        # A table needs at least one row below its headings.
        last = max(self._row + prepared_rows, first_row + 1)
        area = f"A{first_row}:{column_letters(len(headings))}{last}"
        columns = "".join(
            f'<tableColumn id="{at}" name="{attribute(heading)}"/>'
            for at, heading in enumerate(headings, start=1)
        )
        self.table_part = (
            f'{PROLOG}<table xmlns="{MAIN}" id="{self.number}" name="{name}" '
            f'displayName="{name}" ref="{area}" totalsRowShown="0">'
            f'<autoFilter ref="{area}"/>'
            f'<tableColumns count="{len(headings)}">{columns}</tableColumns>'
            '<tableStyleInfo name="TableStyleLight1" showFirstColumn="0" '
            f'showLastColumn="0" showRowStripes="{prepared_rows > 0:d}" '
            'showColumnStripes="0"/></table>'
        )

    def close(self) -> None:
        """Write the elements below the rows."""
        for each in self._tail():
            self._add(each)
        self._flush()

    def _tail(self) -> Iterator[str]:
        yield "</sheetData>"
        if self.rules:
            rules = "".join(map(_rule, self.rules))
            count = f'count="{len(self.rules)}"'
            yield f"<dataValidations {count}>{rules}</dataValidations>"
        if self.links:
            yield "<hyperlinks>"
            yield from hyperlinks(self.links)
            yield "</hyperlinks>"
        yield from print_set_up(pages_across=self.shape.pages_across).values()
        if self.charts:
            yield f'<drawing r:id="{CHARTS}"/>'
        if self.comments:
            yield f'<legacyDrawing r:id="{BOXES}"/>'
        if self.table_part:
            yield f'<tableParts count="1"><tablePart r:id="{TABLE}"/></tableParts>'
        yield "</worksheet>"

    @property
    def digest(self) -> bytes:
        return self._digest.digest()

    def _put(self, rest: str) -> None:
        cells = self._cells
        cells.append(f'<c r="{self._letters[len(cells)]}{self._row}{rest}')

    def _add(self, text: str) -> None:
        self._rows.append(text)
        if len(self._rows) >= _BUFFERED_ROWS:
            self._flush()

    def _flush(self) -> None:
        self._out.write("".join(self._rows).encode())
        self._rows.clear()


def shown_row(values: Sequence[RawValue]) -> bytes:
    """Give what a row shows, for a hash: the same from whatever program saved it."""
    texts = [value if isinstance(value, str) else _shown(value) for value in values]
    whole = "".join(texts)
    if len(whole) > EXCEL_TEXT_LIMIT or not whole.isprintable():
        texts = [plain_text(text) for text in texts]
    row = "\x1f".join(texts).rstrip("\x1f")
    return f"{row}\x1e".encode() if row else b""


def shown_time(value: date | time) -> str:
    """Write a day or time; a midnight is read from a workbook as its day alone."""
    return value.isoformat().removesuffix("T00:00:00")


def _shown(value: RawValue) -> str:
    if value is None:
        return ""
    return shown_time(value) if isinstance(value, date | time) else repr(float(value))


@lru_cache(maxsize=1_024)
def text_cell(text: str, style: int) -> str:
    """Write what follows the address of a cell with a text, never a formula."""
    if is_simple(text):
        inner = f"<t>{text}</t>"
    else:
        text = safe_text(text)
        inner = element(text)
    if not text:
        return f'" s="{style}"/>'
    return f'" s="{style}" t="inlineStr"><is>{inner}</is></c>'


def number_cell(value: Number, style: int) -> str:
    """Write what follows the address of a cell with a value that is no text."""
    if isinstance(value, bool):
        return f'" s="{style}" t="b"><v>{value:d}</v></c>'
    # All digits, so that the result can be submitted unchanged.
    plain = value if isinstance(value, int | float) else _serial(value)
    return f'" s="{style}"><v>{plain!r}</v></c>'


def dated(when: date | time) -> tuple[date | time | str, str]:
    """Give a day or time that Excel can store, and its format."""
    if isinstance(when, time):
        return when, "hour"
    has_time = isinstance(when, datetime)
    if (when.date() if isinstance(when, datetime) else when) < _FIRST_DAY:
        return when.isoformat(), "text"
    return when, "day time" if has_time else "day"


def _head(shape: Shape, *, numbers: Mapping[str, int]) -> str:
    folded = ' outlineLevel="1" hidden="1"'
    styled = [f' style="{numbers[each]}"' for each in shape.cell_styles]
    columns = "".join(
        f'<col min="{at}" max="{at}" width="{width:g}" customWidth="1"{style}'
        f"{folded if 0 < shape.folded_from <= at else ''}/>"
        for at, (width, style) in enumerate(
            zip_longest(shape.widths, styled, fillvalue=""), start=1
        )
    )
    lines = "" if shape.has_grid else ' showGridLines="0"'
    return (
        f'{PROLOG}<worksheet xmlns="{MAIN}" xmlns:r="{RELATIONS}">'
        '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>'
        f"<sheetViews><sheetView{lines}{_SELECTED if shape.is_first else ''}"
        f' workbookViewId="0">{_frozen(shape)}</sheetView></sheetViews>'
        f'<sheetFormatPr defaultRowHeight="{LINE_POINTS:g}"/>'
        f"<cols>{columns}</cols><sheetData>"
    )


def _frozen(shape: Shape) -> str:
    """Write which rows and columns stay in view, and which cell is selected."""
    rows, columns = max(shape.heading_row, shape.table_row), shape.frozen_columns
    if not rows:
        return '<selection activeCell="A1" sqref="A1"/>'
    cell = f"{column_letters(columns + 1)}{rows + 1}"
    across = f'xSplit="{columns}" ' if columns else ""
    pane = "bottomRight" if columns else "bottomLeft"
    return (
        f'<pane {across}ySplit="{rows}" topLeftCell="{cell}" '
        f'activePane="{pane}" state="frozen"/>'
        f'<selection pane="{pane}" activeCell="{cell}" sqref="{cell}"/>'
    )


def _rule(rule: CellRule) -> str:
    # Excel bears no longer ones.
    title, hint = attribute(rule.title[:32]), attribute(rule.hint[:255])
    takes = (
        f'type="{rule.kind}" operator="{rule.operator}" errorStyle="stop" '
        f'showErrorMessage="1" errorTitle="{title}" error="{hint}" '
    )
    formulas = "".join(
        f"<formula{at}>{escaped(text)}</formula{at}>"
        for at, text in enumerate(rule.formulas, start=1)
    )
    return (
        f'<dataValidation {takes if rule.kind else ""}allowBlank="1" '
        f'showInputMessage="1" promptTitle="{title}" prompt="{hint}" '
        f'sqref="{rule.area}">{formulas}</dataValidation>'
    )


def hyperlinks(links: Iterable[CellLink], *, relation: str = LINKS) -> Iterator[str]:
    """Write links; `relation` begins the names of those to web addresses."""
    for number, link in enumerate(links, start=1):
        where = (
            f'xmlns:r="{RELATIONS}" r:id="{relation}{number}"'
            if link.url
            else f'location="{attribute(link.location)}"'
        )
        tip = f' tooltip="{attribute(link.tip)}"' if link.tip else ""
        yield f'<hyperlink ref="{link.cell}" {where}{tip}/>'


def print_set_up(*, pages_across: int = 1) -> dict[str, str]:
    """Give the elements that print a sheet, by name: A4, as wide as the paper."""
    return {
        "pageMargins": '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.75" '
        'header="0.2" footer="0.4"/>',
        "pageSetup": f'<pageSetup paperSize="{_A4}" fitToWidth="{pages_across}" '
        'fitToHeight="0" orientation="landscape"/>',
        "headerFooter": "<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N"
        "</oddFooter></headerFooter>",
    }


def _serial(when: date | time) -> float:
    """Count days as Excel does, the time of day as fraction."""
    if isinstance(when, time):
        return _day_fraction(when)
    if isinstance(when, datetime):
        return (when.date() - _EPOCH).days + _day_fraction(when.time())
    return (when - _EPOCH).days


def _day_fraction(at: time) -> float:
    seconds = at.hour * 3_600 + at.minute * 60 + at.second + at.microsecond / 1e6
    return seconds / _DAY_SECONDS
