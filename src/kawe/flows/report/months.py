"""Several batches over a period, by month, from the journal alone.

A row is in the month in which it was sent, or since when it stands as it does; so each
row is counted once, and a month changes only where a row of it moves on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.batch.periods import Period, PeriodLine, PeriodReport
from kawe.domain.rows.entries import BatchName
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.flows.naming_iwi import iwi_of
from kawe.ports import Journal


class _Counting:
    """Counts by month and by batch."""

    def __init__(self) -> None:
        self.rows: dict[str, Counter[Outcome]] = {}
        self.tokens: Counter[str] = Counter()

    def add(self, batch: BatchName, outcome: Outcome, at: datetime) -> None:
        for label in _labels(batch, at):
            self.rows.setdefault(label, Counter())[outcome] += 1

    def line(self, key: str, label: str) -> PeriodLine:
        return PeriodLine(
            label=label,
            counts=self.rows.get(key, Counter()),
            tokens=self.tokens[key],
        )


async def report_period(
    period: Period, *, journal: Journal, written_at: datetime
) -> PeriodReport:
    """Count the rows of every batch that were sent, or came to stand so, in a period.

    Raises:
        JournalError: The journal cannot be read.
    """
    counting = _Counting()
    batches = await journal.batches()
    went_to: Counter[str] = Counter()
    for batch in batches:
        entries = await journal.entries(batch.name)
        sent_at = await journal.sent_at([entry.key for entry in entries])
        sent = []
        for entry in entries:
            at = sent_at.get(entry.key, entry.moved_at)
            outcome = outcome_of(entry.state)
            if period.has(at):
                counting.add(batch.name, outcome, at)
                sent += [entry] if outcome is Outcome.SENT else []
        iwi = await iwi_of(sent, journal=journal)
        went_to.update(name for names in iwi.values() for name in set(names))
    for run in await journal.runs():
        if period.has(run.at):
            for label in _labels(run.batch, run.at):
                counting.tokens[label] += run.tokens
    binding = await journal.binding()
    return PeriodReport(
        period=period,
        written_at=written_at,
        team="" if binding is None else binding.team_name,
        mode="" if binding is None else binding.mode,
        months=_busy([counting.line(each, each) for each in period.months()]),
        batches=tuple(
            counting.line(_of_batch(batch.name), batch.name)
            for batch in batches
            if _of_batch(batch.name) in counting.rows
        ),
        iwi=tuple(sorted(went_to.items(), key=lambda each: (-each[1], each[0]))),
    )


def _busy(months: Sequence[PeriodLine]) -> tuple[PeriodLine, ...]:
    """Leave out what lies before the first month with anything, and after the last."""
    busy = [at for at, month in enumerate(months) if month.counts or month.tokens]
    return tuple(months[busy[0] : busy[-1] + 1]) if busy else ()


def _labels(batch: BatchName, at: datetime) -> tuple[str, str]:
    return f"{day_in_new_zealand(at):%Y-%m}", _of_batch(batch)


def _of_batch(batch: BatchName) -> str:
    return f"batch {batch}"
