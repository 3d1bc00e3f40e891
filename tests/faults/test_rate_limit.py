"""The rate limit: nothing is asked of a closed window, and little time is lost.

Time is simulated, so that windows of fifteen minutes pass at once.
"""

from __future__ import annotations

import asyncio
import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doubles.limited import (
    Crew,
    LimitedService,
    as_drafted,
    as_epoch,
    as_milliseconds,
    guest,
    in_seconds_rounded_down,
    in_the_past,
    never_less,
    nothing,
    only_when_refused,
    plainly,
)
from doubles.rows import checked_projects, project
from faults.simulation.limited_wire import LimitedRun, calm_service
from faults.simulation.passing_time import live_through
from kawe.service.pacing import OwnWindow

ROLLING = pytest.mark.parametrize("is_rolling", [True, False], ids=["rolling", "fixed"])


def run(*crews, requests, meanwhile=None):
    """Let crews make so many requests each; give the seconds that it took."""

    async def main():
        beside = None if meanwhile is None else asyncio.ensure_future(meanwhile())
        await asyncio.gather(*(crew.make(requests) for crew in crews))
        if beside is not None:
            beside.cancel()

    _, seconds = live_through(main(), begin_seconds=0)
    return seconds


def crew_at(service, *, seed=1, **changes):
    return Crew(service=service, chance=Random(seed), **changes)


def share_of_ideal(service, seconds):
    """Say how near a run came to the fewest windows that it could do with."""
    done = len(service.let_in_at)
    windows = math.ceil(done / service.limit) - 1
    return windows * service.window_seconds / seconds


@ROLLING
@pytest.mark.parametrize("workers", [1, 8, 32])
def test_four_thousand_requests_of_300_a_window_take_little_longer_than_they_must(
    is_rolling, workers
):
    service = LimitedService(limit=300, window_seconds=900, is_rolling=is_rolling)
    seconds = run(crew_at(service, workers=workers), requests=4000)
    assert (
        len(service.let_in_at),
        service.refused_at,
        share_of_ideal(service, seconds) >= 0.95,
    ) == (4000, [], True)


@ROLLING
@pytest.mark.parametrize(
    "says",
    [plainly, in_seconds_rounded_down, as_epoch, as_milliseconds, as_drafted],
    ids=lambda form: form.__name__,
)
def test_every_form_of_the_headers_keeps_requests_out_of_a_closed_window(
    is_rolling, says
):
    service = LimitedService(
        limit=100, window_seconds=900, is_rolling=is_rolling, says=says
    )
    seconds = run(crew_at(service), requests=550)
    assert (service.refused_at, share_of_ideal(service, seconds) >= 0.9) == ([], True)


class Situation:
    """A service with a limit, and processes that use it."""

    def __init__(self, data, *, is_rolling):
        self.service = LimitedService(
            limit=data.draw(st.integers(50, 400), "limit"),
            window_seconds=data.draw(st.floats(30, 900), "window"),
            is_rolling=is_rolling,
        )
        workers = data.draw(st.integers(1, 32), "workers")
        latency_seconds = data.draw(st.floats(0.01, 3), "latency")
        window, seed = OwnWindow(), data.draw(st.integers(0, 2**32), "seed")
        self.crews = [
            crew_at(
                self.service,
                seed=seed + number,
                window=window,
                workers=workers,
                latency_seconds=latency_seconds,
            )
            for number in range(data.draw(st.integers(1, 3), "processes"))
        ]


@ROLLING
@settings(max_examples=20)
@given(data=st.data())
def test_no_request_goes_into_a_closed_window(is_rolling, data):
    situation = Situation(data, is_rolling=is_rolling)
    run(*situation.crews, requests=250)
    done = 250 * len(situation.crews)
    service = situation.service
    assert (service.refused_at, len(service.let_in_at)) == ([], done)


@pytest.mark.campaign
@ROLLING
@settings(max_examples=2000)
@given(data=st.data())
def test_no_request_goes_into_a_closed_window_at_length(is_rolling, data):
    situation = Situation(data, is_rolling=is_rolling)
    run(*situation.crews, requests=1000)
    done = 1000 * len(situation.crews)
    service = situation.service
    assert (service.refused_at, len(service.let_in_at)) == ([], done)


@ROLLING
def test_two_processes_that_share_a_window_lose_little_and_are_never_refused(
    is_rolling,
):
    service = LimitedService(limit=300, window_seconds=900, is_rolling=is_rolling)
    window = OwnWindow()
    crews = [crew_at(service, seed=seed, window=window) for seed in (1, 2)]
    seconds = run(*crews, requests=2000)
    assert (service.refused_at, share_of_ideal(service, seconds) >= 0.95) == ([], True)


@ROLLING
def test_whoever_comes_to_a_closed_window_is_refused_once(is_rolling):
    service = LimitedService(limit=100, window_seconds=900, is_rolling=is_rolling)

    async def main():
        for _ in range(100):
            service.ask(is_guest=True)
        await crew_at(service).make(250)

    live_through(main(), begin_seconds=0)
    assert (len(service.refused_at), len(service.let_in_at)) == (1, 250)


@ROLLING
def test_whoever_shares_a_closed_window_comes_to_it_no_more(is_rolling):
    service = LimitedService(limit=100, window_seconds=900, is_rolling=is_rolling)
    window = OwnWindow()
    run(crew_at(service, window=window), requests=98)
    run_again = crew_at(service, seed=2, window=window)
    run(run_again, requests=50)
    assert (service.refused_at, len(service.let_in_at)) == ([], 148)


@ROLLING
@pytest.mark.parametrize("every_seconds", [6, 20, 60])
def test_somebody_else_in_the_same_window_breaks_nothing(is_rolling, every_seconds):
    service = LimitedService(limit=300, window_seconds=900, is_rolling=is_rolling)
    run(
        crew_at(service),
        requests=1500,
        meanwhile=lambda: guest(service, every_seconds=every_seconds),
    )
    assert (len(service.refused_at) <= 3, len(service.let_in_at)) == (True, 1500)


@ROLLING
@pytest.mark.parametrize("becomes", [60, 900])
def test_a_window_that_changes_its_size_is_learnt_anew(is_rolling, becomes):
    service = LimitedService(limit=300, window_seconds=900, is_rolling=is_rolling)

    async def change():
        await asyncio.sleep(1000)
        service.limit = becomes

    run(crew_at(service), requests=1500, meanwhile=change)
    # Those in flight when it shrank may be too many.
    assert (len(service.refused_at) <= 8, len(service.let_in_at)) == (True, 1500)


@ROLLING
@pytest.mark.parametrize(
    "says",
    [only_when_refused, nothing, never_less, in_the_past],
    ids=lambda form: form.__name__,
)
def test_whatever_a_service_keeps_silent_or_lies_about_every_request_is_made(
    is_rolling, says
):
    service = LimitedService(
        limit=100, window_seconds=900, is_rolling=is_rolling, says=says
    )
    run(crew_at(service), requests=550)
    # What is in flight when a window closes unseen, and the trials after it.
    assert (len(service.let_in_at), len(service.refused_at) <= 6 * (8 + 12)) == (
        550,
        True,
    )


@ROLLING
def test_a_thousand_rows_at_300_requests_a_window_are_all_sent_in_the_windows_needed(
    is_rolling,
):
    limit = LimitedService(limit=300, window_seconds=900, is_rolling=is_rolling)
    service = calm_service(tokens=1000)
    checked = checked_projects([project(number) for number in range(1000)])
    world = LimitedRun(limit=limit, service=service)
    run, seconds = live_through(world.submit(checked), begin_seconds=0)
    sends = [len(each.sends) for each in service.shelves.projects]
    assert (
        run.tally.sent,
        sends,
        limit.refused_at,
        share_of_ideal(limit, seconds) >= 0.9,
    ) == (1000, [1] * 1000, [], True)


def test_the_time_that_a_thousand_rows_will_take_is_foreseen():
    limit = LimitedService(limit=300, window_seconds=900, is_rolling=True)
    crew, foreseen = crew_at(limit), []

    async def look():
        await asyncio.sleep(8)
        begun, done = asyncio.get_running_loop().time(), len(limit.let_in_at)
        foreseen.append(begun + crew.pacer.forecast(4000 - done))

    seconds = run(crew, requests=4000, meanwhile=look)
    assert 0.95 <= foreseen[0] / seconds <= 1.05
