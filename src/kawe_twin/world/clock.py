"""The twin's clock and the text of instants.

Instants are text, UTC with milliseconds and a Z (interface, Resources), so that text
order is time order.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]


def system_clock() -> datetime:
    return datetime.now(UTC)


def instant_text(moment: datetime) -> str:
    """Write an instant as the interface shows it: UTC, milliseconds, Z."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def instant_after(moment: datetime, *, seconds: float) -> str:
    return instant_text(moment + timedelta(seconds=seconds))


def day_text(day: str) -> str:
    return f"{day}T00:00:00.000Z"
