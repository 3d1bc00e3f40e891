"""The journal: what its methods do, each within one transaction of its store.

`rules` and `reading` decide before anything is written. `writer` runs the calls in a
thread; calls to a journal in memory run at once. Of projects of the team that a look
saw, only what a comparison needs is kept, and what says whether to read one again.
"""

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeVar

from kawe.domain.batch.approvals import Approval
from kawe.domain.batch.journal_servers import JournalPlace
from kawe.domain.batch.periods import RowsOfHour
from kawe.domain.batch.runs import NO_NAME, RunName, RunRecord
from kawe.domain.batch.waiting import Wait
from kawe.domain.rows.entries import (
    Batch,
    BatchName,
    Binding,
    Entry,
    KnownRow,
    Line,
    PlacedLine,
    QuietRow,
    SheetReading,
    StoredFile,
    ToldRows,
    WantedRow,
)
from kawe.domain.service.service_words import Invitation, IwiAnswer, Project, ProjectId
from kawe.domain.service.states import (
    UNSETTLED,
    Attempt,
    Intent,
    RowKey,
    State,
    Step,
    Verdict,
)
from kawe.domain.sheet.findings import RowRef
from kawe.errors import JournalError
from kawe.journal import records, rules
from kawe.journal.records import instant
from kawe.journal.standings import Sheets, Standings
from kawe.journal.store import Record, Store, Value, all_of, first_of, key_list, only
from kawe.journal.store.opening import USUAL, OpeningLimits
from kawe.journal.store.places import reader, writer
from kawe.journal.store.sqlite import SqliteStore, open_file
from kawe.journal.vouching import approval_from_record, put_approval, put_owner
from kawe.journal.words import instant_to_text, storable
from kawe.journal.writer import AtOnce, RowLog, Writer
from kawe_places.values import Place

T = TypeVar("T")


class StoreJournal:
    """The port `Journal` over a `Store`: the port says what each method promises."""

    def __init__(
        self,
        store: Store,
        *,
        run: RunName = NO_NAME,
        read_only: bool = False,
        at_once: bool = False,
    ) -> None:
        self._store: Final = store
        self.is_read_only: Final = read_only
        # Beside a writer, a reader can believe nothing but the file.
        self._rows: Final = Standings(store, remembers=not read_only)
        self._sheets: Final = Sheets(store, run=run)
        self._log: Final = RowLog()
        executor = AtOnce if at_once else Writer
        self._executor: Final = executor(store, rolled_back=self._rows.forget)

    @classmethod
    def in_memory(cls) -> Self:
        """Begin one that lasts as long as the process, for rehearsals and tests."""
        return cls(SqliteStore.in_memory(), at_once=True)

    @classmethod
    def open(
        cls,
        path: JournalPlace,
        *,
        run: RunName = NO_NAME,
        read_only: bool = False,
        limits: OpeningLimits = USUAL,
    ) -> Self:
        """Open the journal at `path`, in any thread, for a `run`.

        A reader needs no lock, works while a writer runs, and is refused every method
        that writes; its `bind` only checks. A journal larger than its limit is
        checked before anything is written, while it is read.
        """
        if isinstance(path, Path):
            store: Store = open_file(path, read_only=read_only, limits=limits)
        else:
            store = reader(path) if read_only else writer(path)
        return cls(store, run=run, read_only=read_only)

    async def aclose(self) -> None:
        await asyncio.to_thread(self._executor.close)

    async def bind(self, binding: Binding) -> None:
        def act() -> None:
            kept = first_of(self._store, "binding", records.binding_from_record)
            if kept is not None:
                rules.same_account(kept, asked=binding)
            if kept != binding and not self.is_read_only:
                self._store.run("put_binding", [records.binding_to_record(binding)])

        await (self._ask(act) if self.is_read_only else self._change(act))

    async def binding(self) -> Binding | None:
        found = await self._all("binding", records.binding_from_record)
        return found[0] if found else None

    async def open_batch(
        self,
        batch: Batch,
        *,
        lines: Sequence[Line],
        entries: Sequence[Entry],
        in_place_of: Sequence[SheetReading] = (),
    ) -> None:
        gone = tuple(in_place_of)

        def act() -> None:
            named = {line.row for line in lines if line.row is not None}
            known = self._rows.known({entry.key for entry in entries} | named)
            read = rules.merged(batch, entries=entries, named=named, known=known)
            self._store.run("put_batch", [records.batch_to_record(batch)])
            self._rows.put_read(read)
            for reading in gone:
                self._sheets.drop(reading)
            self._sheets.put(batch.reading, lines)
            self._sheets.begin_run(batch.reading)
            self._rows.put_events(rules.reading_events(read, known=known))

        await self._change(act)

    async def batches(self) -> tuple[Batch, ...]:
        return await self._all("batches", records.batch_from_record)

    async def readings(self, batch: BatchName) -> tuple[SheetReading, ...]:
        return await self._ask(lambda: self._sheets.readings(batch))

    async def lines(
        self, batch: BatchName, *, reading: SheetReading | None = None
    ) -> tuple[Line, ...]:
        return await self._ask(lambda: self._sheets.lines(batch, reading=reading))

    async def named(
        self, keys: Iterable[RowKey]
    ) -> dict[RowKey, tuple[PlacedLine, ...]]:
        wanted = tuple(keys)
        return await self._ask(lambda: self._sheets.named(wanted)) if wanted else {}

    async def entries(self, batch: BatchName) -> tuple[Entry, ...]:
        return await self._all("entries", records.entry_from_record, batch)

    async def told(self, batch: BatchName, *, quiet: Collection[State]) -> ToldRows:
        return await self._ask(lambda: self._sheets.told(batch, quiet=quiet))

    async def quiet(
        self, batch: BatchName, wanted: WantedRow | None, *, states: Collection[State]
    ) -> tuple[QuietRow, ...]:
        return await self._ask(lambda: self._sheets.quiet(batch, wanted, states=states))

    async def hours(self) -> tuple[RowsOfHour, ...]:
        return await self._all("hours", records.rows_of_hour_from_record)

    async def unfinished(
        self, batch: BatchName, *, states: Collection[State] = UNSETTLED
    ) -> tuple[Entry, ...]:
        wanted = key_list(sorted(states))
        return await self._all("unfinished", records.entry_from_record, batch, wanted)

    async def known(self, keys: Iterable[RowKey]) -> dict[RowKey, KnownRow]:
        return await self._ask(partial(self._rows.known, tuple(keys)))

    async def find(self, keys: Iterable[RowKey]) -> dict[RowKey, Entry]:
        return await self._ask(partial(self._rows.find, tuple(keys)))

    async def made(
        self, wanted: Callable[[Entry], bool], *, beside: Iterable[RowKey]
    ) -> tuple[Entry, ...]:
        return await self._ask(partial(self._rows.made, wanted, beside=tuple(beside)))

    async def owner_of(self, project: ProjectId) -> RowKey | None:
        return await self._ask(lambda: self._rows.owner_of(project))

    async def owners(self, projects: Iterable[ProjectId]) -> tuple[Entry, ...]:
        return await self._all("owners", records.entry_from_record, key_list(projects))

    async def note(
        self, intents: Sequence[Intent], *, revised: Sequence[Entry] = ()
    ) -> None:
        taken, said = tuple(intents), tuple(revised)
        if len({intent.row for intent in taken}) < len(taken):
            raise JournalError(message="A row can take only one step at a time.")

        def act() -> None:
            changes = [self._noted(intent) for intent in taken]
            self._rows.put_changes(changes, revised=said)

        await self._change(act)

    def _noted(self, intent: Intent) -> rules.Change:
        made = self._rows.attempts_made([intent.row], step=intent.step)
        return rules.noted(
            self._rows.row(intent.row),
            intent=intent,
            attempts_before=made.get(intent.row, 0),
        )

    async def conclude(
        self, intent: Intent, verdict: Verdict, *, at: datetime
    ) -> Entry:
        return await self._put(
            lambda: rules.concluded(
                self._rows.row(intent.row),
                opened=self._rows.latest_intent(intent.row),
                intent=intent,
                verdict=verdict,
                owner=self._rows.owner_of(rules.project_answered(verdict)),
                at=at,
            )
        )

    async def move(
        self,
        key: RowKey,
        state: State,
        *,
        at: datetime,
        reason: str = "",
        project: ProjectId | None = None,
        revised: Entry | None = None,
    ) -> Entry:
        return await self._put(
            lambda: rules.moved(
                self._rows.row(key),
                state=state,
                at=at,
                reason=reason,
                project=project,
                owner=self._rows.owner_of(project),
            ),
            *([] if revised is None else [revised]),
        )

    async def move_all(
        self, keys: Sequence[RowKey], state: State, *, at: datetime, reason: str = ""
    ) -> tuple[Entry, ...]:
        moving = tuple(keys)

        def decide() -> list[rules.Change]:
            rows = self._rows.each_once(moving)
            return [rules.moved(row, state=state, at=at, reason=reason) for row in rows]

        return await self._put_all(decide) if moving else ()

    async def attempts(self, key: RowKey) -> tuple[Attempt, ...]:
        return await self._ask(lambda: self._rows.attempts(key))

    async def attempts_made(
        self, keys: Iterable[RowKey], *, step: Step
    ) -> dict[RowKey, int]:
        wanted = tuple(keys)
        return await self._ask(lambda: self._rows.attempts_made(wanted, step=step))

    async def sent_at(self, keys: Iterable[RowKey]) -> dict[RowKey, datetime]:
        return dict(await self._all("sent_at", records.time_of_row, key_list(keys)))

    async def doubted_creates(self, batch: BatchName) -> tuple[RowKey, ...]:
        return await self._all("doubted_creates", only, batch)

    async def let_go(self, key: RowKey) -> str:
        found: tuple[str, ...] = await self._all("let_go", only, key)
        return found[0] if found else ""

    async def keep_file(self, stored: StoredFile) -> None:
        def act() -> tuple[Entry, RowRef | None]:
            entry = self._rows.row(stored.row)
            holder = first_of(
                self._store, "file_of", records.file_from_record, stored.document_id
            )
            rules.document_free(stored, holder=holder)
            self._store.run("put_file", [records.file_to_record(stored)])
            return entry, self._sheets.place_of(entry.key)

        entry, place = await self._change(act)
        self._log.upload(entry, place=place)

    async def files(self, key: RowKey) -> tuple[StoredFile, ...]:
        return await self._all("files", records.file_from_record, key)

    async def keep_iwi_answer(
        self, place: Place, answer: IwiAnswer, *, at: datetime
    ) -> None:
        record = records.iwi_answer_to_record(place.key(), answer, at=at)
        await self._change(lambda: self._store.run("put_iwi_answer", [record]))

    async def iwi_answers(
        self, *, since: datetime
    ) -> dict[tuple[float, float], IwiAnswer]:
        read = records.iwi_answer_from_record
        return dict(await self._all("iwi_answers", read, instant_to_text(since)))

    async def keep_team_projects(self, projects: Iterable[Project]) -> None:
        # A preview reads the journal alone, and the next run keeps what it saw.
        if self.is_read_only:
            return
        seen = list(map(team_project_to_record, projects))

        def act() -> None:
            kept: dict[str, str] = dict(self._store.rows("team_projects_read"))
            changed = [each for each in seen if kept.get(each[0]) != each[1]]
            self._store.run("put_team_project", changed)

        await self._change(act)

    async def team_projects(self) -> tuple[Project, ...]:
        return await self._all("team_projects", team_project_from_record)

    async def first_read(self, keys: Iterable[RowKey]) -> dict[RowKey, datetime]:
        return dict(await self._all("first_read", records.time_of_row, key_list(keys)))

    async def keep_sent_to(self, iwi: Mapping[RowKey, Sequence[str]]) -> None:
        said = list(map(records.sent_to_to_record, iwi.items()))
        await self._change(lambda: self._store.run("put_sent_to", said))

    async def sent_to(self, keys: Iterable[RowKey]) -> dict[RowKey, tuple[str, ...]]:
        read = records.sent_to_from_record
        return dict(await self._all("sent_to", read, key_list(keys)))

    async def keep_invitations(self, said: Mapping[RowKey, Invitation]) -> None:
        kept = list(map(records.invitation_to_record, said.items()))
        await self._change(lambda: self._store.run("put_invitation", kept))

    async def invitations(self, keys: Iterable[RowKey]) -> dict[RowKey, Invitation]:
        read = records.invitation_from_record
        return dict(await self._all("invitations", read, key_list(keys)))

    async def keep_receipt(self, key: RowKey, *, number: str, at: datetime) -> Entry:
        return await self._put(
            lambda: rules.receipted(self._rows.row(key), number=number, at=at)
        )

    async def waits(self, keys: Iterable[RowKey]) -> dict[RowKey, Wait]:
        return dict(await self._all("waits", records.wait_from_record, key_list(keys)))

    async def put_first(self, keys: Sequence[RowKey]) -> None:
        await self._change(partial(self._rows.put_first, tuple(keys)))

    async def put_back(self, keys: Iterable[RowKey]) -> None:
        await self._change(partial(self._rows.put_back, frozenset(keys)))

    async def put_first_so_far(self) -> tuple[RowKey, ...]:
        return await self._all("queue", only)

    async def keep_batch_owner(self, batch: BatchName, owner: str) -> None:
        await self._change(lambda: put_owner(self._store, batch, owner))

    async def batch_owners(self) -> dict[BatchName, str]:
        return await self._ask(lambda: dict(self._store.rows("batch_owners")))

    async def keep_approval(
        self, approval: Approval, *, row: RowKey | None = None
    ) -> None:
        await self._change(
            lambda: put_approval(self._store, self._rows, approval, row=row)
        )

    async def approvals(self) -> tuple[Approval, ...]:
        return await self._all("approvals", approval_from_record)

    async def keep_run(self, run: RunRecord) -> None:
        await self._change(lambda: self._sheets.keep_run(run))

    async def runs(self) -> tuple[RunRecord, ...]:
        return await self._all("runs", records.run_from_record)

    async def _all(
        self, name: str, read: Callable[[Record], T], *values: Value
    ) -> tuple[T, ...]:
        return await self._ask(lambda: all_of(self._store, name, read, *values))

    async def _ask(self, question: Callable[[], T]) -> T:
        return await self._executor.carry_out(question, writes=False)

    async def _put(self, change: Callable[[], rules.Change], *revised: Entry) -> Entry:
        return (await self._put_all(lambda: [change()], *revised))[0]

    async def _put_all(
        self, decide: Callable[[], list[rules.Change]], *revised: Entry
    ) -> tuple[Entry, ...]:
        def act() -> list[tuple[rules.Change, RowRef | None]]:
            made = decide()
            self._rows.put_changes(made, revised=revised)
            return [(each, self._sheets.place_of(each.entry.key)) for each in made]

        made = await self._change(act)
        for change, place in made:
            self._log.change(change, place=place)
        return tuple(change.entry for change, _ in made)

    async def _change(self, act: Callable[[], T]) -> T:
        if self.is_read_only:
            raise JournalError(
                message="This journal was opened to be read, not to be written."
            )
        return await self._executor.carry_out(act, writes=True)


def team_project_to_record(project: Project) -> Record:
    """Write what a look saw of a project."""
    times = project.start_at, project.end_at, project.respond_by_at
    said = {
        "name": project.name,
        "reference": project.reference,
        "status": project.status,
        "description": project.description,
        "created_at": instant_to_text(project.created_at),
        "times": [None if at is None else instant_to_text(at) for at in times],
        "place": None if project.place is None else project.place.key(),
        "address": project.address,
    }
    updated_at = instant_to_text(project.updated_at or project.created_at)
    return project.id, updated_at, storable(json.dumps(said))


def team_project_from_record(record: Record) -> Project:
    """Read what a look saw of a project."""
    project, updated_at, text = record
    said = json.loads(text)
    start, end, respond = (None if at is None else instant(at) for at in said["times"])
    place = said["place"]
    return Project(
        id=ProjectId(project),
        name=str(said["name"]),
        reference=said["reference"],
        status=said["status"],
        description=str(said["description"]),
        created_at=instant(said["created_at"]),
        updated_at=instant(updated_at),
        start_at=start,
        end_at=end,
        respond_by_at=respond,
        place=None if place is None else Place(latitude=place[0], longitude=place[1]),
        address=str(said["address"]),
    )
