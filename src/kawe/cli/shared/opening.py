"""Opens results with the program that the system has for them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from kawe.cli.shared.declaring import options_class, rare
from kawe.domain.text.texts import one_line
from kawe.system import is_macos

# Some openers end at once, others when their program ends: these are not waited for.
_WAIT_SECONDS: Final = 3.0


@options_class
class OpenOptions:
    """Whether the result is opened."""

    opens: bool = rare("--open", help="Open the result workbook afterwards.")

    def open(self, results: Iterable[Path], *, no_input: bool) -> None:
        """Open results if that was asked for and a person is there.

        What cannot be opened is named on standard error; nothing is raised.
        """
        if not self.opens:
            return
        if no_input:
            words = "Nothing is opened: --json and --no-input are for programs."
            click.echo(words, err=True)
            return
        for path in dict.fromkeys(results):
            trouble = open_file(path.resolve())
            if trouble:
                name = one_line(str(path))
                click.echo(f"{name} could not be opened here: {trouble}", err=True)


def open_file(path: Path) -> str:
    """Open a file with the system's program; give the reason if that fails, or ''."""
    start = getattr(os, "startfile", None)
    if start is not None:
        try:
            start(path)
        except OSError as why:
            return one_line(str(why.strerror))
        return ""
    opener = "open" if is_macos() else "xdg-open"
    try:
        started = subprocess.Popen(  # noqa: S603 - one argument, a whole path
            [opener, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as why:
        return f"{opener}: {one_line(str(why.strerror))}."
    with suppress(subprocess.TimeoutExpired):
        if started.wait(_WAIT_SECONDS):
            return f"{opener} found no program for it."
    return ""
