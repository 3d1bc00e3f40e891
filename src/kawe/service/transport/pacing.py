"""Keeps within the rate limit before the service refuses.

`rate_headers` reads the answers and `kawe.domain.service.windows` draws the
conclusions. The pacer counts its own requests; answers include those of others.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
        self._lent = 0
        self._begun = 0
        self._ended = 0
        self._said_until: datetime | None = None
        self._busy = timedelta()
        self._busy_since: datetime | None = None

    async def turn(self) -> bool:
        """Wait until the window has room for one more request."""
        async with self._turns:
            while (wait := self._take()) > 0:
                if self._halt.asked:
                    return False
                nap = min(wait, _LOOK_UP_SECONDS)
                await self._clock.sleep(nap)
                TRAFFIC.waited_seconds += nap
            return True

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let other requests go before this one, whose turn is kept."""
        self._lent += 1
        if self._begun == self._ended:
            # If the turn was to try a closed window, another request does.
            self._window = replace(self._window, tried_at=None)
        try:
            yield
        finally:
            self._lent -= 1

    @property
    def asked(self) -> int:
        """Count the requests so far."""
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

    def _take(self) -> float:
        """Take a turn, or say how long to wait before trying again."""
        now = self._clock.now()
        self._window, wait = self._window.take(spread=self._chance.random(), now=now)
        if wait > 0:
            self._tell(wait, now=now)
            return wait
        if self._window.tried_at is not None and self._begun == self._ended:
            # Unused turns of a stopped run; what was lent will be used.
            self._got = self._ended + self._lent
        self._got += 1
        return 0.0

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
