"""Which runs took place, what the log tells of them, and whether one is missing."""

import calendar
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import PurePath
from typing import Any, ClassVar, Final

from kawe.domain.batch.outcomes import GOES_ON, BatchReport, Outcome
from kawe.domain.rows.entries import Batch, BatchName
from kawe.domain.sheet.content import values_of
from kawe.domain.text.new_zealand import NEW_ZEALAND, day_words, moment_words
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import counted, one_line

SUBMIT: Final = "submit"
RELEASE: Final = "release"
_NO_END: Final = "its end is not known: it goes on, or was killed"
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


def tokens_words(tokens: int, *, is_at_most: bool) -> str:
    return f"{'at most ' if is_at_most else ''}{counted(tokens, 'token')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOfRun:
    """How the rows of a batch stood when a run of it ended."""

    at: datetime
    counts: Mapping[Outcome, int]
    """Empty: it stopped before it began."""
    tokens: int
    """The sends and acts that took a token, or may have; 0 for a sandbox."""
    exit_code: int | None = None
    """The code that the rows of the batch gave; None: an older kawe ran it."""

    @property
    def words(self) -> str:
        """Say what came of the run; without any row, it never began."""
        if not self.counts:
            return "stopped before anything was begun"
        rows = counted(sum(self.counts.values()), "row")
        each = ", ".join(f"{n:,} {outcome}" for outcome, n in self.counts.items() if n)
        tokens = tokens_words(self.tokens, is_at_most=self.is_at_most)
        return f"{rows}: {each or 'none'}; {tokens if self.tokens else 'no token'}"

    @property
    def is_at_most(self) -> bool:
        """Say whether it may have taken fewer: no answer says that an act took one."""
        is_doubtful = self.tokens and self.counts.get(Outcome.IN_DOUBT)
        return bool(is_doubtful) or self.tokens > self.counts.get(Outcome.SENT, 0)


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
    begun: int = 0
    """Of a run without an end: sends and acts that took a token, or may have."""

    @property
    def tokens(self) -> int:
        return self.begun if self.end is None else self.end.tokens

    @property
    def is_at_most(self) -> bool:
        """Say whether it may have taken fewer."""
        return bool(self.tokens) if self.end is None else self.end.is_at_most

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
        # Of another computer's path, too.
        return PurePath(self.workbook.replace("\\", "/")).name

    def lines(self) -> tuple[str, str]:
        """Say in two lines what ran and what came of it."""
        what = "" if self.command == SUBMIT else f"{self.command} of "
        who = f", by {one_line(self.by.who, limit=60)}" if self.by.who else ""
        name = one_line(self.name, limit=80)
        return (
            f"{moment_words(self.at)}: {what}{name}, batch {self.batch}{who}",
            f"    {'; '.join((self.came_to, *self._named()))}",
        )

    @property
    def came_to(self) -> str:
        """Say what came of it."""
        if self.end is not None:
            return self.end.words
        tokens = tokens_words(self.tokens, is_at_most=self.is_at_most)
        return f"{_NO_END}; {tokens}" if self.tokens else _NO_END

    def _named(self) -> Iterator[str]:
        if self.by.id and self.end is not None:
            yield f"{self.seconds:,} s, code {self.end.exit_code}"
        if self.by.id:
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
            "tokens_at_most": self.is_at_most,
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
        Coming(turn=turn, batch=batch.name, left=sum(counts[e] for e in GOES_ON))
        for batch, report in known
        for counts in [report.counts()]
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
    return day if every is Every.DAILY else day - timedelta(days=day.weekday())


def _due(every: Every, begins_on: date, *, by: int) -> date:
    if every is Every.DAILY:
        return begins_on
    if every is Every.MONTHLY:
        last = calendar.monthrange(begins_on.year, begins_on.month)[1]
        return begins_on.replace(day=min(by, last))
    return begins_on + timedelta(days=min(by, 7) - 1)


def _told(means: str) -> Any:  # noqa: ANN401 - a field's default
    return field(metadata={"means": means})


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRecord:
    """One record; a log line has its fields beside those that every line has."""

    WHAT: ClassVar[str] = ""

    def extra(self) -> dict[str, Any]:
        return {"fields": values_of(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBegun(LogRecord):
    """A command begins."""

    WHAT: ClassVar[str] = "run.begun"
    version: str = _told("version of kawe")
    command: str = _told("the command; empty where it is no command of kawe")
    process: int = _told("number of the process")


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfRow(LogRecord):
    batch: str = _told("the batch of the row")
    row: str = _told("its key: `ref:` and the reference, or a hash")
    sheet: str | None = _told("the sheet that the row was read from; null: not known")
    sheet_row: int | None = _told("its number there, as Excel shows it")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowActed(_OfRow):
    """An act for one row has ended, and the journal has it."""

    WHAT: ClassVar[str] = "row.act"
    step: str = _told("`create`, `update`, `send`, `invite`, `upload`, …")
    attempt: int | None = _told("1 for the first try of this step; null for an upload")
    outcome: str = _told(
        "`done`, `not-done`, or `unknown` where the answer was lost or unclear"
    )
    http_status: int | None = _told("the status of the answer; null: none")
    state: str = _told("[where the row stands](../journal.md#where-a-row-stands) now")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowMoved(_OfRow):
    """A row moved without an act: a doubt was settled, it waits, it is held."""

    WHAT: ClassVar[str] = "row.moved"
    came_from: str = _told("where the row stood")
    state: str = _told("[where the row stands](../journal.md#where-a-row-stands) now")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded(LogRecord):
    """A command has ended, whatever ended it, but for a kill."""

    WHAT: ClassVar[str] = "run.ended"
    command: str = _told("as in `run.begun`")
    exit_code: int = _told("[exit code](../exit-codes.md)")
    trouble: str | None = _told("the kind of error that ended it; null: none")
    batches: Mapping[str, Mapping[str, int]] = _told(
        "rows by outcome, of each batch that it reports; a check has the batch “”"
    )
    mode: str | None = _told("`live` or `sandbox`, as the key says; null: neither")
    team: str | None = _told("the team; null: the command did not learn it")
    acts: Mapping[str, int] = _told("acts by outcome, of all rows")
    timing: Mapping[str, Any] = _told("`began_at` and `seconds`")
    requests: Mapping[str, int] = _told(
        "`made`, `lost` (no whole answer), `retries`, `sent_bytes`, `received_bytes`"
    )
    limits: Mapping[str, float] = _told(
        "`refused` (answers 429) and `waited_seconds` for the rate limit"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkPlace:
    """The folder of work of one profile, as all hosts know it."""

    profile: str
    account: str
    """Names the account: it has one run at a time."""
    watch_minutes: int = 0
    """0: nobody watches."""

    @property
    def queue(self) -> str:
        # A channel of PostgreSQL has no room for a long name.
        return sha256(self.profile.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreedRun:
    """A plan that somebody agreed to, for a host to carry out."""

    name: str
    """Its own, and that of its folder; empty: it was not put."""
    profile: str
    workbook: str
    plan: str
    """The SHA-256 of the plan's file."""
    agreed: int
    put_by: str
    act: str = "send"
    """What was agreed to, in a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRun:
    """How an agreed run stands."""

    name: str
    workbook: str
    agreed: int
    act: str
    put_by: str
    put_at: datetime
    state: str
    code: int | None
    words: str

    @property
    def is_over(self) -> bool:
        return self.state in {"ended", "failed"}

    def is_called(self, name: str) -> bool:
        return name in {self.name, self.workbook, PurePath(self.workbook).stem}
