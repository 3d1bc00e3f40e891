"""Removing the content of rows that were finished long ago.

What is removed is in no byte of the file afterwards. Events keep their hashes, and a
purge event, linked like any other, seals what is left of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from kawe.domain.service.states import SETTLED, State
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.columns import SheetKind
from kawe.errors import JournalError
from kawe.journal.events import (
    Event,
    EventKind,
    Stored,
    detail_after,
    emptied,
    name_after,
    seal,
)
from kawe.journal.history import verify_store
from kawe.journal.records import content_from_json, content_to_json
from kawe.journal.standings import Standings
from kawe.journal.store import key_list, reading_records
from kawe.journal.store.faults import shown_path
from kawe.journal.store.sqlite import DEFAULT_BUSY_SECONDS, SqliteStore
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
    path: Path,
    *,
    finished_before: datetime,
    at: datetime,
    first: Callable[[], None] | None = None,
    busy_seconds: float = DEFAULT_BUSY_SECONDS,
) -> Purged:
    """Remove the content of rows that were finished before an instant.

    Lines that could not be submitted lose their values when their workbook was last
    read before it; a workbook without cells loses its path and headings; older answers
    about places go. `first` is called while nobody else can write; what it raises ends
    the purge before anything was taken out.

    Raises:
        JournalLocked: Another process writes it.
        JournalError: There is none, its history is not whole, or it could not be
            written; then nothing was taken out, or all but the space given back, which
            the next purge does.
    """
    if not path.exists():
        raise JournalError(message=f"There is no journal at {shown_path(path)}.")
    store = SqliteStore.for_writing(path, busy_seconds=busy_seconds)
    with closing(store):
        _make_sure_of_history(store)
        if first is not None:
            first()
        with store.erasing():
            return _purge(store, before=instant_to_text(finished_before), at=at)


def _make_sure_of_history(store: SqliteStore) -> None:
    # A purge seals what it finds: what was altered would pass for right.
    fault = verify_store(store).fault
    if fault is not None:
        raise JournalError(
            message=f"The journal is not as kawe left it. {fault.what}",
            hint="Nothing was taken out. Keep a copy, and find out why first.",
        )


def _purge(store: SqliteStore, *, before: str, at: datetime) -> Purged:
    rows = list(store.rows("finished_before", key_list(_OVER), before))
    standings = Standings(store)
    for key, kind, state, content in rows:
        name = name_after(key) if state in SETTLED else RowKey(key)
        _forget(store, RowKey(key), name=name, content=_emptied(content, kind))
        purge = Event(
            row=name,
            kind=EventKind.PURGE,
            at=at,
            came_from=State(state),
            went_to=State(state),
            detail=seal(_history(store, name)),
        )
        standings.put_events([purge])
    store.run("forget_lines", [(before,)])
    batches = list(store.rows("forgotten_batches"))
    store.run("forget_batch", batches)
    store.run("forget_readings", batches)
    store.run("forget_runs", batches)
    store.run("forget_iwi_answers", [(before,)])
    store.run("forget_team_projects", [(before,)])
    store.run("forget_reports", [(before, before)])
    waiting = [state for _, _, state, _ in rows if state == State.CONFIRMED]
    return Purged(rows=len(rows), without_receipt=len(waiting))


def _emptied(content: str, kind: str) -> str:
    with reading_records():
        of_kind = SheetKind.named(kind)
        said = content_from_json(content, kind=of_kind)
    return content_to_json(emptied(said, kept=of_kind.kept_fields))


def _forget(store: SqliteStore, key: RowKey, *, name: RowKey, content: str) -> None:
    events = [
        (name, detail_after(values), seq) for seq, _, values in _history(store, key)
    ]
    store.run("redact_event", events)
    store.run("forget_files", [(name, key)])
    for kept in ("forget_sent_to", "forget_invitation", "forget_first_read"):
        store.run(kept, [(key,)])
    store.run("rename_lines", [(name, key)])
    store.run("forget_entry", [(name, content, name == key, key)])


def _history(
    store: SqliteStore, key: RowKey
) -> Iterator[tuple[int, str, tuple[Stored, ...]]]:
    for seq, digest, *values in store.rows("history", key):
        yield seq, digest, tuple(values)
