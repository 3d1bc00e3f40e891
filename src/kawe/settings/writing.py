"""Adds settings to this person's own file; existing lines never change.

New lines go to the beginning (every profile) or the end (one profile). Other values in
the file are an error, which names the lines to change.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError

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
    in_the_way = [name for name in (*missing, "key_file") if name in own]
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
    also = " and take out key_file" if "key_file" in names else ""
    return SettingsError(
        message=f"Your settings file says something else already: {', '.join(names)}.",
        hint=f"Nothing was changed. Write there yourself: {lines}{also}. Or keep this "
        "key under a new profile: kawe init --profile NAME",
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
