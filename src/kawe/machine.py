"""This machine's time, and whose account is at work on it."""

from __future__ import annotations

import asyncio
import getpass
from datetime import UTC, datetime


class SystemClock:
    """Implements the port `Clock`."""

    def now(self) -> datetime:
        """Give the present instant."""
        return datetime.now(UTC)

    async def sleep(self, wait_seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(wait_seconds)


def account_name() -> str:
    """Give the name of the account at work; empty where the machine has none."""
    try:
        return getpass.getuser()
    except (OSError, ImportError, KeyError):
        return ""
