from datetime import date

import pytest

from kawe.days import NewZealandDays, public_holidays

WITH = NewZealandDays()
WITHOUT = NewZealandDays(holidays=lambda: None)
TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("on", "is_what"),
    [
        (date(2026, 11, 21), "a Saturday"),
        (date(2026, 11, 22), "a Sunday"),
        (date(2027, 4, 26), "Anzac Day (observed)"),
        (date(2026, 7, 10), "Matariki"),
        (date(2026, 12, 25), "Christmas Day"),
        (date(2026, 12, 21), "in the summer break, 20 December to 10 January"),
        (date(2028, 1, 10), "in the summer break, 20 December to 10 January"),
    ],
)
def test_a_day_off_is_named(on, is_what):
    assert WITH.day_off(on) == is_what


@pytest.mark.parametrize(
    "on",
    [
        date(2026, 12, 18),
        date(2027, 1, 11),
        # Wellington's and Auckland's anniversaries are days of one region.
        date(2027, 1, 25),
        date(2027, 2, 1),
    ],
)
def test_any_other_day_is_a_working_day(on):
    assert WITH.day_off(on) is None


@pytest.mark.parametrize(
    ("on", "count"),
    [
        (date(2026, 11, 20), 0),
        (date(2026, 11, 23), 1),
        (date(2026, 11, 27), 5),
        # Friday 18 December is the last day before the break.
        (date(2026, 12, 18), 20),
        (date(2027, 1, 10), 20),
        (date(2027, 1, 11), 21),
    ],
)
def test_working_days_are_counted_from_tomorrow_to_the_day_itself(on, count):
    assert WITH.until(on, today=TODAY) == count


def test_the_extra_knows_public_holidays():
    assert (WITH.knows_holidays, public_holidays() is None) == (True, False)


def test_without_the_extra_weekends_and_the_summer_break_are_known():
    days = [date(2027, 4, 26), date(2027, 4, 25), date(2026, 12, 25)]
    assert [WITHOUT.day_off(on) for on in days] == [
        None,
        "a Sunday",
        "in the summer break, 20 December to 10 January",
    ]
    assert not WITHOUT.knows_holidays


def test_without_the_extra_holidays_are_counted_as_working_days():
    over_easter = {"on": date(2027, 4, 2), "today": date(2027, 3, 25)}
    assert (WITH.until(**over_easter), WITHOUT.until(**over_easter)) == (4, 6)
