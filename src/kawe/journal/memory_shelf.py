"""A shelf of dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, TypeAlias

from kawe.domain.batch.approvals import Approval
from kawe.domain.batch.waiting import Wait
from kawe.domain.rows.entries import (
    Batch,
    BatchName,
    Binding,
    Entry,
    KnownRow,
    Line,
    PlacedLine,
    SheetReading,
    StoredFile,
)
from kawe.domain.service.places import IwiAnswer
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import SETTLED, State
from kawe.domain.service.verdicts import Attempt, Intent, RowKey, Step
from kawe.journal.events import Event, EventKind, attempts_of, wait_of
from kawe.journal.reading import RowMerge
from kawe.journal.rules import Change

_Sheet: TypeAlias = tuple[BatchName, str, str]


class MemoryShelf:
    """A `Shelf` in memory."""

    def __init__(self) -> None:
        self._binding: Binding | None = None
        self._batches: Final[dict[BatchName, Batch]] = {}
        self._lines: Final[dict[_Sheet, tuple[SheetReading, tuple[Line, ...]]]] = {}
        self._entries: Final[dict[RowKey, Entry]] = {}
        self._owners: Final[dict[ProjectId, RowKey]] = {}
        self._events: Final[dict[RowKey, list[Event]]] = {}
        self._files: Final[dict[RowKey, dict[tuple[str, str], StoredFile]]] = {}
        self._documents: Final[dict[str, StoredFile]] = {}
        self._approvals: Final[dict[tuple[str, str], Approval]] = {}
        self._answers: Final[dict[tuple[float, float], tuple[datetime, IwiAnswer]]] = {}
        self._queue: tuple[RowKey, ...] = ()
        self._batch_owners: Final[dict[BatchName, str]] = {}

    def binding(self) -> Binding | None:
        """Give whom the journal belongs to."""
        return self._binding

    def put_binding(self, binding: Binding) -> None:
        """Write whom the journal belongs to."""
        self._binding = binding

    def batches(self) -> tuple[Batch, ...]:
        """Give all batches, the latest read last."""
        return tuple(sorted(self._batches.values(), key=_read_order))

    def put_batch(self, batch: Batch) -> None:
        """Write a batch."""
        self._batches[batch.name] = batch

    def readings(self, batch: BatchName) -> tuple[SheetReading, ...]:
        """Give the sheets that a batch was read from."""
        read = (reading for reading, _ in self._lines.values())
        return tuple(each for each in read if each.batch == batch)

    def drop_reading(self, reading: SheetReading) -> None:
        """Remove a sheet that was read, and its lines."""
        self._lines.pop(_sheet(reading), None)

    def lines(self, reading: SheetReading) -> tuple[Line, ...]:
        """Give the lines of a sheet."""
        _, lines = self._lines.get(_sheet(reading), (reading, ()))
        return lines

    def put_lines(self, reading: SheetReading, lines: Sequence[Line]) -> None:
        """Write the lines of a sheet."""
        # The one read last stands last.
        self.drop_reading(reading)
        self._lines[_sheet(reading)] = (reading, tuple(lines))

    def named(self, keys: Iterable[RowKey]) -> dict[RowKey, tuple[PlacedLine, ...]]:
        """Give the lines that name those rows."""
        wanted = frozenset(keys)
        named: dict[RowKey, list[PlacedLine]] = {}
        for reading, lines in reversed(self._lines.values()):
            for line in lines:
                if line.row in wanted:
                    placed = PlacedLine(reading=reading, line=line)
                    named.setdefault(line.row, []).append(placed)
        return {key: tuple(there) for key, there in named.items()}

    def entries(self, batch: BatchName) -> tuple[Entry, ...]:
        """Give the rows of a batch."""
        rows = (entry for entry in self._entries.values() if entry.batch == batch)
        return tuple(sorted(rows, key=lambda entry: (entry.position, entry.key)))

    def unfinished(self, batch: BatchName) -> tuple[Entry, ...]:
        """Give the rows of a batch that are not settled."""
        return tuple(each for each in self.entries(batch) if each.state not in SETTLED)

    def entry(self, key: RowKey) -> Entry | None:
        """Give one row."""
        return self._entries.get(key)

    def find(self, keys: Iterable[RowKey]) -> dict[RowKey, Entry]:
        """Give the known rows."""
        return {key: self._entries[key] for key in keys if key in self._entries}

    def known(self, keys: Iterable[RowKey]) -> dict[RowKey, KnownRow]:
        """Give the known rows without what they say."""
        return {key: _known(entry) for key, entry in self.find(keys).items()}

    def made(
        self, wanted: Callable[[Entry], bool], *, beside: Iterable[RowKey]
    ) -> tuple[Entry, ...]:
        """Give the `wanted` rows that have a project, without those of `beside`."""
        left_out = frozenset(beside)
        made = sorted(key for key in self._owners.values() if key not in left_out)
        return tuple(filter(wanted, (self._entries[key] for key in made)))

    def put_read(self, read: Sequence[tuple[Entry, RowMerge]]) -> None:
        """Write rows as they were read."""
        for entry, reading in read:
            self._entries[entry.key] = self._read(entry, reading=reading)

    def _read(self, entry: Entry, *, reading: RowMerge) -> Entry:
        if reading is RowMerge.ADD:
            return entry
        was = self._entries[entry.key]
        if reading is RowMerge.REPLACE:
            return replace(
                entry, project_id=was.project_id, receipt_number=was.receipt_number
            )
        placed = replace(was, batch=entry.batch, position=entry.position)
        if reading is RowMerge.REFRESH:
            return replace(placed, content=entry.content)
        return placed

    def owner_of(self, project: ProjectId) -> RowKey | None:
        """Give the row that a project is bound to."""
        return self._owners.get(project)

    def attempts_made(self, keys: Sequence[RowKey], *, step: Step) -> dict[RowKey, int]:
        """Count intents of one step."""
        made = Counter(
            event.row
            for key in keys
            for event in self._events.get(key, ())
            if event.kind is EventKind.INTENT and event.step is step
        )
        return dict(made)

    def latest_intent(self, key: RowKey) -> Intent | None:
        """Give a row's latest intent."""
        attempts = self.attempts(key)
        return attempts[-1].intent if attempts else None

    def attempts(self, key: RowKey) -> tuple[Attempt, ...]:
        """Give a row's attempts."""
        return attempts_of(self._events.get(key, ()))

    def doubted_creates(self, batch: BatchName) -> tuple[RowKey, ...]:
        """Give the rows of a batch with a create that was ever in doubt."""
        return tuple(
            entry.key
            for entry in self.entries(batch)
            if any(
                attempt.intent.step is Step.CREATE
                and attempt.verdict in {None, "unknown"}
                for attempt in self.attempts(entry.key)
            )
        )

    def let_go(self, key: RowKey) -> str:
        """Give the reason of a row's latest move out of HELD."""
        moves = (
            event.detail
            for event in reversed(self._events.get(key, ()))
            if event.kind is EventKind.MOVE and event.came_from is State.HELD
        )
        return next(moves, "")

    def put_event(self, event: Event) -> None:
        """Add an event."""
        self._events.setdefault(event.row, []).append(event)

    def put_changes(self, changes: Sequence[Change]) -> None:
        """Write how rows stand now."""
        for change in changes:
            self._put_change(change)

    def _put_change(self, change: Change) -> None:
        entry = change.entry
        was = self._entries[entry.key].project_id
        if was is not None:
            del self._owners[was]
        if entry.project_id is not None:
            self._owners[entry.project_id] = entry.key
        self._entries[entry.key] = entry
        self.put_event(change.event)

    def files(self, key: RowKey) -> tuple[StoredFile, ...]:
        """Give the files of a row."""
        return tuple(self._files.get(key, {}).values())

    def file_of(self, document_id: str) -> StoredFile | None:
        """Give the file that a document was made of."""
        return self._documents.get(document_id)

    def put_file(self, stored: StoredFile) -> None:
        """Write a row's file."""
        of_row = self._files.setdefault(stored.row, {})
        was = of_row.get((stored.sha256, stored.name))
        if was is not None:
            del self._documents[was.document_id]
        of_row[stored.sha256, stored.name] = stored
        self._documents[stored.document_id] = stored

    def iwi_answers(self, since: datetime) -> dict[tuple[float, float], IwiAnswer]:
        """Give what was kept of places."""
        return {
            place: answer
            for place, (at, answer) in self._answers.items()
            if at >= since
        }

    def put_iwi_answer(
        self, place: tuple[float, float], answer: IwiAnswer, *, at: datetime
    ) -> None:
        """Write what is known of a place."""
        self._answers[place] = (at, answer)

    def waits(self, keys: Iterable[RowKey]) -> dict[RowKey, Wait]:
        """Give how long rows have waited."""
        found = {key: wait_of(self._events.get(key, ())) for key in keys}
        return {key: wait for key, wait in found.items() if wait is not None}

    def queue(self) -> tuple[RowKey, ...]:
        """Give the rows that go before all others."""
        return self._queue

    def put_queue(self, keys: Sequence[RowKey]) -> None:
        """Write which rows go before all others."""
        self._queue = tuple(keys)

    def batch_owners(self) -> dict[BatchName, str]:
        """Give who answers for which batch."""
        return dict(self._batch_owners)

    def put_batch_owner(self, batch: BatchName, owner: str) -> None:
        """Write who answers for a batch."""
        self._batch_owners[batch] = owner

    def approvals(self) -> tuple[Approval, ...]:
        """Give who agreed to which plan."""
        given = self._approvals.values()
        return tuple(sorted(given, key=lambda each: (each.at, each.approved_by)))

    def put_approval(self, approval: Approval) -> None:
        """Write who agreed to a plan."""
        self._approvals.setdefault((approval.plan, approval.approved_by), approval)


def _sheet(reading: SheetReading) -> _Sheet:
    return (reading.batch, reading.workbook, reading.sheet)


def _known(entry: Entry) -> KnownRow:
    return KnownRow(
        key=entry.key,
        batch=entry.batch,
        position=entry.position,
        kind=entry.kind,
        marker=entry.marker,
        fingerprint=entry.fingerprint,
        state=entry.state,
        moved_at=entry.moved_at,
        project_id=entry.project_id,
        reason=entry.reason,
        receipt_number=entry.receipt_number,
    )


def _read_order(batch: Batch) -> tuple[object, ...]:
    return (batch.read_at, batch.name)
