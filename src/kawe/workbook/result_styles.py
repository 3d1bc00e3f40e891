"""How result workbooks look.

Colour never stands alone: whatever is coloured says in words what it is, for
readers who cannot tell the colours apart and for black and white paper.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from openpyxl import Workbook
from openpyxl.styles import (
    Alignment,
    Border,
    Font,
    NamedStyle,
    PatternFill,
    Side,
)

from kawe.domain.findings import Severity
from kawe.domain.outcomes import Outcome

FONT: Final = "Calibri"
INK: Final = "1F2933"
NAVY: Final = "1F3A4D"
GREEN: Final = "2C5F52"
_LINE: Final = "D5DBE1"
_LINK: Final = "0B5394"
_QUIET: Final = "5B6770"
_RED: Final = ("FFC7CE", "7A0010")
_AMBER: Final = ("FFEB9C", "5C4700")
_ORANGE: Final = ("F8CBAD", "6B2A06")
_LEAF: Final = ("C6EFCE", "0B4F17")
_SKY: Final = ("DDEBF7", "1B4670")
_STONE: Final = ("E7E9EC", "3E4650")

TEXT: Final = "@"
GENERAL: Final = "General"
DAY: Final = "d mmm yyyy"
DAY_TIME: Final = "d mmm yyyy h:mm"
HOUR: Final = "h:mm"
COUNT: Final = "#,##0"

_FORMATS: Final = {
    "text": TEXT,
    "general": GENERAL,
    "day": DAY,
    "day time": DAY_TIME,
    "hour": HOUR,
    "count": COUNT,
}
_MARKS: Final = {Severity.ERROR: _RED, Severity.WARNING: _AMBER}
_OUTCOMES: Final = {
    Outcome.SENT: _LEAF,
    Outcome.INVITED: _LEAF,
    Outcome.ALREADY_THERE: _LEAF,
    Outcome.READY: _LEAF,
    Outcome.DRAFTED: _SKY,
    Outcome.INVALID: _RED,
    Outcome.DEFERRED: _AMBER,
    Outcome.HELD: _ORANGE,
    Outcome.IN_DOUBT: _ORANGE,
    Outcome.UNFINISHED: _STONE,
    Outcome.WITHDRAWN: _STONE,
    Outcome.ABANDONED: _STONE,
}

TITLE: Final = "kawe title"
LEAD: Final = "kawe lead"
FACT: Final = "kawe fact"
SECTION: Final = "kawe section"
LABEL: Final = "kawe label"
HEADING: Final = "kawe heading"
OWN_HEADING: Final = "kawe added heading"
TOTAL: Final = "kawe total"
TOTAL_COUNT: Final = "kawe total count"
LINK: Final = "kawe link"
JUMP: Final = "kawe jump"


def body(format_name: str = "text", *, mark: Severity | None = None) -> str:
    """Name the style of a cell of data, marked if something is wrong with it."""
    marked = f" {mark}" if mark in _MARKS else ""
    return f"kawe {format_name}{marked}"


def outcome_style(outcome: Outcome) -> str:
    """Name the style of a cell that says an outcome."""
    return f"kawe outcome {outcome}"


def severity_style(severity: Severity) -> str:
    """Name the style of a cell that says how much a finding matters."""
    return body(mark=severity)


def add_styles(book: Workbook) -> None:
    """Make every style known to `book`."""
    for style in _styles():
        book.add_named_style(style)


def _styles() -> Iterator[NamedStyle]:
    line = Side(style="thin", color=_LINE)
    top = Alignment(vertical="top", horizontal="left", wrap_text=True, indent=1)
    start = Alignment(vertical="top", horizontal="left", indent=1)
    end = Alignment(vertical="top", horizontal="right", indent=1)
    places = {"general": end, "count": end, "text": top}
    grid = Border(bottom=line, right=line)
    yield _style(TITLE, font=_font(size=18, bold=True, color=NAVY))
    yield _style(LEAD, font=_font(color=_QUIET))
    yield _style(FACT)
    yield _style(
        SECTION,
        font=_font(size=13, bold=True, color=NAVY),
        border=Border(bottom=Side(style="medium", color=NAVY)),
    )
    yield _style(LABEL, font=_font(color=_QUIET))
    for name, format_, side in ((TOTAL, "text", start), (TOTAL_COUNT, "count", end)):
        yield _style(
            name,
            font=_font(bold=True),
            alignment=side,
            border=Border(top=Side(style="thin", color=NAVY)),
            format_=format_,
        )
    yield _style(
        LINK, font=_font(color=_LINK, underline="single"), alignment=start, border=grid
    )
    yield _style(JUMP, font=_font(color=_LINK, underline="single"))
    for name, colour in ((HEADING, NAVY), (OWN_HEADING, GREEN)):
        yield _style(
            name,
            font=_font(bold=True, color="FFFFFF"),
            fill=PatternFill("solid", fgColor=colour),
            alignment=Alignment(
                vertical="center", horizontal="left", wrap_text=True, indent=1
            ),
            border=Border(right=line),
        )
    for format_ in _FORMATS:
        place = places.get(format_, start)
        yield _style(body(format_), alignment=place, border=grid, format_=format_)
        for mark, (fill, ink) in _MARKS.items():
            yield _style(
                body(format_, mark=mark),
                font=_font(color=ink),
                fill=PatternFill("solid", fgColor=fill),
                alignment=place,
                border=grid,
                format_=format_,
            )
    for outcome, (fill, ink) in _OUTCOMES.items():
        yield _style(
            outcome_style(outcome),
            font=_font(bold=True, color=ink),
            fill=PatternFill("solid", fgColor=fill),
            alignment=top,
            border=grid,
        )


def _font(
    *,
    size: int = 11,
    bold: bool = False,
    color: str = INK,
    underline: Literal["single"] | None = None,
) -> Font:
    return Font(name=FONT, size=size, bold=bold, color=color, underline=underline)


def _style(
    name: str,
    *,
    font: Font | None = None,
    fill: PatternFill | None = None,
    alignment: Alignment | None = None,
    border: Border | None = None,
    format_: str = "text",
) -> NamedStyle:
    return NamedStyle(
        name=name,
        font=font or _font(),
        fill=fill or PatternFill(),
        alignment=alignment or Alignment(vertical="top"),
        border=border or Border(),
        number_format=_FORMATS[format_],
    )
