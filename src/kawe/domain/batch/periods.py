"""Several batches over some days: how their rows stand, by month and by batch."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.runs import tokens_words
from kawe.domain.rows.entries import BatchName
from kawe.domain.service.states import State
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import counted, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Days in New Zealand; both ends are in it."""

    since_on: date
    until_on: date

    def __str__(self) -> str:
        return f"{day_words(self.since_on)} to {day_words(self.until_on)}"

    def has(self, at: datetime) -> bool:
        return self.since_on <= day_in_new_zealand(at) <= self.until_on

    def months(self) -> Iterator[str]:
        """Name each month that it touches, such as 2026-11, the earliest first."""
        first = self.since_on.year * 12 + self.since_on.month - 1
        last = self.until_on.year * 12 + self.until_on.month - 1
        for month in range(first, last + 1):
            yield f"{month // 12:04}-{month % 12 + 1:02}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsOfHour:
    """Rows of one batch that were sent, or came to stand as they do, in one hour."""

    batch: BatchName
    state: State
    at: datetime
    iwi: tuple[str, ...] | None
    """Those that the service says it told; None: it has not said so."""
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodLine:
    """The rows of one month, or of one batch."""

    label: str
    counts: Counter[Outcome]
    tokens: int
    """The sends and acts that took a token, or may have, as the runs have it."""
    is_at_most: bool
    """Fewer may have: no answer says whether an act did."""

    @property
    def tokens_words(self) -> str:
        return tokens_words(self.tokens, is_at_most=self.is_at_most)

    @property
    def rows(self) -> int:
        return self.counts.total()

    def as_json(self) -> dict[str, Any]:
        return {
            "rows": self.counts.total(),
            "counts": {outcome.value: n for outcome, n in self.counts.items()},
            "tokens": self.tokens,
            "tokens_at_most": self.is_at_most,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodReport:
    """What became of the rows of a period."""

    period: Period
    written_at: datetime
    team: str
    mode: str
    """live or sandbox."""
    months: tuple[PeriodLine, ...]
    """From the first with rows or tokens to the last; called 2026-11."""
    batches: tuple[PeriodLine, ...]
    """Those that have rows in the period, the latest read last."""
    iwi: tuple[tuple[str, int], ...]
    """How many projects were sent to each iwi, the most first."""

    @property
    def counts(self) -> Counter[Outcome]:
        return sum((each.counts for each in self.months), Counter())

    def lines(self) -> Iterator[str]:
        """Say how the rows of each month stand."""
        yield f"{self.period}, {one_line(self.team)}, {self.mode}:"
        for month in self.months:
            counts = ((each, month.counts[each]) for each in Outcome)
            said = (f"{n:,} {outcome.value}" for outcome, n in counts if n)
            rows = f"{counted(month.rows, 'row')}: {', '.join(said) or 'none'}"
            yield f"{month.label}  {rows}; {month.tokens_words}"
        if self.total.is_at_most:
            yield f"{Next.AUDIT} to see which responses used a token."
        if not self.months:
            yield "No row was sent, or came to stand as it does, in this period."

    @property
    def total(self) -> PeriodLine:
        return PeriodLine(
            label="In all",
            counts=self.counts,
            tokens=sum(each.tokens for each in self.months),
            is_at_most=any(each.is_at_most for each in self.months),
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "since": self.period.since_on.isoformat(),
            "until": self.period.until_on.isoformat(),
            "team": self.team,
            "mode": self.mode,
            **self.total.as_json(),
            "months": [{"month": e.label, **e.as_json()} for e in self.months],
            "batches": [{"batch": e.label, **e.as_json()} for e in self.batches],
            "iwi": [{"name": name, "projects": n} for name, n in self.iwi],
        }
