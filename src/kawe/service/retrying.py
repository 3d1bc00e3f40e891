"""Lookups that ask again when trouble may pass.

This wrapper takes a `Lookups` and there is none that takes `Acts`: retrying
an act is a type error.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from kawe.domain.service.places import IwiAnswer, Place
from kawe.domain.service.service_words import (
    Account,
    Organisation,
    Page,
    Project,
    ProjectId,
    Receipt,
    TeamRoll,
)
from kawe.errors import ServiceUnreachable
from kawe.ports import Lookups, Pace
from kawe.service.lookups import Transient

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to go on asking; the longest wait doubles, each is of any length."""

    attempts: int = 5
    total_seconds: float = 180.0
    first_wait_seconds: float = 0.5
    longest_wait_seconds: float = 20.0
    # Jitter needs no secrecy.
    chance: random.Random = field(
        default_factory=random.Random,
        repr=False,
        compare=False,
    )

    def wait_seconds(self, tries: int) -> float:
        """Say how long to wait after so many tries."""
        most = self.first_wait_seconds * 2.0**tries
        return self.chance.uniform(0, min(self.longest_wait_seconds, most))


class RetryBudget:
    """How often all that share it may ask again, taken together: a retry budget.

    Each repetition takes one, each good answer gives half a one back. While a
    service answers most questions, nobody feels it. One that is down is not
    asked five times by everybody, which would keep it down.
    """

    def __init__(self, *, most: int = 40) -> None:
        self._most = most
        self._left = float(most)

    def take(self) -> bool:
        """Take one, where there is one left."""
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def earn(self) -> None:
        """Give back what a good answer is worth."""
        self._left = min(self._most, self._left + 0.5)


async def patiently(
    call: Callable[[], Awaitable[T]],
    *,
    pace: Pace,
    patience: Patience,
    allowance: RetryBudget,
) -> T:
    """Call until it works, patience ends or the allowance is used up.

    429 costs no attempt, and the wait that it asks for no patience.

    Raises:
        Transient: The last trouble.
        ServiceUnreachable: The person stopped while the rate limit was closed.
    """
    return await through_limits(
        lambda: _persistently(call, pace=pace, patience=patience, allowance=allowance),
        pace=pace,
    )


async def _persistently(
    call: Callable[[], Awaitable[T]],
    *,
    pace: Pace,
    patience: Patience,
    allowance: RetryBudget,
) -> T:
    now = asyncio.get_running_loop().time
    ends_at, tries = now() + patience.total_seconds, 0
    while True:
        tries += 1
        try:
            answer = await call()
        except Transient as trouble:
            # The last attempt has nothing to pay for.
            is_last = tries >= patience.attempts or now() >= ends_at
            if trouble.rate_limited or is_last or not allowance.take():
                raise
        else:
            allowance.earn()
            return answer
        await asyncio.sleep(patience.wait_seconds(tries))
        await _take_turn(pace)


async def through_limits(call: Callable[[], Awaitable[T]], *, pace: Pace) -> T:
    """Call until the rate limit lets it through; any other trouble is raised.

    Raises:
        ServiceUnreachable: The person stopped while the rate limit was closed.
    """
    while True:
        await _take_turn(pace)
        try:
            return await call()
        except Transient as trouble:
            if not trouble.rate_limited:
                raise


async def _take_turn(pace: Pace) -> None:
    if not await pace.turn():
        raise ServiceUnreachable(
            message="Stopped while the rate limit was closed.",
            hint="Run the same command again.",
        )


class RetryingLookups:
    """Implements the port `Lookups` over another."""

    def __init__(
        self,
        inner: Lookups,
        *,
        pace: Pace,
        patience: Patience | None = None,
        allowance: RetryBudget | None = None,
    ) -> None:
        self._inner = inner
        self._pace = pace
        self._patience = Patience() if patience is None else patience
        self._allowance = RetryBudget() if allowance is None else allowance

    async def _again(self, call: Callable[[], Awaitable[T]]) -> T:
        return await patiently(
            call, pace=self._pace, patience=self._patience, allowance=self._allowance
        )

    async def account(self) -> Account:
        """Say whom the key speaks for."""
        return await self._again(self._inner.account)

    async def iwi_at(self, place: Place) -> IwiAnswer:
        """Say which iwi a place belongs to."""
        return await self._again(lambda: self._inner.iwi_at(place))

    async def project(self, project: ProjectId) -> Project | None:
        """Read one project; None when this key cannot see it."""
        return await self._again(lambda: self._inner.project(project))

    async def projects(
        self, *, page: int, search: str | None = None, status: str | None = None
    ) -> Page[Project]:
        """Read one page of projects, newest first."""
        return await self._again(
            lambda: self._inner.projects(page=page, search=search, status=status)
        )

    async def organisations(self, *, page: int) -> Page[Organisation]:
        """Read one page of organisations."""
        return await self._again(lambda: self._inner.organisations(page=page))

    async def team(self, team_id: str) -> TeamRoll:
        """Read members and invitations."""
        return await self._again(lambda: self._inner.team(team_id))

    async def receipts(self, team_id: str, *, page: int) -> Page[Receipt]:
        """Read one page of receipts."""
        return await self._again(lambda: self._inner.receipts(team_id, page=page))

    async def listed(
        self, operation: str, *, path: Mapping[str, str], page: int
    ) -> Page[Mapping[str, object]]:
        """Read one page of any other list."""
        return await self._again(
            lambda: self._inner.listed(operation, path=path, page=page)
        )
