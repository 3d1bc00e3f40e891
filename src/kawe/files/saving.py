"""Writes files whole or not at all, under names for every system."""

from __future__ import annotations

import unicodedata
from pathlib import Path, PurePath
from typing import Final

from pathvalidate import sanitize_filename

from kawe.domain.text.texts import clean, one_line
from kawe.durable import replacing, sweep
from kawe.errors import ResultNotWritable

_NAME_MAX_BYTES: Final = 150
_ENDING_MAX_BYTES: Final = 16
# Hidden files, options, lock files of Office.
_AWKWARD_STARTS: Final = " .-~"
_AWKWARD_ENDS: Final = " ."


def save_named(path: Path, content: bytes, *, called: str) -> None:
    """Write a file that only its owner can read.

    Raises:
        ResultNotWritable: It cannot be written there.
    """
    try:
        with replacing(path) as file:
            file.write(content)
        sweep(path.parent)
    except OSError as trouble:
        raise ResultNotWritable(
            message=f"The {called} cannot be written to {one_line(str(path))}.",
            hint="Choose another name with -o, in a folder that you may write to.",
        ) from trouble


def safe_name(text: str, fallback: str) -> str:
    """Make a file name for every system from untrusted text.

    It keeps macrons and the ending, has at most 150 bytes, and is no folder, device,
    hidden file or stream; `fallback` if nothing is left. It is idempotent.
    """
    name = one_line(clean(text), limit=10_000)
    # One change can reveal another unsafe name, such as a device under a dot.
    for _ in range(len(name) + 2):
        before, name = name, _once(name)
        if name == before:
            break
    return name or fallback


def _once(text: str) -> str:
    # pathvalidate would cut the ending.
    name = sanitize_filename(
        _shortened(unicodedata.normalize("NFC", text)),
        replacement_text="_",
        platform="universal",
    )
    return name.lstrip(_AWKWARD_STARTS).rstrip(_AWKWARD_ENDS)


def _shortened(name: str) -> str:
    if len(name.encode()) <= _NAME_MAX_BYTES:
        return name
    ending = PurePath(name).suffix
    if len(ending.encode()) > _ENDING_MAX_BYTES:
        ending = ""
    room = _NAME_MAX_BYTES - len(ending.encode())
    stem = name.removesuffix(ending).encode()[:room].decode(errors="ignore")
    return stem.rstrip(_AWKWARD_ENDS) + ending
