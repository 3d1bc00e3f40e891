"""What is a computer's own: its clock, and its way to the service."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Final

from faults.simulation.network import Network, Question
from faults.simulation.passing_time import SimulatedClock
from faults.simulation.trace import Trace
from kawe.service.transport.answers import Answer, Exchange

FRESH_SECONDS: Final = 2.0
"""How old the look at a draft may be when its send leaves."""
_ON_THE_WAY_SECONDS: Final = 0.5
"""How long an answer is on its way, at most."""


@dataclass(slots=True, kw_only=True)
class WallClock(SimulatedClock):
    """Implements the port `Clock`: wrong by some minutes, and set now and then."""

    ahead_seconds: float

    def now(self) -> datetime:
        """Give what hangs on the wall."""
        return SimulatedClock.now(self) + timedelta(seconds=self.ahead_seconds)


@dataclass(slots=True, kw_only=True)
class OwnTrace(Trace):
    """What happens on one computer, told in the lines of the whole."""

    whole: Trace
    name: str

    def say(self, what: str, *more: object) -> None:
        """Keep one line."""
        if self.whole.is_kept:
            self.whole.say(f"{self.name}: {what}", *more)


@dataclass(slots=True, kw_only=True)
class WatchedNetwork(Network):
    """Notices sends that leave long after a colleague had changed the draft."""

    stale: list[str] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    """How long each reading of one draft took that was not sent from here."""
    sent: set[str] = field(default_factory=set)
    creates: int = 0
    """How many drafts this process was told of."""
    requests: int = 0
    limited: int = 0
    """How often the answer was 429."""
    meets: Callable[[int, Question], None] | None = None
    """Who is told of each request, counted from 1, just before it leaves."""

    async def carry(
        self, question: Question, *, leaves: Callable[[], Awaitable[None]] | None = None
    ) -> Exchange:
        """Carry one request."""
        self.requests += 1
        if self.meets is not None:
            self.meets(self.requests, question)
        if question.operation == "project_send":
            self._watch(question.path["id"])
            self.sent.add(question.path["id"])
        # Not super(): a dataclass with slots is another class than this one.
        begun = asyncio.get_running_loop().time()
        exchange = await Network.carry(self, question, leaves=leaves)
        is_read = question.operation == "project_read"
        if is_read and question.path["id"] not in self.sent:
            self.looks.append(asyncio.get_running_loop().time() - begun)
        status = exchange.http_status if isinstance(exchange, Answer) else 0
        is_made = status == HTTPStatus.CREATED
        self.creates += is_made and question.operation == "project_create"
        self.limited += status == HTTPStatus.TOO_MANY_REQUESTS
        return exchange

    def _watch(self, project_id: str) -> None:
        now = asyncio.get_running_loop().time()
        self.service.pass_time(now)
        kept = self.service.shelves.by_id.get(project_id)
        if kept is None or kept.touched_at is None:
            return
        old = now - kept.touched_at
        lag = self.service.climate.most_read_lag_seconds
        # Where looks usually are slow, one may be as old as two of them; which looks
        # came before that of this row, the network cannot tell.
        medians = (
            sorted(self.looks[:n])[n // 2] for n in range(1, len(self.looks) + 1)
        )
        fresh = max(FRESH_SECONDS, 2 * max(medians, default=0.0))
        if old > fresh + _ON_THE_WAY_SECONDS + lag:
            name = kept.shown["name"]
            self.stale.append(
                f"{name}: its send leaves {old:.1f} s after a colleague touched it"
            )
