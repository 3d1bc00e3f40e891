"""When a scheduled command runs, in the words of each scheduler.

Times are those of the computer's own clock.
"""

from __future__ import annotations

from calendar import month_name
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import ClassVar, Final, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Monthly:
    """Once a month."""

    day: int
    """1 to 28: every month has it."""
    at: time
    often: ClassVar[str] = "every month"
    is_tried_again: ClassVar[bool] = True

    def cron(self) -> str:
        """Write the five fields of cron."""
        return f"{self.at:%M} {self.at:%H} {self.day} * *"

    def systemd(self) -> str:
        """Write a calendar event of systemd."""
        return f"*-*-{self.day:02} {self.at:%H:%M}:00"

    def windows(self) -> tuple[str, str]:
        """Write the repetition and the calendar of a trigger of Windows."""
        months = "".join(f"<{month} />" for month in month_name[1:])
        day = f"<DaysOfMonth><Day>{self.day}</Day></DaysOfMonth>"
        return "", f"<ScheduleByMonth>{day}<Months>{months}</Months></ScheduleByMonth>"

    def first(self, now: datetime) -> datetime:
        """Give the next time at which it runs."""
        first = _next(self.at, now)
        while first.day != self.day:
            first += timedelta(days=1)
        return first


@dataclass(frozen=True, slots=True, kw_only=True)
class Daily:
    """Once a day."""

    at: time
    often: ClassVar[str] = "every day"
    is_tried_again: ClassVar[bool] = True

    def cron(self) -> str:
        """Write the five fields of cron."""
        return f"{self.at:%M} {self.at:%H} * * *"

    def systemd(self) -> str:
        """Write a calendar event of systemd."""
        return f"*-*-* {self.at:%H:%M}:00"

    def windows(self) -> tuple[str, str]:
        """Write the repetition and the calendar of a trigger of Windows."""
        return "", _EVERY_DAY

    def first(self, now: datetime) -> datetime:
        """Give the next time at which it runs."""
        return _next(self.at, now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Often:
    """Every few minutes, by day and night."""

    minutes: int
    """A part of 60, so that cron repeats it evenly."""
    is_tried_again: ClassVar[bool] = False

    @property
    def often(self) -> str:
        """Say how often it runs."""
        return f"every {self.minutes} minutes"

    def cron(self) -> str:
        """Write the five fields of cron."""
        return f"*/{self.minutes} * * * *"

    def systemd(self) -> str:
        """Write a calendar event of systemd."""
        return f"*-*-* *:00/{self.minutes}:00"

    def windows(self) -> tuple[str, str]:
        """Write the repetition and the calendar of a trigger of Windows."""
        repeats = f"<Interval>PT{self.minutes}M</Interval><Duration>P1D</Duration>"
        return f"<Repetition>{repeats}</Repetition>", _EVERY_DAY

    def first(self, now: datetime) -> datetime:
        """Give when the day begins: it is repeated from there."""
        return datetime.combine(now.date(), time(), now.tzinfo)


When: TypeAlias = Monthly | Daily | Often
_EVERY_DAY: Final = "<ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>"


def _next(at: time, now: datetime) -> datetime:
    today: date = now.date() + timedelta(days=now.time() >= at)
    return datetime.combine(today, at, now.tzinfo)
