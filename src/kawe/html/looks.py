"""How an outcome looks: a shape, a colour and a word; the shape alone tells it."""

from __future__ import annotations

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
