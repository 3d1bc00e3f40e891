"""This machine's time, and whose account is at work on it."""

import asyncio
import getpass
import time
from datetime import UTC, datetime
from typing import Final

# `time.monotonic` stands still on Linux and macOS while the machine sleeps.
_STEADY: Final[int | None] = getattr(
    time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None)
)


class SystemClock:
    """Implements the port `Clock`."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def elapsed(self) -> float:
        return time.monotonic() if _STEADY is None else time.clock_gettime(_STEADY)

    async def sleep(self, wait_seconds: float) -> None:
        await asyncio.sleep(wait_seconds)


def account_name() -> str:
    """Give the name of the account at work; empty where the machine has none."""
    try:
        return getpass.getuser()
    except (OSError, ImportError, KeyError):
        return ""
