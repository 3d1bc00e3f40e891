"""Decides what the columns are whose headings kawe does not know, all of them at once.

Each pair of a column and a field has a score from the heading and from the cells; what
the cells hold can forbid a pair. One assignment takes the best of all of them together:
a column by column choice gives the first ones what the later ones needed. Days are
assigned with the order that must hold between them, such as start before end. Only
they can take a column of days, so that both assignments together are the best one.

What comes out is a guess: a person agrees to it before it is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from statistics import fmean
from typing import Final

from rapidfuzz import fuzz

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.text.texts import fold
from kawe.workbook.cells.choices import is_yes_or_no
from kawe.workbook.cells.readers import ColumnReader, facts_of, is_blank
from kawe.workbook.cells.reading import ColumnFacts, show
from kawe_places.values import CellValue
from kawe_xlsx.cells import RawValue

_BY_NAME: Final = 0.65
"""How much the heading counts; the cells count the rest."""
_A_NAME: Final = 0.5
"""A heading that is less like a name says nothing."""
_LEFT: Final = 0.1
_WORD: Final = 0.7
_INSIDE: Final = 0.78
_SHORTENED: Final = 0.95
_ALIKE: Final = 0.75
_NEVER: Final = 9.0
_ORDER: Final = 0.4
"""What the order of two columns of days counts, where it holds in every row."""
_EXAMPLES: Final = 20
_LOOKED_AT: Final = 5_000
_MOST: Final = 3
_MOST_DAYS: Final = 7
_MOST_COLUMNS: Final = 200
_CUT: Final = 10
"""Names of shapefiles are cut to so many characters."""
_BRIEF: Final = 4
_LONG: Final = 30
_OF_A_FILE: Final = re.compile(r"\.[A-Za-z]{2,4}\s*(;|,|\n|$)")
_CODE: Final = re.compile(r"(?=.*\d)\S{1,15}")
_NUMBER: Final = re.compile(r"[-+−–]?\d[\d\s,.]*")
_DEGREES: Final = re.compile(
    r"(?=.*\d)(?=.*(?:[°º′NSEWnsew]|\.\d+\s*[,;/ ]\s*[-+−–]?\d))"
    r"[-+−–\d\s.,;/°º'′″\"’”NSEWnsew]+"
)
_UNIT: Final = re.compile(r"[\(\[][^()\[\]]*[\)\]]")
_BREAKS: Final = re.compile(r"[/|\n()\[\]]|\s[-–—]\s")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAORI: Final = re.compile(r"(?:(?:wh|ng|[hkmnprtw])?[aeiou]+ ?)+")
_TELLING: Final = frozenset({CellKind.DATE, CellKind.CHOICE, CellKind.PLACE})
"""Cells of these kinds speak for a field without a heading."""
_PROSE: Final = frozenset({CellKind.TEXT, CellKind.LONG_TEXT, CellKind.IDENTIFIER})


_DAY: Final = Column(field="day", title="Day", kind=CellKind.DATE, hint="", example="")


class ColumnCells:
    """What stands in one column."""

    def __init__(self, values: Iterable[RawValue]) -> None:
        self.examples: list[RawValue] = []
        self.first: list[RawValue] = []
        """The cells of the first rows, blank ones too."""
        self.is_yes_no = True
        seen: set[tuple[type, RawValue]] = set()
        for number, raw in enumerate(values):
            if number < _EXAMPLES:
                self.first.append(raw)
            if number > _LOOKED_AT and self.examples:
                break
            key = (raw.__class__, raw)
            if raw is None or key in seen or is_blank(raw):
                continue
            seen.add(key)
            self.is_yes_no = self.is_yes_no and is_yes_or_no(raw)
            if len(self.examples) < _EXAMPLES:
                self.examples.append(raw)
            elif not self.is_yes_no:
                break
        # A column of 1 and 0 alone may as well count something.
        self.is_yes_no = self.is_yes_no and any(map(_is_word, self.examples))
        self._fits: dict[str, float | None] = {}

    def fit(self, column: Column) -> float | None:
        """Say how far the cells suit a field, from 0 to 1; None: they cannot be it."""
        if column.field not in self._fits:
            fit = self._fit(column) if self.examples else None
            self._fits[column.field] = fit if fit is None or fit >= 0.2 else None
        return self._fits[column.field]

    def days(self, column: Column) -> list[str]:
        """Read the first cells as days, YYYY-MM-DD; empty where a cell is none."""
        return [str(each or "") for each in _read(column, self.first)]

    def _fit(self, column: Column) -> float | None:
        if column.kind is CellKind.YES_NO:
            return 1.0 if self.is_yes_no else None
        if column.like:
            like = self._share(re.compile(column.like).search)
            return like if like >= 0.5 or column.kind is not CellKind.TEXT else 0.4
        if column.ranges:
            return self._in_ranges(column.ranges)
        if column.kind in _PROSE or column.kind is CellKind.LIST:
            return self._prose(column)
        read = [each is not None for each in _read(column, self.examples)]
        return fmean(read) if 2 * sum(read) >= len(read) else None

    def _in_ranges(self, ranges: Sequence[tuple[float, float]]) -> float | None:
        texts = [show(each) for each in self.examples]
        numbers = [_number(each) for each in texts]
        if None in numbers:
            # Both numbers of a place may stand in one cell.
            is_degrees = fmean(bool(_DEGREES.fullmatch(each)) for each in texts) > 0.5
            return 0.5 if is_degrees else None
        inside = [any(a <= n <= b for a, b in ranges) for n in numbers if n is not None]
        return 1.0 if fmean(inside) > 0.5 else None

    def _prose(self, column: Column) -> float | None:
        texts = [show(each) for each in self.examples]
        is_other = (
            self.is_yes_no
            or self.fit(_DAY) is not None
            or self._share(_NUMBER.fullmatch) >= 0.5
            or self._share(_OF_A_FILE.search) >= 0.5
            or self._share(lambda text: "@" in text) >= 0.5
        )
        if is_other:
            return None
        length = fmean(map(len, texts))
        if column.kind is CellKind.LONG_TEXT:
            return min(1.0, 0.2 + length / _LONG)
        # A name differs from row to row; it is no long text, and rather no code.
        if not column.required or length > 2 * _LONG or len(texts) < 2:
            return 0.5
        return 0.55 if self._share(_CODE.fullmatch) >= 0.5 else 0.6

    def _share(self, test: Callable[[str], object]) -> float:
        return fmean(bool(test(show(each))) for each in self.examples)


def _read(column: Column, cells: Sequence[RawValue]) -> list[CellValue]:
    reader = ColumnReader(column, facts_of(column, cells, known=ColumnFacts()))
    return [reader.read(each).value for each in cells]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """What one column may be."""

    means: Column | None = None
    others: tuple[Column, ...] = ()
    """The likeliest first, without `means`."""
    by: str = ""
    """What speaks for it."""


def assign(
    cells: Mapping[int, ColumnCells],
    headings: Mapping[int, str],
    *,
    fields: Sequence[Column],
    known: Mapping[str, ColumnCells],
) -> dict[int, Guess]:
    """Guess which of `fields` each column is; a field goes to one column at most.

    `known` are the fields that other columns are, by their names.
    """
    scores: dict[tuple[int, str], float] = {}
    for at, each in cells.items():
        for column in fields:
            fit = each.fit(column)
            if fit is not None:
                score = _score(headings[at], column, fit=fit)
                if score > 0:
                    scores[at, column.field] = score
    taken = _days(cells, fields, scores=scores, known=known)
    taken |= _others(fields, scores=scores)
    left = [column for column in fields if column.field not in taken.values()]
    by_field = {column.field: column for column in fields}
    guesses = {}
    for at in cells:
        able = [column for column in left if (at, column.field) in scores]
        able.sort(key=lambda column: -scores[at, column.field])
        means, by = by_field.get(taken.get(at, "")), ""
        if means is not None:
            by = "name" if likeness(headings[at], means) >= _A_NAME else "cells"
        guesses[at] = Guess(means=means, others=tuple(able[:_MOST]), by=by)
    return guesses


def _score(heading: str, column: Column, *, fit: float) -> float:
    name = likeness(heading, column)
    if name >= _A_NAME:
        return _BY_NAME * name + (1 - _BY_NAME) * fit
    if column.required and column.kind in _PROSE:
        # What is left may be it, whatever its heading says.
        return _LEFT * fit if fit > _A_NAME else 0.0
    is_telling = column.kind in _TELLING or column.kind is CellKind.YES_NO
    is_telling = is_telling or (bool(column.like) and column.reaches and fit >= 0.5)
    return (1 - _BY_NAME) * fit if is_telling and column.reaches else 0.0


def _days(
    cells: Mapping[int, ColumnCells],
    fields: Sequence[Column],
    *,
    scores: Mapping[tuple[int, str], float],
    known: Mapping[str, ColumnCells],
) -> dict[int, str]:
    """Assign the columns of days: every way is tried."""
    wanted = [column for column in fields if column.kind is CellKind.DATE]
    best_of = {
        at: max(scores.get((at, column.field), 0.0) for column in wanted)
        for at in cells
        if any((at, column.field) in scores for column in wanted)
    }
    places = sorted(best_of, key=lambda at: -best_of[at])[:_MOST_DAYS]
    read = {at: cells[at].days(wanted[0]) for at in places}
    fixed = {field: each.days(wanted[0]) for field, each in known.items() if wanted}
    best, chosen = 0.0, dict[int, str]()
    for way in product([None, *places], repeat=len(wanted)):
        there = {c.field: at for c, at in zip(wanted, way, strict=True) if at}
        if len(set(there.values())) < len(there):
            continue
        score = sum(scores.get((at, field), -1.0) for field, at in there.items())
        days = fixed | {field: read[at] for field, at in there.items()}
        score += sum(_in_order(wanted, days))
        if score > best:
            best, chosen = score, {at: field for field, at in there.items()}
    return chosen


def _in_order(
    wanted: Sequence[Column], days: Mapping[str, Sequence[str]]
) -> Iterator[float]:
    """Score each pair of fields of which one is before the other."""
    for column in wanted:
        for later in column.before:
            if column.field in days and later in days:
                yield _agreement(days[column.field], days[later])


def _agreement(first: Sequence[str], second: Sequence[str]) -> float:
    """Give more than 0 where the first days are before the second, less where not."""
    pairs = zip(first, second, strict=False)
    signs = [(a < b) - (a > b) for a, b in pairs if a and b]
    agreement = fmean(signs) if signs else 0.0
    # What is turned round in most rows cannot be meant.
    return _ORDER * agreement if agreement > -_A_NAME else -_NEVER


def _others(
    fields: Sequence[Column], *, scores: Mapping[tuple[int, str], float]
) -> dict[int, str]:
    """Assign all other columns."""
    wanted = [column for column in fields if column.kind is not CellKind.DATE]
    able = {
        (at, column.field): score
        for column in wanted
        for (at, field), score in scores.items()
        # What says yes and no sends only where its heading speaks of that.
        if field == column.field
        and (column.kind is not CellKind.YES_NO or score > 1 - _BY_NAME)
    }
    places = sorted({at for at, _ in able})[:_MOST_COLUMNS]
    if not places:
        return {}
    from munkres import Munkres  # noqa: PLC0415 - most sheets have known headings

    costs = [[1 - able.get((at, c.field), 0.0) for c in wanted] for at in places]
    pairs = ((places[a], wanted[b].field) for a, b in Munkres().compute(costs))
    return {at: field for at, field in pairs if (at, field) in able}


@lru_cache(maxsize=4_096)
def spellings(heading: str) -> tuple[str, ...]:
    """Give a heading folded as it is, without its unit, and with its words parted."""
    heading = heading.replace("#", " no ")
    plain = (heading, _UNIT.sub(" ", heading), _HUMP.sub(" ", heading))
    return tuple(dict.fromkeys(filter(None, map(fold, plain)))) or ("",)


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
    score = _WORD if words & {fold(word) for word in column.words} else 0.0
    return max(score, *(_near(text, words, name) for name in names_of(column)))


def _near(text: str, words: set[str], name: str) -> float:
    """Compare a heading with one name; 0: it says nothing."""
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


def _number(text: str) -> float | None:
    if not _NUMBER.fullmatch(text):
        return None
    plain = re.sub(r"[\s,]", "", text).replace("−", "-").replace("–", "-")
    return float(plain) if plain.count(".") < 2 else None


def _is_word(raw: RawValue) -> bool:
    return isinstance(raw, bool) or not show(raw).isdigit()
