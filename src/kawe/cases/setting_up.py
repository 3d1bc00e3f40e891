"""Checks of address and key before `kawe init` keeps them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from kawe.cases.choices import agreed_mode
from kawe.cases.doctor.service_checks import not_the_service, unreachable
from kawe.cases.reaching import open_probe
from kawe.domain.service.service_words import Account
from kawe.machine import SystemClock
from kawe.ports import Halt, Progress
from kawe.settings import Settings

if TYPE_CHECKING:
    from kawe.service.probing import Probe

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicant:
    """A key and an address that are not kept yet."""

    base_url: str
    key: str = field(repr=False)
    team: str | None = None
    mode: str | None = None

    def settings(self) -> Settings:
        return Settings(
            base_url=self.base_url, key=self.key, team=self.team, mode=self.mode
        )


class _AtOnce:
    """Implements `Halt`; never asked, since nothing is in flight."""

    asked = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingUp:
    """Asks the service about an address and a key."""

    progress: Progress
    halt: Halt = field(default_factory=_AtOnce)
    clock: SystemClock = field(default_factory=SystemClock)

    def meet(self, base_url: str) -> None:
        """Check that the service answers; send it no key.

        Raises:
            ServiceError: Nobody answers there, or somebody else.
            SettingsError: The proxy that leads there cannot be used.
        """
        from kawe.service.greeting import (  # noqa: PLC0415 (start-up)
            NoGreeting,
            greet,
        )

        greeted = asyncio.run(greet(base_url, clock=self.clock))
        if isinstance(greeted, NoGreeting):
            raise unreachable(greeted, url=base_url)
        wrong = not_the_service(greeted, url=base_url)
        if wrong is not None:
            raise wrong

    def teams(self, applicant: Applicant) -> tuple[str, ...]:
        """Name the teams of the person behind a key; none for an iwi's.

        Raises:
            KeyRefused: The service does not know the key.
            ServiceError: There was no usable answer.
            GuardRefused: The key is not for the mode that was chosen.
        """
        return asyncio.run(self._ask(applicant, lambda probe: probe.teams()))

    def account(self, applicant: Applicant) -> tuple[Account, str]:
        """Say whom a key speaks for, and live or sandbox.

        Raises:
            ServiceError: There was no usable answer.
            GuardRefused: Key, account and mode disagree, or it is an iwi's.
            SettingsError: It is not clear which team is meant.
        """
        account = asyncio.run(
            self._ask(applicant, lambda probe: probe.account(team_name=applicant.team))
        )
        return account, agreed_mode(applicant.settings(), account)

    async def _ask(
        self, applicant: Applicant, question: Callable[[Probe], Awaitable[T]]
    ) -> T:
        async with open_probe(
            applicant.settings(),
            clock=self.clock,
            progress=self.progress,
            halt=self.halt,
        ) as probe:
            return await question(probe)
