"""The history of a journal: which runs took place, and how each ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.rows.entries import Batch, BatchName
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.texts import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One run of a batch and how its rows stood at the end."""

    batch: BatchName
    command: str
    """submit or release; empty where no end of the run was written down."""
    who: str
    """The account or author that ran it; empty where not known."""
    workbook: str
    """The workbook's name, without folders."""
    ended_at: datetime
    """Without an end: when the workbook was read."""
    counts: Mapping[Outcome, int]
    tokens: int = 0
    """The sends that took a token, or may have; 0 for a sandbox."""

    @property
    def tokens_words(self) -> str:
        """Say how many tokens it used."""
        if not self.tokens:
            return "no token"
        most = "at most " if self.counts.get(Outcome.IN_DOUBT) else ""
        return most + counted(self.tokens, "token")

    def lines(self) -> tuple[str, str]:
        """Say in two lines what ran and what came of it."""
        verb = "release of " if self.command == "release" else ""
        who = f", by {one_line(self.who, limit=60)}" if self.who else ""
        workbook = one_line(self.workbook, limit=80)
        outcomes = ", ".join(f"{n:,} {outcome}" for outcome, n in self.counts.items())
        ended = self.tokens_words if self.command else "the end of the run is not known"
        rows = counted(sum(self.counts.values()), "row")
        return (
            f"{moment_words(self.ended_at)}: {verb}{workbook}, batch {self.batch}{who}",
            f"    {rows}: {outcomes or 'none'}; {ended}",
        )

    def as_json(self) -> dict[str, Any]:
        """Give the run for JSON documents."""
        return {
            "batch": self.batch,
            "command": self.command or None,
            "who": self.who or None,
            "workbook": self.workbook,
            "at": self.ended_at.isoformat(),
            "rows": sum(self.counts.values()),
            "counts": {outcome.value: n for outcome, n in self.counts.items()},
            "tokens": self.tokens if self.command else None,
        }


def history(
    runs: Sequence[RunRecord], *, known: Iterable[tuple[Batch, BatchReport]]
) -> tuple[RunRecord, ...]:
    """List the runs of the `known` batches, the newest first.

    A batch that was read after its last run ended has one more, whose end nobody wrote
    down: it was killed, or an older kawe made it.
    """
    found: list[RunRecord] = []
    for batch, report in known:
        own = [each for each in runs if each.batch == batch.name]
        found += own
        if not own or own[-1].ended_at < batch.read_at:
            found.append(
                RunRecord(
                    batch=batch.name,
                    command="",
                    who="",
                    workbook=Path(batch.workbook).name,
                    ended_at=batch.read_at,
                    counts=report.counts(),
                )
            )
    return tuple(sorted(found, key=lambda each: each.ended_at, reverse=True))
