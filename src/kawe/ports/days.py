"""What the flows need of the calendar."""

from __future__ import annotations

from datetime import date
from typing import Protocol


class WorkingDays(Protocol):
    """Knows on which days people in New Zealand are at work."""

    @property
    def knows_holidays(self) -> bool:
        """Say whether public holidays count, and not weekends and summer alone."""
        ...

    def day_off(self, on: date) -> str | None:
        """Say what `on` is when nobody works then, such as `a Saturday`, or None."""
        ...

    def until(self, on: date, *, today: date) -> int:
        """Count the working days after `today` up to `on`, that day included."""
        ...
