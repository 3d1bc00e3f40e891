"""Implementations of the port `Progress`: a bar on a terminal, or lines."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final, Never

import click

from kawe.cases.kit import NoProgress
from kawe.cases.outlook import Outlook
from kawe.cli.output.next_command import in_commands

if TYPE_CHECKING:
    from tqdm import tqdm

_EVERY_SECONDS: Final = 30.0
# The library's estimate ignores the rate limit.
_BAR: Final = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt}{postfix}"


class TerminalProgress(Outlook):
    """Draws a bar with tqdm."""

    _bar: tqdm[Never] | None = None

    def begin(self, what: str, *, total: int) -> None:
        self.close()
        from tqdm import tqdm  # noqa: PLC0415 - start-up

        super().begin(what, total=total)
        self._bar = tqdm(
            total=total, desc=what, leave=True, dynamic_ncols=True, bar_format=_BAR
        )

    def advance(self, things: int = 1) -> None:
        super().advance(things)
        if self._bar is not None:
            self._bar.set_postfix_str(self.words(), refresh=False)
            self._bar.update(things)

    def say(self, sentence: str) -> None:
        from tqdm import tqdm  # noqa: PLC0415 - start-up

        tqdm.write(in_commands(sentence), file=sys.stderr)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class LineProgress(Outlook):
    """Prints a line every 30 seconds, and one at the end of a stage."""

    _said_at = 0.0

    def begin(self, what: str, *, total: int) -> None:
        self.close()
        super().begin(what, total=total)
        self._said_at = time.monotonic()

    def advance(self, things: int = 1) -> None:
        super().advance(things)
        if time.monotonic() - self._said_at >= _EVERY_SECONDS:
            self._line()
            self._said_at = time.monotonic()

    def say(self, sentence: str) -> None:
        click.echo(in_commands(sentence), err=True)

    def close(self) -> None:
        if self.what:
            self._line()
            self.what = ""

    def _line(self) -> None:
        words = self.words()
        said = f"{self.what}: {self.done} of {self.total}"
        click.echo(f"{said}, {words}" if words else said, err=True)


def progress_for(*, quiet: bool) -> TerminalProgress | LineProgress | NoProgress:
    """Pick how to show progress."""
    if quiet or sys.stderr is None:
        return NoProgress()
    return TerminalProgress() if sys.stderr.isatty() else LineProgress()
