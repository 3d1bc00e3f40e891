"""A person at a terminal: what they see, what they type, and how often."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROWS, COLUMNS = 40, 100
QUIET = 0.6
"""Seconds without output after which a line that does not end is a question."""
LONGEST = 90.0
MOST_ANSWERS = 60
CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")

Answer = Callable[[str], str]
"""What is typed at a question, from all that was printed since the last one."""


@dataclass(frozen=True, slots=True)
class Session:
    """What one run of a command was for the person."""

    text: str
    asked: int
    code: int

    @property
    def lines(self) -> int:
        """Give how many lines were printed that are not empty."""
        return sum(bool(line.strip()) for line in self.text.splitlines())


def enter(_seen: str) -> str:
    """Type nothing but Enter."""
    return ""


def at_terminal(
    words: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    answer: Answer,
) -> Session:
    """Run a command in a pseudo-terminal, and answer what it asks.

    Raises:
        TimeoutError: It neither ended nor asked anything.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    running = subprocess.Popen(
        words,
        cwd=folder,
        env={**environment, "TERM": "xterm"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        # One thread is left in the child: only this call is made there.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509
    )
    os.close(theirs)
    try:
        text, asked = _talk(ours, answer)
        return Session(text=text, asked=asked, code=running.wait(LONGEST))
    finally:
        running.kill()
        running.wait()
        os.close(ours)


def _talk(terminal: int, answer: Answer) -> tuple[str, int]:
    text, since, asked = "", "", 0
    began = time.monotonic()
    while True:
        if time.monotonic() - began > LONGEST or asked > MOST_ANSWERS:
            raise TimeoutError(text[-500:])
        if select.select([terminal], [], [], QUIET)[0]:
            got = _read(terminal)
            if not got:
                return text, asked
            plain = CONTROLS.sub("", got).replace("\r\n", "\n")
            text, since = text + plain, since + plain
        elif since.rpartition("\n")[2].rpartition("\r")[2].strip():
            os.write(terminal, f"{answer(since)}\n".encode())
            since, asked = "", asked + 1


def _read(terminal: int) -> str:
    try:
        return os.read(terminal, 65_536).decode("utf-8", "replace")
    except OSError:
        # Linux says so when the other end is closed.
        return ""
