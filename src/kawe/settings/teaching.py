"""Writes a person's own headings into their settings file; other lines stay."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.texts import fold
from kawe.errors import SettingsError
from kawe.settings.headings import Taught
from kawe.settings.keeping import user_file
from kawe.settings.loading import own_values
from kawe.settings.writing import quoted, write_file


def teach(taught: Taught) -> Path:
    """Keep what headings mean, in place of what was kept of them; say where.

    Raises:
        SettingsError: The file cannot be read, added to, or written.
    """
    return _kept(taught, forgets=False)


def forget(kind: SheetKind, heading: str) -> bool:
    """Take a heading out of this person's own settings; say whether it was there.

    Raises:
        SettingsError: The file cannot be read or written, or the line not found.
    """
    own = own_values().get("columns", {}).get(kind, {})
    if fold(heading) not in map(fold, own):
        return False
    _kept({kind: {heading: None}}, forgets=True)
    return True


def _kept(taught: Taught, *, forgets: bool) -> Path:
    wanted = deepcopy(dict(own_values()))
    path = user_file()
    text = path.read_bytes().decode() if path.exists() else ""
    after = text
    for kind, headings in taught.items():
        section = wanted.setdefault("columns", {}).setdefault(kind.value, {})
        for heading, field in headings.items():
            for other in [each for each in section if fold(each) == fold(heading)]:
                del section[other]
            after = _without(after, kind, heading)
            if not forgets:
                section[heading] = False if field is None else field
                after = _with(after, kind, _line(heading, field))
    # Parse the new text as a check.
    if not _says(after, wanted):
        lines = [
            f"[columns.{kind}] {_line(heading, field)}"
            for kind, headings in taught.items()
            for heading, field in headings.items()
        ]
        do = "Take out there" if forgets else "Write there"
        raise SettingsError(
            message=f"{path} is written in a way that kawe cannot change.",
            hint=f"Nothing was changed. {do} yourself: {'; '.join(lines)}",
        )
    if after != text:
        write_file(path, after)
    return path


def _with(text: str, kind: SheetKind, line: str) -> str:
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    for at, each in enumerate(lines):
        if _is_header(each, kind):
            closed = each if each.endswith(("\n", "\r")) else each + end
            return "".join([*lines[:at], closed, line + end, *lines[at + 1 :]])
    begins = text if not text or text.endswith("\n") else text + end
    gap = end if text else ""
    return f"{begins}{gap}[columns.{kind}]{end}{line}{end}"


def _without(text: str, kind: SheetKind, heading: str) -> str:
    return "".join(_others(text, kind, fold(heading)))


def _others(text: str, kind: SheetKind, folded: str) -> Iterator[str]:
    is_inside = False
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("["):
            is_inside = _is_header(line, kind)
        elif is_inside and folded in map(fold, _parsed(line)):
            continue
        yield line


def _is_header(line: str, kind: SheetKind) -> bool:
    return bool(re.match(rf"\s*\[\s*columns\s*\.\s*{kind}\s*\]\s*(#.*)?$", line))


def _parsed(line: str) -> dict[str, Any]:
    try:
        return tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return {}


def _says(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        return False


def _line(heading: str, field: str | None) -> str:
    return f"{quoted(heading)} = {'false' if field is None else quoted(field)}"
