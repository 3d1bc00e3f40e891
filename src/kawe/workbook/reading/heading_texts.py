"""What the texts of headings say: as names of fields, and in two rows together.

Headings may be split over two rows: a group above its columns, or two lines. "Project"
above "No." and "Name" is "Project No." and "Project Name"; "Start" above "date" is
"Start date". A text is only put together where that makes it known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from rapidfuzz import fuzz

from kawe.domain.sheet.columns import Column
from kawe.domain.text.texts import fold
from kawe_xlsx.cells import RawValue
from kawe_xlsx.scan.tally import Area

_WORD: Final = 0.7
_INSIDE: Final = 0.78
_SHORTENED: Final = 0.95
_ALIKE: Final = 0.75
_CUT: Final = 10
"""Names of shapefiles are cut to so many characters."""
_BRIEF: Final = 4
_UNIT: Final = re.compile(r"[\(\[][^()\[\]]*[\)\]]")
_BREAKS: Final = re.compile(r"[/|\n()\[\]]|\s[-–—]\s")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAORI: Final = re.compile(r"(?:(?:wh|ng|[hkmnprtw])?[aeiou]+ ?)+")
_IN_BRACKETS: Final = re.compile(r"[\(\[]([^()\[\]]+)[\)\]]")
# "$000" says in what the figures below count.
_FIGURES: Final = re.compile(r"(?!\$?0+$)[-+$]?\d[\d\s.,:/%-]*")
_YEARS: Final = re.compile(r"(?:19|20)\d\d(?:\s?[/–-]\s?\d\d(?:\d\d)?)?(?:\.0)?")
Group: TypeAlias = tuple[str, bool]
"""What stands above a column, and whether it is only guessed that it does."""
Meaning: TypeAlias = Callable[[str], Hashable | None]
"""Gives what a heading means, None where it is not known."""


@lru_cache(maxsize=4_096)
def spellings(heading: str) -> tuple[str, ...]:
    """Give a heading folded as it is, without its unit, and with its words parted."""
    heading = heading.replace("#", " no ")
    plain = (heading, _UNIT.sub(" ", heading), _HUMP.sub(" ", heading))
    folded = map(fold, dict.fromkeys(plain))
    return tuple(dict.fromkeys(filter(None, folded))) or ("",)


@lru_cache(maxsize=4_096)
def halves(heading: str) -> tuple[str, ...]:
    """Give the folded parts of a heading in two languages; none where it has one part.

    They are parted by a slash, a bar, brackets, a line break, or a dash with spaces.
    """
    parts = tuple(filter(None, map(fold, _BREAKS.split(heading))))
    return parts if len(parts) > 1 else ()


def is_maori(folded: str) -> bool:
    return _MAORI.fullmatch(folded) is not None


def likeness(heading: str, column: Column) -> float:
    """Say how much a heading is like the names of a field, from 0 to 1."""
    whole = max(_likeness(each, column) for each in spellings(heading))
    parts = (_likeness(each, column) for each in halves(heading))
    return max(whole, *(_SHORTENED * each for each in parts), 0.0)


@lru_cache(maxsize=8_192)
def _likeness(text: str, column: Column) -> float:
    if not text:
        return 0.0
    words = set(text.split())
    score = _WORD if not words.isdisjoint(map(fold, column.words)) else 0.0
    return max(score, *(_near(text, words, name) for name in names_of(column)))


def _near(text: str, words: set[str], name: str) -> float:
    of_name = name.split()
    if text == name:
        return 1.0
    if _is_shortened(text, name):
        return _SHORTENED
    ratio = max(fuzz.ratio(text, name), fuzz.token_sort_ratio(text, name)) / 100
    score = ratio if ratio >= _ALIKE else 0.0
    # Single words such as "site" stand in many headings.
    is_inside = len(of_name) > 1 and words.issuperset(of_name)
    return max(score, _INSIDE) if is_inside else score


def _is_shortened(text: str, name: str) -> bool:
    """Check for a name cut to ten characters, or with each of its words shortened."""
    if len(text) == _CUT and name.startswith(text):
        return True
    words, of_name = text.split(), name.split()
    if len(words) != len(of_name) or len(text) + 2 >= len(name) or len(text) < _BRIEF:
        return False
    return all(map(_abbreviates, words, of_name))


def _abbreviates(short: str, whole: str) -> bool:
    if short[0] != whole[0] or len(short) < 2:
        return False
    letters = iter(whole)
    return all(letter in letters for letter in short)


@lru_cache(maxsize=256)
def names_of(column: Column) -> tuple[str, ...]:
    """Give every name of a field, folded."""
    names = (column.title, column.field, *column.synonyms)
    return tuple(dict.fromkeys(filter(None, map(fold, names))))


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
    above = [*upper, *[""] * (width - len(upper))]
    here = [each for each in merges if each.first_row == each.last_row == row]
    wide = [each for each in here if each.first_column < each.last_column]
    for area in wide:
        first, last = area.first_column - 1, min(area.last_column, width)
        above[first:last] = above[first : first + 1] * (last - first)
    if wide or sum(map(bool, upper)) <= 1:
        return [(text, False) for text in above]
    before = ""
    return [(before := text or before, not text) for text in above]


def together(
    above: Sequence[Group], lower: Sequence[str], *, meaning: Meaning
) -> list[str]:
    """Give the heading of each column."""
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


def continues(upper: Sequence[str], lower: Sequence[str], *, meaning: Meaning) -> bool:
    """Say whether each text of `lower` ends a known heading that begins above it."""
    return len(lower) <= len(upper) and all(
        not low or (up != "" and meaning(f"{up} {low}") is not None)
        for up, low in zip(upper, lower, strict=False)
    )


def _joined(above: Group, low: str) -> Iterator[str]:
    group, is_guessed = above
    if not low:
        yield "" if is_guessed else group
    elif group:
        yield f"{group} {low}"
        # Below "Location (NZTM)", E is "NZTM E".
        yield from (f"{unit} {low}" for unit in _IN_BRACKETS.findall(group))
