"""The history of a journal: which runs took place, and how each ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any, Final

from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.entries import BatchName
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import NEW_ZEALAND, moment_words
from kawe.domain.text.texts import one_line

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
        else:
            yield end.words
        if end is not None and is_named:
            yield f"{self.seconds:,} s, code {end.exit_code}"
        if is_named:
            yield f"run {self.by.id}"

    def as_json(self) -> dict[str, Any]:
        """Give the run for JSON documents."""
        end = self.end
        return {
            "run": self.by.id or None,
            "batch": self.batch,
            "command": self.command,
            "workbook": self.name,
            "began_at": self.began_at.isoformat(),
            "ended_at": None if end is None else end.at.isoformat(),
            "who": self.by.who or None,
            "rows": None if end is None else sum(end.counts.values()),
            "counts": None
            if end is None
            else {outcome.value: n for outcome, n in end.counts.items()},
            "tokens": None if end is None else end.tokens,
            "exit_code": None if end is None else end.exit_code,
            "seconds": self.seconds,
        }
