"""What happens to a row when its workbook is read again.

A row of which the service has nothing starts over with what the workbook says now; any
other keeps its content. A row that was given up stays given up. A row stays in the
batch that it came with.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto

from kawe.domain.rows.entries import Batch, Entry, KnownRow
from kawe.domain.service.states import BEFORE_CREATE, FINISHED
from kawe.domain.service.verdicts import RowKey
from kawe.errors import JournalError
from kawe.journal.events import Event, EventKind
from kawe.journal.words import instant_to_text, shown_key, unknown


class RowMerge(Enum):
    """What is taken from the workbook."""

    ADD = auto()
    REPLACE = auto()
    """Content, fingerprint, marker and state, and its place in the batch."""
    REFRESH = auto()
    """What is not in the draft, such as whether to send it; and its place."""
    PLACE = auto()
    """Only its place in the batch."""
    NOTHING = auto()
    """Even its place is the one that it had."""


def merged(
    batch: Batch,
    *,
    entries: Sequence[Entry],
    named: Collection[RowKey],
    known: Mapping[RowKey, KnownRow],
) -> list[tuple[Entry, RowMerge]]:
    """Say what is taken of each of `entries`, each in its own batch.

    `known` are the rows that the journal has, `named` those that lines name.

    Raises:
        JournalError: A row is new and not of this batch, comes twice, cannot begin as
            it says, or is named by a line and unknown.
    """
    placed = [
        _at_home(entry, batch=batch, standing=known.get(entry.key)) for entry in entries
    ]
    _check_batch(batch, entries=entries)
    for stranger in sorted(
        set(named) - {entry.key for entry in entries} - known.keys()
    ):
        raise unknown(stranger)
    return [
        (entry, _reading_of(entry, standing=known.get(entry.key))) for entry in placed
    ]


def reading_events(
    read: Sequence[tuple[Entry, RowMerge]], *, known: Mapping[RowKey, KnownRow]
) -> list[Event]:
    return [
        Event(
            row=entry.key,
            kind=EventKind.READING,
            at=entry.moved_at,
            came_from=known[entry.key].state,
            went_to=entry.state,
        )
        for entry, reading in read
        if reading is RowMerge.REPLACE and known[entry.key].state is not entry.state
    ]


def _check_batch(batch: Batch, *, entries: Sequence[Entry]) -> None:
    """Make sure that `entries` are rows for its sheet, each of them once."""
    instant_to_text(batch.opened_at)
    instant_to_text(batch.read_at)
    seen = set()
    for entry in entries:
        if type(entry.content) is not entry.kind.content:
            raise _misfiled(entry)
        if entry.key in seen:
            raise JournalError(
                message=f"The workbook holds {shown_key(entry.key)} more than once."
            )
        seen.add(entry.key)


def _at_home(entry: Entry, *, batch: Batch, standing: KnownRow | None) -> Entry:
    """Put a row where it belongs: in the batch that it came with."""
    if standing is None:
        if entry.batch != batch.name:
            raise _misfiled(entry)
        return entry
    if standing.batch == batch.name == entry.batch:
        return entry
    at = entry.position if standing.batch == batch.name else standing.position
    return replace(entry, batch=standing.batch, position=at)


def _reading_of(entry: Entry, *, standing: KnownRow | None) -> RowMerge:
    """Say what is taken of `entry`; `standing` is None for an unknown row."""
    if standing is None:
        if entry.state not in BEFORE_CREATE or _has_past(entry):
            raise JournalError(
                message=(
                    f"The journal does not know {shown_key(entry.key)}, so it cannot "
                    f"begin as {entry.state}."
                )
            )
        instant_to_text(entry.moved_at)
        return RowMerge.ADD
    if standing.state in BEFORE_CREATE and entry.state in BEFORE_CREATE:
        instant_to_text(entry.moved_at)
        return RowMerge.REPLACE
    if standing.kind is not entry.kind:
        raise JournalError(
            message=f"The journal has {shown_key(entry.key)} on another kind of sheet."
        )
    # What was sent is what the row says, whatever is written there later.
    is_over = standing.state in FINISHED
    if standing.fingerprint == entry.fingerprint and not is_over:
        return RowMerge.REFRESH
    same_place = (standing.batch, standing.position) == (entry.batch, entry.position)
    return RowMerge.NOTHING if same_place else RowMerge.PLACE


def _misfiled(entry: Entry) -> JournalError:
    return JournalError(
        message=f"The journal cannot file {shown_key(entry.key)} in this batch."
    )


def _has_past(entry: Entry) -> bool:
    return entry.project_id is not None or entry.receipt_number is not None
