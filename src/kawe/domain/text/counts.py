"""Numbers with their nouns, as people write them."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """Put a number with its noun: 1 row, 2 rows, 1,200 rows."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
