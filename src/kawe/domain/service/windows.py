"""What was asked of the service, and what is known of its rate limit.

A window may be fixed (all of it comes back at once) or rolling (each request comes back
one window later). Both let at least one request in at the time that their answers name,
and its answer says how many more. So one request tries a closed window, and the others
wait for its answer.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

LONGEST_SECONDS: Final = 960.0
"""The service's fifteen minutes, and one for clocks that differ."""
_FIRST_GUESS_SECONDS: Final = 60.0
_MOST_DOUBLINGS: Final = 10
# One request in fifty is left to other users of this key.
_KEPT_BACK: Final = 50
# Of a look and its send, none is left to others.
_PAIR: Final = 2
# A trial that has no answer by then is taken for lost.
_TRIAL_SECONDS: Final = 10.0
_LOOK_AGAIN_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class RateWords:
    """The rate limit in an answer; None: not given."""

    limit: int | None = None
    left: int | None = None
    wait_seconds: float | None = None
    """Until the window opens."""
    length_seconds: float | None = None
    name: str | None = None
    """What a combined header calls it; empty: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowNews:
    """What one answer says of the window, and how certain that is by now.

    Requests in flight beside it may count before or after it: what is left now is at
    most what it says, and at least that without those that are `uncounted`.
    """

    words: RateWords
    asked_at: datetime
    told_at: datetime
    is_refusal: bool = False
    uncounted: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What a process knows of the window of its key.

    `spread`, a random number from 0 to 1, spreads the waits of those who share a key.
    """

    limit: int | None = None
    length_seconds: float | None = None
    left: int | None = None
    """What nobody has a turn for yet; None: no limit is known."""
    refills_at: datetime | None = None
    """When the service lets in more, by its latest answer."""
    opens_at: datetime | None = None
    """It is closed until then, and until an answer says that it is open."""
    tried_at: datetime | None = None
    """When somebody set out to see whether it is open."""
    opened_at: datetime | None = None
    """What was asked before then speaks of an earlier window."""
    lowered_at: datetime | None = None
    """Answers to what was asked before then cannot raise what is left."""
    refusals: int = 0
    """How many came one after the other."""

    @property
    def kept_back(self) -> int:
        """Say how many requests are never made."""
        limit = self.limit or 0
        return max(1, limit // _KEPT_BACK) if limit > _PAIR else 0

    def take(
        self, turns: int, *, spread: float, now: datetime
    ) -> "tuple[Window, float]":
        """Give turns, or say how many seconds to wait; a closed window gives one."""
        window = _closed_in_time(self, turns, spread, now=now)
        if window.opens_at is not None:
            if (wait := (window.opens_at - now).total_seconds()) > 0:
                return window, wait
            if window.tried_at is not None:
                tried = (now - window.tried_at).total_seconds()
                if 0 <= tried < _TRIAL_SECONDS:
                    return window, _LOOK_AGAIN_SECONDS
            return replace(window, tried_at=now), 0.0
        if window.left is None:
            return window, 0.0
        return replace(window, left=window.left - turns), 0.0

    def learned(self, news: WindowNews, *, spread: float) -> "Window":
        """Give the window after an answer."""
        if self.opened_at is not None and news.asked_at < self.opened_at:
            return self
        if news.is_refusal:
            return _refused(self, news, spread)
        if self.opens_at is not None and news.asked_at < self.opens_at:
            # It was in flight before the window closed.
            return self
        window = replace(self, refusals=0) if self.refusals else self
        if window.opens_at is not None:
            window = replace(
                window,
                opens_at=None,
                tried_at=None,
                left=None,
                opened_at=window.opens_at,
            )
        if None in {news.words.left, news.words.wait_seconds}:
            return window
        return _counted(window, news)

    def seconds_for(
        self, requests: int, *, pace_seconds: float | None, now: datetime
    ) -> float | None:
        """Say how long so many requests take, or None if that is unknown."""
        at_pace = None if pace_seconds is None else requests * pace_seconds
        is_closed = self.opens_at is not None
        if self.limit is None or self.length_seconds is None:
            return at_pace
        if self.left is None and not is_closed:
            return at_pace
        free = 0 if is_closed else max(0, (self.left or 0) - self.kept_back)
        if requests <= free:
            return at_pace
        more_at = self.opens_at or self.refills_at or now
        windows, last = divmod(requests - free - 1, max(1, self.limit - self.kept_back))
        seconds = max(0.0, (more_at - now).total_seconds())
        seconds += windows * self.length_seconds + (last + 1) * (pace_seconds or 0.0)
        return max(seconds, at_pace or 0.0)


def _closed_in_time(
    window: Window, turns: int, spread: float, *, now: datetime
) -> Window:
    """Close a window of which too little is left."""
    if window.opens_at is not None:
        if window.opens_at - now <= timedelta(seconds=2 * LONGEST_SECONDS):
            return window
        # This machine's clock was put back: nothing lasts as long as that.
        return replace(window, opens_at=now, tried_at=None)
    if window.left is None or window.left - turns >= window.kept_back:
        return window
    wait = 0.0
    if window.refills_at is not None:
        wait = max(0.0, (window.refills_at - now).total_seconds())
    return _closed(window, wait, spread=spread, now=now)


def _closed(window: Window, wait: float, *, spread: float, now: datetime) -> Window:
    # Services round their seconds; several runs must not ask at the same moment.
    length = window.length_seconds or wait
    late = min(1.0, length / 100) + spread * min(2.0, wait / 50)
    opens_at = now + timedelta(seconds=min(wait, LONGEST_SECONDS) + late)
    return replace(window, opens_at=opens_at, tried_at=None)


def _refused(window: Window, news: WindowNews, spread: float) -> Window:
    # Refusals of requests that were in flight together are one refusal.
    before = window.opens_at
    is_another = before is None or news.asked_at >= before
    refusals = window.refusals + is_another
    doubled = 2.0 ** min(max(refusals - 1, 0), _MOST_DOUBLINGS)
    wait = news.words.wait_seconds
    if wait is None:
        wait = _FIRST_GUESS_SECONDS * doubled
    elif refusals > 1:
        # The service opened later than it had said.
        wait = max(wait, doubled)
    refused = replace(window, refusals=refusals, left=None)
    closed = _closed(refused, wait, spread=spread, now=news.told_at)
    if is_another or before is None or closed.opens_at is None:
        return closed
    return replace(closed, opens_at=max(closed.opens_at, before))


def _counted(window: Window, news: WindowNews) -> Window:
    words = news.words
    at_most, wait = words.left or 0, words.wait_seconds or 0.0
    at_least = max(0, at_most - news.uncounted)
    left, lowered_at = window.left, window.lowered_at
    # What is left of another limit cannot be held against what was known.
    if left is None or words.limit not in {None, window.limit}:
        left, lowered_at = at_least, news.told_at
    elif at_most < left:
        left, lowered_at = at_most, news.told_at
    elif at_least > left and (lowered_at is None or news.asked_at > lowered_at):
        left = at_least
    length = words.length_seconds or max(wait, window.length_seconds or 0.0)
    return replace(
        window,
        limit=words.limit or max(at_most, window.limit or 0),
        length_seconds=min(length, LONGEST_SECONDS),
        left=left,
        lowered_at=lowered_at,
        refills_at=news.told_at + timedelta(seconds=wait),
    )


class Traffic:
    """Counts requests and bytes, those of files and of their storage too."""

    def __init__(self) -> None:
        self.requests = 0
        self.lost = 0
        """Requests without a whole answer."""
        self.retries = 0
        self.refused = 0
        """Answers that the rate limit refused (429)."""
        self.waited_seconds = 0.0
        """How long requests waited for the rate limit."""
        self.sent_bytes = 0
        """Bodies alone, as are `received_bytes`: no headers."""
        self.received_bytes = 0

    def as_json(self) -> dict[str, dict[str, float]]:
        """Give requests and limits for the record of a run."""
        requests: dict[str, float] = {
            "made": self.requests,
            "lost": self.lost,
            "retries": self.retries,
            "sent_bytes": self.sent_bytes,
            "received_bytes": self.received_bytes,
        }
        waited = round(self.waited_seconds, 3)
        limits = {"refused": self.refused, "waited_seconds": waited}
        return {"requests": requests, "limits": limits}


TRAFFIC: Final = Traffic()
"""That of this process, which carries out one command."""
