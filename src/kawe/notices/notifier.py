"""Carries notices to people, with an errand for each way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kawe.domain.text.notices import Notice
from kawe.notices.addresses import AddressWay
from kawe.notices.errand import Errand
from kawe.notices.program import ProgramWay
from kawe.notices.way import Way

_SECRET_NAMES: Final = frozenset({"KAWE_API_KEY", "KAWE_NOTIFY"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """Whom to tell, and how long that may take."""

    addresses: tuple[str, ...] = field(default=(), repr=False)
    """Addresses of apprise; they hold passwords."""
    command: str = field(default="", repr=False)
    """A program of the person's own, with its words."""
    within_seconds: float = 20.0

    def ways(self, environment: Mapping[str, str]) -> list[Way]:
        """Give the ways to these targets; no process there gets a secret."""
        kept = {n: v for n, v in environment.items() if n not in _SECRET_NAMES}
        ways: list[Way] = []
        if self.addresses:
            ways.append(
                AddressWay(
                    addresses=tuple(dict.fromkeys(self.addresses)),
                    environment=kept,
                    within_seconds=self.within_seconds,
                )
            )
        if self.command:
            ways.append(
                ProgramWay(
                    command=self.command,
                    environment=kept,
                    within_seconds=self.within_seconds,
                )
            )
        return ways


class ErrandNotifier:
    """Sends an errand along every way for each notice."""

    def __init__(self, ways: Sequence[Way]) -> None:
        self._ways = tuple(ways)
        self._under_way: list[tuple[Way, Errand]] = []
        self._troubles: list[str] = []

    def start(self, notice: Notice) -> None:
        """Begin an errand for each way, once, and return at once.

        What goes wrong is told by `finish`.
        """
        for way in self._ways:
            try:
                self._under_way.append((way, way.begin(notice)))
            except (OSError, ValueError) as fault:
                self._troubles.append(way.could_not_begin(fault))

    def finish(self) -> tuple[str, ...]:
        """Wait for the errands; each ends itself when its time is over.

        Gives a sentence for each target that was not reached. No sentence holds
        a target's address: it may hold a password.
        """
        while self._under_way:
            way, errand = self._under_way[0]
            self._troubles += way.judge(*errand.end())
            del self._under_way[0]
        troubles, self._troubles = self._troubles, []
        return tuple(troubles)

    def abandon(self) -> None:
        """End the errands that are under way."""
        for _, errand in self._under_way:
            errand.abandon()
            errand.end()
        self._under_way = []
