"""The clocks and the calendar that people here go by."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

NEW_ZEALAND: Final = ZoneInfo("Pacific/Auckland")


def day_in_new_zealand(at: datetime) -> date:
    """Give the calendar day of an instant."""
    return at.astimezone(NEW_ZEALAND).date()
