"""Which runs took place and how each ended, and whether an expected one did."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Any, Final

from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.rows.entries import Batch, BatchName
from kawe.domain.text.new_zealand import NEW_ZEALAND, day_words, moment_words
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import counted, one_line

SUBMIT: Final = "submit"
RELEASE: Final = "release"
_NO_END: Final = (
    "its end is not known: it goes on, was stopped, or an older kawe made it"
)
_NOT_ENDED: Final = "not ended: it goes on, or was killed"
# Without letters and digits that look alike.
_LETTERS: Final = "abcdefghkmnpqrstuvwxyz23456789"


def run_id(at: datetime, *, choose: Callable[[str], str]) -> str:
    """Make the id of a run that begins at `at`: 20261122-1015-k3fw, in NZ time."""
    ending = "".join(choose(_LETTERS) for _ in range(4))
    return f"{at.astimezone(NEW_ZEALAND):%Y%m%d-%H%M}-{ending}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunName:
    """Which run it is, and who runs it."""

    id: str = ""
    """As in the log; empty: an older kawe ran it, or it has none."""
    who: str = ""
    """The account or author; empty: not known."""


NO_NAME: Final = RunName()
"""Of a run that has no id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOfRun:
    """How the rows of a batch stood when a run of it ended."""

    at: datetime
    counts: Mapping[Outcome, int]
    tokens: int
    """The sends that took a token, or may have; 0 for a sandbox."""
    exit_code: int | None = None
    """The code that the rows of the batch gave; None: an older kawe ran it."""

    @property
    def words(self) -> str:
        """Say what came of the run."""
        rows = counted(sum(self.counts.values()), "row")
        each = ", ".join(f"{n:,} {outcome}" for outcome, n in self.counts.items() if n)
        is_doubtful = self.counts.get(Outcome.IN_DOUBT)
        is_more = self.tokens > self.counts.get(Outcome.SENT, 0)
        most = "at most " if is_doubtful or is_more else ""
        tokens = f"{most}{counted(self.tokens, 'token')}" if self.tokens else "no token"
        return f"{rows}: {each or 'none'}; {tokens}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One run of a batch."""

    batch: BatchName
    command: str
    """submit or release."""
    workbook: str
    """Path of the workbook of the batch."""
    began_at: datetime
    end: EndOfRun | None = None
    """None: nobody wrote an end down."""
    by: RunName = NO_NAME
    sends_begun: int = 0
    """Of a run without an end: sends that took a token, or may have."""

    @property
    def tokens(self) -> int:
        return self.sends_begun if self.end is None else self.end.tokens

    @property
    def seconds(self) -> int | None:
        """Give how long it took; None: not known."""
        if self.end is None or not self.by.id:
            return None
        return round((self.end.at - self.began_at).total_seconds())

    @property
    def at(self) -> datetime:
        return self.began_at if self.end is None else self.end.at

    @property
    def name(self) -> str:
        """Give the workbook's name, without folders."""
        # Of another computer's path, too.
        return PurePath(self.workbook.replace("\\", "/")).name

    def lines(self) -> tuple[str, str]:
        """Say in two lines what ran and what came of it."""
        what = "" if self.command == SUBMIT else f"{self.command} of "
        who = f", by {one_line(self.by.who, limit=60)}" if self.by.who else ""
        name = one_line(self.name, limit=80)
        return (
            f"{moment_words(self.at)}: {what}{name}, batch {self.batch}{who}",
            f"    {'; '.join(self._came_to())}",
        )

    def _came_to(self) -> Iterator[str]:
        end, is_named = self.end, bool(self.by.id)
        if end is None:
            yield _NOT_ENDED if is_named else _NO_END
            if self.tokens:
                yield f"at most {counted(self.tokens, 'token')}"
        else:
            yield end.words
        if end is not None and is_named:
            yield f"{self.seconds:,} s, code {end.exit_code}"
        if is_named:
            yield f"run {self.by.id}"

    def as_json(self) -> dict[str, Any]:
        """Give the run for JSON documents."""
        end = self.end
        by_outcome = end and {outcome.value: n for outcome, n in end.counts.items()}
        return {
            "run": self.by.id or None,
            "batch": self.batch,
            "command": self.command,
            "workbook": self.name,
            "began_at": self.began_at.isoformat(),
            "ended_at": end and end.at.isoformat(),
            "who": self.by.who or None,
            "rows": end and sum(end.counts.values()),
            "counts": by_outcome,
            "tokens": self.tokens if end or self.by.id else None,
            "exit_code": end and end.exit_code,
            "seconds": self.seconds,
        }


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
            f"{day_words(turn.begins_on)}.{due} Run it now "
            f"({Next.SUBMIT('WORKBOOK')}), and look at why it did not run by itself."
        )
    if found.is_missed:
        return (
            f"NOT FINISHED: {turn.words}. Batch {name} was begun, and "
            f"{counted(found.left, 'row of it was', 'rows of it were')} not reached or "
            f"{'is' if found.left == 1 else 'are'} in doubt. {Next.AGAIN}; nothing "
            "is lost."
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
