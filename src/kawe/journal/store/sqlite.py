"""The store in SQLite: one file with one writing process, or memory alone.

A file's transactions are on the disk when they have ended; see `opening`.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Final, Self
from weakref import finalize

from kawe.errors import JournalError
from kawe.journal.store import (
    Record,
    Value,
    filling,
    opening,
    savepoint,
    set_aside_name,
)
from kawe.journal.store.faults import damaged, fitting, in_words, shown_path
from kawe.journal.store.location import check_location
from kawe.journal.store.lock import WriterLock
from kawe.journal.store.opening import USUAL, OpeningLimits

_WHOLE: Final = {"PRAGMA integrity_check(1)": ("ok",), "PRAGMA foreign_key_check": None}
_NOWHERE: Final = Path("in memory")


class SqliteStore:
    """A `Store` over one connection, and the lock of its file."""

    def __init__(
        self, db: Connection, *, path: Path, lock: WriterLock | None = None
    ) -> None:
        self.path: Final = path
        self.place: Final = shown_path(path)
        self._db: Final = db
        self._lock: Final = lock
        self._inspection: opening.Inspection | None = None
        self._doing = "read"

    @classmethod
    def in_memory(cls) -> Self:
        """Begin a journal that lasts as long as it is known."""
        store = cls(db := opening.in_memory(), path=_NOWHERE)
        # Things in a circle go in any order, and Python tells of an open database.
        finalize(store, db.close)
        return store

    @classmethod
    def for_reading(cls, path: Path, limits: OpeningLimits = USUAL) -> Self:
        """Open a file to read it, also while another process writes it."""
        return cls(opening.open_for_reading(path, limits), path=path)

    @classmethod
    def for_writing(cls, path: Path, limits: OpeningLimits = USUAL) -> Self:
        """Take a file's lock and open it; there may be none yet."""
        lock = WriterLock(path)
        try:
            db = opening.open_for_writing(path, limits)
        except JournalError:
            lock.close()
            raise
        return cls(db, path=path, lock=lock)

    def rows(self, name: str, *values: Value) -> Iterator[Record]:
        with in_words(self.path, doing=self._doing):
            for record in self._db.execute(opening.sql(name), values):  # noqa: UP028 - below
                # `yield from` would close the cursor, also of a closed connection.
                yield record

    def run(self, name: str, records: Iterable[Record]) -> None:
        self._write(opening.sql(name), records)

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[None]:
        if writes and self._inspection is not None:
            self._inspection.passed()
            self._inspection = None
        self._doing = "written" if writes else "read"
        self._control("BEGIN IMMEDIATE" if writes else "BEGIN")
        try:
            yield
            self._control("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            raise

    def part(self) -> AbstractContextManager[None]:
        return savepoint(self._control)

    @contextmanager
    def erasing(self) -> Iterator[None]:
        """Make a transaction that leaves no byte of what it removes in the file."""
        self._control("PRAGMA secure_delete = ON")
        with self.transaction(writes=True):
            # Keys change in four tables; at the commit they must fit again.
            self._control("PRAGMA defer_foreign_keys = ON")
            yield
        # Earlier writes left copies in pages that are free by now.
        self._control("VACUUM")

    def table(self, name: str) -> tuple[Sequence[str], Iterable[Record]]:
        with in_words(self.path, doing=self._doing):
            found = self._db.execute(f"SELECT * FROM {name}")  # noqa: S608 - ours
        return [column for column, *_ in found.description], found

    def fill(
        self, name: str, columns: Sequence[str], records: Iterable[Record]
    ) -> None:
        self._control(f"DELETE FROM {name}")  # noqa: S608 - a name of ours
        self._write(filling(name, columns, mark="?"), records)

    def set_aside(self, at: datetime) -> str:
        self._db.close()
        kept = self.path.with_name(set_aside_name(self.path.name, at))
        self.path.rename(kept)
        self.close()
        return shown_path(kept)

    def close(self) -> None:
        if self._inspection is not None:
            self._inspection.stop()
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def inspect_meanwhile(self, limits: OpeningLimits) -> None:
        """Check the file in a thread; the first write waits for its end."""
        self._inspection = opening.inspect(self.path, limits)

    def check_standings(self) -> None:
        opening.check_standings(self._db, path=self.path)

    def check_integrity(self) -> None:
        for pragma, whole in _WHOLE.items():
            with in_words(self.path, doing=self._doing):
                found = self._db.execute(pragma).fetchone()
            if found != whole:
                raise damaged(self.path)

    def _write(self, statement: str, records: Iterable[Record]) -> None:
        with in_words(self.path, doing=self._doing), fitting(sqlite3.IntegrityError):
            self._db.executemany(statement, records)

    def _control(self, statement: str) -> None:
        with in_words(self.path, doing=self._doing):
            self._db.execute(statement)


def open_file(path: Path, *, read_only: bool, limits: OpeningLimits) -> SqliteStore:
    """Open a journal's file, or begin one, and look how its rows stand."""
    if read_only:
        store = SqliteStore.for_reading(path, limits)
    else:
        check_location(path.absolute())
        opening.make_folder(path.parent)
        store = SqliteStore.for_writing(path, limits)
    try:
        if not opening.is_large(path, limits):
            store.check_standings()
        elif not read_only:
            store.inspect_meanwhile(limits)
    except JournalError:
        store.close()
        raise
    return store
