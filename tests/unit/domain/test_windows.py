"""What is known of a rate limit, and what follows from it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from kawe.domain.windows import Share, Sharer, Turns, Window, WindowNews

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
ME = Sharer(name="me", got=0, ended=0, spread=0.0)
LIMITED = Window(limit=300, length_seconds=900.0)
OPEN = replace(LIMITED, left=206, refills_at=NOW + timedelta(seconds=100))
CLOSED = replace(LIMITED, opens_at=NOW + timedelta(seconds=100))


def later(seconds):
    return NOW + timedelta(seconds=seconds)


def news(**changes):
    told = {
        "asked_at": NOW,
        "told_at": NOW,
        "limit": 300,
        "wait_seconds": 100.0,
        "at_least": 90,
        "at_most": 90,
    }
    return WindowNews(**{**told, **changes})


@pytest.mark.parametrize(
    ("window", "turns"),
    [
        (Window(), Turns(count=16)),
        (OPEN, Turns(count=12)),
        (replace(OPEN, left=300), Turns(count=16)),
        (replace(OPEN, left=20), Turns(count=1)),
        (replace(OPEN, left=7), Turns(count=1)),
        # Six of 300 are kept back; a window may open a second late.
        (replace(OPEN, left=6), Turns(count=0, wait_seconds=101)),
        (replace(OPEN, left=6, refills_at=later(-9)), Turns(count=0, wait_seconds=1)),
        (replace(OPEN, left=6, refills_at=None), Turns(count=0, wait_seconds=1)),
        (CLOSED, Turns(count=0, wait_seconds=100)),
        (replace(CLOSED, opens_at=NOW), Turns(count=1, is_trial=True)),
        (
            replace(CLOSED, opens_at=NOW, tried_at=later(-9)),
            Turns(count=0, wait_seconds=0.05),
        ),
        (
            replace(CLOSED, opens_at=NOW, tried_at=later(-10)),
            Turns(count=1, is_trial=True),
        ),
        # This machine's clock was put back by an hour.
        (replace(CLOSED, opens_at=later(3600)), Turns(count=1, is_trial=True)),
    ],
)
def test_turns_are_given_by_the_handful_and_by_one_towards_the_end(window, turns):
    assert window.take(ME, now=NOW)[1] == turns


@pytest.mark.parametrize(
    ("window", "said", "left"),
    [
        (LIMITED, news(), 90),
        (OPEN, news(), 90),
        (OPEN, news(at_least=250, at_most=280), 250),
        (OPEN, news(at_least=150, at_most=280), 206),
        (replace(OPEN, lowered_at=NOW), news(at_least=250, at_most=280), 206),
        (replace(OPEN, opened_at=later(1)), news(), 206),
        (OPEN, news(wait_seconds=None), 206),
        (OPEN, news(at_most=None), 206),
        (CLOSED, news(), None),
        (CLOSED, news(asked_at=later(100)), 90),
        (CLOSED, news(asked_at=later(100), at_most=None), None),
        (OPEN, news(is_refusal=True), None),
    ],
)
def test_an_answer_raises_what_is_left_only_where_it_is_certain(window, said, left):
    window = replace(window, shares={"me": Share(got=0, ended=0, at=NOW)})
    assert window.told(said, ME).left == left


def test_whoever_joins_brings_what_nobody_knew_of():
    joining = replace(ME, got=8)
    told = OPEN.told(news(at_least=90, at_most=300), joining)
    assert (told.left, told.shares["me"].got) == (198, 8)


def test_what_others_may_still_ask_for_is_not_counted_as_left():
    shares = {
        "you": Share(got=30, ended=10, at=NOW),
        "gone": Share(got=50, ended=0, at=later(-121)),
    }
    known = {"you": Share(got=20, ended=5, at=NOW)}
    told = replace(LIMITED, shares=shares).told(news(shares=known), ME)
    assert told.left == 65


def test_what_a_process_leaves_behind_is_there_for_the_others():
    window = OPEN.left_by(replace(ME, got=20, ended=15), unused=5, now=NOW)
    assert (window.left, window.shares["me"]) == (211, Share(got=15, ended=15, at=NOW))


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
