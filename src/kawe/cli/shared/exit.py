"""How a command ends, or is stopped: exit codes, Ctrl-C, the place that catches all."""

from __future__ import annotations

import logging
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn, Protocol

import click

from kawe.errors import (
    JournalError,
    KaweError,
    SchemaError,
    ServiceError,
    SettingsError,
    WorkbookError,
)

_log_here = logging.getLogger(__name__)
_STOPPING: Final = (
    b"\nStopping: what is in flight is finished first. "
    b"Press Ctrl-C again to stop now.\n"
)


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


class NotifiedRun(Protocol):
    """A run of whose end people are notified."""

    code: int | None
    """What it will end with, as soon as that is known."""

    def close(self, code: int, trouble: KaweError | None) -> None:
        """Notify them, once."""


@dataclass(slots=True, kw_only=True)
class ExitState:
    """What the end of a command must know of its way, from click's context."""

    notices: NotifiedRun | None = None
    """How people hear of it, where the command is one of which they do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    code: int
    trouble: KaweError | None = None


def run_and_exit(
    command: Callable[[], int], state: ExitState | None = None
) -> NoReturn:
    """Run a whole command and leave with its exit code; never a traceback.

    Whoever is not at the screen is notified of the end once, whatever it was.
    """
    state = state or ExitState()
    end = _end_of(command, state)

    def notify() -> int:
        if state.notices is not None:
            state.notices.close(end.code, end.trouble)
        return ExitCode.DONE

    # A message that fails, even by a fault of kawe's, changes no exit code.
    _end_of(notify, state)
    raise SystemExit(end.code)


def _end_of(command: Callable[[], int], state: ExitState) -> _End:
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
        code = _cut_short(state) if nobody_reads else _unexpected()
    return _End(code=code, trouble=known)


def say(words: str) -> None:
    """Say something on standard error; where nobody reads it, to nobody."""
    try:
        click.echo(words, err=True)
    except OSError:
        discard_output(2)


def _cut_short(state: ExitState) -> int:
    """Give the code of a command whose reader went away before its last word."""
    _log_here.info("nobody reads any more", exc_info=True)
    discard_output(*([1, 2] if terminal_is_gone() else [1]))
    if state.notices is None:
        return ExitCode.DONE
    code = state.notices.code
    # A run that had not come to its end has not done what was asked.
    return ExitCode.INTERRUPTED if code is None else code


def log_unraisable(trouble: sys.UnraisableHookArgs) -> None:
    """Keep what libraries say of things that were left half done to the log.

    It comes after the sentence that tells the person what went wrong, such as
    that the disk is full, and helps nobody.
    """
    _log_here.debug("left behind: %s", type(trouble.exc_value).__name__)


def _unexpected() -> ExitCode:
    from kawe.cli.shared import log  # noqa: PLC0415 - kept out of --help

    log.start_if_needed()
    _log_here.exception("unexpected")
    say(
        "kawe: something unexpected happened, and it is kawe's fault. What was "
        f"done is in the journal. Details: {log.path()}"
    )
    return ExitCode.UNEXPECTED


class Stopping:
    """Implements the port `Halt`: Ctrl-C once ends what is in flight, twice all."""

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
        names = [signal.SIGINT, *_termination_signals()]
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


def handle_termination() -> None:
    """Let a polite kill, and a terminal that is closed, end a command as Ctrl-C does.

    Without it they would end the process where it stands: nobody would be notified.
    """
    for number in _termination_signals():
        signal.signal(number, _as_ctrl_c)


def _termination_signals() -> list[signal.Signals]:
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
        discard_output(*(handle for handle in (1, 2) if _is_terminal_like(handle)))


def terminal_is_gone() -> bool:
    """Say whether a terminal that we speak to was closed."""
    return any(_is_terminal_like(handle) and not os.isatty(handle) for handle in (1, 2))


def discard_output(*handles: int) -> None:
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
