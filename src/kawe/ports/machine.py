"""What the flows need of the machine, the calendar and the people of a run."""

from __future__ import annotations

from datetime import date, datetime
from typing import Protocol

from kawe.ports.service import Pace


class Clock(Protocol):
    """Time."""

    def now(self) -> datetime:
        """Give the present instant, aware, in UTC."""
        ...

    def elapsed(self) -> float:
        """Give the seconds since some moment, on a clock that nobody sets.

        Sleep of the machine counts. Only differences within one process mean anything.
        """
        ...

    async def sleep(self, wait_seconds: float) -> None:
        """Wait."""
        ...


class Progress(Protocol):
    """Shows a person how a run goes."""

    def follow(self, pace: Pace) -> None:
        """Use the pace of these requests to estimate the time that is left."""
        ...

    def begin(self, what: str, *, total: int) -> None:
        """Start a stage of `total` things; `what` is a short phrase."""
        ...

    def advance(self, things: int = 1) -> None:
        """Say that so many things of the stage are finished."""
        ...

    def say(self, sentence: str) -> None:
        """Tell the person something now."""
        ...


class Halt(Protocol):
    """Whether the person asked the run to stop."""

    @property
    def asked(self) -> bool:
        """Say whether Ctrl-C was pressed: finish what is in flight, no more."""
        ...


class Alerts(Protocol):
    """What a run reports at once, because a person can act while it goes on."""

    def no_tokens(self, *, sent: int) -> None:
        """Report the first 402, after `sent` sends of this run; return at once."""
        ...


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
