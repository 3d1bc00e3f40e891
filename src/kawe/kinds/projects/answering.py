"""Whether iwi can answer by the day that a row gives them.

A day on which nobody works is a warning and never an error: the service takes
it, and an emergency may need it.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from kawe.domain.sheet.content import ProjectContent
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import short_day_words
from kawe.kinds.projects.rules import Breach
from kawe.ports import WorkingDays

_ONE_DAY: Final = timedelta(days=1)
# The longest way to a working day leads through the summer break.
_LONGEST_BREAK_DAYS: Final = 30


def respond_by_breach(
    content: ProjectContent, *, today: date, days: WorkingDays
) -> Breach | None:
    """Warn of a day to respond by on which nobody works.

    A day that has gone by already has its own warning.
    """
    on = content.respond_by_on
    day_off = days.day_off(on) if on >= today else None
    if day_off is None:
        return None
    return Breach(
        field="respond_by_date",
        severity=Severity.WARNING,
        rule="respond-by-day-off",
        message=f"Respond by ({short_day_words(on)}) is {day_off}; until then "
        f"{_left(days.until(on, today=today), days)} from today.",
        advice=_advice(content, today=today, days=days),
    )


def _left(count: int, days: WorkingDays) -> str:
    # Without the extra, the count is of days that are no weekend and no summer.
    rest = "" if days.knows_holidays else ", public holidays not counted out,"
    is_left = "is left" if count == 1 else "are left"
    return f"{counted(count, 'working day')}{rest} {is_left}"


def _advice(content: ProjectContent, *, today: date, days: WorkingDays) -> str:
    """Offer the next working day, or the one before where the project ends."""
    on = content.respond_by_on
    after = _nearest(on, step=_ONE_DAY, days=days)
    if after is not None and after <= content.end_on:
        return f"Choose a working day, such as {short_day_words(after)}."
    before = _nearest(on, step=-_ONE_DAY, days=days)
    if before is not None and before > today:
        return f"Choose a working day, such as {short_day_words(before)}."
    return "Choose a working day, and a later end date."


def _nearest(on: date, *, step: timedelta, days: WorkingDays) -> date | None:
    for _ in range(_LONGEST_BREAK_DAYS):
        on += step
        if days.day_off(on) is None:
            return on
    return None
