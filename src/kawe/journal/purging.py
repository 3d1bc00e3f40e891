"""Taking out of a journal what rows said that were finished long ago.

What is taken out is in no byte of the file afterwards. The chain of events
stays whole: events keep their hashes, and a purge event, linked like any other,
seals what is left of them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Final

from kawe.domain.rows.content_json import content_from_json, content_to_json
from kawe.domain.service.states import SETTLED, State
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.columns import SheetKind
from kawe.errors import JournalError
from kawe.journal.events import Event, EventKind, Stored
from kawe.journal.faults import in_words, shown_path
from kawe.journal.forgetting import detail_after, emptied, name_after, seal
from kawe.journal.lock import WriterLock
from kawe.journal.opening import open_for_writing
from kawe.journal.queries import sql
from kawe.journal.records import reading_records
from kawe.journal.sqlite_shelf import SqliteShelf
from kawe.journal.verify import verify_open
from kawe.journal.words import instant_to_text

_OVER: Final = tuple(sorted({*SETTLED, State.WITHDRAWN}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """What a purge took out."""

    rows: int
    """Rows of which the journal has no more than that they are done."""
    without_receipt: int
    """How many of them were sent and have no receipt's number yet."""


def purge_journal(
    path: Path, *, finished_before: datetime, at: datetime, busy_seconds: float = 30.0
) -> Purged:
    """Take out what rows said that were finished before an instant.

    Lines that could not be submitted lose their values when their workbook was
    last read before it; a workbook of which no cell is left loses its path and
    headings; answers about places that are older go.

    Raises:
        JournalLocked: Another process writes it.
        JournalError: There is none, its history is not whole, or it could not
            be written; then nothing was taken out, or all but the space given
            back, which the next purge does.
    """
    if not path.exists():
        raise JournalError(message=f"There is no journal at {shown_path(path)}.")
    lock = WriterLock(path)
    try:
        with (
            closing(open_for_writing(path, busy_seconds=busy_seconds)) as db,
            _in_words(path),
        ):
            _make_sure_of_history(db, path=path)
            db.execute("PRAGMA secure_delete = ON")
            db.execute("BEGIN IMMEDIATE")
            purged = _purge(db, before=instant_to_text(finished_before), at=at)
            db.execute("COMMIT")
            # Earlier writes left copies in pages that are free by now.
            db.execute("VACUUM")
            return purged
    finally:
        lock.release()


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as fault:
        raise in_words(fault, path=path, doing="written") from fault


def _make_sure_of_history(db: Connection, *, path: Path) -> None:
    # A purge seals what it finds: what was altered would pass for right.
    fault = verify_open(db, path=path).fault
    if fault is not None:
        raise JournalError(
            message=f"The journal is not as kawe left it. {fault.what}",
            hint="Nothing was taken out. Keep a copy, and find out why first.",
        )


def _purge(db: Connection, *, before: str, at: datetime) -> Purged:
    # Keys change in four tables; at the commit they must fit again.
    db.execute("PRAGMA defer_foreign_keys = ON")
    over = json.dumps(_OVER)
    rows = db.execute(sql("finished_before"), (over, before)).fetchall()
    shelf = SqliteShelf(db)
    for key, kind, state, content in rows:
        name = name_after(key) if state in SETTLED else RowKey(key)
        _forget(db, RowKey(key), name=name, content=_emptied(content, kind))
        shelf.put_event(
            Event(
                row=name,
                kind=EventKind.PURGE,
                at=at,
                came_from=State(state),
                went_to=State(state),
                detail=seal(_history(db, name)),
            )
        )
    db.execute(sql("forget_lines"), (before,))
    for batch in db.execute(sql("forgotten_batches")).fetchall():
        db.execute(sql("forget_batch"), batch)
        db.execute(sql("forget_readings"), batch)
    db.execute(sql("forget_iwi_answers"), (before,))
    waiting = [state for _, _, state, _ in rows if state == State.CONFIRMED]
    return Purged(rows=len(rows), without_receipt=len(waiting))


def _emptied(content: str, kind: str) -> str:
    with reading_records():
        of_kind = SheetKind.named(kind)
        said = content_from_json(content, kind=of_kind)
    return content_to_json(emptied(said, kept=of_kind.kept_fields))


def _forget(db: Connection, key: RowKey, *, name: RowKey, content: str) -> None:
    events = [(name, detail_after(values), seq) for seq, _, values in _history(db, key)]
    db.executemany(sql("redact_event"), events)
    db.execute(sql("forget_files"), (name, key))
    db.execute(sql("rename_lines"), (name, key))
    db.execute(sql("forget_entry"), (name, content, name == key, key))


def _history(
    db: Connection, key: RowKey
) -> Iterator[tuple[int, str, tuple[Stored, ...]]]:
    for seq, digest, *values in db.execute(sql("history"), (key,)):
        yield seq, digest, tuple(values)
