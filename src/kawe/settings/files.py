"""Reads settings files, checks names, and makes layers.

An unknown setting is an error, and so is a key: people copy settings files.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.settings.origins import Giver, Layer, Origin, Values
from kawe.settings.private import plain_text, refuse_writable
from kawe.settings.table import SETTINGS

_KEY_NAMES: Final = frozenset({"key", "api_key", "KAWE_API_KEY"})


def read_file(path: Path) -> Values:
    """Read one settings file; a missing file is empty.

    Raises:
        GuardRefused: It holds a key.
        SettingsError: It cannot be read, or has what no setting is.
    """
    try:
        text = plain_text(path)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as trouble:
        raise SettingsError(
            message=f"{path} cannot be read.",
            hint="Look whether it is an ordinary file that you may read, and whether "
            "it is saved as UTF-8; then run the same command again.",
        ) from trouble
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as trouble:
        raise SettingsError(
            message=f"{path} is not written as settings: {one_line(str(trouble))}."
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


def read_own_file(path: Path) -> Values:
    """Read the person's own settings file; nobody else may write it.

    Raises:
        GuardRefused: Others can write it, or it holds a key.
        SettingsError: It cannot be read, or has what no setting is.
    """
    refuse_writable(path)
    return read_file(path)


def layers_of(
    values: Values, *, path: Path, profile: str, giver: Giver
) -> Iterator[Layer]:
    """Give the layers of a file: every profile, then this one."""
    own = {name: value for name, value in values.items() if name != "profile"}
    yield Layer(origin=Origin(giver=giver, name=str(path), file=path), values=own)
    section = values.get("profile", {}).get(profile)
    if section is not None:
        name = f"{path} [profile.{one_line(profile)}]"
        origin = Origin(giver=giver, name=name, file=path)
        yield Layer(origin=origin, values=section, profile=profile)


def _check_names(values: Values, *, path: Path) -> None:
    for name, value in values.items():
        if name == "profile" and isinstance(value, dict):
            continue
        if name in _KEY_NAMES:
            raise GuardRefused(
                message=f"{path} holds a key.",
                hint="Take it out: a key comes from KAWE_API_KEY, from the file that "
                "key_file names, or is kept by kawe init.",
            )
        if name not in SETTINGS:
            raise SettingsError(
                message=f"{path} has an unknown setting {one_line(name)!r}.",
                hint=f"Settings are: {', '.join(SETTINGS)}.",
            )
        if not isinstance(value, SETTINGS[name].kind) or isinstance(value, bool):
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
