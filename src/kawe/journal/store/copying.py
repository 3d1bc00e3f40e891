"""A copy of a journal's file as it is in one moment, also while another writes it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

from kawe.journal.store.faults import in_words
from kawe.journal.store.opening import open_as_kept


def copy_file(path: Path, target: Path, *, called: Path, busy_seconds: float) -> None:
    """Copy the journal at `path` into the empty file `target`, which is not synced.

    The copy has the tables of the kawe that wrote the journal. A message calls the
    target `called`.

    Raises:
        JournalNewer: A newer kawe wrote it.
        JournalError: It cannot be read, or the copy cannot be written.
    """
    db, _ = open_as_kept(path, busy_seconds=busy_seconds)
    with closing(db):
        copy_open(db, target, path=path, called=called)


def copy_open(db: Connection, target: Path, *, path: Path, called: Path) -> None:
    """Copy an open journal, of the file `path`, as `copy_file` does.

    Raises:
        JournalError: It cannot be read, or the copy cannot be written.
    """
    # By way of memory: a slow target keeps no writer of the journal waiting.
    with closing(sqlite3.connect(":memory:")) as memory:
        try:
            # The backup alone would wait for ever: a read waits as the journal does.
            db.execute("BEGIN")
            db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
            db.backup(memory)
            db.execute("COMMIT")
        except sqlite3.Error as fault:
            raise in_words(fault, path=path, doing="read") from fault
        try:
            with closing(sqlite3.connect(target)) as file:
                # The caller syncs it whole; nothing may lie beside it.
                file.execute("PRAGMA journal_mode = OFF")
                file.execute("PRAGMA synchronous = OFF")
                memory.backup(file)
        except sqlite3.Error as fault:
            raise in_words(fault, path=called, doing="written") from fault
