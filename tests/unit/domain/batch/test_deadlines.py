"""By when tokens must come: the rule and the words."""

from datetime import UTC, date, datetime, timedelta

import pytest

from kawe.domain.batch.waiting import deadline_words, deadlines_words, may_leave
from kawe.domain.text.new_zealand import day_in_new_zealand

TODAY = date(2026, 11, 23)
BY_FRIDAY = "Will miss its date unless tokens come by Friday 27 November 2026."
PASSED = "Its respond by has passed: it cannot go any more as it stands."


def _in(*days):
    return [TODAY + timedelta(days=each) for each in days]


def test_the_day_is_that_of_new_zealand():
    # 12 noon in Greenwich is 1 o'clock at night in summer, and midnight in winter.
    instants = (
        datetime(2026, 11, 22, 10, 59, tzinfo=UTC),
        datetime(2026, 11, 22, 11, 0, tzinfo=UTC),
        datetime(2026, 6, 22, 11, 59, tzinfo=UTC),
        datetime(2026, 6, 22, 12, 0, tzinfo=UTC),
    )
    assert [day_in_new_zealand(at).day for at in instants] == [22, 23, 22, 23]


@pytest.mark.parametrize(
    ("days", "words"), [(-1, PASSED), (4, BY_FRIDAY), (8, "")], ids=str
)
def test_a_row_is_warned_about_when_its_date_is_near(days, words):
    (on,) = _in(days)
    assert deadline_words(on, today=TODAY) == words


@pytest.mark.parametrize("days", range(-2, 10))
def test_tokens_that_come_on_the_day_that_is_named_are_in_time(days):
    (on,) = _in(days)
    words = deadline_words(on, today=TODAY)
    in_time = may_leave(on, today=TODAY)
    assert (words == PASSED, in_time) == (not in_time, days >= 0)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ([], ""),
        ([8, 30], ""),
        (
            [4],
            "1 row will miss its date unless tokens come by Friday 27 November 2026.",
        ),
        (
            [7, 0, 0, 20],
            (
                "2 rows will miss their date unless tokens come by Monday 23 November "
                "2026, 1 more by Monday 30 November 2026."
            ),
        ),
        (
            [1, 2, 3, 4, 5],
            (
                "1 row will miss its date unless tokens come by Tuesday 24 November "
                "2026, 1 more by Wednesday 25 November 2026, 1 more by Thursday 26 "
                "November 2026, 2 more in the days up to Saturday 28 November 2026."
            ),
        ),
        (
            [-1, -9, 8],
            "2 rows that wait cannot go any more: their respond by has passed.",
        ),
    ],
    ids=str,
)
def test_rows_are_warned_about_together_the_nearest_date_first(days, words):
    assert deadlines_words(_in(*days), today=TODAY) == words
