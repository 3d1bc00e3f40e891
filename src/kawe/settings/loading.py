"""Where settings come from, and which of them wins."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import platformdirs

from kawe.contract.headers import LIVE_MARK, SANDBOX_MARK
from kawe.contract.operations import OPERATIONS
from kawe.domain.settling import DEFAULT_SETTLE_SECONDS
from kawe.domain.texts import one_line
from kawe.errors import GuardRefused, KeyMissing, SettingsError
from kawe.settings.headings import taught_headings
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
    "team": str,
    "mode": str,
    "workers": int,
    "settle": (int, float),
    "keep_reserve": int,
    "machines": str,
    "project_link": str,
    "columns": dict,
    "service": dict,
}
_KEY_NAMES: Final = frozenset({"key", "api_key", "KAWE_API_KEY"})
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
_PART: Final = re.compile(r"\{[^{}]*\}")
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
    key = _key(
        given.get("key_file"),
        environment=environment,
        kept={**_profiled(user, profile), **_profiled(near, profile)}.get("key_file"),
    )
    return _settings(merged, profile=profile, key=key)


def _settings(merged: Values, *, profile: str, key: str | None) -> Settings:
    base_url, journal = merged.get("base_url"), merged.get("journal")
    return Settings(
        base_url=None if base_url is None else checked_url(str(base_url)),
        key=key,
        profile=profile,
        journal=None if journal is None else Path(str(journal)).expanduser(),
        team=None if merged.get("team") is None else str(merged["team"]),
        mode=_mode(merged.get("mode")),
        workers=int(_within(merged, "workers", (1, 64), default=8)),
        settle_seconds=float(
            _within(merged, "settle", (0.1, 86_400), default=DEFAULT_SETTLE_SECONDS)
        ),
        keep_reserve=int(_within(merged, "keep_reserve", (0, 10**9), default=0)),
        machines=_machines(merged.get("machines", "one")),
        project_link=str(merged.get("project_link", "")),
        columns=taught_headings(merged.get("columns", {})),
        paths=_paths(merged.get("service", {})),
    )


def _read(path: Path) -> Values:
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as trouble:
        raise SettingsError(
            message=f"{path} cannot be read.",
            hint="Look whether you may read it and whether it is saved as UTF-8, then "
            "run the same command again.",
        ) from trouble
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as trouble:
        raise SettingsError(
            message=f"{path} is not written as settings: {trouble}."
        ) from trouble
    profiles = values.get("profile", {})
    scopes = [values, *(profiles.values() if isinstance(profiles, dict) else [None])]
    for scope in scopes:
        if not isinstance(scope, dict):
            raise SettingsError(
                message=f"{path}: profile has a value of a wrong kind.",
                hint="Profiles are sections, such as [profile.test].",
            )
        _check_names(scope, path=path)
    return values


def _check_names(values: Values, *, path: Path) -> None:
    for name, value in values.items():
        if name == "profile" and isinstance(value, dict):
            continue
        if name in _KEY_NAMES:
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
    _check_service(values.get("service", {}), path=path)


def _check_service(service: Values, *, path: Path) -> None:
    for name, value in service.items():
        if name in _KEY_NAMES:
            _check_names({name: value}, path=path)
        if name != "paths" or not isinstance(value, dict):
            raise SettingsError(
                message=f"{path}: [service] cannot hold {one_line(name)!r}.",
                hint="It holds [service.paths] alone.",
            )


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


def _machines(value: object) -> str:
    if value in {"one", "several"}:
        return str(value)
    raise SettingsError(
        message=f"machines is one or several, not {one_line(str(value))}."
    )


def _within(
    merged: Values, name: str, bounds: tuple[float, float], *, default: float
) -> float:
    value: float = merged.get(name, default)
    least, most = bounds
    # Said this way round, what is not a number is refused too.
    if not least <= value <= most:
        raise SettingsError(
            message=f"{name} is between {least} and {most}, not {value}."
        )
    return value


def _paths(service: Values) -> dict[str, tuple[str, str]]:
    paths = {}
    for name, line in service.get("paths", {}).items():
        method, _, path = str(line).partition(" ")
        path = path.strip()
        if name not in OPERATIONS or method not in _METHODS or not _is_path(path):
            raise SettingsError(
                message=f"[service.paths] {one_line(str(name))} cannot be used.",
                hint='Write NAME = "METHOD /path" with a name of the operations '
                "table, such as upload_presign.",
            )
        parts = _PART.findall(OPERATIONS[name].path)
        if sorted(_PART.findall(path)) != sorted(parts):
            wanted = ", ".join(parts) or "no part in braces"
            raise SettingsError(
                message=f"[service.paths] {name} needs {wanted} in its path.",
                hint="Otherwise the service could not tell what is meant.",
            )
        paths[name] = (method, path)
    return paths


def _is_path(path: str) -> bool:
    return path.startswith("/") and path.isprintable() and " " not in path


def _key(flag: object, *, environment: Mapping[str, str], kept: object) -> str | None:
    """Find the key: the flag's file, the environment, then the settings' file."""
    key = environment.get("KAWE_API_KEY", "").strip()
    if flag is None and key:
        return _checked_key(key, source="KAWE_API_KEY")
    key_file = kept if flag is None else flag
    return None if key_file is None else _key_in(str(key_file))


def _key_in(name: str) -> str:
    path = Path(name).expanduser()
    try:
        mode = path.stat().st_mode
        if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise GuardRefused(
                message=f"Others can read the key file {path}.",
                hint=f"Run: chmod 600 {path}",
            )
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as trouble:
        if LIVE_MARK in name or SANDBOX_MARK in name:
            # Whoever put the key itself there must not find it in the message.
            raise GuardRefused(
                message="key_file looks like a key; it takes the name of a file.",
                hint="Put the key into a file that only you can read, and name that.",
            ) from None
        raise KeyMissing(
            message=f"The key file {path} cannot be read.",
            hint="Check its name, and that you may read it.",
        ) from trouble
    return _checked_key(key, source=str(path))


def _checked_key(key: str, *, source: str) -> str:
    # A key goes into a header: whatever cannot stand there is no key.
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise KeyMissing(
            message=f"{source} does not hold a key.",
            hint="Put the key there alone, on one line.",
        )
    return key
