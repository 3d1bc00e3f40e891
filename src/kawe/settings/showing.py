"""Every setting with value and origin, without the key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kawe.settings.origins import Origin, nearest
from kawe.settings.table import SETTINGS
from kawe.settings.values import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One setting as a person may see it."""

    name: str
    value: str | None
    """None: it is not set."""
    origin: Origin


def every_setting(settings: Settings) -> Iterator[Shown]:
    """Give every setting, set or not."""
    yield _shown("profile", settings.profile, settings)
    for name, setting in SETTINGS.items():
        if not setting.is_apart:
            yield _shown(name, _value(name, settings), settings)
    yield _shown("[log] to", settings.log_to, settings, section="log")
    for each in settings.headings:
        yield Shown(
            name=f"[columns.{each.kind}] {each.heading}",
            value=each.field or "not read",
            origin=each.origin,
        )
    for operation, (method, path) in settings.paths.items():
        name = f"[service.paths] {operation}"
        yield _shown(name, f"{method} {path}", settings, section="service")
    yield _key(settings)


def _shown(
    name: str, value: object, settings: Settings, *, section: str | None = None
) -> Shown:
    words = None if value in {None, ""} else str(value)
    return Shown(name=name, value=words, origin=settings.origin(section or name))


def _value(name: str, settings: Settings) -> object:
    if name == "journal":
        return settings.journal_path()
    field = SETTINGS[name].field or name
    if hasattr(settings, field):
        value: object = getattr(settings, field)
        return f"{value:g}" if isinstance(value, float) else value
    # This section may hold passwords.
    return "set, and not shown" if nearest(settings.layers, name) else None


def _key(settings: Settings) -> Shown:
    found = settings.found_key
    if found is None:
        return _shown("key", None, settings)
    mode = settings.key_mode or "it does not say whether live or sandbox"
    return Shown(name="key", value=f"given, {mode} ({found})", origin=found.origin)
