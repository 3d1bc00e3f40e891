"""The rate limit: every form of header, and many requests in flight."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doubles.clock import StillClock
from doubles.machine import AskedToStop, Quiet
from kawe.service.pacing import Pacer, remaining_from, wait_from

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
EPOCH = int(NOW.timestamp())


class Desk:
    """A pacer with everything it talks to."""

    def __init__(self):
        self.clock, self.quiet, self.halt = StillClock(NOW), Quiet(), AskedToStop()
        self.pacer = Pacer(
            clock=self.clock,
            progress=self.quiet,
            halt=self.halt,
            chance=random.Random(7),
        )

    def learn(self, status=200, **headers):
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pacer.learn(names, http_status=status)

    def turn(self):
        """Take a turn; give whether it was given and the seconds it took."""
        before = self.clock.now()
        given_turn = asyncio.run(self.pacer.turn())
        return given_turn, (self.clock.now() - before).total_seconds()


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "30"}, 30),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": "Sat, 21 Nov 2026 09:00:45 GMT"}, 45),
        ({"retry-after": "Sat, 21 Nov 2026 09:00:45"}, 45),
        ({"retry-after": "Sat, 21 Nov 2026 22:00:45 +1300"}, 45),
        ({"retry-after": "Sat, 21 Nov 2020 09:00:45 GMT"}, 1),
        ({"retry-after": "-7"}, 1),
        ({"retry-after": "inf"}, 960),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "soon", "ratelimit-reset": "9"}, 9),
        ({"retry-after": "30", "ratelimit-reset": "9"}, 30),
        ({"ratelimit-reset": "12"}, 12),
        ({"ratelimit-reset": " 12 "}, 12),
        ({"ratelimit-reset": "0"}, 1),
        ({"ratelimit-reset": "5000"}, 960),
        ({"ratelimit-reset": str(EPOCH + 77)}, 77),
        ({"ratelimit-reset": str((EPOCH + 77) * 1000)}, 77),
        ({"ratelimit-reset": str(EPOCH - 77)}, 1),
        ({"ratelimit-reset": "-1"}, None),
        ({"ratelimit-reset": "nan"}, None),
        ({"ratelimit-reset": "odd", "x-ratelimit-reset": "8"}, 8),
        ({"x-ratelimit-reset": "8"}, 8),
        ({"ratelimit": "limit=100, remaining=0, reset=50"}, 50),
        ({"ratelimit": '"default";r=0;t=50'}, 50),
        ({"ratelimit": "nothing known"}, None),
        ({}, None),
    ],
    ids=str,
)
def test_the_wait_is_read_from_every_form(headers, seconds):
    assert wait_from(headers, now=NOW) == seconds


@pytest.mark.parametrize(
    ("headers", "left"),
    [
        ({"ratelimit-remaining": "41"}, 41),
        ({"x-ratelimit-remaining": "41"}, 41),
        ({"ratelimit-remaining": "many", "x-ratelimit-remaining": "4"}, 4),
        ({"ratelimit": "limit=100, remaining=17, reset=50"}, 17),
        ({"ratelimit": '"default";r=17;t=50'}, 17),
        ({"ratelimit-remaining": "-1"}, None),
        ({"ratelimit-remaining": "٣"}, None),
        ({"ratelimit-remaining": "9" * 5000}, None),
        ({"ratelimit": f"r={'9' * 5000}"}, 10**12 - 1),
        ({}, None),
    ],
    ids=lambda value: str(value)[:50],
)
def test_what_is_left_is_read_from_every_form(headers, left):
    assert remaining_from(headers) == left


NAMES = ["retry-after", "ratelimit-reset", "ratelimit-remaining", "ratelimit"]
VALUES = st.text(max_size=30) | st.floats().map(str) | st.integers().map(str)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), VALUES), st.sampled_from([200, 429]))
def test_no_header_can_stop_a_run_for_longer_than_the_clamp(headers, status):
    desk = Desk()
    desk.pacer.learn(headers, http_status=status)
    given_turn, seconds = desk.turn()
    assert (given_turn, seconds <= 963) == (True, True)


def test_without_a_word_of_limits_nobody_waits():
    desk = Desk()
    desk.learn()
    assert desk.turn() == (True, 0)


@pytest.mark.parametrize("seconds", [1, 2, 30, 960])
def test_a_refusal_is_waited_out_with_at_most_three_seconds_more(seconds):
    waits = []
    for _ in range(20):
        desk = Desk()
        desk.learn(429, retry_after=str(seconds))
        waits.append(desk.turn()[1])
    assert (min(waits) >= seconds, max(waits) <= seconds + min(3, seconds)) == (
        True,
        True,
    )


def test_refusals_without_a_header_double_up_to_the_clamp():
    desk, waits = Desk(), []
    for _ in range(7):
        desk.learn(429)
        waits.append(int(desk.turn()[1]) // 60 * 60)
    assert waits == [60, 120, 240, 480, 960, 960, 960]


def test_an_answer_in_between_ends_the_doubling():
    desk = Desk()
    desk.learn(429)
    desk.turn()
    desk.learn(200)
    desk.learn(429)
    assert 60 <= desk.turn()[1] <= 63


def test_refusals_of_requests_in_flight_together_are_one_refusal():
    desk = Desk()
    for _ in range(8):
        desk.learn(429)
    assert 60 <= desk.turn()[1] <= 63


def test_a_longer_wait_of_a_later_refusal_is_kept():
    desk = Desk()
    desk.learn(429, retry_after="10")
    desk.learn(429, retry_after="100")
    desk.learn(429, retry_after="10")
    assert 100 <= desk.turn()[1] <= 103


def test_the_person_is_told_of_a_wait_once():
    desk = Desk()
    for _ in range(8):
        desk.learn(429, retry_after="30")
    assert len(desk.quiet.said) == 1


def test_turns_stop_before_the_window_is_used_up():
    desk = Desk()
    desk.learn(ratelimit_remaining="4", ratelimit_reset="50")
    waits = [desk.turn()[1] for _ in range(4)]
    assert (waits[:3], 50 <= waits[3] <= 53) == ([0, 0, 0], True)


def test_answers_out_of_order_never_add_to_what_is_left():
    desk = Desk()
    for left in ("3", "9", "8"):
        desk.learn(ratelimit_remaining=left, ratelimit_reset="50")
    waits = [desk.turn()[1] for _ in range(3)]
    assert (waits[:2], waits[2] >= 50) == ([0, 0], True)


def test_a_new_window_is_learnt_anew():
    desk = Desk()
    desk.learn(ratelimit_remaining="2", ratelimit_reset="50")
    desk.clock.pass_by(60)
    waits = [desk.turn()[1] for _ in range(5)]
    desk.learn(ratelimit_remaining="3", ratelimit_reset="50")
    waits += [desk.turn()[1] for _ in range(3)]
    assert (waits[:7], waits[7] >= 50) == ([0] * 7, True)


def test_what_is_left_without_a_reset_closes_nothing():
    desk = Desk()
    desk.learn(ratelimit_remaining="0")
    assert desk.turn() == (True, 0)


def test_who_wants_to_stop_waits_no_longer():
    desk = Desk()
    desk.learn(429, retry_after="900")
    desk.halt.asked = True
    assert desk.turn() == (False, 0)


def test_a_wait_looks_up_twice_a_second():
    desk = Desk()
    desk.learn(429, retry_after="10")
    desk.turn()
    assert max(desk.clock.slept) <= 0.5


def test_eight_workers_wait_for_one_window_together():
    desk = Desk()
    desk.learn(429, retry_after="10")

    async def go():
        await asyncio.gather(*(desk.pacer.turn() for _ in range(8)))

    asyncio.run(go())
    assert desk.clock.now() - NOW < timedelta(seconds=20)
