"""A release that waits for tokens, in memory and in time that passes at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias

from doubles.memory_scene import MemoryScene
from kawe.domain.batch.agreements import Budget
from kawe.errors import KaweError
from kawe.flows.wait.awaiting import Ended, Polling, QueueSnapshot
from kawe.flows.wait.queueing import release, sends_in_doubt, waiting

Happening: TypeAlias = Callable[[], KaweError | None]
"""What happens before a look; an error is met instead of an answer."""


@dataclass(slots=True, kw_only=True)
class MemoryRelease:
    """Implements `Release` over a scene in memory."""

    scene: MemoryScene
    budget: Budget = field(default_factory=lambda: Budget(balance=None))
    happens: dict[int, Happening] = field(default_factory=dict)
    """By the number of a look, counted from 1."""
    looks: list[float] = field(default_factory=list)
    """How many minutes had passed at each look."""
    rounds: int = 0

    async def snapshot(self) -> QueueSnapshot:
        """Meet what happens now, then count."""
        self.looks.append(self._minutes())
        trouble = self.happens.get(len(self.looks), lambda: None)()
        if trouble is not None:
            raise trouble
        names = tuple(each.name for each in await self.scene.journal.batches())
        rows = await waiting(names, journal=self.scene.journal)
        return QueueSnapshot(
            waits=len(rows),
            balance=self.scene.service.tokens,
            reserve=self.budget.keep_reserve or 0,
            can_go=self._now().sends(len(rows)),
            allowed=self.budget.sends(len(rows)),
            needs_a_run=sends_in_doubt(rows) > 0,
        )

    async def go(self) -> None:
        """Release, and count what was tried against the budget."""
        self.rounds += 1
        run = await self.scene.run()
        names = tuple(each.name for each in await self.scene.journal.batches())
        await release(names, run=run, budget=self._now())
        self.budget = self.budget.less(len(run.tally.may_have_sent))
        if run.stop.because is not None:
            raise run.stop.because

    def _now(self) -> Budget:
        return Budget(
            balance=self.scene.service.tokens,
            keep_reserve=self.budget.keep_reserve,
            max_tokens=self.budget.max_tokens,
            agreed=self.budget.agreed,
        )

    def _minutes(self) -> float:
        began = MemoryScene().clock.now()
        return (self.scene.clock.now() - began) / timedelta(minutes=1)


def poll_until_done(
    release_: MemoryRelease, *, hours: float | None = None, chance: float = 0.5
) -> Ended:
    """Wait for tokens, a look every 10 minutes, until that ends."""
    scene = release_.scene
    polling = Polling(
        clock=scene.clock,
        progress=scene.quiet,
        halt=scene.halt,
        poll_seconds=600,
        chance=lambda: chance,
        until_at=None if hours is None else scene.clock.now() + timedelta(hours=hours),
    )
    return asyncio.run(polling.run(release_))
