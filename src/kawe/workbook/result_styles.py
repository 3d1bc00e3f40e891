"""How result workbooks look.

Colour never stands alone: whatever is coloured says in words what it is, for
readers who cannot tell the colours apart and for black and white paper.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from kawe.domain.batch.outcomes import Outcome
from kawe.domain.sheet.findings import Severity
from kawe.workbook.sheet_styles import CellStyle, Edge, StyleSheet

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
    Outcome.DONE: _LEAF,
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

_TO_THE_RIGHT: Final = frozenset({"general", "count"})
_GRID: Final = (
    Edge(side="bottom", weight="thin", ink=_LINE),
    Edge(side="right", weight="thin", ink=_LINE),
)
_BESIDE: Final = (Edge(side="right", weight="thin", ink=_LINE),)
_BELOW: Final = (Edge(side="bottom", weight="medium", ink=NAVY),)
_ABOVE: Final = (Edge(side="top", weight="thin", ink=NAVY),)

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


def style_sheet() -> StyleSheet:
    """Give the styles of every workbook that kawe fills by itself."""
    return StyleSheet(tuple(_looks()))


def _looks() -> Iterator[CellStyle]:
    yield _plain(TITLE, size=18, is_bold=True, ink=NAVY)
    yield _plain(LEAD, ink=_QUIET)
    yield _plain(FACT)
    yield _plain(SECTION, size=13, is_bold=True, ink=NAVY, edges=_BELOW)
    yield _plain(LABEL, ink=_QUIET)
    yield _plain(TOTAL, is_bold=True, edges=_ABOVE, across="left")
    yield _plain(
        TOTAL_COUNT, is_bold=True, edges=_ABOVE, across="right", number_format=COUNT
    )
    yield _plain(LINK, ink=_LINK, is_underlined=True, edges=_GRID, across="left")
    yield _plain(JUMP, ink=_LINK, is_underlined=True)
    for name, colour in ((HEADING, NAVY), (OWN_HEADING, GREEN)):
        yield _plain(
            name,
            is_bold=True,
            ink="FFFFFF",
            fill=colour,
            edges=_BESIDE,
            down="center",
            across="left",
            wraps=True,
        )
    yield from _bodies()
    for outcome, (fill, ink) in _OUTCOMES.items():
        yield _plain(
            outcome_style(outcome),
            is_bold=True,
            ink=ink,
            fill=fill,
            edges=_GRID,
            across="left",
            wraps=True,
        )


def _bodies() -> Iterator[CellStyle]:
    for format_name, number_format in _FORMATS.items():
        look = _plain(
            body(format_name),
            edges=_GRID,
            across="right" if format_name in _TO_THE_RIGHT else "left",
            wraps=format_name == "text",
            number_format=number_format,
        )
        yield look
        for mark, (fill, ink) in _MARKS.items():
            name = body(format_name, mark=mark)
            yield replace(look, name=name, fill=fill, ink=ink)


def _plain(name: str, **given: Any) -> CellStyle:  # noqa: ANN401 - fields of CellStyle
    return CellStyle(**{"name": name, "font": FONT, "ink": INK, **given})
