"""Writes files that appear whole or not at all, under names that hold anywhere."""

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
# Hidden, an option of some program, or a lock file of Office.
_AWKWARD_STARTS: Final = " .-~"
_AWKWARD_ENDS: Final = " ."


def save_named(path: Path, content: bytes, *, called: str) -> None:
    """Write a file where a person wants it, for their eyes alone.

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
    """Make a file name of foreign text that every system can hold.

    Macrons stay. No folder, device, hidden file or stream can be meant; at
    most 150 bytes, the ending kept. `fallback`, a safe name itself, stands
    where nothing is left. The name of a name is that name.
    """
    name = one_line(clean(text), limit=10_000)
    # Making a name safe can lay bare what is unsafe again, such as a device
    # under a dot; a few rounds always end.
    for _ in range(len(name) + 2):
        before, name = name, _once(name)
        if name == before:
            break
    return name or fallback


def _once(text: str) -> str:
    # Shortened first: pathvalidate would cut the ending away.
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
