"""Several batches over some days, by month and by batch, from the journal alone."""

from collections import Counter
from datetime import datetime

from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.batch.periods import Period, PeriodLine, PeriodReport, RowsOfHour
from kawe.domain.rows.entries import BatchName
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.flows.naming_iwi import iwi_of
from kawe.ports import Journal


class _Counting:
    """Counts by month and by batch, and what went to each iwi."""

    def __init__(self) -> None:
        self.rows: dict[str, Counter[Outcome]] = {}
        self.tokens: Counter[str] = Counter()
        self.at_most: set[str] = set()
        self.went_to: Counter[str] = Counter()
        self.untold: set[BatchName] = set()

    def add(self, of: RowsOfHour) -> None:
        outcome = outcome_of(of.state)
        for label in _labels(of.batch, of.at):
            self.rows.setdefault(label, Counter())[outcome] += of.rows
        if outcome is Outcome.SENT and of.iwi is None:
            self.untold.add(of.batch)
        elif outcome is Outcome.SENT:
            self.went_to.update(dict.fromkeys(of.iwi or (), of.rows))

    def line(self, key: str, label: str) -> PeriodLine:
        counts = self.rows.get(key, Counter())
        tokens, most = self.tokens[key], key in self.at_most
        return PeriodLine(label=label, counts=counts, tokens=tokens, is_at_most=most)


async def report_period(
    period: Period, *, journal: Journal, written_at: datetime
) -> PeriodReport:
    """Count the rows that were sent, or came to stand so, in a period."""
    counting = _Counting()
    batches = await journal.batches()
    for each in await journal.hours():
        if period.has(each.at):
            counting.add(each)
    for name in counting.untold:
        counting.went_to.update(await _untold(name, period, journal=journal))
    for run in await journal.runs():
        if period.has(run.at):
            labels = _labels(run.batch, run.at)
            counting.tokens.update(dict.fromkeys(labels, run.tokens))
            counting.at_most.update(labels if run.is_at_most else ())
    binding = await journal.binding()
    months = [counting.line(each, each) for each in period.months()]
    busy = [at for at, month in enumerate(months) if month.counts or month.tokens]
    return PeriodReport(
        period=period,
        written_at=written_at,
        team="" if binding is None else binding.team_name,
        mode="" if binding is None else binding.mode,
        months=(tuple(months[busy[0] : busy[-1] + 1]) if busy else ()),
        batches=tuple(
            counting.line(_of_batch(batch.name), batch.name)
            for batch in batches
            if _of_batch(batch.name) in counting.rows
        ),
        iwi=tuple(sorted(counting.went_to.items(), key=lambda e: (-e[1], e[0]))),
    )


async def _untold(
    batch: BatchName, period: Period, *, journal: Journal
) -> Counter[str]:
    """Count the iwi that rows were meant for of which the service has told nobody."""
    entries = await journal.entries(batch)
    keys = [e.key for e in entries if outcome_of(e.state) is Outcome.SENT]
    told, sent_at = await journal.sent_to(keys), await journal.sent_at(keys)
    there = {key for key, at in sent_at.items() if period.has(at)} - told.keys()
    iwi = await iwi_of((e for e in entries if e.key in there), journal=journal)
    return Counter(name for names in iwi.values() for name in set(names))


def _labels(batch: BatchName, at: datetime) -> tuple[str, str]:
    return f"{day_in_new_zealand(at):%Y-%m}", _of_batch(batch)


def _of_batch(batch: BatchName) -> str:
    return f"batch {batch}"
