"""One writer per journal.

The operating system holds the lock, so it ends with the process. A small text beside it
names the holder: information for the person, never the lock itself.
"""

import json
import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

from filelock import FileLock, Timeout

from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError, JournalLocked
from kawe.journal.store.faults import in_use, shown_path

_PRIVATE: Final = 0o600
_HOLDER_MAX_BYTES: Final = 4096
# What a text that another wrote can do to a JSON reader and to a calendar.
_TOO_MUCH: Final = (RecursionError, OverflowError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who has the lock of a journal, as far as their signature can be read."""

    place: str = "another kawe"
    """On which machine and since when, in words."""
    since: datetime | None = None
    process: int | None = None

    @classmethod
    def of(cls, signed: str | bytes) -> Self:
        """Read a `signature`, which may be anything."""
        try:
            said: dict[str, Any] = json.loads(signed)
            process, host = int(said["pid"]), one_line(str(said["host"]), limit=60)
            since = datetime.fromisoformat(said["since"])
            place = f"another kawe on {host}, since {moment_words(since)}, NZ time"
        except (ValueError, LookupError, TypeError, *_TOO_MUCH):
            return cls()
        return cls(place=place, since=since, process=process)

    def __str__(self) -> str:
        named = "" if self.process is None else f" (process {self.process})"
        return f"{self.place}{named}"


def who_writes(journal: Path) -> Holder | None:
    """Say who writes a journal now; None: nobody does."""
    if not _holder_of(journal).exists():
        return None
    try:
        # It may stay behind where a process was killed.
        WriterLock(journal).close()
    except JournalError as why:
        # Where no lock can be made, nobody writes.
        return _who(_holder_of(journal)) if isinstance(why, JournalLocked) else None
    return None


def _holder_of(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.holder")


class WriterLock:
    """The right to write one journal, until `close` or the process's end."""

    def __init__(self, journal: Path, *, what: str = "") -> None:
        """Take the lock at once or not at all; `what` says of what else it is.

        Raises:
            JournalLocked: Another process, or another part of this one, has it.
            JournalError: The lock cannot be made there.
        """
        self._holder = _holder_of(journal)
        # No soft lock: it would outlive its process. Any thread may release it.
        self._lock = FileLock(
            journal.with_name(f"{journal.name}.lock"),
            mode=_PRIVATE,
            blocking=False,
            thread_local=False,
            fallback_to_soft=False,
        )
        try:
            self._lock.acquire()
        except Timeout as taken:
            it = what or f"The journal {shown_path(journal)}"
            raise in_use(it, _who(self._holder)) from taken
        except (OSError, NotImplementedError) as fault:
            raise JournalError(
                message=f"The journal {shown_path(journal)} cannot be locked there.",
                hint=f"Choose a folder of your own on this computer with "
                f"{Given.JOURNAL}.",
            ) from fault
        # Made anew each time, so that it never is another's link or file.
        with suppress(OSError):
            self._holder.unlink(missing_ok=True)
            handle = os.open(
                self._holder, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE
            )
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(signature())

    def close(self) -> None:
        """Let the next one write; closing again does nothing."""
        if self._lock.is_locked:
            # It is advice: one that stays behind says nothing once the lock goes.
            with suppress(OSError):
                self._holder.unlink(missing_ok=True)
            self._lock.release()


def _who(holder: Path) -> Holder:
    try:
        with holder.open("rb") as file:
            return Holder.of(file.read(_HOLDER_MAX_BYTES))
    except OSError:
        return Holder()


def signature() -> str:
    """Name this process and machine, for people."""
    signed = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "since": datetime.now(UTC).isoformat(),
    }
    return json.dumps(signed)
