"""Checks of address and key before they are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from kawe.cases.choices import agreed_mode, make_sure_of_account
from kawe.cases.doctor.service_checks import not_the_service, unreachable
from kawe.cases.kit import NoHalt, NoProgress, Toolkit
from kawe.domain.service.service_words import Account
from kawe.errors import KeyMissing
from kawe.machine import SystemClock
from kawe.settings import keeping
from kawe.settings.values import Settings, checked_url

if TYPE_CHECKING:
    from kawe.service.probing import Probe

T = TypeVar("T")


def meet(text: str) -> str:
    """Check that the service answers at an address, and give it; send it no key."""
    from kawe.service.probing import NoGreeting, greet  # noqa: PLC0415 (start-up)

    base_url = checked_url(text)
    greeted = asyncio.run(greet(base_url, clock=SystemClock()))
    if isinstance(greeted, NoGreeting):
        raise unreachable(greeted, url=base_url)
    if (wrong := not_the_service(greeted, url=base_url)) is not None:
        raise wrong
    return base_url


def teams_of(settings: Settings) -> tuple[str, ...]:
    """Name the teams of the person behind a key; none for an iwi's.

    Raises:
        KeyRefused: The service does not know the key.
        GuardRefused: The key is not for the mode that was chosen.
    """
    return asyncio.run(_ask(settings, lambda probe: probe.teams()))


def account_of(settings: Settings) -> tuple[Account, str]:
    """Say whom a key speaks for, and live or sandbox.

    Raises:
        GuardRefused: Key, account and mode disagree, or it is an iwi's.
    """
    account = asyncio.run(
        _ask(settings, lambda probe: probe.account(team_name=settings.team))
    )
    return account, agreed_mode(settings, account)


def keep_tried(asked: Settings, *, profile: str) -> tuple[Account, keeping.Kept]:
    """Try address and key as they are typed, then keep them in the place of others.

    Raises:
        KeyMissing: That is no key.
        GuardRefused: Key, account and mode disagree.
    """
    url = meet(asked.base_url or "")
    settings = replace(asked, base_url=url, key=checked_key(asked.key or ""))
    account, mode = account_of(settings)
    make_sure_of_account(settings, account, agree=lambda _: False)
    own = keeping.OwnProfile(
        name=profile,
        base_url=url,
        key=settings.service_key(),
        place=usual_place(),
        mode=mode,
        team=settings.team,
    )
    return account, keeping.keep_own(own, replaces=True)


def overridden(settings: Settings, *, base_url: str) -> list[str]:
    """Name the settings here that override what was just kept."""
    lines = []
    if settings.base_url != base_url:
        lines.append(
            f"But here the address is {settings.base_url}, from "
            f"{settings.origin('base_url')}, which comes first."
        )
    if (found := settings.found_key) is not None and found.kept_for is None:
        lines.append(f"But here the key is taken from {found}, which comes first.")
    return lines


def checked_key(key: str) -> str:
    """Check that a text can be a key.

    Raises:
        KeyMissing: It cannot.
    """
    if not keeping.is_key(key):
        raise KeyMissing(
            message="That is no key.",
            hint="A key is one word without spaces, as the portal showed it.",
        )
    return key


def usual_place() -> keeping.KeyPlace:
    return (
        keeping.KeyPlace.FILE
        if keeping.keyring_name() is None
        else keeping.KeyPlace.KEYRING
    )


async def _ask(settings: Settings, question: Callable[[Probe], Awaitable[T]]) -> T:
    toolkit = Toolkit(settings=settings, progress=NoProgress(), halt=NoHalt())
    async with toolkit.open_service() as service:
        return await question(service.probe)
