"""Keeping within the rate limit before the service has to say so.

The window is learnt from the headers of every answer. `RateLimit-Reset` may
be seconds from now or an epoch: a number over 10¹² is epoch milliseconds, one
over 10⁹ epoch seconds, anything else seconds from now.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

from kawe.contract import headers
from kawe.ports import Clock, Halt, Progress

_SHORTEST_SECONDS: Final = 1.0
_LONGEST_SECONDS: Final = 960.0
_FIRST_GUESS_SECONDS: Final = 60.0
_RESERVE: Final = 1
_MOST_DOUBLINGS: Final = 4
# No service counts further, and Python refuses to read numbers without end.
_MOST_DIGITS: Final = 12
# How often a wait looks up to see whether the person wants to stop.
_LOOK_UP_SECONDS: Final = 0.5
_DRAFT_FORM: Final = re.compile(r"\b(?:t|reset)=(\d+(?:\.\d+)?)")
_DRAFT_REMAINING: Final = re.compile(r"\b(?:r|remaining)=(\d+)")


def wait_from(answer_headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Say how many seconds until the window opens, None where no header tells.

    `Retry-After` (seconds or a date) comes first, then `RateLimit-Reset` and
    `X-RateLimit-Reset`, then the `t=` and `reset=` forms of the IETF drafts.
    """
    retry_after = answer_headers.get(headers.RETRY_AFTER.lower())
    if retry_after is not None:
        wait = _seconds_or_date(retry_after, now=now)
        if wait is not None:
            return _clamped(wait)
    for name in (headers.RATE_RESET.lower(), f"x-{headers.RATE_RESET.lower()}"):
        if name in answer_headers:
            wait = _delta_or_epoch(answer_headers[name], now=now)
            if wait is not None:
                return _clamped(wait)
    match = _DRAFT_FORM.search(answer_headers.get("ratelimit", ""))
    return None if match is None else _clamped(float(match[1]))


def remaining_from(answer_headers: Mapping[str, str]) -> int | None:
    """Say how many requests the window still allows, None where unknown."""
    for name in (headers.RATE_REMAINING.lower(), f"x-{headers.RATE_REMAINING.lower()}"):
        text = answer_headers.get(name, "").strip()
        if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
            return int(text)
    match = _DRAFT_REMAINING.search(answer_headers.get("ratelimit", ""))
    return None if match is None else int(match[1][:_MOST_DIGITS])


class Pacer:
    """What is known of the window, shared by everything that asks.

    Implements the port `Pace`. Answers of requests in flight together come in
    any order, so within a window what is left only ever goes down: a turn
    takes one, and an answer that says less is believed.
    """

    def __init__(
        self, *, clock: Clock, progress: Progress, halt: Halt, chance: random.Random
    ) -> None:
        self._clock = clock
        self._progress = progress
        self._halt = halt
        self._chance = chance
        self._open_at: datetime | None = None
        self._left: int | None = None
        self._left_until: datetime | None = None
        self._refusals = 0
        self._asked = 0

    async def turn(self) -> bool:
        """Wait until the window has room for one more request."""
        while (wait := self._wait_seconds()) > 0:
            if self._halt.asked:
                return False
            await self._clock.sleep(min(wait, _LOOK_UP_SECONDS))
        if self._left is not None:
            self._left -= 1
        return True

    @property
    def asked(self) -> int:
        """Say how many requests were answered so far."""
        return self._asked

    def forecast(self, requests: int) -> float | None:  # noqa: ARG002 - not known yet
        """Say how long that many requests more would take."""
        return None

    def learn(self, answer_headers: Mapping[str, str], *, http_status: int) -> None:
        """Take in what an answer says about the window."""
        self._asked += 1
        now = self._clock.now()
        wait = wait_from(answer_headers, now=now)
        if http_status == 429:
            self._refused(wait, now=now)
            return
        self._refusals = 0
        left = remaining_from(answer_headers)
        if left is None or wait is None:
            return
        if self._left is None or left < self._left:
            self._left = left
        if self._left_until is None:
            self._left_until = now + timedelta(seconds=wait)

    def _refused(self, wait: float | None, *, now: datetime) -> None:
        # Refusals that arrive while the window is known to be closed belong to
        # the requests that were in flight: they are one refusal.
        if self._open_at is None or now >= self._open_at:
            self._refusals += 1
        if wait is None:
            doublings = min(max(self._refusals - 1, 0), _MOST_DOUBLINGS)
            wait = _clamped(_FIRST_GUESS_SECONDS * 2**doublings)
        self._close(wait, now=now)

    def _close(self, wait: float, *, now: datetime) -> None:
        opens = now + timedelta(seconds=wait + self._chance.uniform(0, min(3, wait)))
        if self._open_at is not None and opens <= self._open_at:
            return
        was_open = self._open_at is None or now >= self._open_at
        self._open_at = opens
        if was_open and wait >= 5:
            self._progress.say(
                "The service's rate limit is reached; going on in "
                f"{round(wait)} seconds."
            )

    def _wait_seconds(self) -> float:
        now = self._clock.now()
        if self._left_until is not None and now >= self._left_until:
            # Another window: what is left of it, the next answer says.
            self._left = self._left_until = None
        if (
            self._left is not None
            and self._left_until is not None
            and self._left <= _RESERVE
        ):
            self._close((self._left_until - now).total_seconds(), now=now)
            self._left = self._left_until = None
        if self._open_at is None:
            return 0.0
        wait = (self._open_at - now).total_seconds()
        if wait <= 0:
            self._open_at = self._left = self._left_until = None
        return wait


def _clamped(wait: float) -> float:
    return min(max(wait, _SHORTEST_SECONDS), _LONGEST_SECONDS)


def _delta_or_epoch(text: str, *, now: datetime) -> float | None:
    try:
        number = float(text.strip())
    except ValueError:
        return None
    if number > 1e12:
        return number / 1000 - now.timestamp()
    if number > 1e9:
        return number - now.timestamp()
    return number if number >= 0 else None


def _seconds_or_date(text: str, *, now: datetime) -> float | None:
    try:
        number = float(text.strip())
    except ValueError:
        return _seconds_until(text, now=now)
    return None if math.isnan(number) else number


def _seconds_until(text: str, *, now: datetime) -> float | None:
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
    return (at - now).total_seconds()
