"""Which records of a list are exported, and how many there were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from kawe.domain.service.lists import ProjectPart, RecordList, TableOf, instant_of
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import day_words, moment_words
from kawe.domain.text.texts import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAsked:
    """Which records of a list are wanted."""

    records: RecordList
    parts: tuple[ProjectPart, ...] = ()
    """What else is asked for of each project."""
    query: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    """The service leaves out what does not match."""
    said: tuple[str, ...] = ()
    """The same, as a person says it."""
    since_on: date | None = None
    """kawe leaves out what was created before this day in New Zealand."""
    until_on: date | None = None
    batch: str = ""
    only: frozenset[str] | None = None
    """The ids of the batch's projects; None: any."""
    is_fresh: bool = False
    """Nothing is taken from an earlier export."""

    @property
    def is_narrowed(self) -> bool:
        return (self.since_on, self.until_on, self.only) != (None, None, None)

    @property
    def tables(self) -> tuple[TableOf, ...]:
        return (*self.records.tables, *(part.table for part in self.parts))

    def takes(self, item: Mapping[str, object]) -> bool:
        """Say whether an object of the list is wanted."""
        if self.only is not None and item.get("id") not in self.only:
            return False
        if self.since_on is None and self.until_on is None:
            return True
        at = instant_of(item.get("created_on"))
        if at is None:
            return True
        since, until = self.since_on or date.min, self.until_on or date.max
        return since <= at.date() <= until

    def words(self) -> str:
        """Say what was left out; empty: nothing."""
        said = list(self.said)
        if self.since_on is not None:
            said.append(f"created on or after {day_words(self.since_on)}")
        if self.until_on is not None:
            said.append(f"created on or before {day_words(self.until_on)}")
        if self.batch:
            said.append(f"of the batch {one_line(self.batch)}")
        return "; ".join(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCounts:
    """What was found of a list, and whether it is all."""

    listed: int
    total: int
    """As the service counts."""
    tabs: Mapping[str, int]
    """As the service counts projects: active, closed, completed."""
    is_proven: bool
    """As many as the service counts, on the first page and on the last."""
    taken: int
    """Of those listed, by the days or the batch that were asked for."""
    sums: Mapping[str, float]
    rows: Mapping[str, int] = field(default_factory=dict)
    """How many entries the lists within a single object have, by title."""
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    """Of an earlier export; it had them, and the service lists them no more."""
    earlier_at: datetime | None = None

    def lines(self, asked: ListAsked) -> Iterator[str]:
        """Say it to people."""
        records = asked.records
        if records.is_single:
            yield " ".join(f"{title}: {n:,}." for title, n in self.rows.items())
        else:
            yield f"{self._whole(records)} {self._proof()}"
        if words := asked.words():
            yield f"Asked for: {words}."
        if asked.is_narrowed:
            yield f"In this export: {counted(self.taken, records.one)}."
        if self.sums:
            sums = (_sum_words(name, value) for name, value in self.sums.items())
            yield f"In all: {', '.join(sums)}."

    def _whole(self, records: RecordList) -> str:
        of = f"{self.listed:,} of {counted(self.total, records.one)}"
        parts = (f"{n:,} {tab}" for tab, n in self.tabs.items() if tab != "all")
        return f"{of}: {words}." if (words := ", ".join(parts)) else f"{of}."

    def _proof(self) -> str:
        if self.is_proven:
            return "Complete: the service counts as many at the end as at the start."
        return "NOT proven to be complete: the list kept changing while kawe read it."

    def since_words(self) -> str:
        """Compare with the earlier export; empty: there was none."""
        if self.earlier_at is None:
            return ""
        gone = f", {self.gone:,} no longer listed" if self.gone else ""
        return (
            f"Since the export of {moment_words(self.earlier_at)}, whose file is "
            f"unaltered: {self.new:,} new, {self.changed:,} changed, "
            f"{self.unchanged:,} unchanged{gone}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListExport:
    """An export of a list, when it is written or stopped."""

    asked: ListAsked
    counts: ListCounts
    reused: int = 0
    """Projects whose parts were taken from the earlier export."""
    troubles: tuple[str, ...] = ()
    """What is missing, and why."""
    is_stopped: bool = False
    """Nothing was written."""

    @property
    def is_complete(self) -> bool:
        """Say whether everything that was asked for is there, and proven."""
        return self.counts.is_proven and not self.troubles and not self.is_stopped


def _sum_words(name: str, value: float) -> str:
    is_money = name.isupper()
    return f"{name} {value:,.2f}" if is_money else f"{value:,g} {name}"
