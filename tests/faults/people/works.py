"""Works that people write rows of, and who of them was told to iwi how often.

Only this file knows which work a project at the service is: kawe reads cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from random import Random
from typing import Any, Final, TypeAlias

from faults.people.sheets import Row
from faults.simulation.kept import Kept
from kawe.domain.rows.identity import draft_body
from kawe_places.values import Place

_TRAITS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("name",),
    "place": ("latitude", "longitude", "address"),
    "words": ("description",),
    "dates": ("start_date", "end_date", "respond_by_date"),
}
MOST_EDITED: Final = 2
"""Who rewrites more than so many of these traits of a sent row has a new row."""
_SHARED: Final = 3
"""A name that more works than these have tells none of them from the others."""
_Told: TypeAlias = tuple[object, ...]
_ROADS: Final = ("Tui", "Rata", "Kauri", "Miro", "Totara", "Rimu", "Karaka", "Hinau")


@dataclass(slots=True, kw_only=True)
class Maker:
    """Writes rows of works that nobody has written down before."""

    chance: Random
    first_work: int = 0
    has_references: bool = True
    names: Sequence[str] = ()
    """The names that all rows share; empty: each has its own."""
    words: str = ""
    """What all rows say that is to be done; empty: each says something else."""
    site: Place | None = None
    """Where all of it is; None: each somewhere else."""
    made: int = 0
    references: int = 0

    def row(self, *, today: date) -> Row:
        """Write a row of a new work, which starts in some months."""
        self.made += 1
        n, chance = self.made, self.chance
        road = f"{_ROADS[n % len(_ROADS)]} Road"
        start = today + timedelta(days=chance.randint(50, 80))
        site = Place(
            latitude=round(-37.6 + n % 150 * 0.006, 6),
            longitude=round(174.3 + n // 150 * 0.008, 6),
        )
        return Row(
            work=self.first_work + n,
            reference=self.reference(),
            name=chance.choice(self.names)
            if self.names
            else f"Culvert {n} at {n} {road}",
            description=self.words
            or f"The culvert below {n} {road} is replaced by one of {300 + n} mm.",
            type="EARTHWORKS",
            start_on=start,
            end_on=start + timedelta(days=chance.randint(60, 100)),
            respond_by_on=today + timedelta(days=chance.randint(20, 40)),
            address="The depot, 1 Coronation Road" if self.site else f"{n} {road}",
            place=self.site or site,
            send=True,
            message="Please tell us what matters to you here.",
        )

    def reference(self) -> str | None:
        """Give the next reference, if rows have any."""
        self.references += 1
        return f"R-{self.references}" if self.has_references else None

    def rows(self, number: int, *, today: date) -> list[Row]:
        return [self.row(today=today) for _ in range(number)]


def next_round(row: Row, *, months: int, work: int) -> Row:
    """Write the row of a work's next round: another work, at the same place."""

    def later(day: date) -> date:
        year, month = divmod(day.month - 1 + months, 12)
        return day.replace(year=day.year + year, month=month + 1, day=min(day.day, 28))

    return replace(
        row,
        work=work,
        start_on=later(row.start_on),
        end_on=later(row.end_on),
        respond_by_on=later(row.respond_by_on),
        project_id="",
        marker="",
    )


def postponed(row: Row, chance: Random) -> Row:
    """Put it off: the day to respond by alone, or all days, by a week or four."""
    weeks = timedelta(weeks=chance.choice((1, 4)))
    later = replace(row, respond_by_on=row.respond_by_on + weeks)
    if chance.random() < 0.5:
        later = replace(later, start_on=row.start_on + weeks, end_on=row.end_on + weeks)
    return later


def _renamed(row: Row, chance: Random) -> Row:
    names = (f"{row.name} (joint)", f"{row.name}.", f"Renewal {row.work} of the drain")
    return replace(row, name=chance.choice(names))


def _moved(row: Row, chance: Random) -> Row:
    assert row.place is not None
    by = chance.choice((0.0004, 0.0004, 0.3))
    place = Place(
        latitude=round(row.place.latitude + by, 6), longitude=row.place.longitude
    )
    return replace(row, place=place)


def _reworded(row: Row, chance: Random) -> Row:
    words = (f"{row.description} It is painted.", f"Drain {row.work} is dug anew.")
    return replace(row, description=chance.choice(words))


_EDITS: Final = {
    "name": _renamed,
    "place": _moved,
    "words": _reworded,
    "dates": postponed,
}


def edited(row: Row, chance: Random, *, least: int = 0) -> Row:
    """Rewrite none, one or two traits of it; seldom three."""
    number = max(least, chance.choice((0, 1, 1, 1, 1, 2, 2, 2, 2, 3)))
    for trait in chance.sample(list(_EDITS), number):
        row = _EDITS[trait](row, chance)
    return row


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """A send that the service carried out."""

    habit: str
    body: Mapping[str, Any]
    number: int
    """Of the project."""


@dataclass(slots=True, kw_only=True)
class Ledger:
    """What rows were written, and which works went to iwi."""

    said: dict[_Told, int] = field(default_factory=dict)
    named: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Which works bear a name."""
    sends: defaultdict[int, list[Send]] = field(
        default_factory=lambda: defaultdict(list)
    )
    read: int = 0

    def write(self, rows: Iterable[Row]) -> None:
        """Note which works some rows mean, before kawe reads them."""
        for row in rows:
            told = _told(draft_body(row))
            if self.said.setdefault(told, row.work) != row.work:
                raise AssertionError(f"two works are written as {told}")
            self.named[_bare(row.name)].add(row.work)

    def read_on(self, spent: Sequence[Kept], *, habit: str) -> list[tuple[int, Send]]:
        """Take what was sent since; give the works that were sent before."""
        again = []
        for kept in spent[self.read :]:
            work = self.said[_told(kept.body)]
            send = Send(habit=habit, body=kept.body, number=kept.number)
            if self.sends[work]:
                again.append((work, send))
            self.sends[work].append(send)
        self.read = len(spent)
        return again

    def edits(self, work: int, send: Send) -> list[str]:
        """Name the traits in which a send differs from the nearest one before.

        A name that many works have does not tell that two of them are one.
        """
        before = self.sends[work][: self.sends[work].index(send)]
        edits = min((_edits(each.body, send.body) for each in before), key=len)
        is_shared = len(self.named[_bare(send.body["name"])]) > _SHARED
        return [*edits, "name"] if is_shared and "name" not in edits else edits


def _bare(name: str) -> str:
    return name.removesuffix(" (joint)").rstrip(".")


def _told(body: Mapping[str, Any]) -> _Told:
    return tuple(body.get(name) for names in _TRAITS.values() for name in names)


def _edits(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    return [
        trait
        for trait, names in _TRAITS.items()
        if any(was.get(name) != now.get(name) for name in names)
    ]
