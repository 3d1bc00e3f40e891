"""The world around kawe: a service, what goes wrong with it, and other people.

A `World` is asked by tests what really happened, and told what people do in
the portal. Nothing sleeps: time passes when the clock is told so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final

from doubles.clock import StillClock
from doubles.machine import AskedToStop
from doubles.weather import Weather
from kawe.domain.service.service_words import ProjectId
from kawe.ports import Acts, Lookups, Pace, Uploads
from kawe.service.retrying import RetryPolicy

NO_WAIT: Final = RetryPolicy(
    attempts=3, total_seconds=60, first_wait_seconds=0, longest_wait_seconds=0
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """One project as it really is."""

    id: ProjectId
    name: str
    reference: str
    description: str
    is_sent: bool
    sends: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What really happened so far."""

    projects: tuple[Truth, ...]
    balance: int
    people: frozenset[str]
    """Who is in the team or has been asked, by folded address."""
    organisations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """The ports that stand for a service."""

    acts: Acts
    lookups: Lookups
    uploads: Uploads
    pace: Pace


class World(ABC):
    """A service, its weather, and the people who use it beside kawe."""

    def __init__(self) -> None:
        self.clock = StillClock()
        self.weather = Weather(clock=self.clock)
        self.halt = AskedToStop()

    def let_pages_lag(self, seconds: float) -> bool:  # noqa: ARG002 - others can
        """Let the page of a project not show what is new; say whether it can."""
        return False

    @property
    @abstractmethod
    def lag_seconds(self) -> float:
        """Say for how long lists do not show what was just created."""

    @lag_seconds.setter
    @abstractmethod
    def lag_seconds(self, seconds: float) -> None:
        """Let lists not show what was just created."""

    @abstractmethod
    def open(self) -> AbstractAsyncContextManager[Doors]:
        """Open the service for the length of a run."""

    @abstractmethod
    async def look(self) -> Seen:
        """Say what really happened."""

    @abstractmethod
    async def edit(self, project: ProjectId, words: str) -> None:
        """Have a colleague change a project's description in the portal."""

    @abstractmethod
    async def send(self, project: ProjectId) -> bool:
        """Have a colleague send a draft in the portal; say whether that went."""

    @abstractmethod
    async def spend(self) -> bool:
        """Have a colleague send something of their own; say whether that went."""

    @abstractmethod
    async def buy(self, tokens: int) -> None:
        """Have a person buy a pack of tokens."""

    @abstractmethod
    async def revoke_key(self) -> None:
        """Have an owner revoke kawe's key."""

    @abstractmethod
    async def give_key(self) -> None:
        """Have an owner make another key, if kawe's was revoked."""

    @abstractmethod
    async def ask_to_join(self, email: str) -> None:
        """Have an owner invite a person in the portal, who joins at once."""

    @abstractmethod
    def close(self) -> None:
        """End the world."""
