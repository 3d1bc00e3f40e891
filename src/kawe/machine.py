"""This machine's time."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime


class SystemClock:
    """Implements the port `Clock`."""

    def now(self) -> datetime:
        """Give the present instant."""
        return datetime.now(UTC)

    async def sleep(self, wait_seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(wait_seconds)
