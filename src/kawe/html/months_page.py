"""The page of several batches over a period: a plot, the months, iwi and batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from kawe.domain.batch.explaining import OUTCOMES
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.periods import PeriodLine, PeriodReport
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.html.charts import LOOKS, bars, plot
from kawe.html.rendering import render

_MOST_IWI: Final = 30
_LABELS: Final = 12


def months_page(report: PeriodReport) -> str:
    """Give the page as HTML."""
    counts = report.counts
    outcomes = [each for each in OUTCOMES if counts[each]]
    sent = counted(counts[Outcome.SENT], "project was", "projects were")
    return render(
        "months.html",
        report=report,
        since=report.period.since_on,
        until=report.period.until_on,
        headline=f"{sent} sent, with {counted(report.tokens, 'token')}.",
        looks={each: LOOKS[each] for each in outcomes},
        months=[
            replace(each, label=_month_words(each.label)) for each in report.months
        ],
        total=PeriodLine(label="In all", counts=counts, tokens=report.tokens),
        plot=plot(_columns(report, outcomes)),
        iwi=bars([(one_line(name), n) for name, n in report.iwi[:_MOST_IWI]]),
        more_iwi=max(len(report.iwi) - _MOST_IWI, 0),
    )


def _columns(
    report: PeriodReport, outcomes: Sequence[Outcome]
) -> Sequence[tuple[str, Sequence[tuple[str, int]]]]:
    """Give the plot's months; of very many, only some are named."""
    apart = len(report.months) // _LABELS + 1
    return [
        (
            _month_words(month.label, short=True) if at % apart == 0 else "",
            [(LOOKS[each].tone, month.counts[each]) for each in outcomes],
        )
        for at, month in enumerate(report.months)
    ]


def _month_words(label: str, *, short: bool = False) -> str:
    first = date.fromisoformat(f"{label}-01")
    return f"{first:%b %Y}" if short else f"{first:%B %Y}"
