"""Who carries messages to people."""

from __future__ import annotations

from collections.abc import Mapping

from kawe.notices import ErrandNotifier, Targets
from kawe.settings.notifying import NotifySettings


def open_notifier(
    settings: NotifySettings, *, environment: Mapping[str, str]
) -> ErrandNotifier:
    """Give who carries messages to the targets of the settings."""
    targets = Targets(
        addresses=settings.addresses,
        command=settings.command,
        within_seconds=settings.within_seconds,
    )
    return ErrandNotifier(targets.ways(environment))
