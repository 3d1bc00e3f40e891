"""Whether a journal's file is as kawe left it.

A person who may write the file and knows kawe could still write a whole new
history; what is found here is everything less than that.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection

from kawe.domain.service.states import State
from kawe.domain.service.verdicts import RowKey
from kawe.errors import JournalError
from kawe.journal.faults import damaged, in_words
from kawe.journal.history import (
    Discrepancy,
    Footing,
    Link,
    Verification,
    verify_history,
)
from kawe.journal.opening import open_for_reading
from kawe.journal.queries import sql
from kawe.journal.records import entry_from_record, reading_records
from kawe.journal.sqlite_shelf import SqliteShelf
from kawe.journal.words import shown_key


def verify_journal(path: Path, *, busy_seconds: float = 30.0) -> Verification:
    """Look through the journal at `path`, also while a writer runs.

    Raises:
        JournalError: There is none, it is not kawe's, or it is so damaged that
            it cannot be looked through.
    """
    with closing(open_for_reading(path, busy_seconds=busy_seconds)) as db:
        return verify_open(db, path=path)


def verify_open(db: Connection, *, path: Path) -> Verification:
    """Look through an open journal.

    Raises:
        JournalError: It is so damaged that it cannot be looked through.
    """
    try:
        # One view of the whole: a writer waits until it has been looked at.
        db.execute("BEGIN")
        if db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
            raise damaged(path)
        if db.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise damaged(path)
        rows = [
            (RowKey(key), Footing(state=State(state), project=project, receipt=number))
            for key, state, project, number in db.execute(sql("footings"))
        ]
        purges = {RowKey(key): seq for key, seq in db.execute(sql("purges"))}
        found = verify_history(_links(db), rows=rows, purges=purges)
        if found.fault is None:
            found = replace(found, fault=_unreadable(db))
        db.execute("COMMIT")
    except sqlite3.Error as fault:
        raise in_words(fault, path=path, doing="read") from fault
    except ValueError as fault:
        raise damaged(path) from fault
    return found


def _unreadable(db: Connection) -> Discrepancy | None:
    """Name the first row of which a submit could make nothing."""
    for batch in SqliteShelf(db).batches():
        for record in db.execute(sql("entries"), (batch.name,)):
            try:
                with reading_records():
                    entry_from_record(record)
            except JournalError:
                row = RowKey(record[0])
                what = f"What it has of {shown_key(row)} cannot be read."
                return Discrepancy(row=row, what=what)
    return None


def _links(db: Connection) -> Iterator[Link]:
    for seq, previous, digest, *values in db.execute(sql("chain")):
        yield seq, previous, digest, tuple(values)
