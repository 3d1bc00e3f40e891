"""Whether a history is whole: no event changed, removed or added; and its purge.

Every event has the hash of the one before it, and every row must stand where its last
event left it. A person who may write the file and knows kawe could still write a whole
new history. Whoever gets a part of the chain can compute its hashes with any tool.

A purge removes the content of rows that were finished long ago: what is removed is in
no byte of the file afterwards. Events keep their hashes, and a purge event, linked like
any other, seals what is left of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeAlias, assert_never

from kawe.domain.batch.approvals import Approval
from kawe.domain.batch.journal_servers import JournalPlace
from kawe.domain.rows.entries import Binding
from kawe.domain.rows.identity import ADDRESS
from kawe.domain.service.states import BEFORE_CREATE, SETTLED, RowKey, State, may_follow
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError
from kawe.journal import records
from kawe.journal.events import (
    GENESIS,
    Event,
    EventKind,
    Stored,
    detail_after,
    emptied,
    event_from_values,
    link_hash,
    name_after,
    seal,
)
from kawe.journal.holding import Cutoffs, finished_rows, held_rows
from kawe.journal.standings import Standings
from kawe.journal.store import (
    Record,
    Store,
    all_of,
    first_of,
    key_list,
    reading_records,
)
from kawe.journal.store.faults import damaged
from kawe.journal.store.opening import USUAL, OpeningLimits
from kawe.journal.store.places import is_there, reader, writer
from kawe.journal.vouching import unproven
from kawe.journal.words import instant_to_text, shown_key

Link: TypeAlias = tuple[int, str, str, tuple[Stored, ...]]
"""An event's number, the hash before it, its hash, and what it says."""
Proves: TypeAlias = Callable[[Approval], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedState:
    """Where a row stands, in its own record or by its events."""

    state: State
    project: str | None = None
    receipt: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrepancy:
    """The first thing that is not as kawe left it."""

    what: str
    """A sentence."""
    event: int | None = None
    """The number of the event, None when a row does not match its events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What the check of a journal found."""

    events: int
    """How many events were found right."""
    rows: int
    fault: Discrepancy | None = None
    head: str = field(default=GENESIS, compare=False)
    """The hash of the last event."""


def is_whole(approval: Approval) -> bool:
    return approval.proof is None or approval.proof.is_whole


class _Broken(Exception):
    def __init__(self, what: str, *, event: int | None = None) -> None:
        super().__init__(what)
        self.fault = Discrepancy(what=what, event=event)


def verify_journal(
    path: JournalPlace,
    *,
    limits: OpeningLimits = USUAL,
    proves: Proves = is_whole,
    kept: str = "",
) -> Verification:
    """Check the journal at `path`, also while a writer runs.

    `proves` says whether a person signed an approval; without it, none is looked at.
    `kept` is the hash of an event that must be there.
    """
    with closing(reader(path, limits)) as store:
        return verify_store(store, proves=proves, kept=kept)


def verify_store(
    store: Store, *, proves: Proves = is_whole, kept: str = ""
) -> Verification:
    """Check an open journal, as `verify_journal` does."""
    try:
        # One view of the whole: a writer waits until it has been looked at.
        with store.transaction(writes=False):
            store.check_integrity()
            rows = [
                (
                    key,
                    RecordedState(state=State(state), project=project, receipt=number),
                )
                for key, state, project, number in store.rows("footings")
            ]
            links = (
                (seq, previous, digest, tuple(values))
                for seq, previous, digest, *values in store.rows("chain")
            )
            purges: dict[RowKey, int] = dict(store.rows("purges"))
            found = verify_history(links, rows=rows, purges=purges)
            fault = found.fault or _unreadable(store) or _unproven(store, proves)
            head, is_kept = GENESIS, not kept
            for _, _, head, *_ in store.rows("chain"):
                is_kept = is_kept or head == kept
            if not fault and not is_kept:
                fault = Discrepancy(what="No event has the hash that was kept.")
            return replace(found, fault=fault, head=head)
    except ValueError as fault:
        raise damaged(store.place) from fault


def _unreadable(store: Store) -> Discrepancy | None:
    """Name the first row that a submit could not read."""
    for batch in all_of(store, "batches", records.batch_from_record):
        for record in store.rows("entries", batch.name):
            try:
                with reading_records():
                    records.entry_from_record(record)
            except JournalError:
                row = shown_key(RowKey(record[0]))
                return Discrepancy(what=f"What it has of {row} cannot be read.")
    return None


def _unproven(store: Store, proves: Proves) -> Discrepancy | None:
    with reading_records():
        what = unproven(store, proves=proves)
    return Discrepancy(what=what) if what else None


def verify_history(
    links: Iterable[Link],
    *,
    rows: Iterable[tuple[RowKey, RecordedState]],
    purges: Mapping[RowKey, int],
) -> Verification:
    """Follow the chain of events, then compare every row with its last one.

    `purges` are the numbers of the rows' last purges: events before one may have
    changed, but must be what the purge sealed.
    """
    by_events: dict[RowKey, RecordedState] = {}
    events = compared = 0
    try:
        for event in _followed(links, purges=purges):
            events += 1
            by_events[event.row] = _footing_after(
                event, before=by_events.get(event.row), at=events
            )
        for key, recorded in rows:
            _check_row(key, recorded=recorded, by_events=by_events.get(key))
            compared += 1
    except _Broken as broken:
        return Verification(events=events, rows=compared, fault=broken.fault)
    return Verification(events=events, rows=compared)


def _followed(
    links: Iterable[Link], *, purges: Mapping[RowKey, int]
) -> Iterator[Event]:
    last = GENESIS
    unsealed: dict[RowKey, list[tuple[int, str, tuple[Stored, ...]]]] = {}
    for expected, link in enumerate(links, 1):
        seq, _, digest, values = link
        row = RowKey(str(values[0]))
        sealed_at = purges.get(row, 0)
        _check_link(link, expected=expected, last=last, is_sealed=seq < sealed_at)
        last = digest
        event = _read(seq, values)
        if (
            event.kind is EventKind.PURGE
            and seal(unsealed.get(row, ())) != event.detail
        ):
            what = f"What is left of {shown_key(row)} is not what event {seq} sealed."
            raise _Broken(what, event=seq)
        if seq <= sealed_at:
            unsealed.setdefault(row, []).append((seq, digest, values))
        yield event


def _check_link(link: Link, *, expected: int, last: str, is_sealed: bool) -> None:
    seq, previous, digest, values = link
    if seq != expected:
        raise _Broken(f"Event {expected} is missing.", event=expected)
    if previous != last:
        raise _Broken(f"Event {seq} does not follow the one before it.", event=seq)
    if not is_sealed and link_hash(seq, previous=previous, values=values) != digest:
        raise _Broken(f"Event {seq} is not what was written.", event=seq)


def _read(seq: int, values: tuple[Stored, ...]) -> Event:
    try:
        return event_from_values(values)
    except ValueError as bad:
        raise _Broken(f"Event {seq} cannot be read.", event=seq) from bad


def _footing_after(
    event: Event, *, before: RecordedState | None, at: int
) -> RecordedState:
    begins = before is None and event.came_from in BEFORE_CREATE
    if not begins and (before is None or before.state is not event.came_from):
        raise _misstep(event, at=at, why="where it did not stand")
    if not _may_be(event):
        raise _misstep(event, at=at, why=f"to {event.went_to}, where it may not go")
    was = before or RecordedState(state=event.came_from)
    return RecordedState(
        state=event.went_to,
        project=event.project or was.project,
        receipt=event.detail if event.kind is EventKind.RECEIPT else was.receipt,
    )


def _may_be(event: Event) -> bool:
    match event.kind:
        case EventKind.READING:
            return True
        case EventKind.PURGE | EventKind.APPROVAL | EventKind.HOLD | EventKind.LIFT:
            return event.came_from is event.went_to
        case (
            EventKind.INTENT | EventKind.CONCLUSION | EventKind.MOVE | EventKind.RECEIPT
        ):
            return may_follow(event.came_from, event.went_to)
        case _:
            assert_never(event.kind)


def _misstep(event: Event, *, at: int, why: str) -> _Broken:
    what = f"Event {at} takes {shown_key(event.row)} from {event.came_from}, {why}."
    return _Broken(what, event=at)


def _check_row(
    key: RowKey, *, recorded: RecordedState, by_events: RecordedState | None
) -> None:
    if by_events is None and recorded.state in BEFORE_CREATE:
        by_events = RecordedState(state=recorded.state)
    if recorded != by_events:
        what = f"What the journal says of {shown_key(key)} is not what its events say."
        raise _Broken(what)


_IN_PASSING = OpeningLimits(busy_seconds=5.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalContents:
    """What a journal holds."""

    binding: Binding | None
    batches: int
    states: Counter[State] = field(default_factory=Counter)


def overview(path: JournalPlace) -> JournalContents:
    """Look into the journal at `path`, also while a writer runs."""
    with closing(reader(path, _IN_PASSING)) as store, store.transaction(writes=False):
        counts = all_of(store, "standing", lambda each: (State(each[0]), each[1]))
        return JournalContents(
            binding=first_of(store, "binding", records.binding_from_record),
            batches=sum(1 for _ in store.rows("batches")),
            states=Counter(dict(counts)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainPart:
    """A part of the chain of events without a gap."""

    before: str
    """The hash that its first event names."""
    events: tuple[dict[str, Any], ...]
    """`seq`, `hash`, and `said`: what is hashed after the hash before and `seq`.

    `said` is null for what names a person, and for what was purged since.
    """
    head: tuple[int, str]
    """Number and hash of the last event of the whole journal."""

    def as_json(self) -> dict[str, Any]:
        """Give it for JSON documents."""
        seq, digest = self.head
        return {
            "before": self.before,
            "events": list(self.events),
            "head": {"seq": seq, "hash": digest},
        }


def chain_between(path: JournalPlace, *, since: datetime, until: datetime) -> ChainPart:
    """Give all events from the first of a period to its last; `until` is not in it."""
    first, end = instant_to_text(since), instant_to_text(until)
    store = reader(path)
    before, head = GENESIS, (0, GENESIS)
    events: list[dict[str, Any]] = []
    # Those after the last of the period so far: a clock may have been put back.
    after: list[dict[str, Any]] = []
    with closing(store), store.transaction(writes=False):
        purged: dict[str, int] = dict(store.rows("purges"))
        for record in store.rows("chain"):
            seq, previous, digest, *_ = record
            is_in = first <= str(record[5]) < end
            if is_in and not events:
                before = previous
            if is_in or events:
                after.append(_shown(record, purged=purged))
            if is_in:
                events += after
                after.clear()
            head = seq, digest
    return ChainPart(before=before, events=tuple(events), head=head)


def _shown(record: Record, *, purged: dict[str, int]) -> dict[str, Any]:
    seq, _, digest, *said = record
    row = str(said[0])
    is_hidden = row.startswith(ADDRESS) or seq < purged.get(row, 0)
    return {"seq": seq, "hash": digest, "said": None if is_hidden else said}


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """What a purge took out."""

    rows: int
    """Rows of which the journal has no more than that they are done."""
    without_receipt: int
    """How many of them were sent and have no receipt's number yet."""
    held: int = 0
    """How many others stay because somebody holds them."""


def purge_journal(
    path: JournalPlace,
    *,
    finished_before: Cutoffs,
    at: datetime,
    first: Callable[[], None] | None = None,
    limits: OpeningLimits = USUAL,
) -> Purged:
    """Remove the content of rows of some kinds, finished before the instant of each.

    Those that are held stay. Lines that could not be submitted lose their values when
    their workbook was last read before it; a workbook without cells loses its path and
    headings; older answers about places go. `first` is called while nobody else can
    write; what it raises ends the purge before anything was taken out.

    Raises:
        JournalLocked: Another process writes it.
        JournalError: There is none, its history is not whole, or it could not be
            written; then nothing was taken out, or all but the space given back, which
            the next purge does.
    """
    if not is_there(path):
        raise JournalError(message=f"There is no journal at {path}.")
    with closing(writer(path, limits)) as store:
        # A purge seals what it finds: what was altered would pass for right.
        if fault := verify_store(store).fault:
            raise altered(store.place, fault.what)
        if first is not None:
            first()
        with store.erasing():
            return _purge(store, finished_before, at=at)


def altered(place: str, what: str) -> JournalError:
    return JournalError(
        message=f"The journal {place} is not as kawe left it. {one_line(what)}",
        hint="Nothing was changed. Keep a copy of it, and find out why first.",
    )


def _purge(store: Store, finished_before: Cutoffs, *, at: datetime) -> Purged:
    held, done = held_rows(store), finished_rows(store, finished_before)
    rows = [row for row in done if row[0] not in held]
    standings = Standings(store)
    for key, kind, state, content, *_ in rows:
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
    kept = key_list({batch for _, batch in held.values()})
    cutoffs = {of: instant_to_text(on) for of, on in finished_before.items()}
    store.run("forget_lines", [(before, of, kept) for of, before in cutoffs.items()])
    batches = list(store.rows("forgotten_batches"))
    store.run("forget_batch", batches)
    store.run("forget_readings", batches)
    store.run("forget_runs", batches)
    for old in ("forget_iwi_answers", "forget_team_projects", "forget_reports"):
        store.run(old, [(min(cutoffs.values()),)])
    waiting = sum(row[2] == State.CONFIRMED for row in rows)
    return Purged(rows=len(rows), without_receipt=waiting, held=len(done) - len(rows))


def _emptied(content: str, kind: str) -> str:
    with reading_records():
        of_kind = SheetKind.named(kind)
        said = records.content_from_json(content, kind=of_kind)
    return records.content_to_json(emptied(said, kept=of_kind.kept_fields))


def _forget(store: Store, key: RowKey, *, name: RowKey, content: str) -> None:
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
    store: Store, key: RowKey
) -> Iterator[tuple[int, str, tuple[Stored, ...]]]:
    for seq, digest, *values in store.rows("history", key):
        yield seq, digest, tuple(values)
