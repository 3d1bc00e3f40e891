"""A service with a rate limit and nothing else, in simulated time.

It counts as services do: a fixed window comes back as a whole, a rolling one
request by request. What it says of itself may be said in several forms, be
wrong, or not be said at all.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from kawe.service.pacing import Pacer

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


@dataclass(slots=True, kw_only=True)
class LimitedService:
    """Counts requests in a window."""

    limit: int
    window_seconds: float
    is_rolling: bool
    says: Said = plainly
    refused_at: list[float] = field(default_factory=list)
    let_in: int = 0
    _made: deque[float] = field(default_factory=deque)
    _begun_at: float = -math.inf

    def ask(self) -> tuple[int, dict[str, str]]:
        """Make a request that arrives now."""
        now = asyncio.get_running_loop().time()
        self._forget(now)
        allowed = len(self._made) < self.limit
        if allowed:
            if not self._made:
                self._begun_at = now
            self._made.append(now)
            self.let_in += 1
        else:
            self.refused_at.append(now)
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
    """Some who make requests together, as workers of one process do."""

    service: LimitedService
    pacer: Pacer
    chance: Random
    workers: int = 8
    latency_seconds: float = 0.2
    done: int = 0

    async def make(self, requests: int) -> None:
        """Make so many requests, each until it was let in."""
        waiting = iter(range(requests))

        async def worker() -> None:
            for _ in waiting:
                while await self.pacer.turn():
                    if await self._ask() != 429:
                        break
                self.done += 1

        await asyncio.gather(*(worker() for _ in range(self.workers)))

    async def _ask(self) -> int:
        trip = self.pacer.leaves()
        await asyncio.sleep(self.chance.uniform(0, self.latency_seconds))
        status, headers = self.service.ask()
        await asyncio.sleep(self.chance.uniform(0, self.latency_seconds))
        self.pacer.learn(headers, http_status=status, trip=trip)
        return status
