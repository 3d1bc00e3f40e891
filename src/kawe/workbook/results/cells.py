"""Writes typed values, links and headings as cells."""

import math
import textwrap
from collections.abc import Callable, Iterable, Sequence
from datetime import date, time
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import quote, urlsplit

from kawe.domain.service.service_words import MAP_SEARCH
from kawe.workbook.results.styles import FACT, HEADING, LINK, OWN_HEADING, body
from kawe_xlsx.cells import RawValue
from kawe_xlsx.writing.book import quoted_sheet
from kawe_xlsx.writing.page import LINE_POINTS, Number, SheetWriter, dated

_HEADING_POINTS: Final = 33.0
OPEN: Final = "Open in portal"
FIND: Final = "Find on a map"
_TIP_CHARACTERS: Final = 200
_LOCATION_CHARACTERS: Final = 2_000
_NARROW: Final = 9.0
_WIDTH_OF_PAGE: Final = 190
"""In characters, small but legible on A4."""
_LARGEST: Final = 10**300


class Jump(NamedTuple):
    """A link to a cell of the workbook."""

    text: str
    sheet: str
    address: str
    style: str = LINK


class Styled(NamedTuple):
    """A text or a number in a style of its own."""

    value: str | Number
    style: str


Cell: TypeAlias = RawValue | Jump | Styled
StyleOf: TypeAlias = Callable[[str], str]


def write_row(page: SheetWriter, *cells: Cell, points: float | None = None) -> None:
    """Write a row; without `points`, its texts decide the height."""
    page.begin_row()
    for cell in cells:
        write_cell(page, cell)
    page.end_row(points=points)


def write_lines(page: SheetWriter, text: str, *, style: str = FACT) -> None:
    """Write a text over the whole width of a sheet, in as many rows as it needs."""
    for line in textwrap.wrap(text, int(sum(page.shape.widths))) or [""]:
        page.line((line, style), points=LINE_POINTS)


def write_cell(page: SheetWriter, cell: Cell) -> None:
    """Write a cell of any kind."""
    if isinstance(cell, Jump):
        write_jump(page, cell)
    elif not isinstance(cell, Styled):
        write_value(page, cell)
    elif isinstance(cell.value, str):
        page.text(cell.value, cell.style)
    else:
        page.numeric(cell.value, cell.style)


def write_headings(
    page: SheetWriter, names: tuple[str, ...], *, own_from: int = 0
) -> None:
    """Write a heading row; columns from `own_from` are kawe's."""
    page.line(
        *(
            (name, OWN_HEADING if index >= own_from else HEADING)
            for index, name in enumerate(names)
        ),
        points=_HEADING_POINTS,
    )


def write_value(
    page: SheetWriter, value: RawValue, *, style_of: StyleOf = body
) -> None:
    """Write a typed value; `style_of` names the style of a cell by its format."""
    if value is None:
        page.blank(style_of("general"))
        return
    plain, format_name = (value, "text") if isinstance(value, str) else _stored(value)
    if isinstance(plain, str):
        page.text(plain, style_of("text"))
    else:
        page.numeric(plain, style_of(format_name))


def write_link(page: SheetWriter, url: str) -> None:
    """Write a link to a web address, or plain text."""
    if is_web(url):
        _link(page, link_text(url), LINK, instead=url, url=url, tip=link_tip(url))
    else:
        page.text(url, body())


def write_file_link(page: SheetWriter, name: str) -> None:
    """Write a link to a file that lies beside the workbook, or its name alone."""
    _link(page, name, LINK, instead=name, url=quote(name))


def write_jump(page: SheetWriter, jump: Jump) -> None:
    """Write a link to a cell, or plain text after too many links."""
    location = f"{quoted_sheet(jump.sheet)}!{jump.address}"
    _link(page, jump.text, jump.style, instead=jump.text, location=location)


def _link(
    page: SheetWriter, text: str, style: str, *, instead: str, **where: str
) -> None:
    if page.has_room_for_links:
        page.link(text, style, **where)
    else:
        page.text(instead, body())


def link_text(url: str) -> str:
    return FIND if url.startswith(MAP_SEARCH) else OPEN


def link_tip(url: str) -> str:
    return url[:_TIP_CHARACTERS]


def width_of(heading: str, texts: Iterable[str], *, widest: float) -> float:
    """Give the width of a column by its heading, which wraps, and by its texts."""
    lines = (line for text in texts for line in text.split("\n"))
    longest = max(map(len, lines), default=0)
    # Its longest word and the filter button must fit.
    word = max(map(len, heading.split()), default=0)
    return max(_NARROW, min(float(max(longest + 2, word + 5)), widest))


def pages_across(widths: Sequence[float]) -> int:
    """Say on how many sheets of paper beside each other columns can be read."""
    return math.ceil(sum(widths) / _WIDTH_OF_PAGE)


def _stored(value: Number) -> tuple[Number | str, str]:
    match value:
        case date() | time():
            return dated(value)
        case float() if not math.isfinite(value):
            return str(value), "text"
        case float() if value.is_integer() and abs(value) < 1e15:
            return int(value), "general"
        case int() if abs(value) >= _LARGEST:
            return str(value), "text"
        case _:
            return value, "general"


def is_web(url: str) -> bool:
    """Check that `url` is a web address that a workbook can hold."""
    if not url.isprintable() or " " in url or len(url) > _LOCATION_CHARACTERS:
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)
