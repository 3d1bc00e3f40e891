"""When a stage will be done: by its rows so far, and the rate limit ahead of it."""

from __future__ import annotations

import math
import time
from datetime import UTC, datetime, timedelta
from typing import Final

from kawe.domain.new_zealand import NEW_ZEALAND, day_in_new_zealand
from kawe.ports import Pace

# Working it out asks the shared window, which is not done for every row.
_EVERY_SECONDS: Final = 5.0


class Outlook:
    """Follows the rows of a stage and the requests made for them."""

    def __init__(self) -> None:
        self._pace: Pace | None = None
        self._total = 0
        self._done = 0
        self._asked_before = 0
        self._words = ""
        self._look_again_at = 0.0

    def follow(self, pace: Pace) -> None:
        """Follow these requests from now on."""
        self._pace = pace

    def begin(self, *, total: int) -> None:
        """Start a stage."""
        self._total, self._done, self._words = total, 0, ""
        self._asked_before = 0 if self._pace is None else self._pace.asked
        self._look_again_at = 0.0

    def advance(self, things: int) -> None:
        """Count on."""
        self._done += things

    def words(self) -> str:
        """Say when the stage will be done; empty where nobody can tell."""
        now = time.monotonic()
        if now >= self._look_again_at:
            self._look_again_at = now + _EVERY_SECONDS
            seconds = self._seconds()
            self._words = "" if seconds is None else left_words(seconds)
        return self._words

    def _seconds(self) -> float | None:
        left = self._total - self._done
        if self._pace is None or self._done == 0 or left <= 0:
            return None
        each = (self._pace.asked - self._asked_before) / self._done
        return self._pace.forecast(math.ceil(each * left))


def left_words(seconds: float, *, now: datetime | None = None) -> str:
    """Say how long something takes, or until when."""
    if seconds < 50:
        return "less than a minute left"
    if seconds < 90:
        return "about a minute left"
    if seconds < 3600:
        return f"about {round(seconds / 60)} minutes left"
    now = datetime.now(UTC) if now is None else now
    ends = (now + timedelta(seconds=seconds)).astimezone(NEW_ZEALAND)
    today = day_in_new_zealand(now)
    day = "" if ends.date() == today else f" on {ends.day} {ends:%B}"
    return f"done at about {ends:%H:%M}{day}"
