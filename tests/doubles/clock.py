"""A clock that stands still until somebody sleeps."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta


class StillClock:
    """Implements the port `Clock`: sleeping advances the time at once."""

    def __init__(self, at: datetime | None = None) -> None:
        self.at = at or datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
        self.slept: list[float] = []

    def now(self) -> datetime:
        """Give the instant."""
        return self.at

    async def sleep(self, wait_seconds: float) -> None:
        """Advance, and let others have their turn."""
        self.slept.append(wait_seconds)
        self.at += timedelta(seconds=wait_seconds)
        await asyncio.sleep(0)

    def pass_by(self, seconds: float) -> None:
        """Advance without anybody sleeping."""
        self.at += timedelta(seconds=seconds)
