"""How the service is reached, and how people are: with which keys and addresses."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from kawe import __version__
from kawe.notices import Notifier, Targets
from kawe.ports import Clock, Halt, Progress
from kawe.settings import Settings
from kawe.settings.notifying import NotifySettings

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


def open_probe(
    settings: Settings, *, clock: Clock, progress: Progress, halt: Halt
) -> AbstractAsyncContextManager[Probe]:
    """Open what asks the service harmless questions, and nothing else.

    Raises:
        SettingsError: As `service_options`.
    """
    from kawe.service import opening  # noqa: PLC0415 (start-up)

    options = service_options(settings)
    return opening.open_probe(options, clock=clock, progress=progress, halt=halt)


def open_notifier(
    settings: NotifySettings, *, environment: Mapping[str, str]
) -> Notifier:
    """Give what sends notices to the targets of the settings."""
    targets = Targets(
        addresses=settings.addresses,
        command=settings.command,
        within_seconds=settings.within_seconds,
    )
    return Notifier(targets.channels(environment))
