"""The one comparison: whether a row is about the project of another row.

Everything that asks "is this row that row?" asks here: rows of one sheet and of
several, the journal, the team's projects, drafts that may be adopted. The traits are
name, place and words; dates and references say less, because people move them. What
many works share tells none of them from the others. A verdict is a reason to ask a
person; nothing is sent or left out by it alone.
"""

import math
import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Generic, TypeVar

from kawe.domain.rows.identity import is_place_clear
from kawe.domain.service.service_words import Project
from kawe.domain.sheet.content import ProjectSaid
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.texts import fold_address, fold_name, near_reference
from kawe_places.values import Place

T = TypeVar("T")
_EXACT_METRES: Final = 15.0
_CLOSE_METRES: Final = 100.0
_NEAR_METRES: Final = 300.0
_NORTH_OF_ALL: Final = -25.0
_DEGREE_METRES: Final = 111_320.0
_CELLS_IN_DEGREE: Final = 333
"""Two places within 300 m lie in the same cell, or in neighbouring ones."""
_COMMON: Final = 3
"""What more works share than these tells none of them."""
_MANY: Final = 60
"""A place with more works is looked up together with name and words."""
_ENOUGH_WORDS: Final = 40
_SEASON: Final = timedelta(days=170)
_OVER: Final = frozenset({"CLOSED", "COMPLETE"})
_ROUNDS: Final = 3
_STEADY: Final = 0.25
_BRACKETS: Final = re.compile(r"[(\[{][^)\]}]*[)\]}]")
_NUMBER: Final = re.compile(r"\b(?!(?:19|20)\d\d\b)\d+")
_LEADING: Final = re.compile(
    r"^\s*[A-Za-z]{1,6}(?:[-/. ]?\d[\w/.-]*\s*[:–—-]|(?:[-/.]\d{2,}|\d{4,})[\w/.-]*)\s+"
)
_PLAINLY: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What tells one work from another; empty or None where nothing can be read."""

    reference: str
    """As a hurried reader sees it."""
    name: str
    """Folded, without brackets and leading reference, abbreviations written out."""
    words: str
    """The folded description."""
    place: Place | None
    address: str
    days: tuple[date | None, date | None, date | None]
    """Start, end, respond by."""

    @property
    def start_on(self) -> date | None:
        return self.days[0]


def traits_of(said: ProjectSaid) -> Traits:
    """Give the traits of a row."""
    has_place = is_place_clear(said)
    return Traits(
        reference=near_reference(said.reference or ""),
        name=_bare_name(said.name or "", reference=said.reference),
        words=fold_name(said.description or ""),
        place=said.place if has_place else None,
        address=fold_address(said.address or "") if has_place else "",
        days=(said.start_on, said.end_on, said.respond_by_on),
    )


def traits_of_project(project: Project) -> Traits:
    """Give the traits of a project as the service shows it."""
    moments = (project.start_at, project.end_at, project.respond_by_at)
    # Midnight in UTC and midnight here are the same day here.
    start, end, respond = (
        None if at is None else day_in_new_zealand(at) for at in moments
    )
    # A project without a place comes back with numbers of the service's choosing.
    is_here = (place := project.place) is not None and place.latitude < _NORTH_OF_ALL
    return Traits(
        reference=near_reference(project.reference or ""),
        name=_bare_name(project.name, reference=project.reference),
        words=fold_name(project.description),
        place=place if is_here else None,
        address=fold_address(project.address),
        days=(start, end, respond),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """In which traits two works agree."""

    name: bool
    words: bool
    days: bool
    """All three."""
    metres: float | None
    """Between the places; None where one has none."""

    @property
    def place(self) -> bool:
        """Check that the places agree, or that one says nothing against it."""
        return self.metres is None or self.metres <= _NEAR_METRES

    @property
    def is_whole(self) -> bool:
        """Check that nothing at all differs."""
        is_there = self.metres is None or self.metres <= _EXACT_METRES
        return self.name and self.words and self.days and is_there

    @property
    def is_any(self) -> bool:
        """Check that one of name, words and a place that is known agrees."""
        return self.name or self.words or (self.place and self.metres is not None)

    def in_words(self) -> str:
        """Name what agrees: the same name, place and dates."""
        parts = {
            "name": self.name,
            "place": self.place and self.metres is not None,
            "description": self.words,
            "dates": self.days,
        }
        *some, last = [word for word, same in parts.items() if same] or ["work"]
        return f"the same {', '.join(some)} and {last}" if some else f"the same {last}"


def agreement(one: Traits, other: Traits) -> Likeness:
    return Likeness(
        name=bool(one.name) and one.name == other.name,
        words=bool(one.words) and one.words == other.words,
        days=one.days == other.days and None not in one.days,
        metres=_metres(one, other),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWork(Generic[T]):
    """A work that rows are compared with."""

    traits: Traits
    of: T
    is_over: bool = False
    """Closed, complete or past its end."""


class KnownWorks(Generic[T]):
    """KnownWorks that rows are compared with, found by what they share with a row."""

    def __init__(
        self, kept: Iterable[KnownWork[T]], *, beside: Iterable[Traits] = ()
    ) -> None:
        """Take works, and rows `beside` them that show what a programme shares."""
        self._kept: Final = list(kept)
        self._by: Final[defaultdict[Hashable, list[int]]] = defaultdict(list)
        self._bearers: Final = _Bearers(each.traits for each in self._kept)
        # Rows that were rewritten may be the works themselves: none is counted twice.
        self._beside: Final = _Bearers(beside)
        self._wordings: Final[defaultdict[str, set[Hashable]]] = defaultdict(set)
        for at, each in enumerate(self._kept):
            self._take(at, each.traits)

    def like(self, row: Traits) -> Iterator[tuple[KnownWork[T], Likeness]]:
        """Give the works that a row likely repeats, whatever their dates."""
        for at in sorted(self._candidates(row)):
            each = self._kept[at]
            agrees = agreement(row, each.traits)
            if self._is_like(row, each.traits, agrees):
                yield each, agrees

    def has_like(self, row: Traits) -> bool:
        return bool(self._candidates(row))

    def is_shared_name(self, name: str) -> bool:
        return self._beside.are_many("name", name)

    def _take(self, at: int, work: Traits) -> None:
        cell = _cell(work)
        self._wordings[work.words].add((work.name, _site(work)))
        for part in ("name", "words", "reference", "address"):
            self._by[part, getattr(work, part)].append(at)
        for part in ("name", "words", "days"):
            self._by[part, getattr(work, part), cell].append(at)
        self._by["all", work.name, work.words, cell].append(at)

    def _candidates(self, row: Traits) -> set[int]:
        found = {
            at
            for part in ("name", "words")
            if not self._is_common(part, value := getattr(row, part), row=row)
            for at in self._having(part, value)
        }
        found.update(self._having("reference", row.reference))
        found.update(self._having("address", row.address)[:_MANY])
        # A place alone makes nothing likely.
        for cell in _cells_around(row):
            for part in ("name", "words", "days"):
                there = self._by.get((part, getattr(row, part), cell), ())
                if len(there) > _MANY:
                    there = self._by.get(("all", row.name, row.words, cell), ())
                found.update(there)
        return found

    def _having(self, part: str, value: Hashable) -> Sequence[int]:
        return self._by.get((part, value), ()) if value not in {None, ""} else ()

    def _is_common(self, part: str, value: Hashable, *, row: Traits) -> bool:
        """Check that many works have it, whatever `row` itself now says beside it."""
        own = _notes(row).get((part, value))
        return any(
            each.are_many(part, value, but=own)
            for each in (self._bearers, self._beside)
        )

    def _is_like(self, row: Traits, work: Traits, agrees: Likeness) -> bool:
        if row.reference and row.reference == work.reference:
            return agrees.is_any or not work.name
        metres = agrees.metres
        is_own = len(self._wordings.get(row.words, ())) == 1
        says_much = is_own and agrees.words and len(row.words) >= _ENOUGH_WORDS
        # A place that is not known agrees with any, and tells nothing by itself.
        is_site = metres is not None and self._is_common("site", _site(work), row=row)
        place = agrees.place and not is_site
        is_exact = place and metres is not None and metres <= _EXACT_METRES
        is_close = metres is not None and metres <= _CLOSE_METRES
        if _are_numbered_apart(row.name, work.name):
            # Unless names were sorted alone: two references say no, unless the name is
            # that of a work elsewhere.
            has_both = row.reference and work.reference
            is_exact = is_exact and (not has_both or self._is_name_from_afar(row))
            return (says_much and is_close) or (agrees.days and (says_much or is_exact))
        is_programme = self._is_common("name", work.name, row=row)
        name = agrees.name and not is_programme
        words = agrees.words and not self._is_common("words", row.words, row=row)
        if agrees.name and agrees.words and agrees.place:
            return name or words or is_close or (metres is None and agrees.days)
        # A site of many works takes nothing from a name that few of them bear.
        is_named = name and agrees.place and metres is not None
        if is_named or name + words + place >= _PLAINLY or (is_exact and agrees.name):
            return True
        if agrees.days and (name or words or is_exact):
            return True
        # Where the name or the place of a programme tells nothing, words of its own do.
        return words and says_much and (is_site or is_programme)

    def _is_name_from_afar(self, row: Traits) -> bool:
        named = (self._kept[at].traits for at in self._having("name", row.name))
        return any((_metres(row, each) or 0) > _NEAR_METRES for each in named)


def is_over(project: Project | None, end_on: date | None, today: date) -> bool:
    """Say whether a project is closed, complete or past its end."""
    is_closed = project is not None and project.status in _OVER
    return is_closed or (end_on is not None and end_on < today)


def is_excused(row: Traits, work: KnownWork[T]) -> bool:
    """Say whether the dates make a row another round of a work that is over."""
    if not work.is_over or row.start_on is None or work.traits.start_on is None:
        return False
    return abs(row.start_on - work.traits.start_on) >= _SEASON


def is_next_round(row: Traits, sent: Iterable[Traits]) -> bool:
    """Say whether a row goes on where three sends of one work stand in steady steps."""
    begun = sorted({each.start_on for each in sent if each.start_on is not None})
    if row.start_on is None or len(begun) < _ROUNDS:
        return False
    first, second, last = begun[-_ROUNDS:]
    step = last - second
    is_steady = abs((second - first) - step) <= _STEADY * step
    return is_steady and 3 * (row.start_on - last) >= 2 * step


def moved_references(
    rows: Sequence[tuple[str, Traits]], *, known: Sequence[tuple[str, Traits]]
) -> list[tuple[str, str]]:
    """Name the rows that say what another known row said: each key, and whose it was.

    `rows` and `known` are keys with what they say now, and said. Only places and words
    that one known row bears count: a programme's shared name proves nothing. Empty
    where fewer than three moved and no two exchanged theirs.
    """
    was = dict(known)
    owners: defaultdict[Hashable, list[str]] = defaultdict(list)
    for key, traits in known:
        for value in _own_values(traits):
            owners[value].append(key)
    moved: dict[str, str] = {}
    for key, now in rows:
        own = set(_own_values(was[key])) if key in was else set()
        others = (
            owners[value][0]
            for value in _own_values(now)
            if value not in own and len(owners.get(value, ())) == 1
        )
        other = next((each for each in others if each != key), None)
        if key in was and other is not None:
            moved[key] = other
    exchanged = any(moved.get(other) == key for key, other in moved.items())
    return [*moved.items()] if exchanged or len(moved) >= _ROUNDS else []


def is_another_project(
    was: Traits, now: Traits, *, is_done: bool, is_shared: bool = False
) -> bool:
    """Say whether a row is plainly about another project than it was, under one key.

    Its name differs, and so does its place, or at least two of start, end and respond
    by; of a row that is done, its description is enough. So do place, words and dates
    together. Where the name `is_shared` by a programme it proves nothing: another place
    is enough, or other words and dates.
    What cannot be read differs from nothing.
    """
    name = bool(was.name and now.name) and was.name != now.name
    words = bool(was.words and now.words) and was.words != now.words
    metres = _metres(was, now)
    place = metres is not None and metres > _NEAR_METRES
    days = sum(
        b is not None and a != b for a, b in zip(was.days, now.days, strict=True)
    )
    if name:
        return place or (is_done and words) or days >= _PLAINLY
    return (place and words and days > 0) or (
        is_shared and (place or (words and days > 0))
    )


def _bare_name(name: str, *, reference: str | None) -> str:
    plain = _LEADING.sub("", _BRACKETS.sub(" ", name))
    folded = fold_name(plain) or fold_name(name)
    own = fold_name(reference or "")
    if own and folded.startswith(f"{own} "):
        folded = folded.removeprefix(f"{own} ")
    return fold_address(folded)


def _are_numbered_apart(one: str, other: str) -> bool:
    """Say whether names differ in their numbers alone: Bore 3, Bore 4; no years."""
    numbers = _NUMBER.findall(one), _NUMBER.findall(other)
    differ = any(a != b for a, b in zip(*numbers, strict=False))
    return differ and _NUMBER.sub("#", one) == _NUMBER.sub("#", other)


def _metres(one: Traits, other: Traits) -> float | None:
    """Say how far two works are apart; None where one does not say where it is."""
    if one.place is not None and other.place is not None:
        here, there = one.place, other.place
        north = here.latitude - there.latitude
        east = here.longitude - there.longitude
        east *= math.cos(math.radians(here.latitude))
        return _DEGREE_METRES * math.hypot(north, east)
    if one.address and other.address:
        return _CLOSE_METRES if one.address == other.address else math.inf
    return None


def _cell(work: Traits) -> tuple[int, int] | None:
    if work.place is None:
        return None
    latitude, longitude = work.place.latitude, work.place.longitude
    return round(latitude * _CELLS_IN_DEGREE), round(longitude * _CELLS_IN_DEGREE)


def _site(work: Traits) -> Hashable:
    """Give what works at one site share: the place to 10 m, or else the address."""
    if work.place is None:
        return work.address
    return round(work.place.latitude, 4), round(work.place.longitude, 4)


class _Bearers:
    """Which works bear a name, words or a site, as far as that many are of interest."""

    def __init__(self, works: Iterable[Traits]) -> None:
        self._of: Final[dict[Hashable, tuple[Hashable, ...]]] = {}
        for work in works:
            # One work with other dates is the same work: rounds make nothing common.
            for part, rest in _notes(work).items():
                there = self._of.get(part, ())
                if len(there) <= _COMMON + 1 and rest not in there:
                    self._of[part] = (*there, rest)

    def are_many(self, part: str, value: Hashable, *, but: Hashable = None) -> bool:
        return len({*self._of.get((part, value), ())} - {but}) > _COMMON


def _notes(work: Traits) -> dict[tuple[str, Hashable], Hashable]:
    """Give each trait that works may share, with what tells them apart all the same."""
    site = _site(work)
    return {
        ("name", work.name): (work.words, site),
        ("words", work.words): (work.name, site),
        ("site", site): (work.name, work.words),
    }


def _cells_around(work: Traits) -> Iterator[tuple[int, int]]:
    if (cell := _cell(work)) is not None:
        for north in (-1, 0, 1):
            # A degree of longitude is shorter here: 300 m may be two cells.
            for east in (-2, -1, 0, 1, 2):
                yield cell[0] + north, cell[1] + east


def _own_values(traits: Traits) -> Iterator[Hashable]:
    if traits.place is not None:
        yield "place", traits.place.key()
    elif traits.address:
        yield "address", traits.address
    if traits.words:
        yield "words", traits.words
