"""How the service is reached: with which key, and whether it may go there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from kawe import __version__
from kawe.ports import Clock, Halt, Progress
from kawe.settings import Settings

if TYPE_CHECKING:
    from kawe.service.opening import ServiceSetup
    from kawe.service.probing import Probe


def service_options(settings: Settings) -> ServiceSetup:
    """Say how the service is reached.

    Raises:
        KeyMissing: No key was given.
        GuardRefused: The key must not go to this address, or not in this mode.
        SettingsError: No address is set.
    """
    # What talks HTTP takes long to load, and offline nothing is asked.
    from kawe.service.opening import ServiceSetup  # noqa: PLC0415 (start-up)

    return ServiceSetup(
        base_url=settings.service_url(),
        key=settings.service_key(),
        paths=settings.paths,
        team_name=settings.team,
        workers=settings.workers,
        user_agent=f"kawe/{__version__}",
    )


@asynccontextmanager
async def open_probe(
    settings: Settings, *, clock: Clock, progress: Progress, halt: Halt
) -> AsyncIterator[Probe]:
    """Open what asks the service harmless questions, and nothing else.

    Raises:
        SettingsError: As `service_options`.
    """
    from kawe.service import opening  # noqa: PLC0415 (start-up)

    options = service_options(settings)
    async with opening.open_probe(
        options, clock=clock, progress=progress, halt=halt
    ) as probe:
        yield probe
