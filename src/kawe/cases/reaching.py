"""From settings to the setup of service and notifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kawe import __version__
from kawe.machine.installation import Installation
from kawe.notices import SENDER, Notifier, channels_to
from kawe.settings.notifying import NotifySettings
from kawe.settings.values import Settings

if TYPE_CHECKING:
    from kawe.service.opening import ServiceSetup


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
