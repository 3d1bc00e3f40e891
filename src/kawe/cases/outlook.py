"""When a stage of a run will be done, for every face that shows how it goes."""

import math
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from kawe.domain.text.new_zealand import NEW_ZEALAND, day_in_new_zealand
from kawe.ports import Pace

_OUTLOOK_SECONDS: Final = 5.0
# Before, and with fewer things, an estimate is mostly wrong.
_QUIET_SECONDS: Final = 8.0
_ENOUGH: Final = 16
# In the last twentieth of a stage it comes too late to be of use.
_END: Final = 20


class Outlook:
    """Follows the rows of a stage and the requests made for them.

    What implements `Progress` is one of these, and shows it.
    """

    def __init__(self, elapsed: Callable[[], float] = time.monotonic) -> None:
        self.what = ""
        """The stage; empty: none has begun."""
        self.total = 0
        self.done = 0
        self._elapsed = elapsed
        self._pace: Pace | None = None
        self._first: tuple[int, int] | None = None
        self._words = ""
        self._look_again_at = 0.0

    def follow(self, pace: Pace) -> None:
        self._pace = pace

    def begin(self, what: str, *, total: int) -> None:
        """Start a stage."""
        self.what, self.total, self.done, self._words = what, total, 0, ""
        self._first = None
        self._look_again_at = self._elapsed() + _QUIET_SECONDS

    def advance(self, things: int = 1) -> None:
        """Count on."""
        self.done += things
        if self._first is None and self._pace is not None:
            # What was in flight then is in flight later too, and cancels out.
            self._first = self.done, self._pace.asked

    def words(self) -> str:
        """Say when the stage will be done; empty where nobody can tell."""
        now = self._elapsed()
        if (self.total - self.done) * _END <= self.total:
            return ""
        if now >= self._look_again_at:
            self._look_again_at = now + _OUTLOOK_SECONDS
            seconds = self._seconds()
            self._words = "" if seconds is None else left_words(seconds)
        return self._words

    def _seconds(self) -> float | None:
        if self._pace is None or self._first is None:
            return None
        done = self.done - self._first[0]
        if done < max(1, min(_ENOUGH, self.total // 4)):
            return None
        each = (self._pace.asked - self._first[1]) / done
        return self._pace.forecast(math.ceil(each * (self.total - self.done)))


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
    day = "" if ends.date() == day_in_new_zealand(now) else f" on {ends.day} {ends:%B}"
    return f"done at about {ends:%H:%M}{day}"
