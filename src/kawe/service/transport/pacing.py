"""Keeps within the rate limit before the service refuses.

`rate_headers` reads the answers and `kawe.domain.service.windows` draws the
conclusions. The pacer counts its own requests; answers include those of others.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from kawe.domain.service.traffic import TRAFFIC
from kawe.domain.service.windows import Window, WindowNews
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.ports import Clock, Halt, Progress
from kawe.service.transport.rate_headers import rate_words

# How often a wait checks for a stop.
_LOOK_UP_SECONDS: Final = 0.5
_WORTH_SAYING_SECONDS: Final = 5.0
_IN_MINUTES_SECONDS: Final = 90.0
# Fewer answers give no pace.
_PACE_ANSWERS: Final = 16


@dataclass(slots=True, kw_only=True, eq=False)
class TurnPair:
    """Implements the port `Turns`."""

    kept: int = 0
    """How many turns were given and are not used."""
    is_next: bool = False
    """Nobody else gets a turn in between."""
    left_at: float = -math.inf
    waited_seconds: float = 0.0


_OWN: ContextVar[TurnPair] = ContextVar("pair")
"""The pair within which a request is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestStart:
    """When a request left, and how many had ended before."""

    asked_at: datetime
    ended: int


class Pacer:
    """Implements the port `Pace`: counts requests and lets them go one by one."""

    def __init__(
        self, *, clock: Clock, progress: Progress, halt: Halt, chance: random.Random
    ) -> None:
        self._clock = clock
        self._progress = progress
        self._halt = halt
        self._chance = chance
        self._window = Window()
        self._turns = asyncio.Lock()
        self._got = 0
        self._pairs: list[TurnPair] = []
        self._begun = 0
        self._ended = 0
        self._said_until: datetime | None = None
        self._busy = timedelta()
        self._busy_since: datetime | None = None

    async def turn(self) -> bool:
        """Wait until the window has room for one more request."""
        own, since = _OWN.get(None) or TurnPair(), self._clock.elapsed()
        if own.kept == 0:
            async with nullcontext() if own.is_next else self._turns:
                own.kept += await self._take(1)
            own.waited_seconds += own.is_next * (self._clock.elapsed() - since)
        return own.kept > 0

    @asynccontextmanager
    async def pair(self) -> AsyncIterator[TurnPair | None]:
        """Wait for two turns, or for one and the right to the next."""
        async with AsyncExitStack() as line:
            await line.enter_async_context(self._turns)
            own = TurnPair(kept=await self._take(2))
            own.is_next = own.kept == 1
            if not own.is_next:
                await line.aclose()
            self._pairs.append(own)
            token = _OWN.set(own)
            try:
                yield own if own.kept else None
            finally:
                _OWN.reset(token)
                self._pairs.remove(own)
                self._got -= own.kept
                if own.kept and self._begun == self._ended:
                    # If it was to try a closed window, another request does.
                    self._window = replace(self._window, tried_at=None)

    @property
    def asked(self) -> int:
        return self._begun

    def forecast(self, requests: int) -> float | None:
        """Estimate the time of so many more requests."""
        return self._window.seconds_for(
            requests, pace_seconds=self._pace_seconds(), now=self._clock.now()
        )

    def leaves(self) -> RequestStart:
        """Record that a request leaves."""
        now = self._clock.now()
        if self._begun == self._ended:
            self._busy_since = now
        self._begun += 1
        if own := _OWN.get(None):
            own.left_at, own.waited_seconds = self._clock.elapsed(), 0.0
            own.kept = max(0, own.kept - 1)
        TRAFFIC.requests += 1
        return RequestStart(asked_at=now, ended=self._ended)

    def lost(self) -> None:
        """Record a request without an answer."""
        TRAFFIC.lost += 1
        self._end(self._clock.now())

    def learn(
        self,
        answer_headers: Mapping[str, str],
        *,
        http_status: int,
        start: RequestStart,
    ) -> None:
        """Learn about the window from an answer."""
        now = self._clock.now()
        self._end(now)
        TRAFFIC.refused += http_status == 429
        words = rate_words(answer_headers, now=now)
        # The answer counts the requests that ended before this one left.
        uncounted = max(0, self._got - start.ended - 1)
        news = WindowNews(
            asked_at=start.asked_at,
            told_at=now,
            is_refusal=http_status == 429,
            limit=words.limit,
            length_seconds=words.length_seconds,
            wait_seconds=words.wait_seconds,
            at_least=None if words.left is None else words.left - uncounted,
            at_most=words.left,
        )
        self._window = self._window.learned(news, spread=self._chance.random())

    async def _take(self, turns: int) -> int:
        """Wait for turns; give one alone that tries a closed window, 0 after a stop."""
        while True:
            now, spread = self._clock.now(), self._chance.random()
            self._window, wait = self._window.take(turns, spread=spread, now=now)
            if wait <= 0:
                break
            self._tell(wait, now=now)
            if self._halt.asked:
                return 0
            nap = min(wait, _LOOK_UP_SECONDS)
            await self._clock.sleep(nap)
            TRAFFIC.waited_seconds += nap
        is_trial = self._window.tried_at is not None
        if is_trial and self._begun == self._ended:
            # Unused turns of a stopped run; those of a pair will be used.
            self._got = self._ended + sum(each.kept for each in self._pairs)
        turns = 1 if is_trial else turns
        self._got += turns
        return turns

    def _tell(self, wait: float, *, now: datetime) -> None:
        opens_at = now + timedelta(seconds=wait)
        if wait < _WORTH_SAYING_SECONDS:
            return
        if self._said_until is None or opens_at > self._said_until:
            self._said_until = opens_at + timedelta(seconds=_WORTH_SAYING_SECONDS)
            when = _when(wait, opens_at)
            self._progress.say(f"The service's rate limit is reached; going on {when}.")

    def _end(self, now: datetime) -> None:
        self._ended += 1
        if self._begun == self._ended and self._busy_since is not None:
            self._busy += now - self._busy_since
            self._busy_since = None

    def _pace_seconds(self) -> float | None:
        if self._ended < _PACE_ANSWERS:
            return None
        busy = self._busy
        if self._busy_since is not None:
            busy += self._clock.now() - self._busy_since
        return busy.total_seconds() / self._ended


def _when(wait: float, opens_at: datetime) -> str:
    if wait < _IN_MINUTES_SECONDS:
        return f"in {round(wait)} seconds"
    return f"at {opens_at.astimezone(NEW_ZEALAND):%H:%M}"
