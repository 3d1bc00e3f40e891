"""Retries what only reads, after transient failures; `HttpActs` has no retries."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from kawe.domain.service.windows import TRAFFIC
from kawe.domain.text.next_steps import Next
from kawe.errors import ServiceUnreachable
from kawe.ports import Halt, Pace

T = TypeVar("T")
_STEP_SECONDS: Final = 0.5


@dataclass(eq=False, kw_only=True)
class Transient(ServiceUnreachable):
    """A failure that a retry may fix."""

    rate_limited: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Exponential backoff: the maximum wait doubles, each wait is random below it."""

    attempts: int = 5
    total_seconds: float = 180.0
    first_wait_seconds: float = 0.5
    longest_wait_seconds: float = 20.0
    chance: random.Random = field(
        default_factory=random.Random, repr=False, compare=False
    )

    def wait_seconds(self, tries: int) -> float:
        """Choose the wait after so many tries."""
        most = self.first_wait_seconds * 2.0**tries
        return self.chance.uniform(0, min(self.longest_wait_seconds, most))


class RetryBudget:
    """Limits the retries of all callers together.

    Each retry takes one, each good answer returns a half: a service that is down does
    not get five requests from everybody.
    """

    def __init__(self, *, most: int = 40) -> None:
        self._most = most
        self._left = float(most)

    def take(self) -> bool:
        """Take one, if there is one."""
        if self._left < 1:
            return False
        self._left -= 1
        TRAFFIC.retries += 1
        return True

    def earn(self) -> None:
        self._left = min(self._most, self._left + 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How calls of one run are repeated: in its pace, by a policy, from one budget."""

    pace: Pace
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    budget: RetryBudget = field(default_factory=RetryBudget)
    halt: Halt | None = None
    """Ends a pause before the next attempt; None: nobody stops the run."""

    async def call(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call until it works, or the policy or the budget allows no more.

        429 costs no attempt, and its wait counts for nothing.

        Raises:
            Transient: The last failure.
            ServiceUnreachable: The person stopped while the rate limit was closed.
        """
        return await self.through_limits(lambda: self._retried(call))

    async def _retried(self, call: Callable[[], Awaitable[T]]) -> T:
        now = asyncio.get_running_loop().time
        ends_at, tries = now() + self.policy.total_seconds, 0
        while True:
            tries += 1
            try:
                answer = await call()
            except Transient as trouble:
                # No retry follows the last attempt.
                is_last = tries >= self.policy.attempts or now() >= ends_at
                if trouble.rate_limited or is_last or not self.budget.take():
                    raise
                if not await self._pause(self.policy.wait_seconds(tries)):
                    raise
            else:
                self.budget.earn()
                return answer
            await self._take_turn()

    async def _pause(self, seconds: float) -> bool:
        """Wait before the next attempt; False: the person asked to stop."""
        now = asyncio.get_running_loop().time
        ends_at = now() + seconds
        while self.halt is None or not self.halt.asked:
            left = ends_at - now()
            if left <= 0:
                return True
            await asyncio.sleep(min(left, _STEP_SECONDS))
        return False

    async def through_limits(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call again while the rate limit refuses; raise any other failure.

        Raises:
            ServiceUnreachable: The person stopped while the rate limit was closed.
        """
        while True:
            await self._take_turn()
            try:
                return await call()
            except Transient as trouble:
                if not trouble.rate_limited:
                    raise

    async def _take_turn(self) -> None:
        if not await self.pace.turn():
            raise ServiceUnreachable(
                message="Stopped while the rate limit was closed.",
                hint=f"{Next.AGAIN}.",
            )
