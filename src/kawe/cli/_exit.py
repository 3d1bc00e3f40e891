"""How a command ends: every exit code, and the one place that catches all."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NoReturn, Protocol

import click

from kawe.cli._interrupt import fall_silent, terminal_is_gone
from kawe.errors import (
    JournalError,
    KaweError,
    SchemaError,
    ServiceError,
    SettingsError,
    WorkbookError,
)

_log_here = logging.getLogger(__name__)


class ExitCode(IntEnum):
    """What a scheduler may rely on; explained in docs/exit-codes.md."""

    DONE = 0
    UNEXPECTED = 1
    USAGE = 2
    ROWS_TO_CORRECT = 3
    ROWS_WAIT_FOR_PERSON = 4
    WORKBOOK = 5
    JOURNAL = 6
    SERVICE = 7
    INTERRUPTED = 130


# click makes a SystemExit of a pipe that nobody reads; nothing else raises one.
_CUT: Final = (BrokenPipeError, SystemExit)
_CODES: Final[dict[type[KaweError], ExitCode]] = {
    SettingsError: ExitCode.USAGE,
    WorkbookError: ExitCode.WORKBOOK,
    SchemaError: ExitCode.WORKBOOK,
    JournalError: ExitCode.JOURNAL,
    ServiceError: ExitCode.SERVICE,
}


def code_of(trouble: KaweError) -> ExitCode:
    """Give the exit code of an error: that of its nearest listed ancestor."""
    for kind in type(trouble).__mro__:
        if kind in _CODES:
            return _CODES[kind]
    return ExitCode.UNEXPECTED


class Told(Protocol):
    """A run of whose end people are told."""

    code: int | None
    """What it will end with, as soon as that is known."""

    def close(self, code: int, trouble: KaweError | None) -> None:
        """Tell them, once."""


@dataclass(slots=True, kw_only=True)
class Course:
    """What the end of a command must know of its way, from click's context."""

    telling: Told | None = None
    """How people hear of it, where the command is one of which they do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    code: int
    trouble: KaweError | None = None


def ending_well(command: Callable[[], int], course: Course | None = None) -> NoReturn:
    """Run a whole command and leave with its exit code; never a traceback.

    Whatever the end was, it is told once to those who are not at the screen.
    """
    course = course or Course()
    end = _end_of(command, course)

    def tell() -> int:
        if course.telling is not None:
            course.telling.close(end.code, end.trouble)
        return ExitCode.DONE

    # A message that fails, even by a fault of kawe's, changes no exit code.
    _end_of(tell, course)
    raise SystemExit(end.code)


def _end_of(command: Callable[[], int], course: Course) -> _End:
    known: KaweError | None = None
    try:
        code = command()
    except KaweError as trouble:
        say(f"kawe: {trouble}")
        _log_here.info("ended: %s", type(trouble).__name__)
        code, known = code_of(trouble), trouble
    except click.exceptions.Exit as leave:
        code = leave.exit_code
    except click.ClickException as refused:
        with suppress(OSError):
            refused.show()
        code = ExitCode.USAGE
    except (KeyboardInterrupt, click.Abort):
        say("kawe: stopped. Run the same command again to go on.")
        code = ExitCode.INTERRUPTED
    except (SystemExit, Exception) as trouble:  # noqa: BLE001 - the one place: a person never sees a traceback
        nobody_reads = isinstance(trouble, _CUT) or terminal_is_gone()
        code = _cut_short(course) if nobody_reads else _unexpected()
    return _End(code=code, trouble=known)


def say(words: str) -> None:
    """Say something on standard error; where nobody reads it, to nobody."""
    try:
        click.echo(words, err=True)
    except OSError:
        fall_silent(2)


def _cut_short(course: Course) -> int:
    """Give the code of a command whose reader went away before its last word."""
    _log_here.info("nobody reads any more", exc_info=True)
    fall_silent(*([1, 2] if terminal_is_gone() else [1]))
    if course.telling is None:
        return ExitCode.DONE
    code = course.telling.code
    # A run that had not come to its end has not done what was asked.
    return ExitCode.INTERRUPTED if code is None else code


def left_behind(trouble: sys.UnraisableHookArgs) -> None:
    """Keep what libraries say of things that were left half done to the log.

    It comes after the sentence that tells the person what went wrong, such as
    that the disk is full, and helps nobody.
    """
    _log_here.debug("left behind: %s", type(trouble.exc_value).__name__)


def _unexpected() -> ExitCode:
    from kawe.cli import _log  # noqa: PLC0415 - kept out of --help

    _log.start_if_needed()
    _log_here.exception("unexpected")
    say(
        "kawe: something unexpected happened, and it is kawe's fault. What was "
        f"done is in the journal. Details: {_log.path()}"
    )
    return ExitCode.UNEXPECTED
