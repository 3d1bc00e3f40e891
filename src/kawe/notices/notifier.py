"""Sends notices: the channels, and a child process with a time limit for each."""

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, Final, TypeAlias, cast

from kawe.domain.text.notices import Notice, NoticeKind
from kawe.domain.text.texts import one_line
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


SENDER: Final = "kawe.notices.sender"
# The sender's answer for each address.
TOLD: Final = "told"
REFUSED: Final = "refused"
UNKNOWN: Final = "unknown"
MISSING: Final = "missing"
# Time for the library to load.
_START_SECONDS: Final = 5.0
_WHY: Final = {
    REFUSED: "it could not be reached, or did not take the message",
    UNKNOWN: "apprise knows no such address",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChannel:
    """Notifies addresses of apprise."""

    addresses: tuple[str, ...] = field(repr=False)
    """They hold passwords: messages give their number only."""
    environment: Mapping[str, str] = field(repr=False)
    within_seconds: float
    sender: tuple[str, ...]
    """The words that run the module `SENDER`."""
    to_add: str
    """How apprise is installed on this machine, as a sentence."""

    def begin(self, notice: Notice) -> ChildProcess:
        """Start the sender, with the addresses on its standard input."""
        within = self.within_seconds + _START_SECONDS
        order = {
            "targets": self.addresses,
            "title": notice.title,
            "text": notice.text,
            "tone": _tone(notice),
            "within": within,
        }
        return ChildProcess(
            self.sender,
            # A library's messages may hold a password.
            errors=subprocess.DEVNULL,
            given=json.dumps(order).encode(),
            environment=self.environment,
            within=within,
        )

    def judge(self, code: int | None, said: str) -> list[str]:
        """Read the sender's answers, one for each address."""
        words = said.split()
        if words == [MISSING]:
            return [f"Nobody was told: apprise is not installed. {self.to_add}"]
        late = code is None or len(words) < len(self.addresses)
        words += ["late"] * (len(self.addresses) - len(words))
        in_time = f"it took longer than {self.within_seconds:g} seconds"
        if late and code is not None:
            in_time = "what carries messages broke"
        return [
            f"Target {number} ({_scheme(address)}) was not told: "
            f"{_WHY.get(word, in_time)}."
            for number, (address, word) in enumerate(
                zip(self.addresses, words, strict=False), start=1
            )
            if word != TOLD
        ]

    def could_not_begin(self, fault: OSError | ValueError) -> str:
        """Name the kind of fault."""
        kind = getattr(fault, "strerror", None) or type(fault).__name__
        return f"Nobody was told: no process could be started ({kind})."


def _scheme(address: str) -> str:
    scheme = address.partition("://")[0]
    # Without a scheme, all of it may be a password.
    return scheme if "://" in address and scheme.isalnum() else "no address"


def _tone(notice: Notice) -> str:
    if notice.kind is NoticeKind.TRIAL:
        return "info"
    if notice.exit_code == 0:
        return "success"
    # Rows that wait for a person are no failure.
    return "warning" if notice.exit_code in {None, 3, 4, 130} else "failure"


_SAID_MOST: Final = 200
_SECRET_NAMES: Final = frozenset({"KAWE_API_KEY", "KAWE_NOTIFY"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramChannel:
    """Notifies by a command line, without a shell."""

    command: str = field(repr=False)
    """It may hold a password: no message repeats it."""
    environment: Mapping[str, str] = field(repr=False)
    within_seconds: float

    def begin(self, notice: Notice) -> ChildProcess:
        """Start the program with the notice on its standard input, as JSON.

        Raises:
            OSError: There is no such program, or it may not be run.
            ValueError: The command line cannot be parsed.
        """
        code = notice.exit_code
        return ChildProcess(
            words_of(self.command),
            given=json.dumps(notice.as_json()).encode(),
            environment={
                **self.environment,
                "KAWE_NOTICE_KIND": notice.kind.value,
                "KAWE_NOTICE_TITLE": notice.title,
                "KAWE_NOTICE_BATCH": notice.batch,
                "KAWE_NOTICE_EXIT_CODE": "" if code is None else str(code),
            },
            within=self.within_seconds,
        )

    def judge(self, code: int | None, said: str) -> list[str]:
        """Check the exit code; if not 0, give the output."""
        if code == 0:
            return []
        if code is None:
            late = f"it took longer than {self.within_seconds:g} seconds"
            return [f"The program of the notify command was ended: {late}."]
        words = one_line(said, limit=_SAID_MOST)
        because = f", and said: {words}" if words else "."
        return [f"The program of the notify command ended with code {code}{because}"]

    def could_not_begin(self, fault: OSError | ValueError) -> str:
        """Say that it is missing, or cannot be parsed."""
        if isinstance(fault, FileNotFoundError):
            why = "there is no such program"
        elif isinstance(fault, OSError):
            why = fault.strerror or "it cannot be started"
        else:
            why = "a quotation mark is open in it, or it is empty"
        return f"The program of the notify command was not run: {why}."


Channel: TypeAlias = AddressChannel | ProgramChannel


def channels_to(
    *,
    addresses: Iterable[str] = (),
    command: str = "",
    within_seconds: float = 20.0,
    environment: Mapping[str, str],
    sender: tuple[str, ...] = (sys.executable, "-P", "-m", SENDER),
    to_add: str = "",
) -> list[Channel]:
    """Make the channels; `environment` is passed on without secrets."""
    kept = {n: v for n, v in environment.items() if n not in _SECRET_NAMES}
    channels: list[Channel] = []
    if unique := tuple(dict.fromkeys(addresses)):
        channel = AddressChannel(
            addresses=unique,
            environment=kept,
            within_seconds=within_seconds,
            sender=sender,
            to_add=to_add,
        )
        channels.append(channel)
    if command:
        program = ProgramChannel(
            command=command, environment=kept, within_seconds=within_seconds
        )
        channels.append(program)
    return channels


class Notifier:
    """Sends each notice through every channel."""

    def __init__(self, channels: Sequence[Channel]) -> None:
        self._channels = tuple(channels)
        self._under_way: list[tuple[Channel, ChildProcess]] = []
        self._troubles: list[str] = []

    def start(self, notice: Notice) -> None:
        """Start a process for each channel; `finish` reports failures."""
        for channel in self._channels:
            try:
                self._under_way.append((channel, channel.begin(notice)))
            except (OSError, ValueError) as fault:
                self._troubles.append(channel.could_not_begin(fault))

    def finish(self) -> tuple[str, ...]:
        """Wait for the processes; describe each failure, without addresses."""
        while self._under_way:
            channel, process = self._under_way[0]
            self._troubles += channel.judge(*process.end())
            del self._under_way[0]
        troubles, self._troubles = self._troubles, []
        return tuple(troubles)

    def abandon(self) -> None:
        """Kill the running processes."""
        for _, process in self._under_way:
            process.abandon()
            process.end()
        self._under_way = []


def words_of(command: str) -> list[str] | str:
    """Split a command line as a shell does.

    Raises:
        ValueError: A quotation mark is open, or nothing is there.
    """
    if not command.strip() or "\0" in command:
        raise ValueError("no command")
    # Windows programs split their command line, and use backslashes in paths.
    return command if is_windows() else shlex.split(command)
