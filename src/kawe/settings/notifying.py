"""Whom to notify, and where the log goes: wrong settings are reported there too.

Only a flag, the environment, the person's own file or `KAWE_CONFIG` count. A folder's
`kawe.toml` could run a program or send results to strangers.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.settings.files import plain_text, refuse_writable, typed_path, unshared_text
from kawe.settings.keeping import own_files
from kawe.settings.table import SETTINGS, refuse_unknown

_LOG_PLACES: Final = ("file", "stderr")
_NAMES: Final = ("to", "file", "command", "within")
_SECONDS: Final = (1.0, 120.0)
_DEFAULT_SECONDS: Final = 20.0
_MARKS: Final = re.compile(r"[/@:?&=#]+")
# A shorter word stands in many lines of the log.
_LEAST_SECRET: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifySettings:
    """Whom to notify."""

    addresses: tuple[str, ...] = field(default=(), repr=False)
    """Addresses of apprise; they hold passwords."""
    command: str = field(default="", repr=False)
    within_seconds: float = _DEFAULT_SECONDS

    @property
    def is_silent(self) -> bool:
        return not self.addresses and not self.command

    @property
    def words(self) -> str:
        """Say by which ways people are told, and not their addresses; or nothing."""
        ways = [each.partition("://")[0] for each in self.addresses if "://" in each]
        own = ["a program of your own"] if self.command else []
        return ", ".join([*dict.fromkeys(one_line(e, limit=30) for e in ways), *own])

    @property
    def secrets(self) -> tuple[str, ...]:
        """Give what must not be in a log or message."""
        parts = [part for each in self.addresses for part in _parts(each)]
        return (*self.addresses, *parts)


def load_notify(
    *, command: str | None, profile: str | None, environment: Mapping[str, str]
) -> NotifySettings:
    """Load whom to notify; ignore settings files that `load_settings` refuses."""
    merged = _own_section("notify", profile=profile, environment=environment)
    check_notify(merged)
    if from_environment := environment.get("KAWE_NOTIFY", "").split():
        merged |= {"to": from_environment}
        merged.pop("file", None)
    to = merged.get("to", [])
    addresses = [to] if isinstance(to, str) else list(to)
    if "file" in merged:
        addresses += _in_file(str(merged["file"]))
    return NotifySettings(
        addresses=tuple(each.strip() for each in addresses if each.strip()),
        command=command or str(merged.get("command", "")),
        within_seconds=float(merged.get("within", _DEFAULT_SECONDS)),
    )


def check_notify(section: Mapping[str, object]) -> None:
    """Check a section `[notify]`."""
    refuse_unknown("notify", section, names=_NAMES)
    for name, value in section.items():
        if not _fits(name, value):
            # The value may be a password.
            raise SettingsError(
                message=f"[notify] {name} has a value of a wrong kind.",
                hint='Write to = ["mailto://…"], file = "…", command = "…", or '
                f"within = seconds between {_SECONDS[0]:g} and {_SECONDS[1]:g}.",
            )


def logs_to_stderr(*, profile: str | None, environment: Mapping[str, str]) -> bool:
    """Say whether the log goes to standard error; what cannot be used is ignored."""
    said = _own_section("log", profile=profile, environment=environment).get("to")
    return (environment.get(SETTINGS["log"].variable) or said) == "stderr"


def log_place(section: object) -> str:
    """Say where a section `[log]`, or the variable, sends the log."""
    names = section if isinstance(section, dict) else {"to": section}
    refuse_unknown("log", names, names=("to",))
    place = names.get("to", _LOG_PLACES[0])
    if place not in _LOG_PLACES:
        raise SettingsError(
            message=f"[log] to is {one_line(str(place))!r}, which is no place for a "
            "log.",
            hint='Write to = "file" or to = "stderr".',
        )
    return str(place)


def _own_section(
    name: str, *, profile: str | None, environment: Mapping[str, str]
) -> dict[str, Any]:
    """Read a section of the person's own files; what cannot be read is empty."""
    chosen = profile or environment.get("KAWE_PROFILE") or "default"
    found: dict[str, Any] = {}
    for path in own_files(environment):
        found |= _sections(path, name=name, profile=chosen)
    return found


def _sections(path: Path, *, name: str, profile: str) -> dict[str, Any]:
    try:
        refuse_writable(path)
        values = tomllib.loads(plain_text(path))
    except (
        OSError,
        UnicodeDecodeError,
        tomllib.TOMLDecodeError,
        RecursionError,
        GuardRefused,
    ):
        return {}
    profiles = values.get("profile", {})
    of_profile = profiles.get(profile, {}) if isinstance(profiles, dict) else {}
    scopes = (values, of_profile if isinstance(of_profile, dict) else {})
    found: dict[str, Any] = {}
    for scope in scopes:
        section = scope.get(name, {})
        found |= section if isinstance(section, dict) else {}
    return found


def _fits(name: str, value: object) -> bool:
    if name == "within":
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and _SECONDS[0] <= float(str(value)) <= _SECONDS[1]
    if name == "to" and isinstance(value, list):
        return all(isinstance(each, str) for each in value)
    return isinstance(value, str)


def _in_file(name: str) -> list[str]:
    path, called = typed_path(name), "file of notification targets"
    try:
        text = unshared_text(path, called=called)
    except (OSError, UnicodeDecodeError) as trouble:
        raise SettingsError(
            message=f"The {called} {path} cannot be read.",
            hint="Check its name, and that you may read it.",
        ) from trouble
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _parts(address: str) -> list[str]:
    """Give the parts of an address that may be a password."""
    parts = _MARKS.split(address.partition("://")[2])
    # Host names have a dot and are in many lines of the log.
    return [part for part in parts if len(part) >= _LEAST_SECRET and "." not in part]
