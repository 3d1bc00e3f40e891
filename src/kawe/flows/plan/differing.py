"""What a list has that the one before had not, and what became of that one's rows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final

from kawe.domain.rows.comparing import (
    KnownWork,
    KnownWorks,
    Likeness,
    Traits,
    traits_of,
)
from kawe.domain.sheet.content import ProjectSaid
from kawe.domain.text.new_zealand import short_day_words
from kawe.domain.text.texts import fold_name, one_line

_DATES: Final = ("start", "end", "respond by")


class Difference(StrEnum):
    """What became of a project from one list to the next."""

    NEW = "new"
    GONE = "gone"
    POSTPONED = "postponed"
    """Another date than before, later or earlier."""
    RENAMED = "renamed"
    """The same dates, and another name or reference."""
    REPEATED = "repeated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing:
    """One project of two lists."""

    what: Difference
    name: str
    reference: str
    was: tuple[date | None, ...]
    """Start, end, respond by; empty of one that is new."""
    now: tuple[date | None, ...]
    name_before: str = ""
    reference_before: str = ""
    """Both are empty where it has the one that it had, or had none."""

    def line(self) -> str:
        """Name it, with the dates that moved and what it was called before."""
        named = f"{self.reference} ({self.name})" if self.reference else self.name
        before = {"name": self.name_before, "reference": self.reference_before}
        other = [f"its {what} was {old}" for what, old in before.items() if old]
        moved = ", ".join([*other, *_moved(self.was, self.now)])
        return one_line(f"{named}: {moved}" if moved else named, limit=300)

    def as_json(self) -> dict[str, Any]:
        return {
            "what": self.what.value,
            "name": self.name,
            "name_before": self.name_before or None,
            "reference": self.reference or None,
            "reference_before": self.reference_before or None,
            "dates_before": [each and each.isoformat() for each in self.was],
            "dates": [each and each.isoformat() for each in self.now],
        }


def differences(
    rows: Sequence[ProjectSaid], before: Sequence[ProjectSaid]
) -> list[Differing]:
    """Compare two lists; each row of one is at most one row of the other."""
    traits = [traits_of(each) for each in rows]
    works = [KnownWork(traits=traits_of(e), of=at) for at, e in enumerate(before)]
    known = KnownWorks(works, beside=traits)
    likes = sorted(
        (_distance(row, work.traits, agrees), at, work.of)
        for at, row in enumerate(traits)
        for work, agrees in known.like(row)
    )
    pairs: dict[int, ProjectSaid] = {}
    left = dict(enumerate(before))
    for _, at, other in likes:
        if at not in pairs and (said := left.pop(other, None)) is not None:
            pairs[at] = said
    return [
        *(_pair(each, pairs.get(at), each) for at, each in enumerate(rows)),
        *(_pair(None, each, each) for each in left.values()),
    ]


def _distance(row: Traits, work: Traits, agrees: Likeness) -> tuple[bool, ...]:
    """Give the most alike the least: first of all who bears the same reference."""
    is_named = bool(row.reference) and row.reference == work.reference
    return (not is_named, not agrees.is_whole, not agrees.name, not agrees.days)


def _pair(
    row: ProjectSaid | None, before: ProjectSaid | None, said: ProjectSaid
) -> Differing:
    was, now = (() if e is None else traits_of(e).days for e in (before, row))
    names = references = ""
    if row is None or before is None:
        what = Difference.GONE if row is None else Difference.NEW
    else:
        names = _changed(before.name, row.name)
        references = _changed(before.reference, row.reference)
        what = Difference.RENAMED if names or references else Difference.REPEATED
        if _moved(was, now):
            what = Difference.POSTPONED
    return Differing(
        what=what,
        name=one_line(said.name or "", limit=80),
        reference=one_line(said.reference or ""),
        was=was,
        now=now,
        name_before=names,
        reference_before=references,
    )


def _changed(before: str | None, now: str | None) -> str:
    if not before or not now or fold_name(before) == fold_name(now):
        return ""
    return one_line(before, limit=80)


def _moved(was: Iterable[date | None], now: Iterable[date | None]) -> list[str]:
    return [
        f"{name} {short_day_words(old)} → {short_day_words(new)}"
        for name, old, new in zip(_DATES, was, now, strict=False)
        if old and new and old != new
    ]


def difference_lines(
    found: Sequence[Differing], *, beside: str, shown: int | None
) -> Iterator[str]:
    """Say how many rows are how, and name the first of all but those repeated."""
    counts = Counter(each.what for each in found)
    said = ", ".join(f"{counts[what]:,} {what.value}" for what in Difference)
    yield f"Beside {one_line(beside)}: {said}."
    for what in [*Difference][:-1]:
        some = [each for each in found if each.what is what]
        yield from (f"  {what.capitalize()}: {e.line()}" for e in some[:shown])
        if shown is not None and len(some) > shown:
            yield f"  and {len(some) - shown:,} more {what.value}"
