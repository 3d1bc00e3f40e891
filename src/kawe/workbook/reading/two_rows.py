"""Headings that are split over two rows: a group above its columns, or two lines.

"Project" above "No." and "Name" is "Project No." and "Project Name"; "Start" above
"date" is "Start date". A text is only put together where that makes it known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from kawe_xlsx.cells import RawValue
from kawe_xlsx.scan.tally import Area

_IN_BRACKETS: Final = re.compile(r"[\(\[]([^()\[\]]+)[\)\]]")
# "$000" says in what the figures below count.
_FIGURES: Final = re.compile(r"(?!\$?0+$)[-+$]?\d[\d\s.,:/%-]*")
_YEARS: Final = re.compile(r"(?:19|20)\d\d(?:\s?[/–-]\s?\d\d(?:\d\d)?)?(?:\.0)?")


Group: TypeAlias = tuple[str, bool]
"""What stands above a column, and whether it is only guessed that it does."""


def is_data(cells: Iterable[RawValue], texts: Iterable[str]) -> bool:
    return any(
        "@" in text
        or (isinstance(cell, bool) and text != "")
        or (_FIGURES.fullmatch(text) is not None and not _YEARS.fullmatch(text))
        for cell, text in zip(cells, texts, strict=False)
    )


def groups(
    upper: Sequence[str], *, row: int, merges: Iterable[Area], width: int
) -> list[Group]:
    """Give what stands above each column, and whether it is only guessed.

    A text reaches as far as its cell is merged. In a row without such cells it reaches
    to the next text, unless it is the only one: that is a title.
    """
    above = [(text, False) for text in upper]
    above += [("", False)] * (width - len(upper))
    wide = [
        each
        for each in merges
        if each.first_row == each.last_row == row
        and each.first_column < each.last_column
    ]
    for area in wide:
        first = area.first_column - 1
        for index in range(first, min(area.last_column, width)):
            above[index] = above[first]
    if wide or sum(map(bool, upper)) <= 1:
        return above
    last = ""
    for index, (text, _) in enumerate(above):
        above[index] = (text or last, not text)
        last = text or last
    return above


def together(
    above: Sequence[Group],
    lower: Sequence[str],
    *,
    meaning: Callable[[str], Hashable | None],
) -> list[str]:
    """Give the heading of each column; `meaning` is None for one that is not known."""
    pairs = list(zip(above, (*lower, *[""] * (len(above) - len(lower))), strict=True))
    whole = [
        next((t for t in _joined(each, low) if meaning(t) is not None), "")
        for each, low in pairs
    ]
    taken = {meaning(text) for text in whole if text}
    texts = []
    for text, ((group, is_guessed), low) in zip(whole, pairs, strict=True):
        means = meaning(low)
        if text:
            texts.append(text)
        elif not low:
            texts.append("" if is_guessed else group)
        elif not group or (means is not None and means not in taken):
            texts.append(low)
        else:
            # "Name" below "Applicant" is not the name, if another column is.
            is_own = is_guessed and means is None
            texts.append(low if is_own else f"{group} {low}")
    return texts


def continues(
    upper: Sequence[str],
    lower: Sequence[str],
    *,
    meaning: Callable[[str], Hashable | None],
) -> bool:
    """Say whether each text of `lower` ends a known heading that begins above it."""
    begun = list(zip(upper, lower, strict=False))
    return len(lower) <= len(upper) and all(
        not low or (up != "" and meaning(f"{up} {low}") is not None)
        for up, low in begun
    )


def _joined(above: Group, low: str) -> Iterator[str]:
    group, is_guessed = above
    if not low:
        yield "" if is_guessed else group
    elif group:
        yield f"{group} {low}"
        # Below "Location (NZTM)", E is "NZTM E".
        yield from (f"{unit} {low}" for unit in _IN_BRACKETS.findall(group))
