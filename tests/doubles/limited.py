"""A service with a rate limit and nothing else, in simulated time.

It counts as services do: a fixed window comes back as a whole, a rolling one
request by request. What it says of itself may be said in several forms, be
wrong, or not be said at all.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from email.utils import format_datetime
from random import Random
from typing import TypeAlias

from doubles.machine import AskedToStop, Quiet
from faults.simulation.passing_time import EPOCH, SimulatedClock
from kawe.service.transport.pacing import Pacer

Said: TypeAlias = Callable[["Standing"], dict[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a window stood when a request came."""

    limit: int
    left: int
    seconds: float
    """Until it lets in more."""
    at: float
    allowed: bool


def plainly(standing: Standing) -> dict[str, str]:
    """Say it as the interface does."""
    return {
        "ratelimit-limit": str(standing.limit),
        "ratelimit-remaining": str(standing.left),
        "ratelimit-reset": str(math.ceil(standing.seconds)),
    }


def in_seconds_rounded_down(standing: Standing) -> dict[str, str]:
    """Say the seconds as some do, a little too few."""
    return plainly(standing) | {"ratelimit-reset": str(math.floor(standing.seconds))}


def as_epoch(standing: Standing) -> dict[str, str]:
    """Say the instant, by a clock that is an hour ahead of everybody's."""
    now = EPOCH + timedelta(seconds=standing.at, hours=1)
    opens = (now + timedelta(seconds=standing.seconds)).timestamp()
    return {
        "date": format_datetime(now, usegmt=True),
        "x-ratelimit-remaining": str(standing.left),
        "x-ratelimit-reset": str(math.ceil(opens)),
    }


def as_milliseconds(standing: Standing) -> dict[str, str]:
    """Say the instant in milliseconds, and no `Date`."""
    opens = (EPOCH + timedelta(seconds=standing.at + standing.seconds)).timestamp()
    return plainly(standing) | {"ratelimit-reset": str(math.ceil(opens * 1000))}


def as_drafted(standing: Standing) -> dict[str, str]:
    """Say it as the later drafts do."""
    return {
        "ratelimit": f'"default";r={standing.left};t={math.ceil(standing.seconds)}',
        "ratelimit-policy": f'"default";q={standing.limit};w=900',
    }


def only_when_refused(standing: Standing) -> dict[str, str]:
    """Say nothing before it is too late."""
    wait = str(math.ceil(standing.seconds))
    return {} if standing.allowed else {"retry-after": wait}


def nothing(_standing: Standing) -> dict[str, str]:
    return {}


def never_less(standing: Standing) -> dict[str, str]:
    """Say that everything is left, always."""
    return plainly(standing) | {"ratelimit-remaining": str(standing.limit)}


def in_the_past(standing: Standing) -> dict[str, str]:
    """Say that the window has opened, always."""
    return plainly(standing) | {"ratelimit-reset": str(EPOCH.timestamp() - 900)}


@dataclass(slots=True, kw_only=True)
class LimitedService:
    """Counts requests in a window."""

    limit: int
    window_seconds: float
    is_rolling: bool
    says: Said = plainly
    refused_at: list[float] = field(default_factory=list)
    """Refusals of those who keep to the limit; guests are not counted."""
    let_in_at: list[float] = field(default_factory=list)
    _made: deque[float] = field(default_factory=deque)
    _begun_at: float = -math.inf

    def ask(self, *, is_guest: bool = False) -> tuple[int, dict[str, str]]:
        """Make a request that arrives now."""
        now = asyncio.get_running_loop().time()
        self._forget(now)
        allowed = len(self._made) < self.limit
        if allowed:
            if not self._made:
                self._begun_at = now
            self._made.append(now)
        if not is_guest:
            (self.let_in_at if allowed else self.refused_at).append(now)
        oldest = self._made[0] if self.is_rolling else self._begun_at
        standing = Standing(
            limit=self.limit,
            left=max(0, self.limit - len(self._made)),
            seconds=oldest + self.window_seconds - now,
            at=now,
            allowed=allowed,
        )
        return (200 if allowed else 429), self.says(standing)

    def _forget(self, now: float) -> None:
        if self.is_rolling:
            while self._made and self._made[0] <= now - self.window_seconds:
                self._made.popleft()
        elif self._begun_at <= now - self.window_seconds:
            self._made.clear()


@dataclass(slots=True, kw_only=True)
class Crew:
    """Some who make requests together, as the workers of one process do."""

    service: LimitedService
    chance: Random
    workers: int = 8
    latency_seconds: float = 0.2
    pacer: Pacer = field(init=False)

    def __post_init__(self) -> None:
        self.pacer = Pacer(
            clock=SimulatedClock(),
            progress=Quiet(),
            halt=AskedToStop(),
            chance=self.chance,
        )

    async def make(self, requests: int) -> None:
        """Make so many requests, the first alone, each until it was let in."""
        await self._each(iter(range(1)))
        waiting = iter(range(requests - 1))
        await asyncio.gather(*(self._each(waiting) for _ in range(self.workers)))

    async def _each(self, waiting: Iterator[int]) -> None:
        for _ in waiting:
            while await self.pacer.turn():
                if await self._ask() != 429:
                    break

    async def _ask(self) -> int:
        start = self.pacer.leaves()
        await asyncio.sleep(self.chance.uniform(0, self.latency_seconds))
        status, headers = self.service.ask()
        await asyncio.sleep(self.chance.uniform(0, self.latency_seconds))
        self.pacer.learn(headers, http_status=status, start=start)
        return status


async def guest(service: LimitedService, *, every_seconds: float) -> None:
    """Use the same window now and then, without looking at what it says."""
    while True:
        await asyncio.sleep(every_seconds)
        service.ask(is_guest=True)
