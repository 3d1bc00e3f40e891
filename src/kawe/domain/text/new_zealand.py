"""The clocks and the calendar that people here go by, and how days are written."""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

NEW_ZEALAND: Final = ZoneInfo("Pacific/Auckland")
A_YEAR: Final = timedelta(days=366)
_MARGIN: Final = timedelta(days=2)


def read_instant(text: str) -> datetime:
    """Read an instant as the service writes it, UTC unless it says other.

    Raises:
        ValueError: It is none.
        OverflowError: It is no day in some time zone.
    """
    at = datetime.fromisoformat(text)
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    _ = at - _MARGIN, at + _MARGIN
    return at


iso_day: Final = lru_cache(maxsize=2**10)(date.fromisoformat)


def day_of(text: str | None) -> date | None:
    """Read a day as documents write it; None: it is none."""
    try:
        return iso_day(text or "")
    except ValueError:
        return None


def day_in_new_zealand(at: datetime) -> date:
    return at.astimezone(NEW_ZEALAND).date()


def local_time(at: datetime) -> datetime:
    """Give an instant as New Zealand time without zone, for a cell."""
    return at.astimezone(NEW_ZEALAND).replace(tzinfo=None, microsecond=0)


def short_day_words(on: date) -> str:
    return f"{on.day} {on:%b %Y}"


def day_words(on: date) -> str:
    return f"{on.day} {on:%B %Y}"


def weekday_words(on: date) -> str:
    """Write a day by which something must be done: Sunday 1 February 2026."""
    return f"{on:%A} {day_words(on)}"


def moment_words(at: datetime) -> str:
    """Write an instant as New Zealand's clocks show it: 10:32 on 3 November 2026."""
    here = at.astimezone(NEW_ZEALAND)
    return f"{here:%H:%M} on {day_words(here)}"
