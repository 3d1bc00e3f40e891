"""From settings to the setup of service, probe and notifier."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from kawe import __version__
from kawe.machine.installation import Installation
from kawe.notices import SENDER, Notifier, channels_to
from kawe.ports import Clock, Halt, Progress
from kawe.settings.notifying import NotifySettings
from kawe.settings.values import Settings

if TYPE_CHECKING:
    from kawe.service.opening import ServiceSetup
    from kawe.service.probing import Probe


def service_options(settings: Settings) -> ServiceSetup:
    """Make the setup of the service from the settings.

    Raises:
        KeyMissing: No key was given.
        GuardRefused: The key must not go to this address, or not in this mode.
    """
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
    """Open the probe, which asks the service harmless questions."""
    from kawe.service import opening  # noqa: PLC0415 (start-up)

    options = service_options(settings)
    return opening.open_probe(options, clock=clock, progress=progress, halt=halt)


def is_twin(url: str) -> bool:
    """Ask whether kawe's twin answers there, and nobody can be reached."""
    from kawe.service import probing  # noqa: PLC0415 (start-up)

    return probing.is_twin(url)


def open_notifier(
    settings: NotifySettings, *, environment: Mapping[str, str]
) -> Notifier:
    """Make the notifier for the targets in the settings."""
    here = Installation.here()
    channels = channels_to(
        addresses=settings.addresses,
        command=settings.command,
        within_seconds=settings.within_seconds,
        environment=environment,
        sender=here.running(SENDER),
        to_add=here.to_add("notify"),
    )
    return Notifier(channels)
