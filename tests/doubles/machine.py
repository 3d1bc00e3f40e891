"""Doubles of the machine: a quiet progress, a halt that can be asked."""

from __future__ import annotations

from kawe.ports import Pace


class Quiet:
    """Implements the port `Progress`; remembers what was said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def follow(self, pace: Pace) -> None:
        """Say nothing."""

    def begin(self, what: str, *, total: int) -> None:
        """Say nothing."""

    def advance(self, things: int = 1) -> None:
        """Say nothing."""

    def say(self, sentence: str) -> None:
        """Remember."""
        self.said.append(sentence)

    def close(self) -> None:
        """Say nothing."""


class AskedToStop:
    """Implements the port `Halt`."""

    def __init__(self) -> None:
        self.asked = False
