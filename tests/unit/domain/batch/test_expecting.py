"""Whether the run of a month or a week has come, by New Zealand time."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubles.journal_values import batch
from doubles.reports import batch_report, standing
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.runs import (
    Coming,
    Every,
    Turn,
    coming,
    coming_words,
    is_meant,
    turn_due,
)
from kawe.domain.rows.entries import BatchName
from kawe.domain.text.next_steps import Next

AUCKLAND = ZoneInfo("Pacific/Auckland")
JULY = Turn(every=Every.MONTHLY, begins_on=date(2026, 7, 1), due_on=date(2026, 7, 3))


def _read(at, *outcomes, name="monthly"):
    """Give a batch that was last read at an instant, and how its rows stand."""
    rows = [standing(row, outcome) for row, outcome in enumerate(outcomes, start=2)]
    read = batch(batch=BatchName(name), opened_at=at, read_at=at)
    return read, batch_report(*rows, batch=name, written_at=at)


def _utc(*parts):
    return datetime(*parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("by", "today", "turn"),
    [
        (None, date(2026, 7, 1), (date(2026, 7, 1), None)),
        (None, date(2026, 7, 31), (date(2026, 7, 1), None)),
        (3, date(2026, 7, 3), (date(2026, 6, 1), date(2026, 6, 3))),
        (3, date(2026, 7, 4), (date(2026, 7, 1), date(2026, 7, 3))),
        (3, date(2027, 1, 2), (date(2026, 12, 1), date(2026, 12, 3))),
        (31, date(2027, 3, 1), (date(2027, 2, 1), date(2027, 2, 28))),
        (31, date(2028, 3, 1), (date(2028, 2, 1), date(2028, 2, 29))),
        (30, date(2026, 7, 31), (date(2026, 7, 1), date(2026, 7, 30))),
    ],
)
def test_the_month_to_look_at_is_the_latest_that_is_due(by, today, turn):
    found = turn_due(Every.MONTHLY, by=by, today=today)
    assert (found.begins_on, found.due_on) == turn


@pytest.mark.parametrize(
    ("by", "today", "turn"),
    [
        (None, date(2026, 7, 5), (date(2026, 6, 29), None)),
        (1, date(2026, 7, 6), (date(2026, 6, 29), date(2026, 6, 29))),
        (1, date(2026, 7, 7), (date(2026, 7, 6), date(2026, 7, 6))),
        (7, date(2026, 7, 6), (date(2026, 6, 29), date(2026, 7, 5))),
    ],
)
def test_the_week_to_look_at_begins_on_a_monday(by, today, turn):
    found = turn_due(Every.WEEKLY, by=by, today=today)
    assert (found.begins_on, found.due_on) == turn


@given(
    st.sampled_from(Every),
    st.dates(date(2020, 1, 1), date(2040, 12, 31)),
    st.integers(1, 7),
)
def test_a_turn_that_is_due_has_begun_and_its_last_day_is_over(every, today, by):
    turn = turn_due(every, by=by, today=today)
    assert turn.begins_on <= turn.due_on < today


@pytest.mark.parametrize(
    ("read_at", "batch"),
    [
        (_utc(2026, 6, 30, 11, 59), ""),
        (_utc(2026, 6, 30, 12, 0), "monthly"),
        (_utc(2026, 7, 20, 0, 0), "monthly"),
    ],
)
def test_a_month_begins_at_midnight_in_new_zealand(read_at, batch):
    found = coming(JULY, zone=AUCKLAND, known=[_read(read_at, Outcome.SENT)])
    assert found == Coming(turn=JULY, batch=batch)


@pytest.mark.parametrize(
    ("begins_on", "instant"),
    [
        (date(2029, 4, 1), _utc(2029, 3, 31, 11, 0)),
        (date(2029, 5, 1), _utc(2029, 4, 30, 12, 0)),
        (date(2028, 10, 1), _utc(2028, 9, 30, 11, 0)),
        (date(2028, 9, 1), _utc(2028, 8, 31, 12, 0)),
    ],
)
def test_summer_time_is_minded_where_a_month_begins(begins_on, instant):
    turn = Turn(every=Every.MONTHLY, begins_on=begins_on, due_on=None)
    assert turn.begins_at(AUCKLAND) == instant


def test_without_a_batch_the_run_is_missed():
    assert coming(JULY, zone=AUCKLAND, known=[]).is_missed


@pytest.mark.parametrize("left", [Outcome.UNFINISHED, Outcome.IN_DOUBT])
def test_a_run_that_only_began_is_missed(left):
    known = [_read(_utc(2026, 7, 2), Outcome.SENT, left)]
    found = coming(JULY, zone=AUCKLAND, known=known)
    assert (found.left, found.is_missed) == (1, True)


def test_rows_that_wait_for_somebody_do_not_make_a_run_missing():
    known = [_read(_utc(2026, 7, 2), Outcome.DEFERRED, Outcome.HELD, Outcome.INVALID)]
    assert not coming(JULY, zone=AUCKLAND, known=known).is_missed


def test_one_batch_that_finished_is_enough():
    known = [
        _read(_utc(2026, 7, 2), Outcome.UNFINISHED, name="other"),
        _read(_utc(2026, 7, 2), Outcome.SENT),
    ]
    assert coming(JULY, zone=AUCKLAND, known=known).batch == "monthly"


@pytest.mark.parametrize(
    ("name", "is_one"),
    [(None, True), ("mon", True), ("*-2026", False), ("m*y", True), ("weekly", False)],
)
def test_a_batch_is_meant_by_its_beginning_or_a_pattern(name, is_one):
    batch, _ = _read(_utc(2026, 7, 2))
    assert is_meant(batch, name) == is_one


MISSING = (
    "MISSING: the monthly run of July 2026. No submit has begun since 1 July 2026. It "
    f"was due by 3 July 2026. Run it now ({Next.SUBMIT('WORKBOOK')}), and look at "
    "why it did not run by itself."
)
ONE_LEFT = (
    "NOT FINISHED: the monthly run of July 2026. Batch monthly was begun, and 1 row of "
    f"it was not reached or is in doubt. {Next.AGAIN}; nothing is lost."
)
TWO_LEFT = (
    "NOT FINISHED: the monthly run of July 2026. Batch monthly was begun, and 2 rows "
    f"of it were not reached or are in doubt. {Next.AGAIN}; nothing is "
    "lost."
)
WEEK = Turn(every=Every.WEEKLY, begins_on=date(2026, 6, 29), due_on=None)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Coming(turn=JULY), MISSING),
        (Coming(turn=JULY, batch="monthly", left=1), ONE_LEFT),
        (Coming(turn=JULY, batch="monthly", left=2), TWO_LEFT),
        (
            Coming(turn=JULY, batch="monthly"),
            "Here: the monthly run of July 2026, batch monthly.",
        ),
        (
            Coming(turn=WEEK, batch="weekly"),
            "Here: the weekly run of the week from 29 June 2026, batch weekly.",
        ),
    ],
)
def test_a_person_is_told_in_a_sentence(found, words):
    assert coming_words(found) == words


@pytest.mark.parametrize(
    ("every", "words"),
    [
        (Every.MONTHLY, "the monthly run of July 2026"),
        (Every.WEEKLY, "the weekly run of the week from 1 July 2026"),
        (Every.DAILY, "the daily run of 1 July 2026"),
    ],
)
def test_a_turn_is_named_by_its_beginning(every, words):
    assert Turn(every=every, begins_on=date(2026, 7, 1), due_on=None).words == words
