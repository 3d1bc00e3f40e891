"""Ctrl-C: once to finish what is in flight and stop, twice to stop now."""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
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
        names = [signal.SIGINT, *_polite_kills()]
        before = {name: signal.signal(name, self._heard) for name in names}
        try:
            yield
        finally:
            for name, handler in before.items():
                signal.signal(name, handler)

    def _heard(self, number: int, _frame: FrameType | None) -> None:
        _leave_terminal(number)
        if self._asked:
            # Intents are on disk: stopping now leaves doubts, not losses.
            raise KeyboardInterrupt
        self._asked = True
        # Past the stream: it may be in the middle of a write of the progress bar,
        # and must not be written to from within.
        with suppress(AttributeError, OSError, ValueError):
            os.write(sys.stderr.fileno(), _STOPPING)


def end_like_ctrl_c() -> None:
    """Let a polite kill, and a terminal that is closed, end a command as Ctrl-C does.

    Without it they would end the process where it stands: nobody would be told.
    """
    for number in _polite_kills():
        signal.signal(number, _as_ctrl_c)


def _polite_kills() -> list[signal.Signals]:
    """Name the signals; one that nohup took away stays away."""
    names = (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
    found = [name for name in names if name is not None]
    return [each for each in found if signal.getsignal(each) is not signal.SIG_IGN]


def _as_ctrl_c(number: int, frame: FrameType | None) -> None:
    _leave_terminal(number)
    # Whoever listens to Ctrl-C just now, such as an event loop, hears it.
    listener = signal.getsignal(signal.SIGINT)
    if not callable(listener):
        raise KeyboardInterrupt
    listener(signal.SIGINT, frame)


def _leave_terminal(number: int) -> None:
    """Speak to nobody once the terminal is gone, where each word is an error."""
    if number == getattr(signal, "SIGHUP", None):
        fall_silent(*(handle for handle in (1, 2) if _is_terminal_like(handle)))


def terminal_is_gone() -> bool:
    """Say whether a terminal that we speak to was closed."""
    return any(_is_terminal_like(handle) and not os.isatty(handle) for handle in (1, 2))


def fall_silent(*handles: int) -> None:
    """Let what is said on `handles` go nowhere, not even at the very end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for handle in handles:
        with suppress(OSError):
            os.dup2(nowhere, handle)
    os.close(nowhere)


def _is_terminal_like(handle: int) -> bool:
    with suppress(OSError):
        found = os.fstat(handle)
        nowhere = Path(os.devnull).stat().st_rdev
        return stat.S_ISCHR(found.st_mode) and found.st_rdev != nowhere
    return False
