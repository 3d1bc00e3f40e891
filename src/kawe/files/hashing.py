"""Hashes of files that somebody else may have put there, and lists of hashes.

A list has the form of `sha256sum`: a hash, two spaces, a name, on each line. Others
write one space, which BagIt allows.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Final

LIST_NAME: Final = "manifest-sha256.txt"
ASIDE: Final = "altered"
"""The folder in which an export keeps altered files."""
LARGEST_BYTES: Final = 256 * 1024 * 1024
"""No document is larger, so that no file need be read further."""
_LIST_MAX_BYTES: Final = 64 * 1024 * 1024
_LINE: Final = re.compile(r"([0-9a-fA-F]{64})[ \t]+\*?(.+)")
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
    """How many lines are none of such a list."""


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
    return HashList(
        hashes={match[2]: match[1].lower() for match in found},
        odd_lines=len(lines) - len(found),
    )
