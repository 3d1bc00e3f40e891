"""The rate limit of a twin, over real sockets: short windows, nothing timed."""

import math
from collections import Counter

import pytest

from doubles.rows import checked_projects, project
from doubles.scene import Scene
from kawe.domain.batch.outcomes import Outcome

# What a window of three seconds lets in is used up in one; a connection that
# was idle for five is not used again.
LIMITS = {"rate_limit": 60, "rate_window_seconds": 3}


def refused(scene):
    """Count the 429s that the twin gave."""
    return sum(each.get("429", 0) for each in scene.state()["requests"].values())


def requests(scene):
    """Count the requests that the twin let in."""
    told = [Counter(each) for each in scene.state()["requests"].values()]
    return sum(each.total() - each["429"] for each in told)


def test_more_rows_than_a_window_takes_are_sent_and_none_is_refused(scene_with):
    scene = scene_with(tokens=40, **LIMITS)
    scene.submit(checked_projects([project(n) for n in range(40)]))
    assert (scene.outcomes(), requests(scene) > 120, refused(scene)) == (
        Counter({Outcome.SENT: 40}),
        True,
        0,
    )


@pytest.mark.short_campaign
def test_two_with_one_key_send_every_row_and_are_refused_only_what_was_in_flight(
    scene_with,
):
    first = scene_with(tokens=40, **LIMITS)
    second = Scene(twin=first.twin)
    sheets = [
        checked_projects([project(n) for n in numbers])
        for numbers in (range(20), range(20, 40))
    ]
    first.submit_beside(second, sheets)
    windows = math.ceil(requests(first) / LIMITS["rate_limit"])
    in_flight = first.workers + second.workers
    assert (
        first.sends(),
        first.outcomes() + second.outcomes(),
        requests(first) > 120,
        refused(first) <= windows * in_flight,
    ) == ([1] * 40, Counter({Outcome.SENT: 40}), True, True)


def test_whoever_comes_later_learns_from_one_answer_that_the_window_is_closed(
    scene_with,
):
    first = scene_with(tokens=40, **LIMITS)
    first.submit(checked_projects([project(n) for n in range(14)]))
    Scene(twin=first.twin).submit(checked_projects([project(n) for n in range(14, 20)]))
    assert (first.sends(), refused(first) <= 1) == ([1] * 20, True)
