"""Showing how a run goes: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Final, Never

import click
from tqdm import tqdm

from kawe.cli._outlook import Outlook
from kawe.ports import Pace

_EVERY_SECONDS: Final = 30.0
# The library's own guess knows nothing of a rate limit.
_BAR: Final = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt}{postfix}"


class TerminalProgress:
    """Implements the port `Progress` with tqdm."""

    def __init__(self) -> None:
        self._bar: tqdm[Never] | None = None
        self._outlook = Outlook()

    def follow(self, pace: Pace) -> None:
        """Follow the requests."""
        self._outlook.follow(pace)

    def begin(self, what: str, *, total: int) -> None:
        """Start a stage."""
        self.close()
        self._outlook.begin(total=total)
        self._bar = tqdm(
            total=total, desc=what, leave=True, dynamic_ncols=True, bar_format=_BAR
        )

    def advance(self, things: int = 1) -> None:
        """Count on."""
        self._outlook.advance(things)
        if self._bar is not None:
            self._bar.set_postfix_str(self._outlook.words(), refresh=False)
            self._bar.update(things)

    def say(self, sentence: str) -> None:
        """Print a line above the bar."""
        tqdm.write(sentence, file=sys.stderr)

    def close(self) -> None:
        """End the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class LineProgress:
    """Implements the port `Progress` with a line every 30 seconds."""

    def __init__(self) -> None:
        self._what = ""
        self._total = 0
        self._done = 0
        self._said_at = 0.0
        self._outlook = Outlook()

    def follow(self, pace: Pace) -> None:
        """Follow the requests."""
        self._outlook.follow(pace)

    def begin(self, what: str, *, total: int) -> None:
        """Start a stage."""
        self.close()
        self._outlook.begin(total=total)
        self._what, self._total, self._done = what, total, 0
        self._said_at = time.monotonic()

    def advance(self, things: int = 1) -> None:
        """Count on, and say so now and then."""
        self._done += things
        self._outlook.advance(things)
        if time.monotonic() - self._said_at >= _EVERY_SECONDS:
            self._line()
            self._said_at = time.monotonic()

    def say(self, sentence: str) -> None:
        """Print a line."""
        click.echo(sentence, err=True)

    def close(self) -> None:
        """Say how the stage ended."""
        if self._what:
            self._line()
            self._what = ""

    def _line(self) -> None:
        words = self._outlook.words() if self._done < self._total else ""
        said = f"{self._what}: {self._done} of {self._total}"
        click.echo(f"{said}, {words}" if words else said, err=True)


class NoProgress:
    """Implements the port `Progress` by saying nothing, for --quiet."""

    def follow(self, pace: Pace) -> None:
        """Say nothing."""

    def begin(self, what: str, *, total: int) -> None:
        """Say nothing."""

    def advance(self, things: int = 1) -> None:
        """Say nothing."""

    def say(self, sentence: str) -> None:
        """Say nothing."""

    def close(self) -> None:
        """Say nothing."""


def progress_for(*, quiet: bool) -> TerminalProgress | LineProgress | NoProgress:
    """Pick how to show progress."""
    if quiet or sys.stderr is None:
        return NoProgress()
    return TerminalProgress() if sys.stderr.isatty() else LineProgress()
