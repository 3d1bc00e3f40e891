"""Waiting for tokens: kawe reads the balance now and then, and releases.

Between two readings nothing is held open: others may submit, and the machine may sleep.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final, Protocol

from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.texts import counted
from kawe.errors import JournalLocked, KaweError, OthersAtWork, ServiceUnreachable
from kawe.ports import Clock, Halt, Progress

_SPREAD: Final = 0.1
_PASSING: Final = (ServiceUnreachable, JournalLocked, OthersAtWork)
"""What goes away by itself; anything else ends the waiting."""


class Ended(Enum):
    """Why the waiting is over."""

    NOTHING_WAITS = auto()
    ALLOWANCE_USED = auto()
    """What was agreed to is sent, and rows still wait."""
    TIME_UP = auto()
    STOPPED = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSnapshot:
    """How things stand at one moment."""

    waits: int
    """Rows that wait for tokens, or whose send is in doubt."""
    balance: int | None
    reserve: int = 0
    can_go: int
    """How many of them may be sent now, within every limit."""
    allowed: int
    """How many of them may be sent if tokens come."""
    needs_a_run: bool = False
    """Something is to be settled that needs no token: a doubt, a date gone by."""


class Release(Protocol):
    """Something that can be read, and released."""

    async def snapshot(self) -> QueueSnapshot:
        """Say how things stand, and change nothing."""

    async def go(self) -> None:
        """Send what may be sent, and write down and report the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Polling:
    """How long to wait, how often to ask, and where progress is shown."""

    clock: Clock
    progress: Progress
    halt: Halt
    poll_seconds: float
    chance: Callable[[], float]
    """Gives a number from 0 to 1; spreads the readings of several computers."""
    until_at: datetime | None = None

    async def run(self, release: Release) -> Ended:
        """Release whenever there are tokens, until nothing waits.

        Raises:
            KaweError: Something that does not go away by itself.
        """
        is_first = True
        while True:
            queue, why = await self._read_and_go(release)
            if (ended := self._ended(queue)) is not None:
                return ended
            spread = 1 - _SPREAD + 2 * _SPREAD * self.chance()
            at = self.clock.now() + timedelta(seconds=self.poll_seconds * spread)
            next_at = at if self.until_at is None else min(at, self.until_at)
            self._say(queue, why=why, next_at=next_at, is_first=is_first)
            is_first = False
            await self._rest(next_at)

    async def _read_and_go(self, release: Release) -> tuple[QueueSnapshot | None, str]:
        queue: QueueSnapshot | None = None
        try:
            queue = await release.snapshot()
            has_work = queue.needs_a_run or (queue.waits > 0 and queue.can_go > 0)
            if has_work and not self.halt.asked:
                await release.go()
                queue = None
                queue = await release.snapshot()
        except _PASSING as trouble:
            return queue, _in_words(trouble)
        return queue, ""

    def _ended(self, queue: QueueSnapshot | None) -> Ended | None:
        if queue is not None and queue.waits == 0:
            return Ended.NOTHING_WAITS
        if self.halt.asked:
            return Ended.STOPPED
        if queue is not None and queue.allowed == 0 and not queue.needs_a_run:
            return Ended.ALLOWANCE_USED
        is_up = self.until_at is not None and self.clock.now() >= self.until_at
        return Ended.TIME_UP if is_up else None

    async def _rest(self, until: datetime) -> None:
        # In small steps: Ctrl-C works at once, also after a laptop slept.
        while not self.halt.asked:
            left = (until - self.clock.now()).total_seconds()
            if left <= 0:
                return
            await self.clock.sleep(min(left, 1.0))

    def _say(
        self,
        queue: QueueSnapshot | None,
        *,
        why: str,
        next_at: datetime,
        is_first: bool,
    ) -> None:
        now, then = _time(self.clock.now()), _time(next_at)
        if queue is None or why:
            self.progress.say(f"{now}: {why} kawe looks again at about {then}.")
            return
        rows = counted(queue.waits, "row waits", "rows wait")
        has = "" if queue.balance is None else f"; the team has {queue.balance:,}"
        if queue.reserve:
            has += f", and {queue.reserve:,} stay in reserve"
        self.progress.say(
            f"{now}: {rows} for tokens{has}. kawe looks again at about {then}."
        )
        if is_first:
            self.progress.say(
                "It goes on by itself when tokens are there, and can be stopped; "
                "nothing is lost. Others can submit meanwhile."
            )


def _in_words(trouble: KaweError) -> str:
    if isinstance(trouble, OthersAtWork):
        return "another computer is at work on these rows."
    if isinstance(trouble, JournalLocked):
        return "another kawe is at work with this journal."
    return "the service cannot be reached."


def _time(at: datetime) -> str:
    return f"{at.astimezone(NEW_ZEALAND):%H:%M}"
