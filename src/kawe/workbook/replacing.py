"""Files that appear whole or not at all, and never in place of a person's.

A result is written beside where it goes, forced to the disk, and renamed. A
file that someone else wrote, or a result that a person has edited since, is
never replaced: the new result goes beside it.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import IO, Final

from openpyxl import Workbook
from openpyxl.writer.excel import ExcelWriter

from kawe.domain.texts import one_line
from kawe.errors import ResultNotWritable, WorkbookError
from kawe.workbook.limits import MAX_FILE_BYTES
from kawe.workbook.package import Package

AUTHOR: Final = "kawe"
_CORE: Final = "docProps/core.xml"
_MOST_NAMES: Final = 99
_PREFIX: Final = ".kawe-"
_SUFFIX: Final = ".tmp"
_LEFT_ALONE_SECONDS: Final = 3600.0


def check_place(path: Path, *, protect: frozenset[Path]) -> None:
    """Make sure that a workbook can be written at `path`, or beside it.

    Raises:
        ResultNotWritable: It cannot.
    """
    if path.suffix.casefold() != ".xlsx":
        raise ResultNotWritable(
            message=f"“{_shown(path)}” does not end in .xlsx.",
            hint="Give the result a name that does.",
        )
    if _same(path) in {_same(other) for other in protect}:
        raise ResultNotWritable(
            message=f"“{_shown(path)}” is your own workbook; kawe never overwrites it.",
            hint="Name another file for the result.",
        )
    with _temporary(path):
        pass


def write_whole(
    path: Path, write: Callable[[IO[bytes]], None], *, protect: frozenset[Path]
) -> Path:
    """Write a workbook at `path` or beside it, and say where it is.

    Raises:
        ResultNotWritable: Neither could be written.
    """
    check_place(path, protect=protect)
    _clear_left_behind(path.parent)
    with _temporary(path) as (file, temporary):
        write(file)
        file.flush()
        os.fsync(file.fileno())
        file.close()
        for place in _places(path):
            if _same(place) in {_same(other) for other in protect}:
                continue
            if not _may_replace(place):
                continue
            # Excel keeps an open workbook from being replaced on Windows.
            with suppress(PermissionError):
                temporary.replace(place)
                _sync_folder(place.parent)
                return place
    raise ResultNotWritable(
        message=f"“{_shown(path)}” cannot be written: every name for it is taken.",
        hint="Close it in Excel, or name another file or folder for the result.",
    )


def save_untouched(book: Workbook, file: IO[bytes], *, title: str) -> None:
    """Save `book` with the marks by which it is known that nobody edited it."""
    # A moment ago: the times have whole seconds, and an edit must be later.
    then = datetime.now(UTC) - timedelta(seconds=2)
    book.properties.creator = book.properties.lastModifiedBy = AUTHOR
    made_at = then.replace(tzinfo=None, microsecond=0)
    book.properties.created = book.properties.modified = made_at
    book.properties.title = title
    # In memory first: the library leaves its parts to the collector when the
    # disk refuses one, and they complain of the closed file long afterwards.
    whole = BytesIO()
    # Workbook.save would set the time of change to a later one.
    archive = zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, allowZip64=True)
    ExcelWriter(book, archive).save()
    file.write(whole.getbuffer())


@contextmanager
def _temporary(path: Path) -> Iterator[tuple[IO[bytes], Path]]:
    """Open a file beside `path` that only its owner may read; gone at the end."""
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            yield file, temporary
    except OSError as why:
        raise ResultNotWritable(
            message=(
                f"“{_shown(path)}” cannot be written: "
                f"{one_line(why.strerror or 'unknown reason')}."
            ),
            hint="Check that the folder exists, has room, and may be written to.",
        ) from why
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _clear_left_behind(folder: Path) -> None:
    """Remove temporary files of runs that were killed, an hour ago or more.

    A younger one may be another run's that is at work in the same folder.
    """
    long_ago = datetime.now(UTC).timestamp() - _LEFT_ALONE_SECONDS
    for path in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            if path.is_file() and path.lstat().st_mtime < long_ago:
                path.unlink()


def _places(path: Path) -> Iterator[Path]:
    yield path
    for number in range(2, _MOST_NAMES + 1):
        yield path.with_name(f"{path.stem} ({number}){path.suffix}")


def _may_replace(place: Path) -> bool:
    """Say whether `place` is free, or a result that nobody has touched since."""
    try:
        if not place.exists():
            return True
        if not place.is_file() or place.stat().st_size > MAX_FILE_BYTES:
            return False
        root = Package(place.read_bytes(), name=place.name).parse(_CORE)
    except (OSError, WorkbookError):
        return False
    if root is None:
        return False
    said = {element.tag.rpartition("}")[2]: element.text for element in root}
    return (
        said.get("creator") == said.get("lastModifiedBy") == AUTHOR
        # Not every program says who saved a file; all of them say when.
        and said.get("created") == said.get("modified")
    )


def _sync_folder(folder: Path) -> None:
    """Make the new name durable; Windows has no such call and needs none."""
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _same(path: Path) -> Path:
    with suppress(OSError):
        return path.resolve()
    return path.absolute()


def _shown(path: Path) -> str:
    return one_line(path.name)
