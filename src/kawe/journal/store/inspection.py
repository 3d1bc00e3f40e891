"""A check of a journal's structure and states while others read it already.

For hundreds of thousands of rows SQLite's check takes seconds. Nothing is written
before it has passed, so no intent is noted and no request depends on a damaged journal.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from sqlite3 import Connection
from threading import Thread
from typing import Final

from kawe.domain.service.states import BEFORE_CREATE
from kawe.domain.service.verdicts import RowKey
from kawe.errors import JournalError
from kawe.journal.store.faults import damaged, in_words, shown_path
from kawe.journal.store.queries import sql
from kawe.journal.words import shown_key

_STRAY: Final = "SELECT 1 FROM {} WHERE batch NOT IN (SELECT name FROM batch) LIMIT 1"
_STRAY_ENTRIES: Final = _STRAY.format("entry")
_STRAY_READINGS: Final = (
    "SELECT 1 FROM reading WHERE batch NOT IN (SELECT name FROM batch) UNION ALL "
    "SELECT 1 FROM batch WHERE name NOT IN (SELECT batch FROM reading) LIMIT 1"
)


class Inspection:
    """A check of the whole structure, on a connection of its own."""

    def __init__(self, db: Connection, *, path: Path) -> None:
        """Begin; `db` is closed at the end."""
        self._db: Final = db
        self._path: Final = path
        self._found: JournalError | None = None
        self._thread: Final = Thread(
            target=self._look, name="kawe-journal-inspection", daemon=True
        )
        self._thread.start()

    def passed(self) -> None:
        """Wait for the end; raise `JournalError` if the journal is damaged."""
        self._thread.join()
        if self._found is not None:
            raise self._found

    def stop(self) -> None:
        # An interrupt before its begin has no effect: try again until its end.
        """Stop the check, and wait until the file is closed."""
        while self._thread.is_alive():
            with suppress(sqlite3.ProgrammingError):
                self._db.interrupt()
            self._thread.join(timeout=0.01)

    def _look(self) -> None:
        with closing(self._db) as db:
            try:
                check_structure(db, path=self._path)
                check_standings(db, path=self._path)
            except sqlite3.Error as fault:
                self._found = in_words(fault, path=self._path, doing="read")
            except JournalError as fault:
                self._found = fault


def check_structure(db: Connection, *, path: Path, is_today: bool = True) -> None:
    """Let SQLite check a whole journal.

    One of an older kawe, not `is_today`, has no table of readings.
    """
    if db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise damaged(path)
    check_batches(db, path=path)
    if is_today and db.execute(_STRAY_READINGS).fetchone() is not None:
        raise damaged(path)


def check_standings(db: Connection, *, path: Path) -> None:
    """Make sure that every row stands where its last events left it.

    A journal may come from anywhere. `verify` checks the whole history too.
    """
    try:
        found = db.execute(sql("misfit"), (json.dumps(sorted(BEFORE_CREATE)),))
        misfit = found.fetchone()
    except sqlite3.Error as fault:
        raise in_words(fault, path=path, doing="read") from fault
    if misfit is not None:
        raise JournalError(
            message=f"What the journal {shown_path(path)} says of "
            f"{shown_key(RowKey(misfit[0]))} is not what its events say: something "
            "else changed the file.",
            hint="Nothing was sent. Keep a copy, look with kawe journal verify, and "
            "put a backup in its place; or begin a new one with --journal: kawe looks "
            "at the service first.",
        )


def check_batches(db: Connection, *, path: Path) -> None:
    """Make sure that every row has a batch that there is; it needs an index alone."""
    if db.execute(_STRAY_ENTRIES).fetchone() is not None:
        raise damaged(path)
