"""What people typed, and kawe's own links, as cells of a result workbook."""

from __future__ import annotations

import math
from datetime import date, datetime, time
from typing import Final
from urllib.parse import urlsplit

from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.tables import RawValue
from kawe.workbook import result_styles as styles
from kawe.workbook.result_styles import HEADING, LINK, OWN_HEADING
from kawe.workbook.sheet_page import SheetWriter
from kawe.workbook.sheet_parts import quoted_sheet
from kawe.workbook.sheet_rows import CellLink, Number, RowWriter

HEADING_POINTS: Final = 33.0
_OPEN: Final = "Open in portal"
_TIP_CHARACTERS: Final = 200
_FIRST_DAY: Final = date(1900, 3, 1)
"""Before this day Excel counts a 29 February 1900 that never was."""
_LOCATION_CHARACTERS: Final = 2_000
_LARGEST: Final = 10**300


def write_value(
    cells: RowWriter,
    value: RawValue,
    *,
    mark: Severity | None = None,
    keeps_text: bool = False,
) -> None:
    """Write what the person had there, in a sensible format.

    With `keeps_text` a number that a person types over it keeps its zeros.
    """
    if isinstance(value, str):
        cells.text(value, styles.body(mark=mark))
        return
    if value is None:
        cells.blank(styles.body("text" if keeps_text else "general", mark=mark))
        return
    plain, format_name = stored(value)
    if isinstance(plain, str):
        cells.text(plain, styles.body(mark=mark))
        return
    cells.number(plain, styles.body("text" if keeps_text else format_name, mark=mark))


def write_link(page: SheetWriter, cells: RowWriter, url: str) -> None:
    """Write a cell that opens a web address; the bare text if it is none."""
    if page.has_room_for_links and _is_web(url):
        link = CellLink(cell=cells.next_cell, url=url, tip=url[:_TIP_CHARACTERS])
        cells.link(_OPEN, link, style=LINK)
        return
    cells.text(url, styles.body())


def write_jump(
    page: SheetWriter, text: str, *, sheet: str, address: str, style: str = LINK
) -> None:
    """Write a cell that jumps to `address` of `sheet`; bare where too many do."""
    cells = page.cells
    if not page.has_room_for_links:
        cells.text(text, styles.body())
        return
    location = f"{quoted_sheet(sheet)}!{address}"
    cells.link(text, CellLink(cell=cells.next_cell, location=location), style=style)


def write_headings(page: SheetWriter, names: tuple[str, ...], *, own_from: int) -> None:
    """Write a heading row; from index `own_from` on the columns are kawe's."""
    page.line(
        *(
            (name, OWN_HEADING if index >= own_from else HEADING)
            for index, name in enumerate(names)
        ),
        points=HEADING_POINTS,
    )


def stored(value: Number) -> tuple[Number | str, str]:
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
        case int() if abs(value) >= _LARGEST:
            return str(value), "text"
        case _:
            return value, "general"


def _dated(value: date) -> tuple[date | str, str]:
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
