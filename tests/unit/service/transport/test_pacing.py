"""The rate limit: every form of header, and many requests in flight."""

import asyncio
import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doubles.clock import StillClock
from doubles.loops import awaited
from doubles.machine import AskedToStop, Quiet
from kawe.service.transport.pacing import Pacer

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


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

    def learn(self, status=200, *, start=None, **headers):
        """Hear the answer to a request that left just now, or earlier."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        start = self.pacer.leaves() if start is None else start
        self.pacer.learn(names, http_status=status, start=start)

    def turn(self):
        """Take a turn; give whether it was given and the seconds it took."""
        before = self.clock.now()
        given_turn = asyncio.run(self.pacer.turn())
        return given_turn, (self.clock.now() - before).total_seconds()


def told(status=200, **headers):
    """Give a desk that heard one answer."""
    desk = Desk()
    desk.learn(status, **headers)
    return desk


NAMES = ["retry-after", "ratelimit-reset", "ratelimit-remaining", "ratelimit"]
VALUES = st.text(max_size=30) | st.floats().map(str) | st.integers().map(str)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), VALUES), st.sampled_from([200, 429]))
def test_no_header_can_stop_a_run_for_longer_than_the_clamp(headers, status):
    desk = told(status, **headers)
    given_turn, seconds = desk.turn()
    assert (given_turn, seconds <= 963) == (True, True)


def test_without_a_word_of_limits_nobody_waits():
    desk = told()
    assert desk.turn() == (True, 0)


@pytest.mark.parametrize("seconds", [1, 2, 30, 960])
def test_a_refusal_is_waited_out_with_at_most_three_seconds_more(seconds):
    waits = []
    for _ in range(20):
        desk = told(429, retry_after=str(seconds))
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
    desk = told(429)
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
    desk = told(429, retry_after="10")
    desk.learn(429, retry_after="100")
    desk.learn(429, retry_after="10")
    assert 100 <= desk.turn()[1] <= 103


@pytest.mark.parametrize(
    ("seconds", "words"), [("4", []), ("30", ["in 31 seconds"]), ("900", ["at 22:15"])]
)
async def test_the_person_is_told_once_when_it_goes_on(seconds, words):
    desk = Desk()
    for _ in range(8):
        desk.learn(429, retry_after=seconds)
    await asyncio.gather(*(desk.pacer.turn() for _ in range(2)))
    sentence = "The service's rate limit is reached; going on {}."
    assert desk.quiet.said == [sentence.format(when) for when in words]


def test_turns_stop_before_the_window_is_used_up():
    desk = told(ratelimit_remaining="4", ratelimit_reset="50")
    waits = [desk.turn()[1] for _ in range(4)]
    assert (waits[:3], 50 <= waits[3] <= 53) == ([0, 0, 0], True)


def test_answers_out_of_order_never_add_to_what_is_left():
    desk = Desk()
    for left in ("3", "9", "8"):
        desk.learn(ratelimit_remaining=left, ratelimit_reset="50")
    waits = [desk.turn()[1] for _ in range(3)]
    assert (waits[:2], waits[2] >= 50) == ([0, 0], True)


def test_a_new_window_is_learnt_anew():
    desk = told(ratelimit_remaining="2", ratelimit_reset="50")
    desk.clock.pass_by(60)
    waits = [desk.turn()[1]]
    desk.learn(ratelimit_remaining="3", ratelimit_reset="50")
    waits += [desk.turn()[1] for _ in range(3)]
    assert (waits[:3], waits[3] >= 50) == ([0] * 3, True)


def test_a_closed_window_is_tried_by_one_and_the_others_wait_for_its_answer():
    desk = told(429, retry_after="30")
    tried = desk.turn()[1]
    start = desk.pacer.leaves()
    desk.halt.asked = True
    others = [desk.turn() for _ in range(3)]
    desk.learn(start=start, ratelimit_remaining="9", ratelimit_reset="50")
    assert (tried >= 30, others, desk.turn()) == (True, [(False, 0)] * 3, (True, 0))


def test_a_trial_without_an_answer_is_followed_by_another():
    desk = told(429, retry_after="30")
    desk.turn()
    desk.pacer.leaves()
    desk.pacer.lost()
    assert desk.turn() == (True, 10)


@awaited
async def answered(desk, pair, *, requests, left):
    """Make requests of a pair, the last of which says what is left."""
    async with pair as turns:
        for number in range(requests):
            await desk.pacer.turn()
            desk.learn(
                ratelimit_remaining=str(left + requests - number - 1),
                ratelimit_reset="50",
            )
        return turns.kept, turns.waited_seconds


def test_a_pair_takes_two_turns_of_an_open_window_without_a_wait():
    desk = told(ratelimit_remaining="4", ratelimit_reset="50")
    ended = answered(desk, desk.pacer.pair(), requests=2, left=2)
    # Of two that are left, one is kept back.
    assert (ended, desk.turn(), desk.turn()[1] >= 50) == ((0, 0), (True, 0), True)


def test_a_turn_that_a_pair_did_not_use_is_there_for_others():
    desk = told(ratelimit_remaining="4", ratelimit_reset="50")
    ended = answered(desk, desk.pacer.pair(), requests=1, left=3)
    desk.clock.pass_by(1)
    desk.learn(ratelimit_remaining="3", ratelimit_reset="50")
    waits = [desk.turn()[1] for _ in range(3)]
    assert (ended, waits[:2], waits[2] >= 50) == ((1, 0), [0, 0], True)


def test_a_pair_waits_where_a_window_has_room_for_one_alone():
    desk = told(ratelimit_remaining="4", ratelimit_reset="50")
    desk.learn(ratelimit_remaining="2", ratelimit_reset="50")
    answered(desk, desk.pacer.pair(), requests=2, left=9)
    assert desk.clock.elapsed() >= 50


def test_in_a_window_with_room_for_one_the_act_takes_the_very_next_turn():
    desk, order = Desk(), []

    def ask(name):
        order.append((name, int(desk.clock.elapsed())))
        desk.learn(ratelimit_limit="1", ratelimit_remaining="0", ratelimit_reset="3")

    async def pair():
        async with desk.pacer.pair() as turns:
            await desk.pacer.turn()
            ask("look")
            await desk.pacer.turn()
            said = turns.left_at, turns.waited_seconds
            ask("act")
            return said

    async def other():
        await desk.pacer.turn()
        ask("other")

    async def go():
        return await asyncio.gather(pair(), other(), other())

    ask("first")
    said = asyncio.run(go())[0]
    assert ([name for name, _ in order], said) == (
        ["first", "look", "act", "other", "other"],
        (pytest.approx(3, abs=1), pytest.approx(3, abs=1)),
    )


def test_a_pair_that_does_not_try_a_closed_window_leaves_that_to_others():
    desk = told(429, retry_after="30")

    async def go():
        async with desk.pacer.pair() as turns:
            return turns.kept

    assert (asyncio.run(go()), desk.turn()) == (1, (True, 0))


async def test_what_a_refused_look_waited_does_not_make_its_answer_younger():
    desk = told(429, retry_after="30")
    async with desk.pacer.pair() as turns:
        waited = []
        for status, wait in ((429, "10"), (200, "3")):
            await desk.pacer.turn()
            waited.append(turns.waited_seconds >= 10)
            desk.learn(status, ratelimit_remaining="0", ratelimit_reset=wait)
        await desk.pacer.turn()
        found = [*waited, 3 <= turns.waited_seconds < 5]
    assert found == [False, True, True]


async def test_who_wants_to_stop_gets_no_pair():
    desk = told(429, retry_after="900")
    desk.halt.asked = True
    async with desk.pacer.pair() as turns:
        found = turns
    assert found is None


def test_an_answer_from_before_the_window_closed_does_not_open_it():
    desk = Desk()
    early = desk.pacer.leaves()
    desk.clock.pass_by(1)
    desk.learn(429, retry_after="30")
    desk.learn(start=early, ratelimit_remaining="9", ratelimit_reset="50")
    assert desk.turn()[1] >= 30


def test_a_window_that_opens_later_than_it_said_is_tried_less_and_less_often():
    desk, waits = Desk(), []
    for _ in range(12):
        desk.learn(429, retry_after="0")
        waits.append(int(desk.turn()[1]))
    assert (waits[:6], waits[-1] >= 960) == ([1, 2, 4, 8, 16, 32], True)


def test_what_is_left_without_a_reset_closes_nothing():
    desk = told(ratelimit_remaining="0")
    assert desk.turn() == (True, 0)


def test_who_wants_to_stop_waits_no_longer():
    desk = told(429, retry_after="900")
    desk.halt.asked = True
    assert desk.turn() == (False, 0)


def test_a_wait_looks_up_twice_a_second():
    desk = told(429, retry_after="10")
    desk.turn()
    assert max(desk.clock.slept) <= 0.5


async def test_eight_workers_wait_for_one_window_together():
    desk = told(429, retry_after="10")

    async def work():
        await desk.pacer.turn()
        desk.learn(ratelimit_remaining="90", ratelimit_reset="50")

    await asyncio.gather(*(work() for _ in range(8)))
    assert desk.clock.now() - NOW < timedelta(seconds=20)
