"""Sends notices: a child process for each channel, and the channel of a program."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from kawe.domain.text.notices import Notice
from kawe.domain.text.texts import one_line
from kawe.notices.addresses import SENDER, AddressChannel
from kawe.notices.child_process import ChildProcess
from kawe.system import is_windows

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """Whom to notify, and the time limit."""

    addresses: tuple[str, ...] = field(default=(), repr=False)
    """Addresses of apprise; they hold passwords."""
    command: str = field(default="", repr=False)
    """A program of the person's own, with arguments."""
    within_seconds: float = 20.0
    sender: tuple[str, ...] = (sys.executable, "-P", "-m", SENDER)
    to_add: str = ""
    """How the library for addresses is installed, as a sentence."""

    def channels(self, environment: Mapping[str, str]) -> list[Channel]:
        """Make the channels; `environment` is passed on without secrets."""
        kept = {n: v for n, v in environment.items() if n not in _SECRET_NAMES}
        within = self.within_seconds
        channels: list[Channel] = []
        if self.addresses:
            channel = AddressChannel(
                addresses=tuple(dict.fromkeys(self.addresses)),
                environment=kept,
                within_seconds=within,
                sender=self.sender,
                to_add=self.to_add,
            )
            channels.append(channel)
        if self.command:
            program = ProgramChannel(
                command=self.command, environment=kept, within_seconds=within
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
