"""Whether an expected run has taken place."""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from fnmatch import fnmatchcase

from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.rows.entries import Batch
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import day_words
from kawe.domain.text.texts import one_line


class Every(StrEnum):
    """How often a run is expected."""

    MONTHLY = "monthly"
    WEEKLY = "weekly"
    DAILY = "daily"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The latest month, week or day whose run is due."""

    every: Every
    begins_on: date
    due_on: date | None
    """The last day on which it may come; None where each day is late."""

    @property
    def words(self) -> str:
        """Name it, as in “the monthly run of July 2026”."""
        if self.every is Every.MONTHLY:
            return f"the monthly run of {self.begins_on:%B %Y}"
        if self.every is Every.DAILY:
            return f"the daily run of {day_words(self.begins_on)}"
        return f"the weekly run of the week from {day_words(self.begins_on)}"

    def begins_at(self, zone: tzinfo) -> datetime:
        """Give the instant from which a run counts for it."""
        return datetime.combine(self.begins_on, time(), tzinfo=zone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coming:
    """What the journal says of the run of a turn."""

    turn: Turn
    batch: str = ""
    """The batch that was read in it; empty where none was."""
    left: int = 0
    """Rows of that batch that were not reached, or are in doubt."""

    @property
    def is_missed(self) -> bool:
        return not self.batch or self.left > 0


def turn_due(every: Every, *, by: int | None, today: date) -> Turn:
    """Find the latest turn that is due on `today`.

    `by` is the last day of the month, or of the week from Monday (1), on which the run
    may take place; until that day is over, the turn before counts. In a shorter month
    it is the last day. Of a day, it is the day itself.
    """
    begins_on = _beginning(every, today)
    if by is None:
        return Turn(every=every, begins_on=begins_on, due_on=None)
    due_on = _due(every, begins_on, by=by)
    if today <= due_on:
        begins_on = _beginning(every, begins_on - timedelta(days=1))
        due_on = _due(every, begins_on, by=by)
    return Turn(every=every, begins_on=begins_on, due_on=due_on)


def is_meant(batch: Batch, name: str | None) -> bool:
    """Say whether a batch is one that `name` means: its beginning or a pattern."""
    if name is None:
        return True
    return batch.name.startswith(name) or fnmatchcase(batch.name, name)


def coming(
    turn: Turn, *, zone: tzinfo, known: Iterable[tuple[Batch, BatchReport]]
) -> Coming:
    """Find a run of `turn`: one that finished, else one that only began.

    A late run counts too. Of several, it is the one that comes last in `known`.
    """
    begins_at = turn.begins_at(zone)
    came = [
        Coming(turn=turn, batch=batch.name, left=_left(report))
        for batch, report in known
        if batch.read_at >= begins_at
    ]
    return min(reversed(came), key=lambda each: each.left, default=Coming(turn=turn))


def coming_words(found: Coming) -> str:
    """Say in a sentence or two whether the run took place, and what to do."""
    turn = found.turn
    name = one_line(found.batch)
    if not found.batch:
        due = "" if turn.due_on is None else f" It was due by {day_words(turn.due_on)}."
        return (
            f"MISSING: {turn.words}. No submit has begun since "
            f"{day_words(turn.begins_on)}.{due} Run it now (kawe submit WORKBOOK), and "
            "look at why it did not run by itself."
        )
    if found.is_missed:
        return (
            f"NOT FINISHED: {turn.words}. Batch {name} was begun, and "
            f"{counted(found.left, 'row of it was', 'rows of it were')} not reached or "
            f"{'is' if found.left == 1 else 'are'} in doubt. Run the same command "
            "again; nothing is lost."
        )
    return f"Here: {turn.words}, batch {name}."


def _beginning(every: Every, day: date) -> date:
    if every is Every.MONTHLY:
        return day.replace(day=1)
    if every is Every.DAILY:
        return day
    return day - timedelta(days=day.weekday())


def _due(every: Every, begins_on: date, *, by: int) -> date:
    if every is Every.DAILY:
        return begins_on
    if every is Every.MONTHLY:
        last = calendar.monthrange(begins_on.year, begins_on.month)[1]
        return begins_on.replace(day=min(by, last))
    return begins_on + timedelta(days=min(by, 7) - 1)


def _left(report: BatchReport) -> int:
    counts = report.counts()
    return counts[Outcome.UNFINISHED] + counts[Outcome.IN_DOUBT]
