"""Settings files: read, checked by name, made layers of, and added to.

An unknown setting is an error, and so is a key: people copy settings files.

Only this person's own file is added to, and existing lines never change. New lines go
to the beginning (every profile) or the end (one profile). Other values in the file are
an error, which names the lines to change.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.settings.private import plain_text, refuse_writable
from kawe.settings.table import SETTINGS, Giver, Layer, Origin, Values

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
            f"it is saved as UTF-8; then {Next.AGAIN}.",
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
                f"key_file names, or is kept by {Next.INIT}.",
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


_PROFILE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def checked_profile(name: str) -> str:
    """Check the name of a profile.

    Raises:
        SettingsError: It has other letters than a name may have.
    """
    if not _PROFILE.fullmatch(name):
        raise SettingsError(
            message=f"{one_line(name)!r} is no name for a profile.",
            hint="Use letters from a to z, digits, - and _.",
        )
    return name


def with_settings(text: str, wanted: Mapping[str, str], *, profile: str) -> str:
    """Add the `wanted` settings to the text of a settings file.

    Raises:
        SettingsError: The file has other values; the message names the lines.
    """
    before = tomllib.loads(text)
    section = before.get("profile", {}).get(profile)
    is_bare = profile == "default" and section is None
    # A named profile needs all values in its own section.
    own: Mapping[str, object] = before if is_bare else section or {}
    missing = {name: value for name, value in wanted.items() if own.get(name) != value}
    if not missing:
        return text
    in_the_way = [name for name in (*missing, "key_file", "key_command") if name in own]
    if in_the_way or section is not None:
        raise _says_otherwise(in_the_way or list(missing), missing)
    lines = [f"{name} = {quoted(value)}" for name, value in missing.items()]
    end = "\r\n" if "\r\n" in text else "\n"
    after = _placed(text, lines, end=end, profile=None if is_bare else profile)
    try:
        is_safe = _says_the_same(before, tomllib.loads(after), profile=profile)
    except tomllib.TOMLDecodeError:
        is_safe = False
    # Parse the new text as a check.
    if not is_safe:
        raise SettingsError(
            message="Your settings file is written in a way that cannot be added to.",
            hint=f"Nothing was changed. Write there yourself: {'; '.join(lines)}",
        )
    return after


def _placed(text: str, lines: list[str], *, end: str, profile: str | None) -> str:
    if profile is None:
        gap = [""] if text else []
        return end.join([*lines, *gap, text])
    begins = text if not text or text.endswith("\n") else text + end
    gap = [""] if text else []
    return begins + end.join([*gap, f"[profile.{profile}]", *lines, ""])


def _says_otherwise(names: list[str], wanted: Mapping[str, str]) -> SettingsError:
    lines = "; ".join(f"{name} = {quoted(value)}" for name, value in wanted.items())
    others = [name for name in names if name not in wanted]
    also = f" and take out {' and '.join(others)}" if others else ""
    return SettingsError(
        message=f"Your settings file says something else already: {', '.join(names)}.",
        hint=f"Nothing was changed. Write there yourself: {lines}{also}. Or keep this "
        f"key under a new profile: {Next.INIT} {Given.PROFILE} NAME",
    )


def _says_the_same(
    before: Mapping[str, Any], after: Mapping[str, Any], *, profile: str
) -> bool:
    kept = {name: value for name, value in after.items() if name in before}
    if "profile" in kept:
        kept["profile"] = {
            name: value
            for name, value in after["profile"].items()
            if name != profile or name in before["profile"]
        }
    return kept == dict(before)


def quoted(value: str) -> str:
    # TOML has JSON's escapes, except this one.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
