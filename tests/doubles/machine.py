"""Doubles of the machine: a quiet progress, a halt that can be asked."""

from __future__ import annotations

from doubles.clock import StillClock
from kawe.flows.tools import StopSignal, Tools
from kawe.ports import Clock, Halt, Lookups, Pace, Progress


class Quiet:
    """Implements the port `Progress`; remembers what was said, and how far it came."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.reached: dict[str, int] = {}
        self._doing = ""

    def follow(self, pace: Pace) -> None:
        """Say nothing."""

    def begin(self, what: str, *, total: int) -> None:  # noqa: ARG002 - not kept
        self._doing, self.reached[what] = what, 0

    def advance(self, things: int = 1) -> None:
        """Count."""
        if self._doing:
            self.reached[self._doing] += things

    def say(self, sentence: str) -> None:
        self.said.append(sentence)

    def close(self) -> None:
        """Say nothing."""


class AskedToStop:
    """Implements the port `Halt`."""

    def __init__(self) -> None:
        self.asked = False

    def ask(self) -> None:
        """Ask, as Ctrl-C does."""
        self.asked = True


def quiet_tools(
    lookups: Lookups,
    *,
    clock: Clock | None = None,
    progress: Progress | None = None,
    halt: Halt | None = None,
    workers: int = 2,
) -> Tools:
    """Give the tools of a flow that reads from `lookups`."""
    return Tools(
        lookups=lookups,
        clock=clock or StillClock(),
        progress=progress or Quiet(),
        stop=StopSignal(halt=halt or AskedToStop()),
        workers=workers,
    )
