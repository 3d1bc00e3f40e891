"""The rolling window of a key."""

from kawe_twin.api.gate import Quota, RollingWindows


def test_each_request_takes_one_of_the_window():
    windows = RollingWindows(limit=3, window_seconds=900)
    windows.take("a", at_seconds=1000.0)
    assert windows.take("a", at_seconds=1010.5) == Quota(
        allowed=True, limit=3, remaining=1, reset_seconds=890
    )


def test_a_full_window_refuses_until_its_oldest_request_is_one_window_old():
    windows = RollingWindows(limit=2, window_seconds=10)
    windows.take("a", at_seconds=0.0)
    windows.take("a", at_seconds=4.0)
    said = [windows.take("a", at_seconds=at) for at in (9.5, 10.0, 10.1)]
    assert [(one.allowed, one.reset_seconds) for one in said] == [
        (False, 1),
        (True, 4),
        (False, 4),
    ]


def test_refused_requests_do_not_count():
    windows = RollingWindows(limit=1, window_seconds=10)
    for at_seconds in range(10):
        windows.take("a", at_seconds=at_seconds)
    assert windows.take("a", at_seconds=10.0).allowed


def test_nobody_is_shown_a_whole_window():
    assert RollingWindows(limit=7, window_seconds=900).untouched() == Quota(
        allowed=True, limit=7, remaining=7, reset_seconds=900
    )
