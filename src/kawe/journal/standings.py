"""How rows stand, what happened to them, and the sheets that they were read from.

All of it goes on within a transaction. The writing process caches what it wrote: after
an intent comes its verdict, and row, intent and last link are unchanged. Each statement
saved is one wait less of the journal's thread for the event loop. A rollback clears the
cache.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from kawe.domain.batch.runs import SUBMIT, RunName, RunRecord
from kawe.domain.rows.entries import (
    BatchName,
    Entry,
    KnownRow,
    Line,
    PlacedLine,
    QuietRow,
    SheetReading,
    ToldRows,
    WantedRow,
)
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import SETTLED, Attempt, Intent, RowKey, State, Step
from kawe.domain.sheet.findings import RowRef
from kawe.errors import JournalError
from kawe.journal import records
from kawe.journal.events import (
    GENESIS,
    Event,
    EventKind,
    KnownEntry,
    attempts_of,
    called,
    event_from_values,
    intent_of,
    linked,
    name_after,
    names_of,
)
from kawe.journal.records import (
    change_to_record,
    content_to_json,
    entry_from_record,
    entry_to_record,
    known_from_record,
)
from kawe.journal.rules import Change, RowMerge
from kawe.journal.store import (
    Record,
    Store,
    Value,
    all_of,
    first_of,
    key_list,
    only,
    reading_records,
)
from kawe.journal.words import unknown


class Sheets:
    """The sheets that were read. The caller begins the transaction."""

    def __init__(self, store: Store, *, run: RunName) -> None:
        self._store: Final = store
        self._run: Final = run
        self._places: Final[dict[RowKey, RowRef | None]] = {}

    def readings(self, batch: BatchName) -> tuple[SheetReading, ...]:
        return all_of(self._store, "readings", records.reading_from_record, batch)

    def lines(
        self, batch: BatchName, *, reading: SheetReading | None
    ) -> tuple[Line, ...]:
        """Give the lines of one sheet of a batch, or of the one that was read last."""
        there = self.readings(batch) if reading is None else (reading,)
        number = self._number(there[-1]) if there else None
        return all_of(self._store, "lines", records.line_from_record, number)

    def told(self, batch: BatchName, *, quiet: Collection[State]) -> ToldRows:
        """Give the rows of a batch, and the lines of the sheet that was read last."""
        said = number, *_ = self._about_quiet(batch, quiet)
        store, line = self._store, records.line_from_record
        return ToldRows(
            entries=all_of(store, "told_entries", entry_from_record, batch, *said),
            lines=all_of(store, "told_lines", line, number, *said),
            quiet={State(e): n for e, n in store.rows("quiet_rows", *said)},
        )

    def quiet(
        self, batch: BatchName, wanted: WantedRow | None, *, states: Collection[State]
    ) -> tuple[QuietRow, ...]:
        """Give the rows that `told` leaves out, in the order of their sheet."""
        # Their words are long, and only who looks for some reads them.
        name = "quiet" if wanted is None else "quiet_with_words"
        with reading_records():
            return tuple(
                records.quiet_from_record(each)
                for each in self._store.rows(name, *self._about_quiet(batch, states))
                if wanted is None or wanted(*records.words_from_record(each))
            )

    def _about_quiet(
        self, batch: BatchName, states: Collection[State]
    ) -> tuple[Value, ...]:
        there = self.readings(batch)
        number = self._number(there[-1]) if there else None
        # What stands in several sheets is put together from all of them.
        quiet = key_list(sorted(states) if len(there) == 1 else [])
        return number, batch, quiet, number

    def named(self, keys: Iterable[RowKey]) -> dict[RowKey, tuple[PlacedLine, ...]]:
        """Give the lines that name those rows, the latest read first."""
        names = names_of(keys)
        named: dict[RowKey, list[PlacedLine]] = {}
        read = records.placed_line_from_record
        for name, placed in all_of(self._store, "named", read, key_list(names)):
            named.setdefault(names[name], []).append(placed)
        return {key: tuple(there) for key, there in named.items()}

    def place_of(self, key: RowKey) -> RowRef | None:
        """Say in which sheet and row a row was read last, if that is known."""
        if key not in self._places:
            named = self.named([key]).get(key)
            self._places[key] = named[0].line.where if named else None
        return self._places[key]

    def put(self, reading: SheetReading, lines: Sequence[Line]) -> None:
        """Write a sheet as the one read last: of its lines, those that are new."""
        self._store.run("put_reading", [records.reading_to_record(reading)])
        number = self._number(reading)
        kept = {at: rest for at, *rest in self._store.rows("kept_lines", number)}
        self._store.run("clear_lines_after", [(number, len(lines))])
        self._places.update({line.row: line.where for line in lines if line.row})
        now = ((at, records.line_to_record(line)) for at, line in enumerate(lines, 1))
        self._store.run(
            "put_line",
            (
                (number, at, *rest, key and name_after(key), key)
                for at, (*rest, key) in now
                if kept.get(at) != [*rest, key]
            ),
        )

    def begin_run(self, reading: SheetReading) -> None:
        """Write down that a run of a batch begins with that sheet."""
        begun = RunRecord(
            batch=reading.batch,
            command=SUBMIT,
            workbook=reading.workbook,
            began_at=reading.read_at,
            by=self._run,
        )
        self._store.run("put_run", [records.run_to_record(begun)])

    def keep_run(self, run: RunRecord) -> None:
        """Write down how a run ended, if it began here; or one by itself."""
        record = records.run_to_record(run)
        begun = first_of(
            self._store, "open_run", only, run.batch, run.command, run.by.id
        )
        if begun is None or run.end is None:
            self._store.run("put_run", [record])
        else:
            self._store.run("end_run", [(*record[4:], begun)])

    def drop(self, reading: SheetReading) -> None:
        """Remove a sheet that was read, and its lines."""
        number = self._number(reading)
        self._store.run("clear_lines_after", [(number, 0)])
        self._store.run("drop_reading", [(number,)])

    def _number(self, reading: SheetReading) -> int | None:
        place = records.reading_to_record(reading)[:3]
        return first_of(self._store, "reading_id", only, *place)


_MOST_ROWS: Final = 2_000
_MOST_COUNTS: Final = 20_000


class Standings:
    """Rows and the chain of their events. The caller begins the transaction."""

    def __init__(self, store: Store, *, remembers: bool = True) -> None:
        """Without `remembers`, as beside a writer, nothing is cached."""
        self._store: Final = store
        self._remembers: Final = remembers
        self._link: tuple[int, str] | None = None
        self._entries: Final[dict[RowKey, Entry]] = {}
        self._intents: Final[dict[RowKey, Intent]] = {}
        self._made: Final[dict[tuple[RowKey, Step], int]] = {}

    def forget(self) -> None:
        """Clear the cache."""
        self._link = None
        for kept in (self._entries, self._intents, self._made):
            kept.clear()

    def row(self, key: RowKey) -> Entry:
        """Give one row that is known."""
        known = self._entries.get(key)
        if known is None:
            known = first_of(self._store, "entry", entry_from_record, key)
        if known is None:
            raise unknown(key)
        return known

    def find(self, keys: Iterable[RowKey]) -> dict[RowKey, Entry]:
        return self._called(keys, "find", entry_from_record)

    def each_once(self, keys: Sequence[RowKey]) -> list[Entry]:
        """Give the rows of `keys`, which are known and named once, in their order."""
        if len(set(keys)) < len(keys):
            raise JournalError(message="A row can be moved only once at a time.")
        found = self.find(keys)
        for stranger in (key for key in keys if key not in found):
            raise unknown(stranger)
        return [found[key] for key in keys]

    def known(self, keys: Iterable[RowKey]) -> dict[RowKey, KnownRow]:
        """Give those rows of `keys` that are known, without what they say."""
        return self._called(keys, "known", known_from_record)

    def owner_of(self, project: ProjectId | None) -> RowKey | None:
        """Give the row that a project is bound to; None where there is no project."""
        if project is None:
            return None
        return first_of(self._store, "owner_of", only, project)

    def latest_intent(self, key: RowKey) -> Intent | None:
        """Give a row's latest intent, open or not."""
        if (known := self._intents.get(key)) is None:
            event = first_of(self._store, "latest_intent", event_from_values, key)
            return None if event is None else intent_of(event)
        return known

    def attempts_made(self, keys: Sequence[RowKey], *, step: Step) -> dict[RowKey, int]:
        """Count intents of one step; rows that have none are left out."""
        if not self._remembers:
            return self._count(keys, step=step)
        if any((key, step) not in self._made for key in keys):
            counted = self._count(keys, step=step)
            self._make_room()
            self._made.update({(key, step): counted.get(key, 0) for key in keys})
        return {key: self._made[key, step] for key in keys if self._made[key, step]}

    def attempts(self, key: RowKey) -> tuple[Attempt, ...]:
        """Give a row's attempts, the oldest first."""
        with reading_records():
            return attempts_of(map(event_from_values, self._store.rows("events", key)))

    def made(
        self, wanted: Callable[[Entry], bool], *, beside: Iterable[RowKey]
    ) -> tuple[Entry, ...]:
        """Give the `wanted` rows that have a project, without those of `beside`."""
        with reading_records():
            # One after the other: there may be 100,000, and few are wanted.
            made = map(entry_from_record, self._store.rows("made", key_list(beside)))
            return tuple(filter(wanted, made))

    def put_read(self, read: Sequence[tuple[Entry, RowMerge]]) -> None:
        """Write rows as their workbook has them, each by its `RowMerge`."""
        for how, name, to_record in _MERGES:
            self._store.run(
                name, (to_record(entry) for entry, each in read if each is how)
            )
        # What is taken over, and under which name, the store knows.
        self.forget()

    def put_changes(
        self, changes: Sequence[Change], *, revised: Iterable[Entry] = ()
    ) -> None:
        """Write how rows stand now, and add the events of the changes, in order.

        Those of `revised` get the content that they have there.
        """
        self._store.run(
            "change_entry", (change_to_record(each.entry) for each in changes)
        )
        self.put_events([each.event for each in changes])
        for change in changes:
            self._entries[change.entry.key] = change.entry
            self._remember(change.event)
        self._make_room()
        self._put_revised(changes, said={entry.key: entry for entry in revised})

    def put_first(self, keys: Sequence[RowKey]) -> None:
        """Put rows before all others; those before that are done lose their place."""
        if len(set(keys)) < len(keys):
            raise JournalError(message="A row can have only one place in the order.")
        before = all_of(self._store, "queue", only)
        known = self.known([*keys, *before])
        for stranger in (key for key in keys if key not in known):
            raise unknown(stranger)
        left = (key for key in before if key not in set(keys))
        self._put_queue(
            [*keys, *(key for key in left if known[key].state not in SETTLED)]
        )

    def put_back(self, gone: Collection[RowKey]) -> None:
        """Take rows out of those that go before all others."""
        queue = all_of(self._store, "queue", only)
        self._put_queue([key for key in queue if key not in gone])

    def _put_queue(self, keys: Sequence[RowKey]) -> None:
        self._store.run("clear_queue", [()])
        self._store.run("put_in_queue", zip(keys, count(1), strict=False))

    def _put_revised(
        self, changes: Sequence[Change], *, said: Mapping[RowKey, Entry]
    ) -> None:
        revised = [
            (replace(row, content=now.content, fingerprint=now.fingerprint), how)
            for row, how in ((change.entry, RowMerge.REPLACE) for change in changes)
            if (now := said.get(row.key))
        ]
        if revised:
            self.put_read(revised)

    def put_events(self, events: Sequence[Event]) -> None:
        """Add events behind all others, each linked to the one before it."""
        for begin in range(0, len(events), _MOST_ROWS):
            last = self._link or first_of(self._store, "last_link", _link)
            some = events[begin : begin + _MOST_ROWS]
            records = linked(some, after=last or (0, GENESIS))
            self._store.run("add_event", records)
            seq, _, digest, *_ = records[-1]
            self._link = (seq, digest)

    def _called(
        self, keys: Iterable[RowKey], name: str, read: Callable[[Record], KnownEntry]
    ) -> dict[RowKey, KnownEntry]:
        names = names_of(keys)
        found = all_of(self._store, name, read, key_list(names))
        return {names[row.key]: called(row, names[row.key]) for row in found}

    def _remember(self, event: Event) -> None:
        if event.kind is EventKind.INTENT and event.step is not None:
            self._intents[event.row] = intent_of(event)
            if (event.row, event.step) in self._made:
                self._made[event.row, event.step] += 1

    def _count(self, keys: Sequence[RowKey], *, step: Step) -> dict[RowKey, int]:
        return dict(self._store.rows("attempts_made", key_list(keys), step.value))

    def _make_room(self) -> None:
        if len(self._entries) > _MOST_ROWS:
            self._entries.clear()
            self._intents.clear()
        if len(self._made) > _MOST_COUNTS:
            self._made.clear()


def _link(record: Record) -> tuple[int, str]:
    seq, digest = record
    return seq, digest


def _refreshed(entry: Entry) -> Record:
    return entry.batch, entry.position, content_to_json(entry.content), entry.key


def _placed(entry: Entry) -> Record:
    return entry.batch, entry.position, entry.key, name_after(entry.key)


_MERGES: Final[tuple[tuple[RowMerge, str, Callable[[Entry], Record]], ...]] = (
    (RowMerge.ADD, "add_entry", entry_to_record),
    (RowMerge.REPLACE, "replace_entry", entry_to_record),
    (RowMerge.REFRESH, "refresh_entry", _refreshed),
    (RowMerge.PLACE, "place_entry", _placed),
)
