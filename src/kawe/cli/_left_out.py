"""Rows that a run was told to leave out: what is said of them, and the exit code."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

from kawe.domain.counts import counted
from kawe.domain.outcomes import BatchReport, Outcome, RowReport, count
from kawe.domain.plans import Plan
from kawe.domain.refs import RowRef
from kawe.flows.counting import acted_on

_STILL_TO_GO: Final = frozenset(
    {Outcome.UNFINISHED, Outcome.DRAFTED, Outcome.DEFERRED, Outcome.IN_DOUBT}
)
_WAYS: Final = {
    "--canary": "Run the same command without --canary, and it goes.",
    "--only": "Run the same command without --only, and it goes.",
    "": "It is not part of the plan: make a new plan for it.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """The rows with work to do that a run leaves as they are."""

    places: frozenset[RowRef] = field(default=frozenset(), repr=False)
    why: str = ""
    """The option that leaves them out; empty: they are not part of a saved plan."""

    @property
    def is_canary(self) -> bool:
        """Say whether the run was to stop before these rows."""
        return self.why == "--canary" and bool(self.places)

    def told(self, report: BatchReport) -> BatchReport:
        """Say in a report which rows were left out, and how they go on."""
        if not self.places:
            return report
        return replace(
            report,
            rows=tuple(self._told(row) for row in report.rows),
            remarks=(self._remark(report), *report.remarks),
        )

    def counts(self, report: BatchReport) -> Counter[Outcome]:
        """Count what the exit code is about: not the rows that were left out."""
        if self.is_canary:
            return report.counts()
        return count(row.outcome for row in report.rows if row.where not in self.places)

    def _told(self, row: RowReport) -> RowReport:
        if row.where not in self.places or row.outcome not in _STILL_TO_GO:
            return row
        return replace(row, what_to_do=f"Left out of this run. {_WAYS[self.why]}")

    def _remark(self, report: BatchReport) -> str:
        left = counted(len(self.places), "row is", "rows are")
        if self.is_canary:
            return (
                f"The canary has ended, and {left} left. Look at what became of the "
                f"first {'one' if _went(report, self) == 1 else 'ones'}, in the portal "
                "as well; then run the same command without --canary."
            )
        if self.why:
            return f"{left} left out of this run by {self.why}."
        return f"{left} not part of the plan, and left alone: make a new plan for them."


def left_out_of(plan: Plan, *, only: str | None, canary: int | None) -> LeftOut:
    """Say which rows with work to do a plan leaves out, and why."""
    whole = replace(plan, left_out=frozenset())
    keys = {entry.key for entry in acted_on(whole)} & plan.left_out
    why = "--only" if only is not None else ""
    return LeftOut(
        places=frozenset(line.where for line in plan.lines if line.row in keys),
        why="--canary" if canary is not None else why,
    )


def _went(report: BatchReport, left: LeftOut) -> int:
    return sum(
        row.where not in left.places and row.outcome is Outcome.SENT
        for row in report.rows
    )
