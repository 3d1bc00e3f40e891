"""Cells of a result workbook, safe whatever text they are given.

Text that begins with = + - or @ must stay text: openpyxl would write it as a
live formula, and a description that someone else wrote would run in the
officer's Excel.
"""

from __future__ import annotations

import math
import re
from copy import copy
from datetime import date, datetime, time
from typing import Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.comments import Comment
from openpyxl.styles.cell_style import StyleArray
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from kawe.domain.findings import Severity
from kawe.domain.tables import RawValue
from kawe.workbook import result_styles as styles
from kawe.workbook.limits import EXCEL_TEXT_LIMIT
from kawe.workbook.own_words import CUT_MARK

_LINE_ENDS: Final = re.compile(r"\r\n?|[\u2028\u2029\x0b\x0c\x85]")
# Control characters but the line end, halves of surrogate pairs, marks that
# turn the direction of text, and what XML has no way to say.
_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
# Excel takes _x0041_ in a text for the letter A.
_ESCAPE: Final = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_OPEN: Final = "Open in portal"
_TIP_CHARACTERS: Final = 200
_SHOWN_OF_LONG: Final = 1_000
_FIRST_DAY: Final = date(1900, 3, 1)
"""Before this day Excel counts a 29 February 1900 that never was."""
_LOCATION_CHARACTERS: Final = 2_000
_STYLES: Final[WeakKeyDictionary[Workbook, dict[str, StyleArray]]] = WeakKeyDictionary()
"""What the name of a style stands for in a workbook being written."""


def safe_text(text: str) -> str:
    """Give `text` as a cell can hold it: nothing active, and not too long."""
    text = _UNSAFE.sub("", _LINE_ENDS.sub("\n", text)).replace("\t", " ")
    text = _ESCAPE.sub("_x005F_", text)
    if len(text) > EXCEL_TEXT_LIMIT:
        return text[:_SHOWN_OF_LONG] + CUT_MARK
    return text


def text_cell(sheet: Worksheet, text: str, *, style: str) -> Cell:
    """Make a cell that holds a text, never a formula."""
    cell = WriteOnlyCell(sheet)
    cell.value = safe_text(text)
    cell.data_type = "s"
    _dress(cell, sheet, style=style)
    cell.quotePrefix = True
    return cell


def value_cell(
    sheet: Worksheet,
    value: RawValue,
    *,
    mark: Severity | None = None,
    keeps_text: bool = False,
) -> Cell:
    """Make a cell that holds what the person had there, in a sensible format.

    With `keeps_text` a number that a person types over it keeps its zeros.
    """
    if isinstance(value, str):
        return text_cell(sheet, value, style=styles.body(mark=mark))
    plain, format_name = _typed(value)
    if isinstance(plain, str):
        return text_cell(sheet, plain, style=styles.body(mark=mark))
    cell = WriteOnlyCell(sheet)
    cell.value = plain
    if isinstance(plain, float) and float(f"{plain:.16g}") != plain:
        # openpyxl writes 16 digits. One digit less, and the row that is fed
        # back says something else than the row that was sent.
        cell.value = repr(plain)
        cell.data_type = "n"
    style = styles.body("text" if keeps_text else format_name, mark=mark)
    _dress(cell, sheet, style=style)
    return cell


def number_cell(sheet: Worksheet, number: int, *, style: str) -> Cell:
    """Make a cell that holds a whole number."""
    cell = WriteOnlyCell(sheet, value=number)
    _dress(cell, sheet, style=style)
    return cell


def link_cell(sheet: Worksheet, url: str) -> Cell:
    """Make a cell that opens a web address; the bare text if it is none."""
    if not _is_web(url):
        return text_cell(sheet, url, style=styles.body())
    cell = text_cell(sheet, _OPEN, style=styles.LINK)
    cell.hyperlink = Hyperlink(ref="", target=url, tooltip=url[:_TIP_CHARACTERS])
    return cell


def place_cell(
    sheet: Worksheet, text: str, *, target: str, address: str, style: str = styles.LINK
) -> Cell:
    """Make a cell that jumps to `address` of the sheet called `target`."""
    cell = text_cell(sheet, text, style=style)
    quoted = target.replace("'", "''")
    cell.hyperlink = Hyperlink(ref="", location=f"'{quoted}'!{address}", display=text)
    return cell


def add_comment(cell: Cell, text: str) -> None:
    """Hang a comment on a cell, large enough to be read."""
    comment = Comment(safe_text(text), "kawe", width=320)
    comment.height = 30 + 18 * (1 + len(text) // 42)
    cell.comment = comment


def _dress(cell: Cell, sheet: Worksheet, *, style: str) -> None:
    """Give a cell a named style; the name is looked up once for each workbook."""
    if sheet.parent is None:
        cell.style = style
        return
    known = _STYLES.setdefault(sheet.parent, {})
    # openpyxl keeps a cell's style there, and has no other way to copy it.
    if style not in known:
        cell.style = style
        known[style] = copy(cell._style)  # type: ignore[attr-defined] # noqa: SLF001 (see above)
    cell._style = copy(known[style])  # type: ignore[attr-defined] # noqa: SLF001 (see above)


def _typed(value: RawValue) -> tuple[RawValue, str]:
    """Give a value as Excel can hold it, and the name of its format."""
    match value:
        case date():
            return _dated(value)
        case time():
            return value, "hour"
        case float() if not math.isfinite(value):
            return str(value), "text"
        case float() if value.is_integer() and abs(value) < 1e15:
            return int(value), "general"
        case _:
            return value, "general"


def _dated(value: date) -> tuple[RawValue, str]:
    has_time = isinstance(value, datetime)
    day = value.date() if isinstance(value, datetime) else value
    if day < _FIRST_DAY:
        return value.isoformat(), "text"
    return value, "day time" if has_time else "day"


def _is_web(url: str) -> bool:
    if not url.isprintable() or " " in url or len(url) > _LOCATION_CHARACTERS:
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)
