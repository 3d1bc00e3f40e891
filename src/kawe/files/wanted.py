"""Reads a file name from the files column. Pure.

A name is relative to the files folder and stays below it. A name that is unsafe on one
system is refused on every system: workbooks move between them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from pathvalidate import ErrorReason, ValidationError, validate_filename

from kawe.domain.text.texts import clean
from kawe.files.troubles import Trouble, shown_name

ANY_DEPTH: Final = "**"
# Keys, password stores, and kawe's own files.
_SECRET: Final = re.compile(
    r"id_(rsa|dsa|ecdsa|ed25519).*|kawe\.toml"
    r"|.*\.(pem|key|pfx|p12|p8|ppk|kdbx?|jks|keystore|ovpn|env|journal(\.answers)?)"
)
# Tables with other people's rows.
_BY_NAME_ALONE: Final = re.compile(r".*\.(xls[xmb]?|xlt[xm]|ods|csv|tsv|json)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A name or pattern, in NFC parts."""

    parts: tuple[str, ...]

    @property
    def is_pattern(self) -> bool:
        return any(is_pattern(part) for part in self.parts)


_BELOW: Final = (
    "Type the name only, or the folder below the files folder and the name, such "
    "as plans/site plan.pdf."
)


def read_name(text: str) -> Wanted | Trouble:
    r"""Read one name; `/` and `\` both separate folders."""
    name = clean(text).replace("\\", "/")
    shown = shown_name(text)
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return _refused(
            f"{shown} is a place on one computer, not a name in the files folder."
        )
    parts = tuple(part for part in name.split("/") if part not in {"", "."})
    if ".." in parts:
        return _refused(f"{shown} leads out of the files folder.")
    if not parts or name.endswith("/"):
        return _refused(f"{shown} names no file.")
    if any(map(is_hidden, parts)):
        return _refused(
            f"{shown} is hidden: it, or its folder, begins with a full stop.",
            "If it is meant, put a copy under another name.",
        )
    for part in parts:
        if problem := _unfit(part):
            return _refused(f"{shown} cannot be used: {problem}")
    return Wanted(parts=parts)


def _refused(message: str, advice: str = _BELOW) -> Trouble:
    return Trouble(rule="file-outside", message=message, advice=advice)


def is_pattern(part: str) -> bool:
    """Check that a part is a pattern; `[` is an ordinary letter."""
    return "*" in part or "?" in part


def is_hidden(name: str) -> bool:
    return name.startswith(".")


def is_secret(name: str) -> bool:
    """Check for the name of a file that must not leave this computer."""
    return _SECRET.fullmatch(sameness(name)) is not None


def a_pattern_may_mean(name: str) -> bool:
    return not (is_secret(name) or _BY_NAME_ALONE.fullmatch(sameness(name)))


def matches(part: str, name: str) -> bool:
    """Match `name` with one part of a pattern, without case and normalisation.

    Only the last `*` backtracks, so the time is at most the product of the lengths; a
    regular expression would be exponential.
    """
    pattern, text = sameness(part), sameness(name)
    at = star = 0
    resume = -1
    for_name = 0
    while for_name < len(text):
        here = pattern[at : at + 1]
        if here == "*":
            star, resume, at = at, for_name, at + 1
        elif here and here in {"?", text[for_name]}:
            at, for_name = at + 1, for_name + 1
        elif resume >= 0:
            resume += 1
            at, for_name = star + 1, resume
        else:
            return False
    return not pattern[at:].strip("*")


def is_exact(name: str, part: str) -> bool:
    return clean(name) == part


def sameness(name: str) -> str:
    """Fold a name as cells are cleaned and a person compares."""
    return unicodedata.normalize("NFC", clean(name).casefold())


def _unfit(part: str) -> str:
    if part == ANY_DEPTH:
        return ""
    try:
        validate_filename(
            re.sub(r"[*?]", "x", part), platform="universal", check_reserved=True
        )
    except ValidationError as problem:
        if problem.reason is ErrorReason.RESERVED_NAME:
            return f"{part} is a device on Windows, not a file."
        if problem.reason is ErrorReason.INVALID_LENGTH:
            return "it is too long for a file name."
        return 'a file name may not hold any of : < > | " or end in a full stop.'
    return ""
