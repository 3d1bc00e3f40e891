"""Keeping within the rate limit before the service has to say so.

`rate_headers` reads what an answer says, `kawe.domain.windows` decides what
follows from it, and a `SharedWindow` holds it for all who use the key on this
machine. What is left for the pacer is to count its own requests. It takes turns
by the handful, so that the shared window is asked for few of them, and asks
nothing at all while no answer has ever spoken of a limit.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeVar

from kawe.domain.new_zealand import NEW_ZEALAND
from kawe.domain.windows import Share, Sharer, Turns, Window, WindowNews
from kawe.ports import Clock, Halt, Progress, SharedWindow
from kawe.service.rate_headers import SILENCE, RateWords, rate_words

# How often a wait looks up to see whether the person wants to stop.
_LOOK_UP_SECONDS: Final = 0.5
_WORTH_SAYING_SECONDS: Final = 5.0
_IN_MINUTES_SECONDS: Final = 90.0
# Fewer answers than that are no pace.
_PACE_ANSWERS: Final = 16
# How long what the window said of its closing is taken for true.
_LOOK_AGAIN_SECONDS: Final = 30.0

T = TypeVar("T")


class OwnWindow:
    """Implements the port `SharedWindow` for this process alone."""

    def __init__(self) -> None:
        self._window = Window()

    def is_known(self) -> bool:
        """Say whether anything is."""
        return self._window != Window()

    def change(self, by: Callable[[Window], tuple[Window, T]]) -> T:
        """Change it."""
        self._window, gives = by(self._window)
        return gives


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    """One request on its way, and what was known when it left."""

    asked_at: datetime
    ended: int
    shares: Mapping[str, Share]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """The latest answer that spoke of the window, not told to others yet."""

    words: RateWords
    trip: Trip
    told_at: datetime
    given: int
    """How many turns had been given when it came."""
    is_refusal: bool


class Pacer:
    """Counts requests, and lets them go one by one.

    Implements the port `Pace`.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        progress: Progress,
        halt: Halt,
        chance: random.Random,
        window: SharedWindow | None = None,
    ) -> None:
        self._clock = clock
        self._progress = progress
        self._halt = halt
        self._chance = chance
        self._window = OwnWindow() if window is None else window
        self._name = secrets.token_hex(8)
        self._is_limited = self._window.is_known()
        self._door = asyncio.Lock()
        self._hand = 0
        self._got = 0
        self._begun = 0
        self._ended = 0
        self._shares: Mapping[str, Share] = {}
        self._heard: _Heard | None = None
        self._trial_at: datetime | None = None
        self._look_again_at: datetime | None = None
        self._said_until: datetime | None = None
        self._busy = timedelta()
        self._busy_since: datetime | None = None

    async def turn(self) -> bool:
        """Wait until the window has room for one more request."""
        if not self._is_limited:
            self._got += 1
            return True
        if self._hand == 0:
            # One waits for all.
            async with self._door:
                while (wait := self._take()) > 0:
                    if self._halt.asked:
                        return False
                    await self._clock.sleep(min(wait, _LOOK_UP_SECONDS))
                self._hand -= 1
                return True
        self._hand -= 1
        return True

    @property
    def asked(self) -> int:
        """Say how many requests were made so far."""
        return self._begun

    def forecast(self, requests: int) -> float | None:
        """Say how long that many requests more would take."""
        now, pace = self._clock.now(), self._pace_seconds()
        if not self._is_limited:
            return None if pace is None else requests * pace

        def look(window: Window) -> tuple[Window, float | None]:
            seconds = self._told(window).seconds_for(
                requests, pace_seconds=pace, now=now
            )
            return window, seconds

        return self._window.change(look)

    def leaves(self) -> Trip:
        """Note that a request leaves."""
        now = self._clock.now()
        if self._begun == self._ended:
            self._busy_since = now
        self._begun += 1
        return Trip(asked_at=now, ended=self._ended, shares=self._shares)

    def lost(self) -> None:
        """Note that no answer will come to a request."""
        self._end(self._clock.now())

    def learn(
        self, answer_headers: Mapping[str, str], *, http_status: int, trip: Trip
    ) -> None:
        """Take in what an answer says about the window."""
        now = self._clock.now()
        self._end(now)
        words = rate_words(answer_headers, now=now)
        is_refusal = http_status == 429
        is_trial = self._trial_at is not None and trip.asked_at >= self._trial_at
        if words is SILENCE and not is_refusal and not is_trial:
            return
        self._heard = _Heard(
            words=words,
            trip=trip,
            told_at=now,
            given=self._got - self._hand,
            is_refusal=is_refusal,
        )
        self._put_back(down_to=0 if is_refusal else words.left)
        if is_trial or is_refusal or not self._is_limited:
            self._is_limited = True
            self._trial_at = self._look_again_at = None
            self._window.change(lambda window: (self._told(window), None))
            self._heard = None

    def close(self) -> None:
        """Leave to others what is in hand."""
        if not self._is_limited:
            return

        def leave(window: Window) -> tuple[Window, None]:
            told, now = self._told(window), self._clock.now()
            return told.left_by(self._sharer(), unused=self._hand, now=now), None

        self._window.change(leave)
        self._heard = None
        self._put_back(down_to=0)

    def _take(self) -> float:
        """See to a turn in hand, or say how long to wait before trying again."""
        if self._hand > 0:
            return 0.0
        now = self._clock.now()
        wait = self._still_closed(now)
        if wait > 0:
            return wait

        def take(window: Window) -> tuple[Window, Turns]:
            window, turns = self._told(window).take(self._sharer(), now=now)
            self._shares = window.shares
            return window, turns

        turns = self._window.change(take)
        self._heard = None
        if turns.count == 0:
            self._wait(turns.wait_seconds, now=now)
            return turns.wait_seconds
        if turns.is_trial:
            self._trial_at = now
            if self._begun == self._ended:
                # Turns that nobody used, because a run was stopped.
                self._got = self._ended
        self._hand = turns.count
        self._got += turns.count
        return 0.0

    def _still_closed(self, now: datetime) -> float:
        if self._look_again_at is None:
            return 0.0
        wait = (self._look_again_at - now).total_seconds()
        # Longer than ever asked for: this machine's clock was put back.
        return wait if wait <= _LOOK_AGAIN_SECONDS else 0.0

    def _wait(self, wait: float, *, now: datetime) -> None:
        again = timedelta(seconds=min(wait, _LOOK_AGAIN_SECONDS))
        self._look_again_at = now + again
        opens_at = now + timedelta(seconds=wait)
        if wait < _WORTH_SAYING_SECONDS:
            return
        if self._said_until is None or opens_at > self._said_until:
            self._said_until = opens_at + timedelta(seconds=_WORTH_SAYING_SECONDS)
            when = _when(wait, opens_at)
            self._progress.say(f"The service's rate limit is reached; going on {when}.")

    def _told(self, window: Window) -> Window:
        """Bring what was heard last into the window."""
        heard = self._heard
        if heard is None:
            return window
        words, left = heard.words, heard.words.left
        at_least = at_most = None
        if left is not None:
            at_least = min(left, left + heard.trip.ended + 1 - self._got)
            at_most = max(0, left + heard.given - self._got)
        news = WindowNews(
            asked_at=heard.trip.asked_at,
            told_at=heard.told_at,
            is_refusal=heard.is_refusal,
            limit=words.limit,
            length_seconds=words.length_seconds,
            wait_seconds=words.wait_seconds,
            at_least=at_least,
            at_most=at_most,
            shares=heard.trip.shares,
        )
        return window.told(news, self._sharer())

    def _sharer(self) -> Sharer:
        return Sharer(
            name=self._name,
            got=self._got,
            ended=self._ended,
            spread=self._chance.random(),
        )

    def _put_back(self, *, down_to: int | None) -> None:
        if down_to is not None and down_to < self._hand:
            self._got -= self._hand - down_to
            self._hand = down_to

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
