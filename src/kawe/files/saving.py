"""Writes files that appear whole or not at all, under names that hold anywhere.

What is written by kawe is for the person who ran it: mode 0600, the temporary
file too.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import BinaryIO, Final

from pathvalidate import sanitize_filename

from kawe.domain.texts import clean, one_line

_PREFIX: Final = ".kawe-"
_SUFFIX: Final = ".part"
_LEFT_ALONE_SECONDS: Final = 3600.0
_NAME_MAX_BYTES: Final = 150
_ENDING_MAX_BYTES: Final = 16
# Hidden, an option of some program, or a lock file of Office.
_AWKWARD_STARTS: Final = " .-~"
_AWKWARD_ENDS: Final = " ."


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file that becomes `path` when the block ends well.

    It lies in the folder of `path`, is synced before it takes the name, and
    so is the folder after. When the block raises, `path` is untouched and
    nothing is left behind.

    Raises:
        OSError: It cannot be written, or `path` is held open by another
            program (Windows).
    """
    descriptor, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(path.parent)


def save_atomically(path: Path, chunks: bytes | Iterable[bytes]) -> tuple[int, str]:
    """Write `chunks` at `path`; give the size in bytes and the sha256.

    Raises:
        OSError: As `replacing`.
    """
    digest, size_bytes = hashlib.sha256(), 0
    with replacing(path) as file:
        for chunk in [chunks] if isinstance(chunks, bytes) else chunks:
            file.write(chunk)
            digest.update(chunk)
            size_bytes += len(chunk)
    return size_bytes, digest.hexdigest()


def clear_left_behind(folder: Path) -> None:
    """Remove the temporary files that runs left in `folder` when they were killed.

    Only those that nothing was written to for an hour: another run may be at
    work in the same folder.
    """
    long_ago = datetime.now(UTC).timestamp() - _LEFT_ALONE_SECONDS
    for path in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with contextlib.suppress(OSError):
            if path.is_file() and path.lstat().st_mtime < long_ago:
                path.unlink()


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


def _sync_folder(folder: Path) -> None:
    """Make a rename last; Windows has no such thing for folders."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
