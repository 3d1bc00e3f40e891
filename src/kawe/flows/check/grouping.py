"""Grouping: which rows agree in a part of what they say.

A rule that compares rows names the parts that must agree; other parts may differ.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Sequence,
)
from typing import TypeVar

T = TypeVar("T")


class Groups:
    """Rows by the parts that they have; rows may be added at any time."""

    def __init__(self) -> None:
        self._first: dict[Hashable, int] = {}
        self._more: dict[Hashable, set[int]] = {}

    def add(self, rows: Iterable[int], parts: Iterable[Hashable]) -> None:
        """Add rows by number, each with a part; a pair may come again."""
        first, more = self._first, self._more
        keys = list(parts)
        # Mostly all are new, and need no loop.
        if len(set(keys)) == len(keys) and first.keys().isdisjoint(keys):
            first.update(zip(keys, rows, strict=True))
            return
        for row, key in zip(rows, keys, strict=True):
            earliest = first.setdefault(key, row)
            if earliest != row:
                more.setdefault(key, {earliest}).add(row)

    def first(self, part: Hashable) -> int | None:
        """Give the first row that was added with a part."""
        return self._first.get(part)

    def having(self, part: Hashable) -> Collection[int]:
        """Give the rows that have a part, in no order."""
        rows = self._more.get(part)
        if rows is not None:
            return rows
        return {self._first[part]} if part in self._first else ()

    def of(self, *, least: int = 2) -> Iterator[list[int]]:
        """Give each group of at least `least` rows, in their order."""
        return (sorted(rows) for rows in self._more.values() if len(rows) >= least)


def grouped(rows: Iterable[T], parts: Callable[[T], Iterable[Hashable]]) -> Groups:
    """Group rows, by their index, by each of their `parts`."""
    groups = Groups()
    pairs = [(index, part) for index, row in enumerate(rows) for part in parts(row)]
    groups.add((index for index, _ in pairs), (part for _, part in pairs))
    return groups


def agreeing(
    rows: Sequence[T], parts: Callable[[T], Iterable[Hashable]], *, least: int = 2
) -> Iterator[list[int]]:
    """Give the indices of rows that agree in one of their `parts`."""
    return grouped(rows, parts).of(least=least)
