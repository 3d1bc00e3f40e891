"""Rows that wait for tokens: how long, why, in which order, and until which day.

A row may be sent until its respond by has passed in New Zealand. Sending and warning
share this rule.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.findings import RowRef
from kawe.domain.text.new_zealand import moment_words, weekday_words
from kawe.domain.text.texts import counted, one_line

SOON_DAYS: Final = 7
"""A respond by that is so many days away, or fewer, is said to be near."""
_SHOWN: Final = 3


def may_leave(respond_by_on: date, *, today: date) -> bool:
    return respond_by_on >= today


def is_near(respond_by_on: date, *, today: date) -> bool:
    return (respond_by_on - today).days <= SOON_DAYS


def deadline_words(respond_by_on: date, *, today: date) -> str:
    """Warn of one row that waits for a token; nothing while its date is far."""
    if not may_leave(respond_by_on, today=today):
        return "Its respond by has passed: it cannot go any more as it stands."
    if not is_near(respond_by_on, today=today):
        return ""
    return f"Will miss its date unless tokens come by {weekday_words(respond_by_on)}."


def deadlines_words(respond_by: Iterable[date], *, today: date) -> str:
    """Warn of all rows that wait for tokens; nothing while their dates are far."""
    days = Counter(respond_by)
    passed = sum(days[on] for on in days if not may_leave(on, today=today))
    near = sorted(
        on for on in days if may_leave(on, today=today) and is_near(on, today=today)
    )
    return " ".join(filter(None, (_passed(passed), _near(near, days=days))))


def _passed(rows: int) -> str:
    if not rows:
        return ""
    waits = counted(rows, "row that waits", "rows that wait")
    whose = "its" if rows == 1 else "their"
    return f"{waits} cannot go any more: {whose} respond by has passed."


def _near(near: list[date], *, days: Counter[date]) -> str:
    if not near:
        return ""
    first = near[0]
    rows = days[first]
    its = "its date" if rows == 1 else "their date"
    begin = f"{counted(rows, 'row')} will miss {its} unless tokens come by"
    words = [f"{begin} {weekday_words(first)}"]
    words += [f"{days[on]:,} more by {weekday_words(on)}" for on in near[1:_SHOWN]]
    if left := sum(days[on] for on in near[_SHOWN:]):
        words.append(f"{left:,} more in the days up to {weekday_words(near[-1])}")
    return f"{', '.join(words)}."


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
    respond_by_on: date | None
    """None for a row of a kind that has no such date."""
    where: RowRef | None
    """None: no workbook has it any more."""
    wait: Wait | None
    """None: a run stopped before its turn, and it never had to wait."""
    today: date
    working_days_left: int | None
    owner: str
    is_put_first: bool

    @property
    def days_left(self) -> int | None:
        """Count the days until respond by; None where there is no such date."""
        on = self.respond_by_on
        return None if on is None else (on - self.today).days

    @property
    def title(self) -> str:
        """Name the row and its turn, as a line of a list."""
        name = one_line(self.entry.content.name, limit=50)
        return f"{self.turn:>5}.  {one_line(self.entry.marker, limit=40)} ({name})"

    def as_json(self) -> dict[str, Any]:
        """Say where it stands, and until which day."""
        wait, where = self.wait, self.where
        return {
            "turn": where and self.turn,
            "sheet": where and where.sheet,
            "row": where and where.row,
            "reference": self.entry.marker,
            "name": self.entry.content.name,
            "batch": self.entry.batch,
            "owner": self.owner,
            "respond_by": self.respond_by_on,
            "days_left": self.days_left,
            "working_days_left": self.working_days_left,
            "warning": self.deadline(),
            "waits_since": wait and wait.since_at,
            "refused_at": wait and wait.refused_at,
            "why": self.why(),
            "put_first": self.is_put_first,
            "project_id": self.entry.project_id,
        }

    def deadline(self) -> str:
        """Say by when a token must come; nothing while that is far."""
        on = self.respond_by_on
        return "" if on is None else deadline_words(on, today=self.today)

    def left(self) -> str:
        """Say how many days are left; nothing for a row without a date."""
        if self.days_left is None or self.working_days_left is None:
            return ""
        if self.days_left < 0:
            return f"passed {counted(-self.days_left, 'day')} ago"
        if self.days_left == 0:
            return "today"
        working = counted(self.working_days_left, "working day")
        return f"{working} left ({counted(self.days_left, 'day')})"

    @property
    def reason(self) -> str:
        """Say why it waits, in the words that all such rows have."""
        if self.wait is None:
            return "its turn has not come"
        is_refused = self.wait.refused_at is not None
        return "no token was left" if is_refused else "the run had no token for it"

    def why(self) -> str:
        """Say why it waits, and when the service last refused it."""
        at = None if self.wait is None else self.wait.refused_at
        return f"no token at {moment_words(at)}" if at else self.reason

    def age(self, now: datetime) -> str:
        """Say how long it has waited; nothing where it never had to."""
        if self.wait is None:
            return ""
        minutes = max(0, int((now - self.wait.since_at).total_seconds() // 60))
        if minutes < 60:
            return counted(minutes, "minute") if minutes else "less than a minute"
        hours = minutes // 60
        return counted(hours, "hour") if hours < 48 else counted(hours // 24, "day")


def tokens_so_far(turns_in: Iterable[str]) -> list[int]:
    """Give the tokens taken before the first row, and up to each."""
    before, taken = Counter[str](), [0]
    for turns in turns_in:
        taken.append(taken[-1] + (not turns or before[turns] % 2 == 0))
        before[turns] += 1
    return taken


def with_days(entries: Iterable[Entry]) -> list[tuple[Entry, date]]:
    """Give the rows that have a day to respond by, each with it."""
    rows = ((entry, entry.content.respond_by_on) for entry in entries)
    return [(entry, on) for entry, on in rows if on is not None]


def in_order(rows: Iterable[Entry], *, first: Sequence[RowKey] = ()) -> list[Entry]:
    """Put rows in the order in which they are sent.

    Rows of `first` go first, in that order; the others by their urgency, equal ones as
    they stand.
    """
    places = {key: place for place, key in enumerate(first)}
    last = len(places)
    return sorted(rows, key=lambda row: (places.get(row.key, last), *urgency(row)))


def urgency(entry: Entry) -> tuple[float, date, int]:
    """Give the sort key of a row: priority, respond by, order in the sheet."""
    content = entry.content
    order = math.inf if content.priority_order is None else content.priority_order
    return (order, content.respond_by_on or date.max, entry.position)
