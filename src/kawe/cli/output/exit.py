"""How a command ends: exit codes, signals, and the one handler of all errors."""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Final, NoReturn, Protocol

import click

from kawe.cli.output.command_run import CommandRun, logger
from kawe.cli.output.wrapping import terminal_width, wrapped
from kawe.domain.batch.exit_codes import ExitCode, code_of
from kawe.domain.text.texts import one_line
from kawe.errors import KaweError

_STOPPING: Final = (
    b"\nStopping: what is in flight is finished first. "
    b"Press Ctrl-C again to stop now.\n"
)


# click turns a closed pipe into a SystemExit; nothing else raises one.
_CUT: Final = (BrokenPipeError, SystemExit)
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


if TYPE_CHECKING:
    from kawe.cases.kit import RunListener
    from kawe.domain.batch.outcomes import BatchReport
    from kawe.ports import Alerts

    class NotifiedRun(Alerts, RunListener, Protocol):
        """A run of whose end people are notified."""

        code: int | None
        """The exit code, once it is known."""

        def close(self, code: int, trouble: KaweError | None) -> None:
            """Notify them, once."""


class Stopping:
    """Implements `Halt`: one Ctrl-C finishes what is in flight, a second stops."""

    def __init__(self) -> None:
        self._asked = False

    @property
    def asked(self) -> bool:
        return self._asked

    def ask(self) -> None:
        self._asked = True

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Handle Ctrl-C and termination signals during a run."""
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
            # Intents are on disk: stopping now loses nothing.
            raise KeyboardInterrupt
        self._asked = True
        # Not through the stream: the signal may interrupt its write.
        with suppress(AttributeError, OSError, ValueError):
            os.write(sys.stderr.fileno(), _STOPPING)


@dataclass(slots=True, kw_only=True)
class ExitState:
    """What the end of a command needs; it is the object of click's context.

    Implements `RunListener`: the log, and those who are told of the run.
    """

    notices: NotifiedRun | None = None
    """None: nobody is notified of this command."""
    run: CommandRun = field(default_factory=CommandRun)
    stopping: Stopping = field(default_factory=Stopping)

    def record(
        self, report: BatchReport, *, code: int, because: KaweError | None
    ) -> None:
        """Record how a batch stands after a run; its last record counts."""
        self.run.record(report)
        if self.notices is not None:
            self.notices.record(report, code=code, because=because)


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How a command ended."""

    code: int
    trouble: KaweError | None = None


def current_state() -> ExitState:
    """Give the state of the current command, or one of which nobody hears."""
    ctx = click.get_current_context(silent=True)
    return (ctx and ctx.find_object(ExitState)) or ExitState()


def run_and_exit(
    command: Callable[[], int], state: ExitState | None = None
) -> NoReturn:
    """Run a command, notify people once, exit with its code; never a traceback."""
    raise SystemExit(run_to_end(command, state or ExitState()).code)


def run_to_end(command: Callable[[], int], state: ExitState) -> End:
    """Run a command and notify people once; never raises."""
    end = _end_of(command, state)

    def notify() -> int:
        if state.notices is not None:
            state.notices.close(end.code, end.trouble)
        return ExitCode.DONE

    # A message that fails changes no exit code.
    _end_of(notify, state)

    def log_end() -> int:
        last = state.run.end(end.code, end.trouble)
        # A path cannot be broken into two lines.
        is_wide = len(last) > (terminal_width(sys.stderr) or len(last))
        if last:
            say(last.partition(" · ")[0] if is_wide else last)
        return ExitCode.DONE

    _end_of(log_end, state)
    return end


def _end_of(command: Callable[[], int], state: ExitState) -> End:
    known: KaweError | None = None
    try:
        code = command()
    except KaweError as trouble:
        state.run.begin()
        say(f"kawe: {trouble}")
        code, known = code_of(trouble), trouble
    except click.exceptions.Exit as leave:
        code = leave.exit_code
    except click.exceptions.NoArgsIsHelpError as helped:
        helped.show()
        code = ExitCode.USAGE
    except click.ClickException as refused:
        state.run.begin(getattr(refused, "ctx", None))
        with suppress(OSError):
            refused.show()
        code = ExitCode.USAGE
    except (KeyboardInterrupt, click.Abort):
        state.run.begin()
        say("kawe: stopped. Run the same command again to go on.")
        code = ExitCode.INTERRUPTED
    except (SystemExit, Exception) as trouble:  # noqa: BLE001 - the one place: a person never sees a traceback
        state.run.begin()
        nobody_reads = isinstance(trouble, _CUT) or terminal_is_gone()
        code = _cut_short(state) if nobody_reads else _unexpected(trouble)
    return End(code=code, trouble=known)


def say(words: str) -> None:
    """Print to standard error; ignore a closed pipe."""
    try:
        width = terminal_width(sys.stderr)
        for line in words.split("\n"):
            click.echo("\n".join(wrapped(line, width=width)), err=True)
    except OSError:
        discard_output(2)


def _cut_short(state: ExitState) -> int:
    """Give the code of a command whose output nobody reads any more."""
    logger(__name__).info("nobody reads any more", exc_info=True)
    discard_output(*([1, 2] if terminal_is_gone() else [1]))
    if state.notices is None:
        return ExitCode.DONE
    code = state.notices.code
    # An unfinished run has not done what was asked.
    return ExitCode.INTERRUPTED if code is None else code


def log_unraisable(trouble: sys.UnraisableHookArgs) -> None:
    logger(__name__).debug("left behind: %s", type(trouble.exc_value).__name__)


def _unexpected(trouble: BaseException) -> ExitCode:
    from kawe.cli.output import log  # noqa: PLC0415 - kept out of --help

    logger(__name__).exception("unexpected")
    if isinstance(trouble, OSError) and (trouble.filename or trouble.errno in _NO_ROOM):
        if not trouble.filename:
            discard_output(1)
        name = one_line(str(trouble.filename or "the output"))
        why = f"{name} cannot be used: {str(trouble.strerror).lower()}."
        if str(trouble.filename).startswith(__file__.rpartition("kawe")[0]):
            say(f"kawe: its own file {why} Install kawe again.")
            return ExitCode.UNEXPECTED
        say(
            f"kawe: {why} Make room, or choose another place, then run the same "
            "command again: what was done is in the journal."
        )
        return ExitCode.WORKBOOK
    say(
        "kawe: something unexpected happened, and it is kawe's fault. What was "
        f"done is in the journal. Details: {log.place()}"
    )
    return ExitCode.UNEXPECTED


def handle_termination() -> None:
    """Make SIGTERM, SIGHUP and Ctrl-Break act as Ctrl-C: people are notified."""
    for number in _termination_signals():
        signal.signal(number, _as_ctrl_c)


def _termination_signals() -> list[signal.Signals]:
    """Name the signals, without those that nohup ignores."""
    # Ctrl-Break of Windows; whoever closes the window there ends the process at once.
    known = ("SIGTERM", "SIGHUP", "SIGBREAK")
    names = (getattr(signal, name, None) for name in known)
    found = [name for name in names if name is not None]
    return [each for each in found if signal.getsignal(each) is not signal.SIG_IGN]


def _as_ctrl_c(number: int, frame: FrameType | None) -> None:
    _leave_terminal(number)
    # The current handler of Ctrl-C, such as an event loop's, gets it.
    listener = signal.getsignal(signal.SIGINT)
    if not callable(listener):
        raise KeyboardInterrupt
    listener(signal.SIGINT, frame)


def _leave_terminal(number: int) -> None:
    """Discard output once the terminal is gone: each write would fail."""
    if number == getattr(signal, "SIGHUP", None):
        discard_output(*(handle for handle in (1, 2) if _is_terminal_like(handle)))


def terminal_is_gone() -> bool:
    return any(_is_terminal_like(handle) and not os.isatty(handle) for handle in (1, 2))


def discard_output(*handles: int) -> None:
    """Redirect `handles` to the null device, also for the last flush."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for handle in handles:
        with suppress(OSError):
            os.dup2(nowhere, handle)
    os.close(nowhere)


def _is_terminal_like(handle: int) -> bool:
    with suppress(OSError):
        found = os.fstat(handle)
        nowhere = os.stat(os.devnull).st_rdev  # noqa: PTH116 (start-up)
        return stat.S_ISCHR(found.st_mode) and found.st_rdev != nowhere
    return False
