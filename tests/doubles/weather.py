"""What goes wrong with requests, and when: the same for every kind of service.

A `Weather` says what becomes of each request. It never looks at what is asked
for; whoever stands between kawe and a service asks it and acts on its word.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

from doubles.clock import StillClock

ACTS: Final = frozenset(
    {"project_create", "project_update", "project_send", "user_invite_bulk"}
)
UNSAFE: Final = ACTS | {"upload_presign"}
"""What changes the world, by the names of the contract."""


class Fate(Enum):
    """What becomes of one request."""

    PASS = auto()
    UNREACHED = auto()
    """No byte leaves."""
    LOST_BEFORE = auto()
    """It never arrives, and nobody knows."""
    LOST_AFTER = auto()
    """The service does its work, and nobody knows."""
    LATE = auto()
    """Nobody knows, and the service does its work some time later."""
    LIMITED = auto()
    """429."""
    LAST = auto()
    """The service does its work, and kawe's process is gone: raise `Died`."""


class Died(BaseException):
    """The process is gone in the middle of a request.

    Not an `Exception`: nothing may catch it and go on.
    """


@dataclass(slots=True, kw_only=True)
class Weather:
    """What becomes of the requests to come."""

    clock: StillClock
    losses: deque[Fate] = field(default_factory=deque)
    """What becomes of the next acts, one each; afterwards they pass."""
    storm: int = 0
    """So many requests are answered with 429."""
    outage: int = 0
    """So many requests do not leave the machine."""
    dies_at: int | None = None
    """At which request from now the process is gone."""
    dies_after_work: bool = False
    late_seconds: float = 60.0
    meanwhile: dict[int, Callable[[], Awaitable[None]]] = field(default_factory=dict)
    """What others do just before the n-th request, counted over all time."""
    requests: int = 0
    struck: int = 0
    """How many requests something happened to."""
    asked: Counter[str] = field(default_factory=Counter)
    late: list[tuple[datetime, Callable[[], Awaitable[object]]]] = field(
        default_factory=list
    )

    @property
    def unsafe_calls(self) -> int:
        """Count the calls that change the world."""
        return sum(self.asked[name] for name in UNSAFE)

    async def fate(self, operation: str) -> Fate:
        """Say what becomes of a request, after what others did meanwhile."""
        self.requests += 1
        self.asked[operation] += 1
        await self.do_what_is_due()
        event = self.meanwhile.pop(self.requests, None)
        if event is not None:
            await event()
        fate = self._fate(operation)
        self.struck += fate is not Fate.PASS
        return fate

    def _fate(self, operation: str) -> Fate:
        if self.dies_at is not None:
            self.dies_at -= 1
            if self.dies_at <= 0:
                self.dies_at = None
                if self.dies_after_work:
                    return Fate.LAST
                self.struck += 1
                raise Died
        if self.outage:
            self.outage -= 1
            return Fate.UNREACHED
        if self.storm:
            self.storm -= 1
            return Fate.LIMITED
        if operation in ACTS and self.losses:
            return self.losses.popleft()
        return Fate.PASS

    def do_later(self, work: Callable[[], Awaitable[object]]) -> None:
        """Have the service do its work when nobody waits any more."""
        at = self.clock.now() + timedelta(seconds=self.late_seconds)
        self.late.append((at, work))

    async def do_what_is_due(self) -> None:
        """Let the service do what it is late with."""
        now = self.clock.now()
        due = [work for at, work in self.late if at <= now]
        self.late = [(at, work) for at, work in self.late if at > now]
        for work in due:
            await work()

    def clear(self) -> None:
        """Let every request pass from now on; what is late stays late."""
        self.losses.clear()
        self.meanwhile.clear()
        self.storm = self.outage = 0
        self.dies_at = None
