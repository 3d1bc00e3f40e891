"""Lists that people write without the separator that they should: a, b and c."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

BETWEEN_NAMES: Final = re.compile(r"(\s*[,/&+\n]\s*|\s+(?:and|me)\s+)", re.IGNORECASE)
"""What people write between names, in English or in Māori."""
BETWEEN_FILES: Final = re.compile(r"(\s*[,&+\n]\s*|\s+and\s+)", re.IGNORECASE)
"""What people write between files; / stands between folders."""
_MOST: Final = 60


def parts_of(
    text: str, *, between: re.Pattern[str], is_known: Callable[[str], bool]
) -> tuple[tuple[str, bool], ...]:
    """Part a list, and say of each part whether it is known.

    As little as possible is unknown, and a known text with a separator in it is not
    parted. Text of very many parts is one part. `between` is one group.
    """
    if is_known(text):
        return ((text, True),)
    pieces = between.split(text)
    if not 1 < len(pieces) <= _MOST:
        return ((text, False),)
    best: list[tuple[tuple[str, bool], ...]] = [()]
    for end in range(0, len(pieces), 2):
        ways = []
        for start in range(0, end + 1, 2):
            part = "".join(pieces[start : end + 1]).strip()
            known = bool(part) and is_known(part)
            if known or start == end:
                ways.append((*best[start // 2], *([(part, known)] if part else ())))
        best.append(min(ways, key=_cost))
    return best[-1]


def _cost(parts: tuple[tuple[str, bool], ...]) -> tuple[int, int]:
    return sum(not known for _, known in parts), len(parts)
