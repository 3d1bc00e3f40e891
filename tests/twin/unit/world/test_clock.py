"""Instants and days as text."""

from datetime import UTC, datetime, timedelta, timezone

from kawe_twin.world.clock import instant_after, instant_text

AT = datetime(2026, 11, 21, 3, 4, 5, 678_999, tzinfo=UTC)


def test_an_instant_is_utc_with_milliseconds_and_a_z():
    assert instant_text(AT) == "2026-11-21T03:04:05.678Z"


def test_an_instant_of_another_zone_is_turned_to_utc():
    new_zealand = timezone(timedelta(hours=13))
    assert instant_text(AT.astimezone(new_zealand)) == instant_text(AT)


def test_later_is_counted_in_seconds():
    assert instant_after(AT, seconds=0.5) == "2026-11-21T03:04:06.178Z"
