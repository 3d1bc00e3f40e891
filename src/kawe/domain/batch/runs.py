"""The history of a journal: which runs took place, and how each ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any, Final

from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.entries import BatchName
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.texts import one_line

SUBMIT: Final = "submit"
_NO_END: Final = (
    "its end is not known: it goes on, was stopped, or an older kawe made it"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOfRun:
    """How the rows of a batch stood when a run of it ended."""

    at: datetime
    who: str
    """The account or author that ran it."""
    counts: Mapping[Outcome, int]
    tokens: int
    """The sends that took a token, or may have; 0 for a sandbox."""

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

    @property
    def at(self) -> datetime:
        """Give the last instant that is known of it."""
        return self.began_at if self.end is None else self.end.at

    @property
    def name(self) -> str:
        """Give the workbook's name, without folders."""
        # Of another computer's path, too.
        return PurePath(self.workbook.replace("\\", "/")).name

    def lines(self) -> tuple[str, str]:
        """Say in two lines what ran and what came of it."""
        what = "" if self.command == SUBMIT else f"{self.command} of "
        who = f", by {one_line(self.end.who, limit=60)}" if self.end else ""
        name = one_line(self.name, limit=80)
        return (
            f"{moment_words(self.at)}: {what}{name}, batch {self.batch}{who}",
            f"    {_NO_END if self.end is None else self.end.words}",
        )

    def as_json(self) -> dict[str, Any]:
        """Give the run for JSON documents."""
        end = self.end
        return {
            "batch": self.batch,
            "command": self.command,
            "workbook": self.name,
            "began_at": self.began_at.isoformat(),
            "ended_at": None if end is None else end.at.isoformat(),
            "who": None if end is None else end.who,
            "rows": None if end is None else sum(end.counts.values()),
            "counts": None
            if end is None
            else {outcome.value: n for outcome, n in end.counts.items()},
            "tokens": None if end is None else end.tokens,
        }
