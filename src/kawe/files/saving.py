"""Files written whole or not at all, named for every system; hashes of any file."""

import hashlib
import os
import re
import stat
import unicodedata
from dataclasses import dataclass
from io import BufferedReader, FileIO
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
    """Write a file that only its owner can read."""
    try:
        with replacing(path) as file:
            file.write(content)
        sweep(path.parent)
    except OSError as trouble:
        raise ResultNotWritable(
            message=f"The {called} cannot be written to {one_line(str(path))}: "
            f"{trouble.strerror}.",
            hint="Choose another name, in a folder that you may write to.",
        ) from trouble


def unwritable(folder: Path) -> ResultNotWritable:
    return ResultNotWritable(
        message=f"The folder {one_line(str(folder))} cannot be written.",
        hint="Check that it is a folder of yours and that the disk has room, or name "
        "another.",
    )


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


LIST_NAME: Final = "manifest-sha256.txt"
ASIDE: Final = "altered"
"""The folder in which an export keeps altered files."""
LARGEST_BYTES: Final = 256 * 1024 * 1024
"""No document is larger, so that no file need be read further."""
_LIST_MAX_BYTES: Final = 64 * 1024 * 1024
_LINE: Final = re.compile(r"(# )?([0-9a-fA-F]{64})[ \t]+\*?(?:\./)?(.+)")
# A pipe must not keep kawe waiting; Windows has neither flag.
_PLAINLY: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class NoPlainFile(OSError):
    """It is a link, a folder, a pipe or a device, or larger than any document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HashList:
    """A list as it was read; its names are hostile."""

    hashes: dict[str, str]
    """The hash of each name; of two lines with one name, the last."""
    odd_lines: int
    """How many lines are none of such a list, or are contradicted by a later one."""
    before: tuple[tuple[str, str], ...] = ()
    """What an export replaces stands in comments: names and hashes."""


def open_plainly(path: Path, *, most_bytes: int) -> BufferedReader:
    """Open a file that is a file; never what a link names.

    Raises:
        NoPlainFile: It is something else, or larger.
        OSError: It cannot be read.
    """
    before = path.lstat()
    if not stat.S_ISREG(before.st_mode) or before.st_size > most_bytes:
        raise NoPlainFile
    # Whoever puts a link there now finds that it is not followed.
    return BufferedReader(
        FileIO(path, opener=lambda name, flags: os.open(name, flags | _PLAINLY))
    )


def hash_plainly(path: Path) -> tuple[int, str]:
    """Give size in bytes and sha256 of a file, as `open_plainly` reads it.

    Raises:
        NoPlainFile: It is no file, or larger than any document.
        OSError: It cannot be read.
    """
    with open_plainly(path, most_bytes=LARGEST_BYTES) as file:
        digest = hashlib.file_digest(file, "sha256")
        # Reading it to the end comes first.
        return file.tell(), digest.hexdigest()


def read_list(path: Path) -> HashList:
    """Read a list of hashes.

    Raises:
        OSError: It cannot be read, or is no file of a usual size.
    """
    with open_plainly(path, most_bytes=_LIST_MAX_BYTES) as file:
        text = file.read().decode("utf-8-sig", errors="replace")
    lines = [line.removesuffix("\r") for line in text.split("\n") if line.strip()]
    found = [match for line in lines if (match := _LINE.fullmatch(line))]
    before = tuple((match[3], match[2].lower()) for match in found if match[1])
    hashes = {match[3]: match[2].lower() for match in found if not match[1]}
    right = sum(
        bool(match[1]) or match[2].lower() == hashes[match[3]] for match in found
    )
    return HashList(hashes=hashes, odd_lines=len(lines) - right, before=before)
