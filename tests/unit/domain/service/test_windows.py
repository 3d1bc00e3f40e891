"""What is known of a rate limit, and what follows from it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from kawe.domain.service.windows import RateWords, Window, WindowNews

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
LIMITED = Window(limit=300, length_seconds=900.0)
OPEN = replace(LIMITED, left=206, refills_at=NOW + timedelta(seconds=100))
CLOSED = replace(LIMITED, opens_at=NOW + timedelta(seconds=100))
_OWN = {"asked_at", "told_at", "is_refusal", "uncounted"}


def later(seconds):
    return NOW + timedelta(seconds=seconds)


def news(**changes):
    told = {"limit": 300, "wait_seconds": 100.0, "left": 90} | changes
    own = {key: told.pop(key) for key in _OWN & told.keys()}
    return WindowNews(
        **{"asked_at": NOW, "told_at": NOW} | own, words=RateWords(**told)
    )


@pytest.mark.parametrize(
    ("window", "wait_seconds"),
    [
        (Window(), 0),
        (OPEN, 0),
        (replace(OPEN, left=7), 0),
        # Six of 300 are kept back; a window may open a second late.
        (replace(OPEN, left=6), 101),
        (replace(OPEN, left=6, refills_at=later(-9)), 1),
        (replace(OPEN, left=6, refills_at=None), 1),
        (CLOSED, 100),
        (replace(CLOSED, opens_at=NOW), 0),
        (replace(CLOSED, opens_at=NOW, tried_at=later(-9)), 0.05),
        (replace(CLOSED, opens_at=NOW, tried_at=later(-10)), 0),
        # This machine's clock was put back by an hour.
        (replace(CLOSED, opens_at=later(3600)), 0),
    ],
)
def test_a_turn_is_given_while_there_is_more_than_is_kept_back(window, wait_seconds):
    assert window.take(1, spread=0.0, now=NOW)[1] == wait_seconds


def test_a_turn_that_was_given_is_no_longer_left():
    assert OPEN.take(1, spread=0.0, now=NOW)[0] == replace(OPEN, left=205)


def test_a_closed_window_gives_one_turn_to_try_it():
    tried, _ = replace(CLOSED, opens_at=NOW).take(1, spread=0.0, now=NOW)
    assert (tried.tried_at, tried.take(1, spread=0.0, now=NOW)) == (NOW, (tried, 0.05))


@pytest.mark.parametrize(
    ("window", "said", "left"),
    [
        (LIMITED, news(), 90),
        (OPEN, news(), 90),
        (OPEN, news(left=280, uncounted=30), 250),
        (OPEN, news(left=280, uncounted=130), 206),
        (replace(OPEN, lowered_at=NOW), news(left=280, uncounted=30), 206),
        (
            replace(OPEN, lowered_at=NOW),
            news(limit=1000, left=900, uncounted=200),
            700,
        ),
        (replace(OPEN, opened_at=later(1)), news(), 206),
        (OPEN, news(wait_seconds=None), 206),
        (OPEN, news(left=None), 206),
        (CLOSED, news(), None),
        (CLOSED, news(asked_at=later(100)), 90),
        (CLOSED, news(asked_at=later(100), left=None), None),
        (OPEN, news(is_refusal=True), None),
    ],
)
def test_an_answer_raises_what_is_left_only_where_it_is_certain(window, said, left):
    assert window.learned(said, spread=0.0).left == left


@pytest.mark.parametrize(
    ("window", "asked", "seconds"),
    [
        (Window(), (10, None), None),
        (Window(), (10, 0.5), 5),
        (LIMITED, (10, 0.5), 5),
        (OPEN, (200, None), None),
        (OPEN, (200, 0.1), 20),
        # 294 of 300 are used: the last of 201 waits for the next window.
        (OPEN, (201, None), 100),
        (OPEN, (494, 0.1), 100 + 29.4),
        (OPEN, (495, 0.1), 100 + 900 + 0.1),
        (OPEN, (201, 10), 2010),
        (replace(OPEN, refills_at=None), (201, None), 0),
        (CLOSED, (1, None), 100),
        (CLOSED, (295, None), 1000),
        (replace(CLOSED, opens_at=later(-5)), (1, None), 0),
    ],
)
def test_how_long_requests_take_follows_from_the_windows_that_they_need(
    window, asked, seconds
):
    requests, pace_seconds = asked
    foreseen = window.seconds_for(requests, pace_seconds=pace_seconds, now=NOW)
    assert foreseen == (None if seconds is None else pytest.approx(seconds))
