"""Rounds one after another, until the person ends them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from kawe.errors import KeyRefused, ResultNotWritable, ScopeMissing, ServiceError
from kawe.ports import Clock, Halt

_STEP_SECONDS: Final = 0.5
_PASSING: Final = (ServiceError, ResultNotWritable)
"""What may go away by itself, but for a key that the service does not take."""


async def repeat(
    look: Callable[[], Awaitable[None]],
    *,
    clock: Clock,
    halt: Halt,
    every_seconds: float,
    say: Callable[[str], None],
) -> None:
    """Look every so many seconds; a round that failed is done again with the next.

    Raises:
        KaweError: Something that does not go away by itself.
    """
    while not halt.asked:
        began = clock.elapsed()
        try:
            await look()
        except (KeyRefused, ScopeMissing):
            raise
        except _PASSING as trouble:
            say(f"{trouble} The next round does this one again.")
        # In small steps: Ctrl-C works at once. Time that the computer slept counts.
        while clock.elapsed() - began < every_seconds and not halt.asked:
            await clock.sleep(_STEP_SECONDS)
