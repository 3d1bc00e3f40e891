"""Ctrl-C: once to finish what is in flight and stop, twice to stop now."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

_STOPPING: Final = (
    b"\nStopping: what is in flight is finished first. "
    b"Press Ctrl-C again to stop now.\n"
)


class Stopping:
    """Implements the port `Halt`."""

    def __init__(self) -> None:
        self._asked = False

    @property
    def asked(self) -> bool:
        """Say whether the person asked to stop."""
        return self._asked

    def ask(self) -> None:
        """Ask to stop."""
        self._asked = True

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Listen to Ctrl-C and to a polite kill while a run is under way."""
        names = [signal.SIGINT, signal.SIGTERM]
        before = {name: signal.signal(name, self._heard) for name in names}
        try:
            yield
        finally:
            for name, handler in before.items():
                signal.signal(name, handler)

    def _heard(self, _number: int, _frame: FrameType | None) -> None:
        if self._asked:
            # Intents are on disk: stopping now leaves doubts, not losses.
            raise KeyboardInterrupt
        self._asked = True
        # Past the stream: it may be in the middle of a write of the progress bar,
        # and must not be written to from within.
        with suppress(AttributeError, OSError, ValueError):
            os.write(sys.stderr.fileno(), _STOPPING)
