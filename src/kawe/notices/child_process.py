"""A child process with a time limit, which sends a notice."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Final, cast

from kawe.system import is_windows

_KEPT_BYTES: Final = 4096
_GRACE_SECONDS: Final = 2.0
_APART: Final = int(getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0))


class ChildProcess:
    """A running process; a timer ends it."""

    def __init__(
        self,
        words: Sequence[str] | str,
        *,
        given: bytes,
        environment: Mapping[str, str],
        within: float,
        errors: int = subprocess.STDOUT,
    ) -> None:
        """Start `words` without a shell, with `given` on its standard input.

        Raises:
            OSError: There is no such program, or it may not be run.
            ValueError: A word cannot be one of a command line.
        """
        self._kept = b""
        self._is_late = False
        self._process = subprocess.Popen(  # noqa: S603 - the person's own program
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=dict(environment),
            # Ctrl-C does not reach it, so that the message arrives.
            process_group=0 if not is_windows() else None,
            creationflags=_APART,
        )
        self._timer = threading.Timer(within, self._late)
        self._timer.daemon = True
        self._reader = threading.Thread(target=self._read, daemon=True)
        # The child may never read, so a thread writes.
        giver = threading.Thread(target=self._give, args=(given,), daemon=True)
        for each in (self._timer, self._reader, giver):
            each.start()

    def end(self) -> tuple[int | None, str]:
        """Wait; give exit code (None: too late) and the start of its output."""
        # The timer ends this wait.
        code = self._process.wait()
        self._timer.cancel()
        # A grandchild may keep the pipe open.
        self._reader.join(_GRACE_SECONDS)
        return (None if self._is_late else code), self._kept.decode("utf-8", "replace")

    def abandon(self) -> None:
        """Kill it and its children."""
        self._timer.cancel()
        with suppress(OSError):
            if not is_windows():
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _late(self) -> None:
        if self._process.poll() is None:
            self._is_late = True
            self.abandon()

    def _give(self, given: bytes) -> None:
        with suppress(OSError), cast("IO[bytes]", self._process.stdin) as pipe:
            pipe.write(given)

    def _read(self) -> None:
        with suppress(OSError), cast("IO[bytes]", self._process.stdout) as pipe:
            while some := os.read(pipe.fileno(), _KEPT_BYTES):
                # A full pipe would block the child.
                self._kept = (self._kept + some)[:_KEPT_BYTES]
