"""The rate limit of a twin, over real sockets: short windows, nothing timed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from doubles.rows import checked_projects, project
from doubles.scene import Scene
from kawe.domain.outcomes import Outcome
from kawe.journal.window_file import WindowFile

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


def sharing(scene, folder):
    key, url = scene.twin.address.live_key, scene.twin.address.api_url
    return replace(scene, window=WindowFile(folder, base_url=url, key=key))


def test_more_rows_than_a_window_takes_are_sent_and_none_is_refused(scene_with):
    scene = scene_with(tokens=40, **LIMITS)
    scene.submit(checked_projects([project(n) for n in range(40)]))
    assert (scene.outcomes(), requests(scene) > 120, refused(scene)) == (
        Counter({Outcome.SENT: 40}),
        True,
        0,
    )


def test_two_with_one_key_go_through_one_window_and_at_most_one_is_refused(
    scene_with, tmp_path
):
    first = sharing(scene_with(tokens=40, **LIMITS), tmp_path / "windows")
    second = sharing(Scene(twin=first.twin), tmp_path / "windows")
    sheets = [
        checked_projects([project(n) for n in numbers])
        for numbers in (range(20), range(20, 40))
    ]
    first.submit_beside(second, sheets)
    assert (first.sends(), requests(first) > 120, refused(first) <= 1) == (
        [1] * 40,
        True,
        True,
    )


def test_whoever_comes_later_knows_that_the_window_is_closed(scene_with, tmp_path):
    first = sharing(scene_with(tokens=40, **LIMITS), tmp_path / "windows")
    first.submit(checked_projects([project(n) for n in range(14)]))
    second = sharing(Scene(twin=first.twin), tmp_path / "windows")
    second.submit(checked_projects([project(n) for n in range(14, 20)]))
    assert (first.sends(), refused(first)) == ([1] * 20, 0)
