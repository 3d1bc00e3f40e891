"""What is known of the rate limit, in a small file for all who use one key.

It lies beside the journals and in none of them: a journal has one writer, and
a check or an export, which write none, use the same window. It is advice. A
file that is lost, damaged or cannot be written costs no more than a refused
request, so nothing here is synced, and nothing here fails a run.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeVar

from filelock import FileLock

from kawe.domain.windows import LONGEST_SECONDS, Share, Window
from kawe.durable import make_folder

_log = logging.getLogger(__name__)
T = TypeVar("T")

_PRIVATE: Final = 0o600
_SALT_BYTES: Final = 16
_MOST_BYTES: Final = 65_536
_PAGE_BYTES: Final = 2048
_MOST: Final = 10**12
# The others keep the lock for a fraction of a millisecond.
_LOCK_SECONDS: Final = 1.0
_POLL_SECONDS: Final = 0.001
_KEPT_SECONDS: Final = 7 * 86_400
_INSTANTS: Final = ("refills_at", "opens_at", "tried_at", "opened_at", "lowered_at")
# What a text that another wrote can do to whoever reads it.
_ODD: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class WindowFile:
    """Implements the port `SharedWindow` with a file and a lock beside it.

    Once the file cannot be used, the process goes on by itself.
    """

    def __init__(self, folder: Path, *, base_url: str, key: str) -> None:
        self._own = Window()
        self._path: Path | None = None
        try:
            make_folder(folder)
            name = _name(base_url, key, salt=_salt(folder / "salt"))
            self._lock = _lock_of(folder / name)
            self._path = folder / f"{name}.json"
            if not self._path.exists():
                _sweep(folder)
        except (OSError, NotImplementedError) as trouble:
            self._go_alone(trouble)

    def is_known(self) -> bool:
        """Say whether anybody has ever met a limit."""
        return self.change(lambda window: (window, window != Window()))

    def change(self, by: Callable[[Window], tuple[Window, T]]) -> T:
        """Change what is known while nobody else does."""
        if self._path is None or not self._locked():
            self._own, gives = by(self._own)
            return gives
        try:
            return self._changed(self._path, by)
        finally:
            self._lock.release()

    def _changed(self, path: Path, by: Callable[[Window], tuple[Window, T]]) -> T:
        before = self._own
        try:
            before = _read(path)
        except OSError as trouble:
            self._go_alone(trouble)
        self._own, gives = by(before)
        try:
            if self._path is not None and self._own != before:
                _write(path, self._own)
        except OSError as trouble:
            self._go_alone(trouble)
        return gives

    def _locked(self) -> bool:
        try:
            self._lock.acquire()
        except (OSError, NotImplementedError) as trouble:
            self._go_alone(trouble)
            return False
        return True

    def _go_alone(self, trouble: Exception) -> None:
        self._path = None
        _log.info("The rate limit is not shared: %s", type(trouble).__name__)


def _sweep(folder: Path) -> None:
    """Remove windows that nobody used for days: each twin brings a new one."""
    for path in folder.iterdir():
        if path.suffix not in {".json", ".lock"}:
            continue
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _KEPT_SECONDS:
                path.unlink()


def _lock_of(path: Path) -> FileLock:
    return FileLock(
        path.with_name(f"{path.name}.lock"),
        mode=_PRIVATE,
        timeout=_LOCK_SECONDS,
        poll_interval=_POLL_SECONDS,
        thread_local=False,
        fallback_to_soft=False,
    )


def _salt(path: Path) -> bytes:
    """Give what names are salted with: made once on each computer.

    Raises:
        OSError: It can be neither read nor made.
    """
    with _lock_of(path):
        if path.exists():
            salt = path.read_bytes()
            if len(salt) == _SALT_BYTES:
                return salt
        salt = secrets.token_bytes(_SALT_BYTES)
        _put(path, salt)
        return salt


def _name(base_url: str, key: str, *, salt: bytes) -> str:
    """Name a window so that nobody who guesses a key can see that it was it."""
    said = f"{base_url}\0{key}".encode()
    return hashlib.blake2b(said, digest_size=8, key=salt).hexdigest()


def _put(path: Path, content: bytes) -> None:
    """Write a file of ours over what it holds.

    In place: to cut a file first and fill it again makes some file systems bring
    it to the disk, which takes thousands of times as long.
    """

    def privately(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_CREAT, _PRIVATE)

    # Path.open knows no opener.
    with open(path, "r+b", buffering=0, opener=privately) as file:
        file.write(content)
        if file.seek(0, os.SEEK_END) > len(content):
            file.truncate(len(content))


def _write(path: Path, window: Window) -> None:
    instants = {name: getattr(window, name) for name in _INSTANTS}
    said = {
        "limit": window.limit,
        "length_seconds": window.length_seconds,
        "left": window.left,
        "refusals": window.refusals,
        **{name: at and at.isoformat() for name, at in instants.items()},
        "shares": {
            name: [share.got, share.ended, share.at.isoformat()]
            for name, share in window.shares.items()
        },
    }
    text = json.dumps(said).encode()
    # Of one size, as long as few processes share it.
    _put(path, text.ljust(-(-len(text) // _PAGE_BYTES) * _PAGE_BYTES))


def _read(path: Path) -> Window:
    """Read what is known; nothing, where nothing can be read.

    A process that was killed while it wrote leaves half a text behind.
    """
    try:
        with path.open("rb") as file:
            return _window(json.loads(file.read(_MOST_BYTES)))
    except FileNotFoundError:
        return Window()
    except _ODD:
        _log.info("What was known of the rate limit is damaged; it is learnt anew.")
        return Window()


def _window(said: Mapping[str, Any]) -> Window:
    return Window(
        limit=_count_or_none(said["limit"]),
        length_seconds=_length(said["length_seconds"]),
        left=_count_or_none(said["left"]),
        refusals=_count(said["refusals"]),
        shares={
            str(name): Share(got=_count(got), ended=_count(ended), at=_instant(at))
            for name, (got, ended, at) in said["shares"].items()
        },
        **{name: _instant_or_none(said[name]) for name in _INSTANTS},
    )


def _count(value: object) -> int:
    if isinstance(value, int) and 0 <= value <= _MOST:
        return value
    raise ValueError("no count")


def _count_or_none(value: object) -> int | None:
    return None if value is None else _count(value)


def _length(value: float | None) -> float | None:
    if value is None or 0 < value <= LONGEST_SECONDS:
        return value
    raise ValueError("no length")


def _instant(value: str) -> datetime:
    at = datetime.fromisoformat(value)
    # Nothing lasts as long as that: a clock was put back, or the text is odd.
    if at - datetime.now(UTC) > timedelta(seconds=2 * LONGEST_SECONDS):
        raise ValueError("too far ahead")
    return at


def _instant_or_none(value: str | None) -> datetime | None:
    return None if value is None else _instant(value)
