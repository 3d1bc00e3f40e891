"""The one way to write a file whole or not at all, and to make a folder of our own.

Only the person who runs kawe may read them: files have 0600, temporary ones too, and
new folders 0700.
"""

import errno
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, BinaryIO, Final, TypeAlias

from kawe.system import is_windows

Temporary: TypeAlias = tuple[BinaryIO, Path]
"""A file that is open to be written, and where it lies meanwhile."""

_PREFIX: Final = ".kawe-"
_SUFFIX: Final = ".tmp"
# What kawe called them before is swept too.
_SUFFIXES: Final = (_SUFFIX, ".part")
LEFT_ALONE_SECONDS: Final = 3600.0
"""A younger temporary file may be another run's that is at work there."""
# Some systems have folders that cannot be synced: theirs are kept anyway.
_NO_SUCH_CALL: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EROFS})


def make_folder(folder: Path) -> None:
    """Make a folder, and the missing ones above it, for their owner alone.

    Raises:
        OSError: It cannot be made.
    """
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except FileNotFoundError:
        if folder.parent == folder:
            raise
        # mkdir(parents=True) gives its mode to the last folder only.
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


@contextmanager
def temporary_in(folder: Path) -> Iterator[Temporary]:
    """Open a file in `folder` that only its owner may read.

    It is removed at the end, unless `put` gave it another name.

    Raises:
        OSError: It cannot be made there.
    """
    handle, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=folder)
    try:
        with os.fdopen(handle, "w+b") as file:
            yield file, Path(name)
    finally:
        with suppress(OSError):
            Path(name).unlink(missing_ok=True)


@contextmanager
def replacing(path: Path, *, rights: int = 0o600) -> Iterator[BinaryIO]:
    """Open a temporary file that becomes `path` when the block ends well.

    It lies in the folder of `path` and is synced first; the folder is synced after.
    When the block raises, `path` is unchanged and nothing is left behind.

    Raises:
        OSError: It cannot be written, `path` is a folder, a pipe or a device, or
            another program holds it open (Windows).
    """
    if path.exists() and not path.is_file():
        # A rename would put a file in the place of /dev/null for everybody.
        raise FileExistsError(errno.EEXIST, "It is no file", str(path))
    with temporary_in(path.parent) as temporary:
        yield temporary[0]
        put(temporary, path, rights=rights)


def put(temporary: Temporary, path: Path, *, rights: int = 0o600) -> None:
    """Sync a temporary file, rename it to `path`, and sync the folder.

    Raises:
        OSError: The disk does not keep it, or `path` cannot be replaced.
    """
    if rights != 0o600:
        temporary[1].chmod(rights)
    put_all([(temporary, path)])


def put_all(files: Sequence[tuple[Temporary, Path]]) -> None:
    """Do as `put` for files of one folder, which is synced once for all.

    Raises:
        OSError: The disk does not keep one of them, or it cannot be replaced; some
            may have their names.
    """
    for (file, _), _ in files:
        sync(file)
    for (file, lying), path in files:
        file.close()
        lying.replace(path)
    sync_folder(files[0][1].parent)


NO_HASH: Final = "0" * 64


def sha256_at(path: Path) -> str:
    """Hash a file; one that cannot be read has a hash that no file has."""
    # A pipe would block.
    with suppress(OSError):
        if path.is_file():
            with path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
    return NO_HASH


def sync(file: IO[bytes]) -> None:
    """Force what was written to the disk.

    Raises:
        OSError: The disk does not keep it.
    """
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path, *, sync: Callable[[int], None] = os.fsync) -> None:
    """Make the names in a folder last; Windows has no such call and needs none.

    Raises:
        OSError: The disk does not keep them.
    """
    if is_windows():
        return
    # A folder that may be written and not listed cannot be opened for this.
    with suppress(PermissionError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            sync(handle)
        except OSError as fault:
            if fault.errno not in _NO_SUCH_CALL:
                raise
        finally:
            os.close(handle)


def is_temporary(name: str) -> bool:
    """Say whether a file has the name of one that kawe has not finished."""
    return name.startswith(_PREFIX) and name.endswith(_SUFFIXES)


def sweep(folder: Path, *, after_seconds: float = LEFT_ALONE_SECONDS) -> None:
    """Remove the temporary files of killed runs; `after_seconds` without a write."""
    long_ago = datetime.now(UTC).timestamp() - after_seconds
    for suffix in _SUFFIXES:
        for path in folder.glob(f"{_PREFIX}*{suffix}"):
            with suppress(OSError):
                if path.is_file() and path.lstat().st_mtime <= long_ago:
                    path.unlink()
