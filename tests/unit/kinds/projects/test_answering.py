from dataclasses import dataclass, replace
from datetime import date

import pytest

from doubles.rows import project
from doubles.sheets import WeekdaysOnly, check_context
from kawe.domain.sheet.findings import Severity
from kawe.flows.check.days import day_breaches
from kawe.flows.checked_rows import Breach

FRIDAY = date(2026, 11, 20)


@dataclass
class NoHolidays(WeekdaysOnly):
    knows_holidays: bool = False


def _breach(respond_by_on, *, end_on=date(2030, 9, 30), today=FRIDAY, days=None):
    """Give what is wrong with the day itself."""
    days = days or WeekdaysOnly()
    context = replace(check_context(), today=today, working_days=days)
    found = day_breaches((project(1).start_on, end_on, respond_by_on), context)
    return next((e for e in found if e.rule.startswith("respond-by")), None)


def test_a_day_off_is_told_with_the_working_days_left_and_the_next_one():
    assert _breach(date(2026, 11, 28)) == Breach(
        field="respond_by_date",
        severity=Severity.WARNING,
        rule="respond-by-day-off",
        message="Respond by (28 Nov 2026) is a Saturday or Sunday; until then 5 "
        "working days are left from today.",
        advice="Choose a working day, such as 30 Nov 2026.",
    )


def test_one_working_day_is_one():
    breach = _breach(date(2026, 11, 28), today=date(2026, 11, 26))
    assert "1 working day is left" in breach.message


def test_a_count_without_public_holidays_says_so():
    breach = _breach(date(2026, 11, 28), days=NoHolidays())
    assert "5 working days, public holidays not counted out, are left" in breach.message


def test_where_the_project_ends_the_working_day_before_is_offered():
    breach = _breach(date(2026, 11, 28), end_on=date(2026, 11, 29))
    assert breach.advice == "Choose a working day, such as 27 Nov 2026."


def test_where_no_working_day_is_left_the_end_date_is_too_early():
    breach = _breach(date(2026, 11, 22), end_on=date(2026, 11, 22))
    assert breach.advice == "Choose a working day, and a later end date."


@pytest.mark.parametrize("on", [date(2026, 11, 15), date(2026, 11, 27)])
def test_days_gone_by_and_working_days_are_no_matter(on):
    assert _breach(on) is None


class NeverAtWork(WeekdaysOnly):
    """A calendar without a working day."""

    def day_off(self, on):
        return f"day {on.toordinal()} off"


def test_a_calendar_without_working_days_offers_none():
    breach = _breach(date(2026, 11, 28), days=NeverAtWork())
    assert breach.advice == "Choose a working day, and a later end date."
