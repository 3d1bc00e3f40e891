"""Rules about the days of a project: each broken one names one of them."""

from collections.abc import Collection, Iterator
from datetime import date, timedelta
from typing import Final, TypeAlias

from kawe.domain.sheet.findings import DATE_PAST, Severity
from kawe.domain.text.new_zealand import A_YEAR, short_day_words
from kawe.domain.text.texts import counted
from kawe.flows.checked_rows import Breach, CheckContext
from kawe.ports import WorkingDays

Dates: TypeAlias = tuple[date | None, date | None, date | None]
"""When a project starts and ends, and by when iwi respond."""
DAYS: Final = ("start_date", "end_date", "respond_by_date")
_ONE_DAY: Final = timedelta(days=1)
# The longest way to a working day leads through the summer break.
_LONGEST_BREAK_DAYS: Final = 30
# A resource consent lasts 35 years at most.
_LONGEST_YEARS: Final = 40


def day_breaches(
    dates: Dates, context: CheckContext, *, changed: Collection[str] = DAYS
) -> Iterator[Breach]:
    """Check the days of a project; one that cannot be read breaks no rule.

    Of a project that is there already, only what is `changed` is wrong.
    """
    today, days = context.today, context.working_days
    for each in (
        *_order_breaches(dates, changed),
        *_year_breaches(dates, today),
        *_respond_by_breaches(dates, today=today, days=days),
    ):
        if each.field in changed:
            yield each


def _year_breaches(dates: Dates, today: date) -> Iterator[Breach]:
    words = "The start date", "The end date", "Respond by"
    for name, on, what in reversed([*zip(DAYS, dates, words, strict=True)]):
        years = 0 if on is None else abs(on.year - today.year)
        is_far = years > _LONGEST_YEARS and name != DAYS[2]
        if on and (is_far or (on < today and name != DAYS[0])):
            when = f"{years} years from now" if is_far else "in the past"
            yield Breach(
                field=name,
                severity=Severity.WARNING,
                rule="date-far" if is_far else DATE_PAST,
                message=f"{what} ({short_day_words(on)}) is {when}.",
                advice="Check the year.",
            )


def _order_breaches(dates: Dates, changed: Collection[str]) -> Iterator[Breach]:
    start, end, respond_by = dates
    begins, answers = (e if e in changed else "end_date" for e in (DAYS[0], DAYS[2]))
    if respond_by and end and respond_by > end:
        yield Breach(
            field=answers,
            rule="respond-by-after-end",
            message=f"Respond by ({short_day_words(respond_by)}) is after "
            f"the end date ({short_day_words(end)}).",
            advice="Iwi must be able to respond before the project ends: choose an "
            "earlier respond-by date or a later end date.",
        )
    if start and end and start > end:
        yield Breach(
            field=begins,
            severity=Severity.WARNING,
            rule="start-after-end",
            message=f"The start date ({short_day_words(start)}) is after "
            f"the end date ({short_day_words(end)}).",
            advice="Look whether the two were swapped.",
        )


def _respond_by_breaches(
    dates: Dates, *, today: date, days: WorkingDays
) -> Iterator[Breach]:
    """Warn of a day to respond by that cannot be meant, or on which nobody works.

    The service takes it, and an emergency may need it. A day that has gone by
    already has its own warning.
    """
    begins, end, on = dates
    # Of works that begin so late too, the whole batch says it in one line; a day after
    # the end is an error already.
    is_far = on and begins and on > max(today, begins) + A_YEAR
    if on and is_far and not (end and on > end):
        yield Breach(
            field="respond_by_date",
            severity=Severity.WARNING,
            rule="respond-by-far-away",
            message=f"Respond by ({short_day_words(on)}) is more than a year away: "
            f"{(on - today).days / 365.25:.1f} years from today.",
            advice="Check the year.",
        )
        return
    day_off = days.day_off(on) if on and on >= today else None
    if on is None or day_off is None:
        return
    yield Breach(
        field="respond_by_date",
        severity=Severity.WARNING,
        rule="respond-by-day-off",
        message=f"Respond by ({short_day_words(on)}) is {day_off}; until then "
        f"{_left(days.until(on, today=today), days)} from today.",
        advice=_advice(on, end=end, today=today, days=days),
    )


def _left(count: int, days: WorkingDays) -> str:
    # Without the extra, the count is of days that are no weekend and no summer.
    rest = "" if days.knows_holidays else ", public holidays not counted out,"
    is_left = "is left" if count == 1 else "are left"
    return f"{counted(count, 'working day')}{rest} {is_left}"


def _advice(on: date, *, end: date | None, today: date, days: WorkingDays) -> str:
    """Offer the next working day, or the one before where the project ends."""
    after = _nearest(on, step=_ONE_DAY, days=days)
    if after is not None and (end is None or after <= end):
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
