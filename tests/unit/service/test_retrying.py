"""Asking again: quiet, of any length, and within what all may ask together."""

import asyncio
import random

import pytest

from doubles.machine import AskedToStop
from doubles.opened import IMPATIENT
from kawe.service.retrying import Retries, RetryBudget, RetryPolicy, Transient


class Open:
    """Implements the port `Pace`: the window is never closed."""

    async def turn(self):
        return True


class Down:
    """A service that never answers."""

    def __init__(self):
        self.asked = 0

    async def __call__(self):
        self.asked += 1
        raise Transient(message="down")


def ask(call, budget, policy=IMPATIENT):
    return Retries(pace=Open(), policy=policy, budget=budget).call(call)


def test_waiting_to_ask_again_writes_nothing_past_the_progress(capfd, caplog):
    down = Down()
    with pytest.raises(Transient):
        asyncio.run(ask(down, RetryBudget()))
    assert (down.asked, *capfd.readouterr(), caplog.text) == (2, "", "", "")


def test_nothing_is_asked_again_once_patience_is_over():
    down, budget = Down(), RetryBudget(most=1)
    with pytest.raises(Transient):
        asyncio.run(ask(down, budget, RetryPolicy(total_seconds=0.0)))
    assert (down.asked, budget.take()) == (1, True)


def test_a_wait_is_of_any_length_up_to_one_that_doubles_and_stays_bounded():
    policy = RetryPolicy(chance=random.Random(1))
    waits = {n: [policy.wait_seconds(n) for _ in range(400)] for n in (1, 2, 3, 9)}
    assert {n: (min(w) < 0.1 * max(w), round(max(w))) for n, w in waits.items()} == {
        1: (True, 1),
        2: (True, 2),
        3: (True, 4),
        9: (True, 20),
    }


async def test_a_service_that_is_down_is_asked_no_more_than_the_allowance_says():
    down, budget = Down(), RetryBudget(most=5)
    patient = RetryPolicy(attempts=4, first_wait_seconds=0.0)
    asking = (ask(down, budget, patient) for _ in range(30))
    answers = await asyncio.gather(*asking, return_exceptions=True)
    assert ({type(each) for each in answers}, down.asked) == ({Transient}, 30 + 5)


def test_a_last_attempt_takes_nothing_from_the_others():
    budget = RetryBudget(most=1)
    with pytest.raises(Transient):
        asyncio.run(ask(Down(), budget))
    assert (IMPATIENT.attempts, budget.take()) == (2, False)
    budget.earn()
    budget.earn()
    once = RetryPolicy(attempts=1)
    with pytest.raises(Transient):
        asyncio.run(ask(Down(), budget, once))
    assert budget.take()


def test_good_answers_earn_half_a_repetition_each_up_to_the_most():
    budget = RetryBudget(most=2)

    async def well():
        return 7

    taken = [budget.take() for _ in range(3)]
    for _ in range(9):
        asyncio.run(ask(well, budget))
    taken += [budget.take() for _ in range(3)]
    assert taken == [True, True, False, True, True, False]


class Longest(random.Random):
    """Always chooses the longest wait."""

    def uniform(self, _, most):
        return most


@pytest.mark.parametrize("seconds", [0.0, 0.1])
def test_a_stop_ends_the_pause_before_another_attempt(seconds):
    down, halt = Down(), AskedToStop()
    policy = RetryPolicy(first_wait_seconds=60.0, chance=Longest())

    async def stopped():
        asyncio.get_running_loop().call_later(seconds, setattr, halt, "asked", "asked")
        retries = Retries(pace=Open(), policy=policy, halt=halt)
        return await asyncio.wait_for(retries.call(down), timeout=30)

    with pytest.raises(Transient):
        asyncio.run(stopped())
    assert down.asked == 1
