"""An event loop whose time passes only when everybody waits."""

from __future__ import annotations

import asyncio
import math
import selectors
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

T = TypeVar("T")

EPOCH: Final = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
"""The instant at which the seconds of every world begin to count."""


class _Impatient(selectors.SelectSelector):
    """Never waits: it tells the loop how long it would have waited."""

    def __init__(self) -> None:
        super().__init__()
        self.loop: SimulatedLoop | None = None

    def select(
        self, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        """Let the time pass; nothing ever comes from outside."""
        if timeout is None:
            raise AssertionError("everybody waits for something that never comes")
        if timeout > 0 and self.loop is not None:
            self.loop.pass_time(timeout)
        return []


class SimulatedLoop(asyncio.SelectorEventLoop):
    """A loop without threads, sockets or a clock of its own."""

    def __init__(self, *, begin_seconds: float) -> None:
        self.seconds = begin_seconds
        selector = _Impatient()
        super().__init__(selector)
        selector.loop = self
        self.pass_time(0)

    def time(self) -> float:
        return self.seconds

    def pass_time(self, seconds: float) -> None:
        """Let time pass."""
        self.seconds += seconds
        # No timer is early, and none waits for less than the smallest step.
        self._clock_resolution = math.ulp(self.seconds)


class SimulatedClock:
    """Implements the port `Clock` upon the loop that runs."""

    def now(self) -> datetime:
        return EPOCH + timedelta(seconds=asyncio.get_running_loop().time())

    def elapsed(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, wait_seconds: float) -> None:
        await asyncio.sleep(wait_seconds)


def live_through(
    main: Coroutine[Any, Any, T], *, begin_seconds: float
) -> tuple[T, float]:
    """Run one process; give what it gave and when it ended."""
    loop = SimulatedLoop(begin_seconds=begin_seconds)
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(main), loop.seconds
