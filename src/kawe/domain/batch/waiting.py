"""Rows that wait for tokens: how long, why, and in which place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from kawe.domain.batch.deadlines import deadline_words
from kawe.domain.rows.entries import Entry
from kawe.domain.sheet.refs import RowRef
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import moment_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A row's waiting, over all releases that did not reach it."""

    since_at: datetime
    """When it first had to wait."""
    refused_at: datetime | None = None
    """When the service last said 402 to it; None where it was never tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingRow:
    """One row of the queue, as a person sees it."""

    turn: int
    """When it goes, counted from 1."""
    entry: Entry
    respond_by_on: date
    where: RowRef | None
    """None: no workbook has it any more."""
    wait: Wait | None
    """None: a run stopped before its turn, and it never had to wait."""
    today: date
    working_days_left: int
    owner: str
    is_put_first: bool

    @property
    def days_left(self) -> int:
        return (self.respond_by_on - self.today).days

    def deadline(self) -> str:
        """Say by when a token must come; nothing while that is far."""
        return deadline_words(self.respond_by_on, today=self.today)

    def left(self) -> str:
        """Say how many days are left."""
        if self.days_left < 0:
            return f"passed {counted(-self.days_left, 'day')} ago"
        if self.days_left == 0:
            return "today"
        working = counted(self.working_days_left, "working day")
        return f"{working} left ({counted(self.days_left, 'day')})"

    def why(self) -> str:
        """Say why it waits."""
        if self.wait is None:
            return "the run stopped before its turn"
        if self.wait.refused_at is None:
            return "not tried"
        return f"402 at {moment_words(self.wait.refused_at)}"

    def age(self, now: datetime) -> str:
        """Say how long it has waited; nothing where it never had to."""
        if self.wait is None:
            return ""
        minutes = max(0, int((now - self.wait.since_at).total_seconds() // 60))
        if minutes < 60:
            return counted(minutes, "minute") if minutes else "less than a minute"
        hours = minutes // 60
        return counted(hours, "hour") if hours < 48 else counted(hours // 24, "day")


def with_days(entries: Iterable[Entry]) -> list[tuple[Entry, date]]:
    """Give the rows that have a day to respond by, each with it."""
    rows = ((entry, entry.content.respond_by_on) for entry in entries)
    return [(entry, on) for entry, on in rows if on is not None]
