"""Styles of result workbooks; each coloured cell also says its meaning in words."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from kawe.domain.batch.outcomes import DID, GAVE_WAY, Outcome
from kawe.domain.sheet.findings import Severity
from kawe_xlsx.patching.book import Look
from kawe_xlsx.writing.styles import FORMATS, NAVY, CellStyle, Edge, StyleSheet

_GREEN: Final = "2C5F52"
_LINE: Final = "D5DBE1"
_LINK: Final = "0B5394"
_QUIET: Final = "5B6770"


class _Tone(NamedTuple):
    """The colours of an outcome or a mark."""

    fill: str
    ink: str
    tint: str
    """Of a person's cell: its last figure tells it from a fill of their own."""
    bar: str


_RED: Final = _Tone("FFC7CE", "7A0010", "FFC7CF", "C0392B")
_AMBER: Final = _Tone("FFEB9C", "5C4700", "FFEB9D", "C28E0E")
_ORANGE: Final = _Tone("F8CBAD", "6B2A06", "F8CBAE", "D2691E")
_LEAF: Final = _Tone("C6EFCE", "0B4F17", "C6EFCF", "3C8D5A")
_SKY: Final = _Tone("DDEBF7", "1B4670", "DDEBF8", "4F81BD")
_STONE: Final = _Tone("E7E9EC", "3E4650", "E7E9ED", "7F8C8D")

_MARKS: Final = {Severity.ERROR: _RED, Severity.WARNING: _AMBER}
_OUTCOMES: Final = {
    **dict.fromkeys((*DID, Outcome.ALREADY_THERE, Outcome.READY), _LEAF),
    **dict.fromkeys((Outcome.NOT_AS_ASKED, Outcome.HELD, Outcome.IN_DOUBT), _ORANGE),
    Outcome.DRAFTED: _SKY,
    Outcome.INVALID: _RED,
    Outcome.DEFERRED: _AMBER,
    **dict.fromkeys((Outcome.UNFINISHED, *GAVE_WAY), _STONE),
}

MARK_TINTS: Final = {severity: tone.tint for severity, tone in _MARKS.items()}
OUTCOME_TINTS: Final = {outcome: tone.tint for outcome, tone in _OUTCOMES.items()}
BAR: Final = NAVY

TITLE: Final = "kawe title"
LEAD: Final = "kawe lead"
FACT: Final = "kawe fact"
SECTION: Final = "kawe section"
LABEL: Final = "kawe label"
HEADING: Final = "kawe heading"
MACHINE: Final = "kawe name for programs"
OWN_HEADING: Final = "kawe added heading"
TOTAL: Final = "kawe total"
TOTAL_COUNT: Final = "kawe total count"
LINK: Final = "kawe link"
JUMP: Final = "kawe jump"
BESIDE: Final = "beside"
"""The format of a text beside a person's cells: it adds no line."""

_TO_THE_RIGHT: Final = frozenset({"general", "count", "money"})
_BELOW: Final = (Edge(side="bottom", weight="medium", ink=NAVY),)
_BESIDE: Final = (Edge(side="right", weight="thin", ink=_LINE),)
_GRID: Final = (Edge(side="bottom", weight="thin", ink=_LINE), *_BESIDE)
_ABOVE: Final = (Edge(side="top", weight="thin", ink=NAVY),)
_LINKED: Final = CellStyle(name=JUMP, ink=_LINK, is_underlined=True)
_TOTAL: Final = CellStyle(name=TOTAL, is_bold=True, edges=_ABOVE, across="left")
_OUTCOME: Final = CellStyle(
    name="", is_bold=True, edges=_GRID, across="left", wraps=True
)
HEADING_LOOK: Final = replace(
    _OUTCOME, name=HEADING, ink="FFFFFF", fill=NAVY, edges=_BESIDE, down="center"
)
_NAMED: Final = (
    CellStyle(name=TITLE, size=18, is_bold=True, ink=NAVY),
    CellStyle(name=LEAD, ink=_QUIET),
    CellStyle(name=FACT),
    CellStyle(name=SECTION, size=13, is_bold=True, ink=NAVY, edges=_BELOW),
    CellStyle(name=LABEL, ink=_QUIET),
    CellStyle(name=MACHINE, size=8, ink=_QUIET, fill="EEF1F4"),
    _TOTAL,
    replace(_TOTAL, name=TOTAL_COUNT, across="right", number_format=FORMATS["count"]),
    replace(_LINKED, name=LINK, edges=_GRID, across="left"),
    _LINKED,
    HEADING_LOOK,
    replace(HEADING_LOOK, name=OWN_HEADING, fill=_GREEN),
)


@cache
def body(
    format_name: str = "text", *, mark: Severity | None = None, keeps_text: bool = False
) -> str:
    """Name the style of a data cell; with `keeps_text`, later edits keep zeros."""
    marked = f" {mark}" if mark in _MARKS else ""
    return f"kawe {'text' if keeps_text else format_name}{marked}"


@cache
def outcome_style(outcome: Outcome) -> str:
    return f"kawe outcome {outcome}"


def bar_colour(outcome: Outcome) -> str:
    return _OUTCOMES[outcome].bar


def style_sheet() -> StyleSheet:
    return StyleSheet(tuple(_looks()))


def look() -> Look:
    return Look(
        cells=tuple(_looks()),
        tints=frozenset((*OUTCOME_TINTS.values(), *MARK_TINTS.values())),
        heading=OWN_HEADING,
    )


def looks_of_text() -> tuple[CellStyle, ...]:
    """Give the styles of what nobody must correct, and of no outcome."""
    return (*_NAMED, *_looks_of_data())


def _looks_of_data() -> Iterator[CellStyle]:
    for format_name, number_format in FORMATS.items():
        yield CellStyle(
            name=body(format_name),
            edges=_GRID,
            across="right" if format_name in _TO_THE_RIGHT else "left",
            wraps=format_name == "text",
            number_format=number_format,
        )
    yield CellStyle(name=body(BESIDE), edges=_GRID, across="left")


def _looks() -> Iterator[CellStyle]:
    yield from looks_of_text()
    for mark, tone in _MARKS.items():
        for look in _looks_of_data():
            name = f"{look.name} {mark}"
            yield replace(look, name=name, fill=tone.fill, ink=tone.ink)
    for outcome, tone in _OUTCOMES.items():
        name = outcome_style(outcome)
        yield replace(_OUTCOME, name=name, fill=tone.fill, ink=tone.ink)
