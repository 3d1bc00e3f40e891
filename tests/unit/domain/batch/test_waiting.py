"""What a person reads of one row that waits for a token."""

from datetime import date, timedelta

import pytest

from doubles.journal_values import NOW, content, entry
from kawe.domain.batch.waiting import Wait, WaitingRow, with_days
from kawe.domain.sheet.findings import RowRef

TODAY = date(2026, 11, 21)


def waiting(*, days=60, working_days=40, wait=None):
    """Make a row whose respond by is so many days away."""
    return WaitingRow(
        turn=1,
        entry=entry(1),
        respond_by_on=TODAY + timedelta(days=days),
        where=RowRef(sheet="Projects", row=2),
        wait=wait,
        today=TODAY,
        working_days_left=working_days,
        owner="Mere",
        is_put_first=False,
    )


@pytest.mark.parametrize(
    ("days", "working_days", "left", "deadline"),
    [
        (60, 40, "40 working days left (60 days)", ""),
        (
            3,
            1,
            "1 working day left (3 days)",
            "Will miss its date unless tokens come by Tuesday 24 November 2026.",
        ),
        (
            0,
            0,
            "today",
            "Will miss its date unless tokens come by Saturday 21 November 2026.",
        ),
        (
            -1,
            0,
            "passed 1 day ago",
            "Its respond by has passed: it cannot go any more as it stands.",
        ),
    ],
)
def test_a_row_says_how_long_it_can_wait(days, working_days, *, left, deadline):
    row = waiting(days=days, working_days=working_days)
    assert (row.left(), row.deadline(), row.days_left) == (left, deadline, days)


@pytest.mark.parametrize(
    ("wait", "why"),
    [
        (None, "its turn has not come"),
        (Wait(since_at=NOW), "the run had no token for it"),
        (Wait(since_at=NOW, refused_at=NOW), "no token at 22:00 on 21 November 2026"),
    ],
)
def test_a_row_says_why_it_waits(wait, why):
    assert waiting(wait=wait).why() == why


@pytest.mark.parametrize(
    ("waited", "age"),
    [
        (timedelta(seconds=-5), "less than a minute"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(minutes=59), "59 minutes"),
        (timedelta(minutes=60), "1 hour"),
        (timedelta(hours=47), "47 hours"),
        (timedelta(hours=48), "2 days"),
    ],
)
def test_a_row_says_how_long_it_has_waited(waited, age):
    assert waiting(wait=Wait(since_at=NOW)).age(NOW + waited) == age


def test_a_row_that_never_had_to_wait_has_no_age():
    assert waiting().age(NOW) == ""


def test_rows_without_a_day_to_respond_by_are_left_out():
    rows = [entry(1), entry(2, content=content(2, respond_by_on=None))]
    assert with_days(rows) == [(rows[0], date(2027, 1, 20))]
