"""When a scheduled command runs, in the words of each scheduler.

Times are those of the computer's own clock.
"""

from __future__ import annotations

from calendar import month_name
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

_EVERY_DAY: Final = "<ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>"


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """The times at which a command runs."""

    often: str
    """As `every month`."""
    cron: str
    """The five fields of a line."""
    systemd: str
    """A calendar event."""
    windows: str = _EVERY_DAY
    """The calendar of a trigger."""
    repeats: str = ""
    """The repetition of a trigger within a day; without one, a run that failed is tried
    again."""
    at: time = time()
    day: int | None = None
    """Of the month; None: every day."""

    def first(self, now: datetime) -> datetime:
        """Give from when it can run."""
        is_over = not self.repeats and now.time() >= self.at
        first = datetime.combine(now.date(), self.at, now.tzinfo)
        first += timedelta(days=is_over)
        while self.day not in {None, first.day}:
            first += timedelta(days=1)
        return first


def monthly(*, day: int, at: time) -> When:
    """Once a month; every month must have the day."""
    months = "".join(f"<{month} />" for month in month_name[1:])
    on = f"<DaysOfMonth><Day>{day}</Day></DaysOfMonth><Months>{months}</Months>"
    return When(
        often="every month",
        cron=f"{at:%M} {at:%H} {day} * *",
        systemd=f"*-*-{day:02} {at:%H:%M}:00",
        windows=f"<ScheduleByMonth>{on}</ScheduleByMonth>",
        at=at,
        day=day,
    )


def daily(at: time) -> When:
    """Once a day."""
    return When(
        often="every day",
        cron=f"{at:%M} {at:%H} * * *",
        systemd=f"*-*-* {at:%H:%M}:00",
        at=at,
    )


def every(minutes: int) -> When:
    """Every few minutes, by day and night; they are a part of 60."""
    repeats = f"<Interval>PT{minutes}M</Interval><Duration>P1D</Duration>"
    return When(
        often=f"every {minutes} minutes",
        cron=f"*/{minutes} * * * *",
        systemd=f"*-*-* *:00/{minutes}:00",
        repeats=f"<Repetition>{repeats}</Repetition>",
    )
