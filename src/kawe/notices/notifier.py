"""Sends notices: a child process for each channel."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from kawe.domain.text.notices import Notice
from kawe.notices.addresses import SENDER, AddressChannel
from kawe.notices.child_process import ChildProcess
from kawe.notices.program import ProgramChannel

_SECRET_NAMES: Final = frozenset({"KAWE_API_KEY", "KAWE_NOTIFY"})


class Channel(Protocol):
    """A program, or addresses."""

    def begin(self, notice: Notice) -> ChildProcess:
        """Start the process that sends `notice`.

        Raises:
            OSError: There is no such program, or it may not be run.
            ValueError: The command line cannot be parsed.
        """
        ...

    def judge(self, code: int | None, said: str) -> list[str]:
        """Describe each failure; empty: all were notified."""
        ...

    def could_not_begin(self, fault: OSError | ValueError) -> str:
        """Describe why no process started."""
        ...


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
            once = tuple(dict.fromkeys(self.addresses))
            channels.append(
                AddressChannel(
                    addresses=once,
                    environment=kept,
                    within_seconds=within,
                    sender=self.sender,
                    to_add=self.to_add,
                )
            )
        if self.command:
            channels.append(
                ProgramChannel(
                    command=self.command, environment=kept, within_seconds=within
                )
            )
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
