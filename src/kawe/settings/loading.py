"""Where settings come from, and which of them wins."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import platformdirs

from kawe.contract.operations import OPERATIONS
from kawe.domain.settling import DEFAULT_SETTLE_SECONDS
from kawe.domain.texts import one_line
from kawe.errors import GuardRefused, KeyMissing, SettingsError
from kawe.settings.values import FILE_NAME, Settings, checked_url

_ENVIRONMENT: Final = {
    "base_url": "KAWE_BASE_URL",
    "journal": "KAWE_JOURNAL",
    "profile": "KAWE_PROFILE",
}
_KNOWN: Final[dict[str, type | tuple[type, ...]]] = {
    "base_url": str,
    "key_file": str,
    "journal": str,
    "mode": str,
    "workers": int,
    "settle": (int, float),
    "keep_reserve": int,
    "project_link": str,
    "service": dict,
}
Values: TypeAlias = Mapping[str, Any]


def load_settings(
    flags: Values, *, environment: Mapping[str, str], folder: Path
) -> Settings:
    """Decide every setting.

    `flags` are those the person gave, by setting name; None is not given.

    Raises:
        SettingsError: A value cannot be used; the message says where it is.
    """
    user_file = platformdirs.user_config_path("kawe", appauthor=False) / FILE_NAME
    config = environment.get("KAWE_CONFIG")
    near_file = Path(config) if config else folder / FILE_NAME
    if config and not near_file.is_file():
        raise SettingsError(message=f"KAWE_CONFIG names {config}, which is no file.")
    given = {name: value for name, value in flags.items() if value is not None}
    near, user = _read(near_file), _read(user_file)
    from_environment = {
        name: environment[variable]
        for name, variable in _ENVIRONMENT.items()
        if environment.get(variable)
    }
    profile = str({**from_environment, **given}.get("profile", "default"))
    merged: dict[str, Any] = {
        **_profiled(user, profile),
        **_profiled(near, profile),
        **from_environment,
        **given,
    }
    _require_profile(profile, near=near, user=user)
    return _settings(merged, profile=profile, environment=environment)


def _settings(
    merged: Values, *, profile: str, environment: Mapping[str, str]
) -> Settings:
    base_url = merged.get("base_url")
    return Settings(
        base_url=None if base_url is None else checked_url(str(base_url)),
        key=_key(merged.get("key_file"), environment=environment),
        profile=profile,
        journal=None if merged.get("journal") is None else Path(str(merged["journal"])),
        mode=_mode(merged.get("mode")),
        workers=_at_least(merged, "workers", 1, default=8),
        settle_seconds=float(merged.get("settle", DEFAULT_SETTLE_SECONDS)),
        keep_reserve=_at_least(merged, "keep_reserve", 0, default=0),
        project_link=str(merged.get("project_link", "")),
        paths=_paths(merged.get("service", {})),
    )


def _read(path: Path) -> Values:
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as trouble:
        raise SettingsError(message=f"{path} cannot be read.") from trouble
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as trouble:
        raise SettingsError(
            message=f"{path} is not written as settings: {trouble}."
        ) from trouble
    for scope in (values, *values.get("profile", {}).values()):
        _check_names(scope, path=path)
    return values


def _check_names(values: Values, *, path: Path) -> None:
    for name, value in values.items():
        if name == "profile":
            continue
        if name in {"key", "api_key"}:
            raise GuardRefused(
                message=f"{path} holds a key.",
                hint="Take it out: a key comes from KAWE_API_KEY or from the file "
                "that key_file names.",
            )
        kind = _KNOWN.get(name)
        if kind is None:
            raise SettingsError(
                message=f"{path} has an unknown setting {one_line(name)!r}.",
                hint=f"Settings are: {', '.join(_KNOWN)}.",
            )
        if not isinstance(value, kind) or isinstance(value, bool):
            raise SettingsError(message=f"{path}: {name} has a value of a wrong kind.")


def _profiled(values: Values, profile: str) -> dict[str, Any]:
    own = {name: value for name, value in values.items() if name != "profile"}
    return {**own, **values.get("profile", {}).get(profile, {})}


def _require_profile(profile: str, *, near: Values, user: Values) -> None:
    if profile == "default":
        return
    if not any(profile in values.get("profile", {}) for values in (near, user)):
        raise SettingsError(
            message=f"There is no profile {one_line(profile)!r} in the settings.",
            hint=f"Add a section [profile.{one_line(profile)}] to {FILE_NAME}.",
        )


def _mode(value: object) -> str | None:
    if value is None or value in {"live", "sandbox"}:
        return None if value is None else str(value)
    raise SettingsError(message=f"mode is live or sandbox, not {one_line(str(value))}.")


def _at_least(merged: Values, name: str, least: int, *, default: int) -> int:
    value = int(merged.get(name, default))
    if value < least:
        raise SettingsError(message=f"{name} is at least {least}, not {value}.")
    return value


def _paths(service: Values) -> dict[str, tuple[str, str]]:
    paths = {}
    for name, line in service.get("paths", {}).items():
        method, _, path = str(line).partition(" ")
        if name not in OPERATIONS or not path.startswith("/") or not method.isupper():
            raise SettingsError(
                message=f"[service.paths] {one_line(str(name))} cannot be used.",
                hint='Write NAME = "METHOD /path" with a name of the operations '
                "table, such as upload_presign.",
            )
        paths[name] = (method, path.strip())
    return paths


def _key(key_file: object, *, environment: Mapping[str, str]) -> str | None:
    if key_file is None:
        key = environment.get("KAWE_API_KEY", "").strip()
        return _checked_key(key, source="KAWE_API_KEY") if key else None
    path = Path(str(key_file)).expanduser()
    try:
        mode = path.stat().st_mode
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as trouble:
        raise KeyMissing(
            message=f"The key file {path} cannot be read.",
            hint="Check its name, and that you may read it.",
        ) from trouble
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise GuardRefused(
            message=f"Others can read the key file {path}.",
            hint=f"Run: chmod 600 {path}",
        )
    return _checked_key(key, source=str(path))


def _checked_key(key: str, *, source: str) -> str:
    # A key goes into a header: whatever cannot stand there is no key.
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise KeyMissing(
            message=f"{source} does not hold a key.",
            hint="Put the key there alone, on one line.",
        )
    return key
