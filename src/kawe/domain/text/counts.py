"""Numbers with their nouns, and lists of them, as people write them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final


def counted(number: int, one: str, many: str = "") -> str:
    """Put a number with its noun: 1 row, 2 rows, 1,200 rows."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


_LISTED: Final = 4
_RUN: Final = 3
"""So many numbers in a row are written as a run."""


def some_of(texts: Sequence[str], *, shown: int, between: str = ", ") -> str:
    """List the first texts, and say how many there are besides: a, b and 3 more."""
    more = len(texts) - shown
    rest = f" and {more:,} more" if more > 0 else ""
    return between.join(texts[:shown]) + rest


def numbers_words(numbers: Sequence[int]) -> str:
    """List sorted numbers: 6, 7, 23, 30 and 30 more; or 2 to 451, 450 in all."""
    runs = list(_runs(numbers))
    shown = [_written(*run) for run in runs[:_LISTED]]
    left = sum(last - first + 1 for first, last in runs[_LISTED:])
    if left:
        return f"{', '.join(shown)} and {left:,} more"
    listed = ", ".join(shown[:-1]) + (" and " if shown[1:] else "") + shown[-1]
    return f"{listed}, {len(numbers):,} in all" if len(numbers) > _LISTED else listed


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give first and last of each run; a short one is single numbers."""
    start = 0
    for at, number in enumerate(numbers):
        if at + 1 < len(numbers) and numbers[at + 1] == number + 1:
            continue
        members = numbers[start : at + 1]
        start = at + 1
        if len(members) >= _RUN:
            yield members[0], members[-1]
        else:
            yield from ((each, each) for each in members)


def _written(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first} to {last}"
