"""The rate limit: nothing is asked of a closed window, and little time is lost.

Time is simulated, so that windows of fifteen minutes pass at once.
"""

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
    """A service with a limit, and processes that use it with one key."""

    def __init__(self, data, *, is_rolling, processes):
        self.service = LimitedService(
            limit=data.draw(st.integers(50, 400), "limit"),
            window_seconds=data.draw(st.floats(30, 900), "window"),
            is_rolling=is_rolling,
        )
        self.workers = data.draw(st.integers(1, 32), "workers")
        latency_seconds = data.draw(st.floats(0.01, 3), "latency")
        seed = data.draw(st.integers(0, 2**32), "seed")
        self.crews = [
            crew_at(
                self.service,
                seed=seed + number,
                workers=self.workers,
                latency_seconds=latency_seconds,
            )
            for number in range(processes)
        ]

    def most_in_flight(self):
        """Say how many refusals it takes to close every process once a window."""
        windows = math.ceil(len(self.service.let_in_at) / self.service.limit)
        return windows * len(self.crews) * self.workers


@ROLLING
@settings(max_examples=10)
@given(data=st.data())
def test_no_request_goes_into_a_closed_window(is_rolling, data):
    situation = Situation(data, is_rolling=is_rolling, processes=1)
    run(*situation.crews, requests=500)
    service = situation.service
    assert (service.refused_at, len(service.let_in_at)) == ([], 500)


@pytest.mark.campaign
@ROLLING
@settings(max_examples=2000)
@given(data=st.data())
def test_no_request_goes_into_a_closed_window_at_length(is_rolling, data):
    situation = Situation(data, is_rolling=is_rolling, processes=1)
    run(*situation.crews, requests=1000)
    service = situation.service
    assert (service.refused_at, len(service.let_in_at)) == ([], 1000)


@ROLLING
@settings(max_examples=10)
@given(data=st.data(), processes=st.integers(2, 3))
def test_processes_with_one_key_are_refused_no_more_than_was_in_flight(
    is_rolling, data, processes
):
    situation = Situation(data, is_rolling=is_rolling, processes=processes)
    run(*situation.crews, requests=250)
    service = situation.service
    assert (
        len(service.let_in_at),
        len(service.refused_at) <= situation.most_in_flight(),
    ) == (250 * processes, True)


@ROLLING
def test_two_processes_with_one_key_lose_little_and_are_seldom_refused(is_rolling):
    service = LimitedService(limit=300, window_seconds=900, is_rolling=is_rolling)
    crews = [crew_at(service, seed=seed) for seed in (1, 2)]
    seconds = run(*crews, requests=2000)
    assert (
        len(service.let_in_at),
        len(service.refused_at) <= 4000 // 50,
        share_of_ideal(service, seconds) >= 0.95,
    ) == (4000, True, True)


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


@pytest.mark.parametrize(
    "is_rolling", [True, pytest.param(False, marks=pytest.mark.short_campaign)]
)
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


@ROLLING
@pytest.mark.parametrize(("workers", "windows"), [(4, 5), (32, 6)])
def test_drafts_that_are_read_again_after_a_window_take_the_turns_of_their_sends(
    is_rolling, workers, windows
):
    # A draft is good for two seconds: whoever waited for a window reads it again.
    checked, told = checked_projects([project(number) for number in range(60)]), []
    for seed in (1, 2, 3):
        limit = LimitedService(limit=60, window_seconds=60, is_rolling=is_rolling)
        world = LimitedRun(
            limit=limit, service=calm_service(tokens=60), workers=workers, seed=seed
        )
        run, seconds = live_through(world.submit(checked), begin_seconds=0)
        told.append((run.tally.sent, limit.refused_at, seconds < windows * 60))
    assert told == [(60, [], True)] * 3


def test_the_time_that_a_thousand_rows_will_take_is_foreseen():
    limit = LimitedService(limit=300, window_seconds=900, is_rolling=True)
    crew, foreseen = crew_at(limit), []

    async def look():
        await asyncio.sleep(8)
        begun, done = asyncio.get_running_loop().time(), len(limit.let_in_at)
        foreseen.append(begun + crew.pacer.forecast(4000 - done))

    seconds = run(crew, requests=4000, meanwhile=look)
    assert 0.95 <= foreseen[0] / seconds <= 1.05
