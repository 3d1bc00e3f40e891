"""What a list has that the one before had not, and what became of that one's rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final

from kawe.domain.rows.comparing import KnownWork, KnownWorks, Likeness, traits_of
from kawe.domain.sheet.content import ProjectSaid
from kawe.domain.text.new_zealand import short_day_words
from kawe.domain.text.texts import one_line

_DATES: Final = ("start", "end", "respond by")


class Difference(StrEnum):
    """What became of a project from one list to the next."""

    NEW = "new"
    GONE = "gone"
    POSTPONED = "postponed"
    """Another date than before, later or earlier."""
    REPEATED = "repeated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing:
    """One project of two lists."""

    what: Difference
    name: str
    reference: str
    was: tuple[date | None, ...] = ()
    """Start, end, respond by; empty of one that is new or gone."""
    now: tuple[date | None, ...] = ()

    @property
    def moved(self) -> str:
        """Say which dates moved, from when to when."""
        days = zip(_DATES, self.was, self.now, strict=True)
        return ", ".join(
            f"{name} {short_day_words(was)} → {short_day_words(now)}"
            for name, was, now in days
            if was and now and was != now
        )

    def line(self) -> str:
        """Name it, with the dates that moved."""
        named = f"{self.reference} ({self.name})" if self.reference else self.name
        more = self.moved if self.what is Difference.POSTPONED else ""
        return one_line(": ".join(filter(None, [named, more])), limit=200)

    def as_json(self) -> dict[str, Any]:
        return {
            "what": self.what.value,
            "name": self.name,
            "reference": self.reference or None,
            "dates_before": [each and each.isoformat() for each in self.was],
            "dates": [each and each.isoformat() for each in self.now],
        }


def differences(
    rows: Iterable[ProjectSaid], before: Iterable[ProjectSaid]
) -> list[Differing]:
    """Compare two lists; each row of one is at most one row of the other."""
    rows, before = list(rows), list(before)
    traits = [traits_of(each) for each in rows]
    works = [KnownWork(traits=traits_of(e), of=at) for at, e in enumerate(before)]
    known = KnownWorks(works, beside=traits)
    likes = sorted(
        (
            _distance(agrees, is_named=row.reference == work.traits.reference),
            at,
            work.of,
        )
        for at, row in enumerate(traits)
        for work, agrees in known.like(row)
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, at, other in likes:
        if at not in pairs and other not in taken:
            pairs[at] = other
            taken.add(other)
    return [
        *(
            _differing(row, before[pairs[at]] if at in pairs else None)
            for at, row in enumerate(rows)
        ),
        *(_named(Difference.GONE, e) for at, e in enumerate(before) if at not in taken),
    ]


def _distance(agrees: Likeness, *, is_named: bool) -> tuple[bool, ...]:
    """Give the most alike the least: first of all who bears the same reference."""
    return (not is_named, not agrees.is_whole, not agrees.name, not agrees.days)


def _differing(row: ProjectSaid, before: ProjectSaid | None) -> Differing:
    if before is None:
        return _named(Difference.NEW, row)
    was, now = traits_of(before).days, traits_of(row).days
    moved = any(a and b and a != b for a, b in zip(was, now, strict=True))
    what = Difference.POSTPONED if moved else Difference.REPEATED
    return _named(what, row, was=was, now=now)


def _named(
    what: Difference, said: ProjectSaid, **days: tuple[date | None, ...]
) -> Differing:
    name, reference = one_line(said.name or "", limit=80), said.reference or ""
    return Differing(what=what, name=name, reference=one_line(reference), **days)


def difference_lines(
    found: Sequence[Differing], *, beside: str, shown: int | None
) -> Iterator[str]:
    """Say how many rows are how, and name the first of all but those repeated."""
    counts = Counter(each.what for each in found)
    said = ", ".join(f"{counts[what]:,} {what.value}" for what in Difference)
    yield f"Beside {one_line(beside)}: {said}."
    for what in (Difference.NEW, Difference.GONE, Difference.POSTPONED):
        some = [each for each in found if each.what is what]
        yield from (f"  {what.capitalize()}: {e.line()}" for e in some[:shown])
        if shown is not None and len(some) > shown:
            yield f"  and {len(some) - shown:,} more {what.value}"
