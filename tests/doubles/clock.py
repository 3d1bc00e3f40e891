"""A clock that stands still until somebody sleeps."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta


class StillClock:
    """Implements the port `Clock`: sleeping advances the time at once."""

    def __init__(self, at: datetime | None = None) -> None:
        self.at = at or datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
        self.slept: list[float] = []
        self.ran = 0.0
        self.meanwhile: Callable[[], Awaitable[object] | None] = lambda: None
        """What happens whenever somebody sleeps."""

    def now(self) -> datetime:
        return self.at

    def elapsed(self) -> float:
        """Give the seconds that really went by."""
        return self.ran

    async def sleep(self, wait_seconds: float) -> None:
        """Advance, and let others have their turn."""
        self.slept.append(wait_seconds)
        self.pass_by(wait_seconds)
        await asyncio.sleep(0)
        if (happening := self.meanwhile()) is not None:
            await happening

    def pass_by(self, seconds: float) -> None:
        """Advance without anybody sleeping."""
        self.ran += seconds
        self.jump(seconds)

    def jump(self, seconds: float) -> None:
        """Set what the clock says, as a person or a time server does."""
        self.at += timedelta(seconds=seconds)
