"""Plain SVG charts: what a template draws, in whole units of its drawing.

An outcome looks like a shape, a colour and a word; the shape alone tells it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kawe.domain.batch.outcomes import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeLook:
    """The mark of an outcome; its path lies around 0 and is 16 units wide."""

    word: str
    tone: str
    """The class of its colour in the style sheet."""
    path: str
    way: str = "solid"
    """solid or hollow."""

    @property
    def slug(self) -> str:
        return self.word.lower().replace(" ", "-")


_CIRCLE: Final = "M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0z"
_SQUARE: Final = "M-6-6h12v12h-12z"
_TRIANGLE: Final = "M0-8 8 6.5h-16z"
_CROSS: Final = "M-7-4-4-7 0-3 4-7 7-4 3 0 7 4 4 7 0 3-4 7-7 4-3 0z"
_PLUS: Final = "M-2.2-7.5h4.4v5.3h5.3v4.4h-5.3v5.3h-4.4v-5.3h-5.3v-4.4h5.3z"

_SHAPES: Final = {
    Outcome.SENT: ("done", _CIRCLE, "solid"),
    Outcome.INVITED: ("done", _CIRCLE, "solid"),
    Outcome.RESENT: ("done", "M-7-4 0-8 7-4 7 4 0 8-7 4z", "solid"),
    Outcome.DONE: ("done", _CIRCLE, "solid"),
    Outcome.ALREADY_THERE: ("done", _PLUS, "solid"),
    Outcome.NOT_AS_ASKED: ("decide", _PLUS, "hollow"),
    Outcome.READY: ("done", _CIRCLE, "hollow"),
    Outcome.DRAFTED: ("draft", _SQUARE, "solid"),
    Outcome.INVALID: ("wrong", _CROSS, "solid"),
    Outcome.DEFERRED: ("wait", _TRIANGLE, "solid"),
    Outcome.HELD: ("decide", "M0-8.5 8.5 0 0 8.5-8.5 0z", "solid"),
    Outcome.IN_DOUBT: ("decide", "M0 8-8-6.5h16z", "solid"),
    Outcome.UNFINISHED: ("rest", _SQUARE, "hollow"),
    Outcome.WITHDRAWN: ("rest", "M-7.5-2.5h15v5h-15z", "solid"),
    Outcome.ABANDONED: ("rest", _CROSS, "solid"),
}

LOOKS: Final = {
    outcome: OutcomeLook(word=outcome.value.capitalize(), tone=tone, path=path, way=way)
    for outcome, (tone, path, way) in _SHAPES.items()
}


_WHOLE: Final = 1_000
_PLOT_WIDE: Final = 1_120
_PLOT_HIGH: Final = 235
_BASE: Final = 205
_TOP: Final = 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A part of a bar that is 1,000 units long."""

    tone: str
    x: int
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledBar:
    """A bar beside its number; the longest is 100 units."""

    label: str
    value: int
    width: int
    tone: str


def shares(parts: Iterable[tuple[str, int]]) -> Sequence[Share]:
    """Divide one bar among `parts`, each with its colour; together they fill it."""
    listed = [(tone, count) for tone, count in parts if count > 0]
    total, so_far, made = sum(count for _, count in listed), 0, []
    for tone, count in listed:
        start = _WHOLE * so_far // total
        so_far += count
        width = _WHOLE * so_far // total - start
        made.append(Share(tone=tone, x=start, width=width))
    return made


def bars(
    values: Sequence[tuple[str, int]], *, tone: str = "draft"
) -> Sequence[LabelledBar]:
    """Make bars; a number that is not 0 is always seen."""
    most = max((value for _, value in values), default=0)
    return [
        LabelledBar(
            label=label,
            value=value,
            width=max(round(100 * value / most), 1) if value else 0,
            tone=tone,
        )
        for label, value in values
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotColumn:
    """One month of a plot."""

    label: str
    x: int
    width: int
    middle: int
    stack: tuple[Piece, ...]
    total: int
    top: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a column."""

    tone: str
    y: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Columns side by side; `line` is the height of the base."""

    columns: tuple[PlotColumn, ...]
    width: int = _PLOT_WIDE
    height: int = _PLOT_HIGH
    base: int = _BASE


def plot(months: Sequence[tuple[str, Sequence[tuple[str, int]]]]) -> Plot:
    """Stack the numbers of each month: (label, ((colour, number), …)), lowest first."""
    totals = [sum(count for _, count in parts) for _, parts in months]
    most = max(totals, default=0) or 1
    room = _PLOT_WIDE // max(len(months), 1)
    width = min(room * 2 // 3, 60)
    columns = []
    for at, (label, parts) in enumerate(months):
        stack = tuple(_stacked(parts, most=most))
        middle = room * at + room // 2
        columns.append(
            PlotColumn(
                label=label,
                x=middle - width // 2,
                width=width,
                middle=middle,
                stack=stack,
                total=totals[at],
                top=min((piece.y for piece in stack), default=_BASE),
            )
        )
    return Plot(columns=tuple(columns))


def _stacked(parts: Iterable[tuple[str, int]], *, most: int) -> Iterator[Piece]:
    y = _BASE
    for tone, count in parts:
        if count:
            height = max(round((_BASE - _TOP) * count / most), 1)
            y -= height
            yield Piece(tone=tone, y=y, height=height)
