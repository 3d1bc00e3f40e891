"""Which iwi a place belongs to, and where a person may look for one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import quote

from kawe.domain.text.texts import checked_text, one_line

PLACE_NEEDED: Final = "place-needed"
"""The rule of a row that is to be sent and says no place."""
MAP_SEARCH: Final = "https://www.google.com/maps/search/?api=1&query="
_SEARCHED: Final = 120


def map_search(address: str) -> str:
    """Give a link by which a person may look for an address; kawe never opens it."""
    words = one_line(address, limit=_SEARCHED)
    return MAP_SEARCH + quote(words, safe="", errors="replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class IwiChoice:
    """One iwi that a place can be sent to."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IwiAnswer:
    """Which iwi a place belongs to (interface, POST /iwi/count)."""

    choices: tuple[IwiChoice, ...]
    can_select: bool
    """False: the service routes the project itself, names are ignored."""

    @classmethod
    def of_pairs(cls, pairs: Iterable[Any], *, can_select: bool) -> Self:
        """Take an answer from pairs of slug and name, which anybody may have written.

        Raises:
            TypeError, ValueError: They are none.
        """
        choices = (
            IwiChoice(slug=checked_text(slug), name=checked_text(name))
            for slug, name in pairs
        )
        return cls(choices=tuple(choices), can_select=can_select)

    def pairs(self) -> list[list[str]]:
        """Give slug and name of each choice, for JSON."""
        return [[each.slug, each.name] for each in self.choices]
