"""A shelf of tables: what a transaction of the journal looks up and writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import count
from sqlite3 import Connection

from kawe.domain.batch.approvals import Approval
from kawe.domain.batch.waiting import Wait
from kawe.domain.rows.content_json import content_to_json
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
from kawe.domain.service.states import SETTLED
from kawe.domain.service.verdicts import Attempt, Intent, RowKey, Step
from kawe.journal.events import (
    GENESIS,
    Event,
    Linked,
    attempts_of,
    event_from_values,
    intent_of,
    linked,
)
from kawe.journal.forgetting import called, name_after, names_of
from kawe.journal.queries import sql
from kawe.journal.reading import RowMerge
from kawe.journal.records import (
    Record,
    approval_from_record,
    approval_to_record,
    batch_from_record,
    batch_to_record,
    binding_from_record,
    binding_to_record,
    change_to_record,
    entry_from_record,
    entry_to_record,
    file_from_record,
    iwi_answer_from_record,
    iwi_answer_to_record,
    known_from_record,
    line_from_record,
    line_to_record,
    placed_line_from_record,
    reading_from_record,
    reading_records,
    reading_to_record,
    wait_from_record,
)
from kawe.journal.rules import Change
from kawe.journal.words import instant_to_text


class SqliteShelf:
    """A `Shelf` within a transaction that somebody else begins and ends."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    def binding(self) -> Binding | None:
        """Give whom the journal belongs to."""
        record = self._one("binding")
        return None if record is None else binding_from_record(record)

    def put_binding(self, binding: Binding) -> None:
        """Write whom the journal belongs to."""
        self._db.execute(sql("put_binding"), binding_to_record(binding))

    def batches(self) -> tuple[Batch, ...]:
        """Give all batches, the latest read last."""
        with reading_records():
            return tuple(map(batch_from_record, self._all("batches")))

    def put_batch(self, batch: Batch) -> None:
        """Write a batch."""
        self._db.execute(sql("put_batch"), batch_to_record(batch))

    def readings(self, batch: BatchName) -> tuple[SheetReading, ...]:
        """Give the sheets that a batch was read from."""
        with reading_records():
            return tuple(map(reading_from_record, self._all("readings", batch)))

    def drop_reading(self, reading: SheetReading) -> None:
        """Remove a sheet that was read, and its lines."""
        number = self._reading_id(reading)
        self._db.execute(sql("clear_lines_after"), (number, 0))
        self._db.execute(sql("drop_reading"), (number,))

    def lines(self, reading: SheetReading) -> tuple[Line, ...]:
        """Give the lines of a sheet."""
        with reading_records():
            records = self._all("lines", self._reading_id(reading))
            return tuple(map(line_from_record, records))

    def put_lines(self, reading: SheetReading, lines: Sequence[Line]) -> None:
        """Write the lines of a sheet: those that are not there already."""
        self._db.execute(sql("put_reading"), reading_to_record(reading))
        number = self._reading_id(reading)
        kept = {at: tuple(rest) for at, *rest in self._all("kept_lines", number)}
        self._db.execute(sql("clear_lines_after"), (number, len(lines)))
        records = ((at, line_to_record(line)) for at, line in enumerate(lines, 1))
        self._db.executemany(
            sql("put_line"),
            (
                (number, at, *record[:-1], *_names(record[-1]))
                for at, record in records
                if kept.get(at) != record
            ),
        )

    def _reading_id(self, reading: SheetReading) -> int | None:
        record = self._one("reading_id", *reading_to_record(reading)[:3])
        return None if record is None else int(record[0])

    def named(self, keys: Iterable[RowKey]) -> dict[RowKey, tuple[PlacedLine, ...]]:
        """Give the lines that name those rows."""
        named: dict[RowKey, list[PlacedLine]] = {}
        with reading_records():
            names = names_of(keys)
            for name, *rest in self._all("named", _key_list(names)):
                placed = placed_line_from_record((*rest, names[name]))
                named.setdefault(names[name], []).append(placed)
        return {key: tuple(there) for key, there in named.items()}

    def entries(self, batch: BatchName) -> tuple[Entry, ...]:
        """Give the rows of a batch."""
        with reading_records():
            return tuple(map(entry_from_record, self._all("entries", batch)))

    def unfinished(self, batch: BatchName) -> tuple[Entry, ...]:
        """Give the rows of a batch that are not settled."""
        with reading_records():
            records = self._all("unfinished", batch, json.dumps(sorted(SETTLED)))
            return tuple(map(entry_from_record, records))

    def entry(self, key: RowKey) -> Entry | None:
        """Give one row."""
        with reading_records():
            record = self._one("entry", key)
            return None if record is None else entry_from_record(record)

    def find(self, keys: Iterable[RowKey]) -> dict[RowKey, Entry]:
        """Give the known rows."""
        with reading_records():
            names = names_of(keys)
            found = map(entry_from_record, self._all("find", _key_list(names)))
            return {names[row.key]: called(row, names[row.key]) for row in found}

    def known(self, keys: Iterable[RowKey]) -> dict[RowKey, KnownRow]:
        """Give the known rows without what they say."""
        with reading_records():
            names = names_of(keys)
            found = map(known_from_record, self._all("known", _key_list(names)))
            return {names[row.key]: called(row, names[row.key]) for row in found}

    def made(
        self, wanted: Callable[[Entry], bool], *, beside: Iterable[RowKey]
    ) -> tuple[Entry, ...]:
        """Give the `wanted` rows that have a project, without those of `beside`."""
        with reading_records():
            # One after the other: there may be 100,000, and few are wanted.
            records = self._db.execute(sql("made"), (_key_list(beside),))
            return tuple(filter(wanted, map(entry_from_record, records)))

    def put_read(self, read: Sequence[tuple[Entry, RowMerge]]) -> None:
        """Write rows as they were read."""
        for name, reading in (
            ("add_entry", RowMerge.ADD),
            ("replace_entry", RowMerge.REPLACE),
        ):
            self._db.executemany(
                sql(name),
                (entry_to_record(entry) for entry, how in read if how is reading),
            )
        self._db.executemany(
            sql("refresh_entry"),
            (
                (entry.batch, entry.position, content_to_json(entry.content), entry.key)
                for entry, how in read
                if how is RowMerge.REFRESH
            ),
        )
        self._db.executemany(
            sql("place_entry"),
            (
                (entry.batch, entry.position, entry.key, name_after(entry.key))
                for entry, how in read
                if how is RowMerge.PLACE
            ),
        )

    def owner_of(self, project: ProjectId) -> RowKey | None:
        """Give the row that a project is bound to."""
        record = self._one("owner_of", project)
        return None if record is None else RowKey(record[0])

    def attempts_made(self, keys: Sequence[RowKey], *, step: Step) -> dict[RowKey, int]:
        """Count intents of one step."""
        return dict(self._all("attempts_made", _key_list(keys), step.value))

    def latest_intent(self, key: RowKey) -> Intent | None:
        """Give a row's latest intent."""
        with reading_records():
            record = self._one("latest_intent", key)
            return None if record is None else intent_of(event_from_values(record))

    def attempts(self, key: RowKey) -> tuple[Attempt, ...]:
        """Give a row's attempts."""
        with reading_records():
            return attempts_of(map(event_from_values, self._all("events", key)))

    def doubted_creates(self, batch: BatchName) -> tuple[RowKey, ...]:
        """Give the rows of a batch with a create that was ever in doubt."""
        return tuple(RowKey(key) for (key,) in self._all("doubted_creates", batch))

    def let_go(self, key: RowKey) -> str:
        """Give the reason of a row's latest move out of HELD."""
        record = self._one("let_go", key)
        return "" if record is None else str(record[0])

    def put_event(self, event: Event) -> None:
        """Add an event, linked to the one before it."""
        self._put_events([event])

    def put_changes(self, changes: Sequence[Change]) -> None:
        """Write how rows stand now."""
        self._db.executemany(
            sql("change_entry"), (change_to_record(each.entry) for each in changes)
        )
        self._put_events([each.event for each in changes])

    def _put_events(self, events: Sequence[Event]) -> None:
        self._put_linked(linked(events, after=self._last_link()))

    def _put_linked(self, records: Sequence[Linked]) -> None:
        self._db.executemany(sql("add_event"), records)

    def _last_link(self) -> tuple[int, str]:
        last, digest = self._one("last_link") or (0, GENESIS)
        return last, digest

    def files(self, key: RowKey) -> tuple[StoredFile, ...]:
        """Give the files of a row."""
        return tuple(map(file_from_record, self._all("files", key)))

    def file_of(self, document_id: str) -> StoredFile | None:
        """Give the file that a document was made of."""
        record = self._one("file_of", document_id)
        return None if record is None else file_from_record(record)

    def put_file(self, stored: StoredFile) -> None:
        """Write a row's file."""
        self._db.execute(
            sql("put_file"),
            (stored.row, stored.sha256, stored.name, stored.document_id),
        )

    def iwi_answers(self, since: datetime) -> dict[tuple[float, float], IwiAnswer]:
        """Give what was kept of places."""
        with reading_records():
            records = self._all("iwi_answers", instant_to_text(since))
            return dict(map(iwi_answer_from_record, records))

    def put_iwi_answer(
        self, place: tuple[float, float], answer: IwiAnswer, *, at: datetime
    ) -> None:
        """Write what is known of a place."""
        self._db.execute(
            sql("put_iwi_answer"), iwi_answer_to_record(place, answer, at=at)
        )

    def waits(self, keys: Iterable[RowKey]) -> dict[RowKey, Wait]:
        """Give how long rows have waited."""
        with reading_records():
            return dict(map(wait_from_record, self._all("waits", _key_list(keys))))

    def queue(self) -> tuple[RowKey, ...]:
        """Give the rows that go before all others."""
        return tuple(RowKey(key) for (key,) in self._all("queue"))

    def put_queue(self, keys: Sequence[RowKey]) -> None:
        """Write which rows go before all others."""
        self._db.execute(sql("clear_queue"))
        self._db.executemany(sql("put_in_queue"), zip(keys, count(1), strict=False))

    def batch_owners(self) -> dict[BatchName, str]:
        """Give who answers for which batch."""
        return {BatchName(name): owner for name, owner in self._all("batch_owners")}

    def put_batch_owner(self, batch: BatchName, owner: str) -> None:
        """Write who answers for a batch."""
        self._db.execute(sql("put_batch_owner"), (batch, owner))

    def approvals(self) -> tuple[Approval, ...]:
        """Give who agreed to which plan."""
        with reading_records():
            return tuple(map(approval_from_record, self._all("approvals")))

    def put_approval(self, approval: Approval) -> None:
        """Write who agreed to a plan."""
        self._db.execute(sql("put_approval"), approval_to_record(approval))

    def _all(self, name: str, *values: str | int | None) -> list[Record]:
        return self._db.execute(sql(name), values).fetchall()

    def _one(self, name: str, *values: str) -> Record | None:
        record: Record | None = self._db.execute(sql(name), values).fetchone()
        return record


def _names(key: RowKey | None) -> tuple[RowKey | None, RowKey | None]:
    return None if key is None else name_after(key), key


def _key_list(keys: Iterable[RowKey]) -> str:
    # One JSON list stands for any number of parameters; SQLite limits those.
    return json.dumps(list(keys))
