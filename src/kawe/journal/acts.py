"""What the port's writing methods do, each within one transaction.

Each looks everything up and asks the rules before it puts anything down, so
that what is refused leaves nothing behind, on a shelf without transactions too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from kawe.domain.batch.approvals import Approval
from kawe.domain.rows.entries import (
    Batch,
    BatchName,
    Binding,
    Entry,
    Line,
    SheetReading,
    StoredFile,
)
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import State
from kawe.domain.service.verdicts import Intent, RowKey, Verdict
from kawe.errors import JournalError
from kawe.journal.claims import document_free, same_account
from kawe.journal.reading import (
    RowMerge,
    at_home,
    check_batch,
    reading_event,
    reading_of,
)
from kawe.journal.rules import (
    Change,
    concluded,
    moved,
    noted,
    project_of,
    receipted,
)
from kawe.journal.shelf import Shelf
from kawe.journal.words import instant_to_text, shown_key


def bind(shelf: Shelf, *, binding: Binding) -> None:
    """Bind a fresh journal, or take note of a renamed team.

    Raises:
        JournalForeign: The journal belongs to another account.
    """
    kept = shelf.binding()
    if kept is not None:
        same_account(kept, asked=binding)
    if kept != binding:
        shelf.put_binding(binding)


def open_batch(
    shelf: Shelf,
    *,
    batch: Batch,
    lines: Sequence[Line],
    entries: Sequence[Entry],
    in_place_of: Sequence[SheetReading] = (),
) -> None:
    """Keep a batch, the lines of its workbook and its rows.

    Raises:
        JournalError: A row is new and not of this batch, comes twice, cannot
            begin as it says, or is named by a line and unknown.
    """
    fresh = {entry.key for entry in entries}
    named = {line.row for line in lines if line.row is not None}
    standings = shelf.known(fresh | named)
    placed = [
        at_home(entry, batch=batch, standing=standings.get(entry.key))
        for entry in entries
    ]
    check_batch(batch, entries=entries)
    for stranger in sorted(named - fresh - standings.keys()):
        raise _unknown(stranger)
    read = [
        (entry, reading_of(entry, standing=standings.get(entry.key)))
        for entry in placed
    ]
    shelf.put_batch(batch)
    shelf.put_read(read)
    for gone in in_place_of:
        shelf.drop_reading(gone)
    shelf.put_lines(batch.reading, lines)
    for entry, reading in read:
        if reading is RowMerge.REPLACE:
            event = reading_event(entry, standing=standings[entry.key])
            if event is not None:
                shelf.put_event(event)


def lines(
    shelf: Shelf, *, batch: BatchName, reading: SheetReading | None
) -> tuple[Line, ...]:
    """Give the lines of one sheet of a batch, or of the one that was read last."""
    there = shelf.readings(batch) if reading is None else (reading,)
    return shelf.lines(there[-1]) if there else ()


def note(
    shelf: Shelf, *, intents: Sequence[Intent], revised: Sequence[Entry] = ()
) -> None:
    """Write intents down, with what the rows say by now; all of it or nothing.

    Raises:
        JournalError: A row is unknown, comes twice or may not take its step.
    """
    if len({intent.row for intent in intents}) < len(intents):
        raise JournalError(message="A row can take only one step at a time.")
    changes = [
        noted(
            _entry(shelf, key=intent.row),
            intent=intent,
            attempts_before=_made(shelf, intent),
        )
        for intent in intents
    ]
    shelf.put_changes(changes)
    said = {entry.key: entry for entry in revised}
    for change in changes:
        now = said.get(change.entry.key)
        if now is not None:
            entry = replace(
                change.entry, content=now.content, fingerprint=now.fingerprint
            )
            shelf.put_read([(entry, RowMerge.REPLACE)])


def conclude(shelf: Shelf, *, intent: Intent, verdict: Verdict, at: datetime) -> Entry:
    """Write the verdict of an open intent down.

    Raises:
        JournalError: The row is unknown or the intent is not open.
    """
    project = project_of(verdict)
    change = concluded(
        _entry(shelf, key=intent.row),
        opened=shelf.latest_intent(intent.row),
        intent=intent,
        verdict=verdict,
        owner=None if project is None else shelf.owner_of(project),
        at=at,
    )
    return _put(shelf, change=change)


def move(
    shelf: Shelf,
    *,
    key: RowKey,
    state: State,
    at: datetime,
    reason: str,
    project: ProjectId | None,
) -> Entry:
    """Move a row without a request.

    Raises:
        JournalError: The row is unknown, the way is not allowed, or another
            row owns `project`.
    """
    change = moved(
        _entry(shelf, key=key),
        state=state,
        at=at,
        reason=reason,
        project=project,
        owner=None if project is None else shelf.owner_of(project),
    )
    return _put(shelf, change=change)


def move_all(
    shelf: Shelf,
    *,
    keys: Sequence[RowKey],
    state: State,
    at: datetime,
    reason: str,
) -> tuple[Entry, ...]:
    """Move many rows without a request, all of them or none.

    Raises:
        JournalError: A row is unknown or comes twice, or the way is not allowed.
    """
    if len(set(keys)) < len(keys):
        raise JournalError(message="A row can be moved only once at a time.")
    found = shelf.find(keys)
    for stranger in (key for key in keys if key not in found):
        raise _unknown(stranger)
    changes = [
        moved(found[key], state=state, at=at, reason=reason, project=None, owner=None)
        for key in keys
    ]
    shelf.put_changes(changes)
    return tuple(change.entry for change in changes)


def keep_receipt(shelf: Shelf, *, key: RowKey, number: str, at: datetime) -> Entry:
    """Keep a row's receipt number.

    Raises:
        JournalError: The row is unknown or not confirmed as sent.
    """
    return _put(shelf, change=receipted(_entry(shelf, key=key), number=number, at=at))


def keep_approval(shelf: Shelf, *, approval: Approval) -> None:
    """Keep who agreed to a plan.

    Raises:
        JournalError: The batch is unknown.
    """
    instant_to_text(approval.at)
    if all(batch.name != approval.batch for batch in shelf.batches()):
        raise JournalError(message="The journal does not know the plan's batch.")
    shelf.put_approval(approval)


def keep_file(shelf: Shelf, *, stored: StoredFile) -> None:
    """Keep which document a row's file became.

    Raises:
        JournalError: The row is unknown, or the document is another file's.
    """
    _entry(shelf, key=stored.row)
    document_free(stored, holder=shelf.file_of(stored.document_id))
    shelf.put_file(stored)


def _put(shelf: Shelf, *, change: Change) -> Entry:
    shelf.put_changes([change])
    return change.entry


def _made(shelf: Shelf, intent: Intent) -> int:
    return shelf.attempts_made([intent.row], step=intent.step).get(intent.row, 0)


def _entry(shelf: Shelf, *, key: RowKey) -> Entry:
    entry = shelf.entry(key)
    if entry is None:
        raise _unknown(key)
    return entry


def _unknown(key: RowKey) -> JournalError:
    return JournalError(message=f"The journal does not know {shown_key(key)}.")
