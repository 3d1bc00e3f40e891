"""A process in front of a real terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import termios
import time
from pathlib import Path
from typing import Protocol

from doubles.typed_commands import start_command


class AtTerminal(Protocol):
    """Somebody who can sit down at it."""

    folder: Path

    def surroundings(self) -> dict[str, str]:
        """Give the environment."""
        ...


class Terminal:
    """A process whose input and output are a terminal."""

    def __init__(self, person: AtTerminal, *words: str) -> None:
        ours, theirs = pty.openpty()
        # A terminal has a size; without one tqdm draws nothing.
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.screen = ""
        self._ours = ours
        name = os.ttyname(theirs)
        self.process = start_command(
            words,
            folder=person.folder,
            environment={**person.surroundings(), "TERM": "xterm"},
            screen=name,
            keys=name,
        )
        os.close(theirs)

    def wait_for(self, text: str, seconds: float = 60) -> None:
        """Read the screen until `text` stands there."""
        deadline = time.monotonic() + seconds
        while text not in self.screen and time.monotonic() < deadline:
            if not self._read():
                break
        assert text in self.screen, self.screen

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def end(self) -> int:
        """Read to the end and give the exit code."""
        while self._read():
            pass
        os.close(self._ours)
        return self.process.wait(timeout=60)

    def answer(self, question: str, text: str) -> None:
        """Wait until a question stands at the end of the screen, and answer it."""
        before = self.screen.rfind("\0")
        deadline = time.monotonic() + 60
        while question not in self.screen[before + 1 :] and time.monotonic() < deadline:
            if not self._read():
                break
        assert question in self.screen[before + 1 :], self.screen
        # What was asked before does not count for the next question.
        self.screen += "\0"
        self.type(f"{text}\n")

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], 30)
        try:
            chunk = os.read(self._ours, 4096) if ready else b""
        except OSError:
            chunk = b""
        self.screen += chunk.decode("utf-8", errors="replace")
        return bool(chunk)
