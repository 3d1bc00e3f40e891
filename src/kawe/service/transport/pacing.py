"""Keeps within the rate limit before the service refuses.

`kawe.domain.service.windows` draws the conclusions. The pacer counts its own requests;
answers include those of others. The rate limit is read in every known form:

========================  =====================================================
`Retry-After`             seconds, or a date
`RateLimit-Reset`         seconds, epoch seconds, epoch milliseconds, or a date
`RateLimit-Remaining`     a number; `-Limit` too, and `100, 100;w=60`
`RateLimit`               `limit=100, remaining=50, reset=30`, or
                          `"default";r=50;t=30`
`RateLimit-Policy`        `100;w=60`, or `"default";q=100;w=60`
========================  =====================================================

The first three may begin with `X-`, also as `X-Rate-Limit-`. An instant is relative to
the answer's own `Date`, since this machine's clock may be wrong.
"""

import asyncio
import math
import random
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

from kawe.domain.service.windows import (
    LONGEST_SECONDS,
    TRAFFIC,
    RateWords,
    Window,
    WindowNews,
)
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.ports import Clock, Halt, Progress
from kawe_contract import headers

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
        self.halt = halt
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
        news = WindowNews(
            asked_at=start.asked_at,
            told_at=now,
            is_refusal=http_status == 429,
            words=rate_words(answer_headers, now=now),
            # The answer counts the requests that ended before this one left.
            uncounted=max(0, self._got - start.ended - 1),
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
            if self.halt.asked:
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
            when = f"at {opens_at.astimezone(NEW_ZEALAND):%H:%M}"
            if wait < _IN_MINUTES_SECONDS:
                when = f"in {round(wait)} seconds"
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


_SHORTEST_SECONDS: Final = 1.0
# No limit is larger, and Python refuses very long numbers.
_MOST_DIGITS: Final = 12
_QUOTED: Final = re.compile(r'"([^"]*)"')
_PARAMETER: Final = re.compile(r"\b([a-z]+)=(\d{1,12}(?:\.\d{1,6})?)")
_NUMBER: Final = re.compile(r"\s*(\d{1,12})\b")
_RETRY_AFTER: Final = headers.RETRY_AFTER.lower()
_COMBINED: Final = "ratelimit"
_POLICY: Final = "ratelimit-policy"


def _spellings(name: str) -> tuple[str, str, str]:
    plain = name.lower()
    return plain, f"x-{plain}", f"x-{plain.replace('ratelimit', 'rate-limit')}"


_LIMIT: Final = _spellings(headers.RATE_LIMIT)
_REMAINING: Final = _spellings(headers.RATE_REMAINING)
_RESET: Final = _spellings(headers.RATE_RESET)
_NAMES: Final = frozenset({_RETRY_AFTER, _COMBINED, *_REMAINING, *_RESET})


def rate_words(answer: Mapping[str, str], *, now: datetime) -> RateWords:
    """Read the headers, with names in lower case."""
    if _NAMES.isdisjoint(answer):
        return RateWords()
    item = _tightest(answer.get(_COMBINED, ""))
    limit, length = _limit(answer, item)
    left = _left(answer)
    wait = _wait(answer, now=now)
    wait = item.wait_seconds if wait is None else wait
    if wait is not None:
        wait = min(max(wait, _SHORTEST_SECONDS), LONGEST_SECONDS)
    return RateWords(
        limit=limit,
        left=item.left if left is None else left,
        wait_seconds=wait,
        length_seconds=length,
    )


def _tightest(text: str) -> RateWords:
    """Give the limit of a combined header with the fewest requests left."""
    if not text:
        return RateWords()
    members = [text] if "remaining=" in text else text.split(",")
    items = [_item(member) for member in members]
    return min(items, key=lambda item: math.inf if item.left is None else item.left)


def _item(text: str) -> RateWords:
    said = _parameters(text)
    left, wait = said.get("r", said.get("remaining")), said.get("t", said.get("reset"))
    limit = said.get("limit")
    return RateWords(
        name=_name(text) or "",
        limit=None if limit is None else int(float(limit)),
        left=None if left is None else int(float(left)),
        wait_seconds=None if wait is None else float(wait),
    )


def _limit(
    answer: Mapping[str, str], item: RateWords
) -> tuple[int | None, float | None]:
    """Give the size and length of the window."""
    text = next((answer[name] for name in _LIMIT if name in answer), "")
    limit = _number(text)
    limit = item.limit if limit is None else limit
    policies = answer.get(_POLICY, "") or (text if ";" in text else "")
    for policy in filter(None, policies.split(",")):
        name, said = _name(policy), _parameters(policy)
        quota = _number(policy if name is None else said.get("q", ""))
        is_it = name is None or item.name in {None, name}
        if is_it and limit in {None, quota} and "w" in said:
            return limit or quota, float(said["w"])
    return limit, None


def _number(text: str) -> int | None:
    found = _NUMBER.match(text)
    return None if found is None else int(found[1])


def _name(text: str) -> str | None:
    found = _QUOTED.search(text)
    return None if found is None else found[1]


def _parameters(text: str) -> dict[str, str]:
    return dict(_PARAMETER.findall(_QUOTED.sub("", text)))


def _left(answer: Mapping[str, str]) -> int | None:
    for name in _REMAINING:
        text = answer.get(name, "").strip()
        if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
            return int(text)
    return None


def _wait(answer: Mapping[str, str], *, now: datetime) -> float | None:
    for name in (_RETRY_AFTER, *_RESET):
        if name in answer:
            wait = _seconds(answer[name], answer=answer, now=now)
            if wait is not None:
                return wait
    return None


def _seconds(text: str, *, answer: Mapping[str, str], now: datetime) -> float | None:
    """Read seconds, an epoch in seconds or milliseconds, or a date.

    A number over 10¹² is epoch milliseconds, one over 10⁹ epoch seconds,
    anything else seconds from now.
    """
    try:
        number = float(text)
    except ValueError:
        instant = _date(text)
        return None if instant is None else _until(instant, answer=answer, now=now)
    if math.isnan(number):
        return None
    if 1e9 < number < 1e15:
        epoch = number / 1000 if number > 1e12 else number
        return _until(epoch, answer=answer, now=now)
    return number


def _until(epoch: float, *, answer: Mapping[str, str], now: datetime) -> float:
    date = _date(answer.get("date", ""))
    waits = [epoch - here for here in (date, now.timestamp()) if here is not None]
    # If the service's two clocks disagree, use ours.
    return next((wait for wait in waits if -60 <= wait <= LONGEST_SECONDS), waits[0])


def _date(text: str) -> float | None:
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            return None
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
    return at.timestamp()
