"""How alike names are: a heading to the names of a field, and a name to other names.

Names so similar that one may be a misspelling of the other are suggested, never taken.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz, process

from kawe.domain.sheet.columns import Column
from kawe.domain.text.texts import fold, fold_name

_WORD: Final = 0.7
_INSIDE: Final = 0.78
_SHORTENED: Final = 0.95
_ALIKE: Final = 0.75
_CUT: Final = 10
"""Names of shapefiles are cut to so many characters."""
_BRIEF: Final = 4
_VOWELS: Final = frozenset("aeiou")
_UNIT: Final = re.compile(r"(?i)[(\[](?![^()\[\]]*gd ?(?:19)?49)[^()\[\]]*[)\]]")
"""Degrees of NZGD49 are 190 m away from those of today: that is no unit."""
_BREAKS: Final = re.compile(r"[/|\n()\[\]•·;]|:\s|\s[-–—:]\s")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAORI: Final = re.compile(r"(?:(?:wh|ng|[hkmnprtw])?[aeiou]+ ?)+")
_FORMS: Final = (
    ["start time", "completion time", "email", "name"],
    ["timestamp", "email address"],
)
_NEAREST: Final = 85
_SPELT_ALIKE: Final = 60
_MOST: Final = 3
_NUMBER: Final = re.compile(r"\d+")
# Words that do not distinguish organisations.
_SHORT: Final = {
    "limited": "ltd",
    "company": "co",
    "incorporated": "inc",
    "association": "assn",
    "department": "dept",
    "saint": "st",
}


@lru_cache(maxsize=4_096)
def spellings(heading: str) -> tuple[str, ...]:
    """Give a heading folded as it is, without its unit, and with its words parted."""
    heading = heading.replace("#", " no ")
    plain = (heading, _UNIT.sub(" ", heading), _HUMP.sub(" ", heading))
    return tuple(dict.fromkeys(filter(None, map(fold, dict.fromkeys(plain))))) or ("",)


@lru_cache(maxsize=4_096)
def halves(heading: str) -> tuple[str, ...]:
    """Give the folded parts of a heading in two languages; none where it has one part.

    A slash, bar, bullet, semicolon, colon, bracket, line break or dash parts them.
    """
    parts = tuple(filter(None, map(fold, _BREAKS.split(heading))))
    return parts if len(parts) > 1 else ()


def is_maori(folded: str) -> bool:
    return _MAORI.fullmatch(folded) is not None


def of_form(texts: Sequence[str]) -> Sequence[int]:
    """Find the columns in which Microsoft or Google says who answered, and when."""
    folded = [*map(fold, texts)]
    for form in (each for each in _FORMS if each[0] in folded):
        at, count = folded.index(form[0]), len(form)
        if folded[at : at + count] == form:
            return range(at + 1, at + count + 1)
    return ()


def likeness(heading: str, column: Column) -> float:
    """Say how much a heading is like the names of a field, from 0 to 1."""
    whole = max(_likeness(each, column) for each in spellings(heading))
    parts = (_likeness(each, column) for each in halves(heading))
    return max(whole, *(_SHORTENED * each for each in parts), 0.0)


def is_against(heading: str, column: Column) -> bool:
    """Say whether a heading has a word that the field never has."""
    words = {word for each in spellings(heading) for word in each.split()}
    return not words.isdisjoint(map(fold, column.against))


def nearness(heading: str, column: Column) -> float:
    """Say how far a heading may mean a field: what speaks against it means another."""
    return 0.0 if is_against(heading, column) else likeness(heading, column)


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
    if short[0] != whole[0] or not 2 <= len(short) <= _CUT:
        return False
    # What keeps a vowel, as “descr”, leaves out vowels alone: “cost” is no consent.
    if not _VOWELS.isdisjoint(short[1:]):
        return _skeleton(whole).startswith(_skeleton(short))
    letters = iter(whole)
    return all(letter in letters for letter in short)


def _skeleton(word: str) -> str:
    return "".join(each for each in word if each not in _VOWELS)


@lru_cache(maxsize=256)
def names_of(column: Column) -> tuple[str, ...]:
    """Give every name of a field, folded."""
    names = (column.title, column.field, *column.synonyms)
    return tuple(dict.fromkeys(filter(None, map(fold, names))))


class RapidfuzzSuggester:
    """Implements the port `Suggester`."""

    def nearest(self, name: str, *, among: Sequence[str]) -> tuple[str, ...]:
        """Compare folded names; different numbers are different names."""
        folded = _plain(name)
        numbers = _NUMBER.findall(folded)
        plain = {other: _plain(other) for other in among}
        found = process.extract(
            folded, plain, scorer=fuzz.token_sort_ratio, score_cutoff=_NEAREST, limit=10
        )
        alike = [other for text, _, other in found if _NUMBER.findall(text) == numbers]
        return tuple(alike[:_MOST])

    def misspelt(self, name: str, *, among: Sequence[str]) -> tuple[str, ...]:
        """Compare the letters as typed."""
        found = process.extract(
            name, among, scorer=fuzz.ratio, score_cutoff=_SPELT_ALIKE, limit=_MOST
        )
        return tuple(other for other, _, _ in found)


def _plain(name: str) -> str:
    return " ".join(_SHORT.get(word, word) for word in fold_name(name).split())
