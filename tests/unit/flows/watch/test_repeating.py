"""Rounds one after another, over a clock that stands still until somebody sleeps."""

import asyncio

import pytest

from doubles.clock import StillClock
from doubles.machine import AskedToStop
from kawe.cases.records.watching import repeat
from kawe.errors import KeyRefused, ResultNotWritable, ServiceUnreachable

DOWN = ServiceUnreachable(message="The service cannot be reached.")
FULL = ResultNotWritable(message="The disk is full.")


def repeated(*ends, sleeps_at=None):
    """Do rounds that end so, then stop; give when each began and what was said."""
    clock, halt, said, began = StillClock(), AskedToStop(), [], []

    async def look():
        began.append(clock.elapsed())
        end = ends[len(began) - 1]
        clock.pass_by(60)
        if len(began) == sleeps_at:
            # The computer sleeps for a night.
            clock.pass_by(8 * 3600)
        halt.asked = len(began) == len(ends)
        if end is not None:
            raise end

    done = repeat(look, clock=clock, halt=halt, every_seconds=600, say=said.append)
    asyncio.run(done)
    return began, said


def test_a_round_that_fails_is_said_and_done_again_at_its_time():
    began, said = repeated(None, DOWN, FULL, None)
    assert began == [0, 600, 1200, 1800]
    again = "The next round does this one again."
    assert said == [f"{DOWN} {again}", f"{FULL} {again}"]


def test_a_computer_that_slept_looks_again_when_it_wakes():
    assert repeated(None, None, None, sleeps_at=1)[0] == [0, 28_860, 29_460]


def test_a_key_that_the_service_refuses_ends_it():
    with pytest.raises(KeyRefused):
        repeated(KeyRefused(message="The service refused the key (401)."), None)
