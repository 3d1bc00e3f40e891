"""Which rows agree in a part of what they say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def agreeing(
    rows: Sequence[T], parts: Callable[[T], Iterable[Hashable]], *, least: int = 2
) -> Iterator[list[int]]:
    """Give the indices of rows that agree in one of their `parts`."""
    having = defaultdict[Hashable, dict[int, None]](dict)
    for index, row in enumerate(rows):
        for part in parts(row):
            having[part][index] = None
    return (list(indices) for indices in having.values() if len(indices) >= least)
