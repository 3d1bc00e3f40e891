"""Which rows agree in a part of what they say."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def agreeing(
    rows: Sequence[T], parts: Callable[[T], Iterable[Hashable]], *, least: int = 2
) -> Iterator[list[int]]:
    """Give the indices of rows that agree in one of their `parts`."""
    first: dict[Hashable, int] = {}
    groups: dict[Hashable, dict[int, None]] = {}
    for index, row in enumerate(rows):
        for part in parts(row):
            # Most parts stand in one row, and need no group.
            if (found := first.setdefault(part, index)) != index:
                groups.setdefault(part, {found: None})[index] = None
    agreed = sorted(map(list, groups.values()))
    return (indices for indices in agreed if len(indices) >= least)
