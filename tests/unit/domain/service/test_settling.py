"""When a doubt is asked about."""

from kawe.domain.service.states import DEFAULT_SETTLE_SECONDS, read_times


def test_the_default_window_is_read_at_5_30_120_and_180_seconds():
    times = read_times(1000.0, settle_seconds=DEFAULT_SETTLE_SECONDS)
    assert [round(at - 1000, 6) for at in times] == [5, 30, 120, 180]


def test_a_shorter_window_keeps_the_proportions_and_its_end():
    times = read_times(1000.0, settle_seconds=18.0)
    assert [round(at - 1000, 6) for at in times] == [0.5, 3, 12, 18]
