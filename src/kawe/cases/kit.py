"""What kawe does with a workbook, a service or a journal alone.

The writer of results gets here what the rooms of workbooks and of pages need of one
another.
"""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Hashable, Mapping, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    aclosing,
    asynccontextmanager,
    suppress,
)
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kawe.cases import companions
from kawe.cases.choices import nobody
from kawe.cases.kinds import KINDS
from kawe.cases.reaching import service_options
from kawe.cases.sheets import (
    SheetsToRead,
    SheetToRead,
    label_of,
    plain_label,
    results_beside,
)
from kawe.days import NewZealandDays
from kawe.domain.batch.outcomes import BatchReport, Outcome, outcome_of
from kawe.domain.batch.readings import READING_OPTIONS, Reading
from kawe.domain.batch.runs import NO_NAME, RunName
from kawe.domain.rows.entries import Batch, Binding, Entry, SheetReading
from kawe.domain.service.states import State
from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.tables import Table, TableRow
from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.next_steps import Says
from kawe.domain.text.texts import fold
from kawe.domain.text.wording import MESSAGE_SHEET, Wording, wording_of
from kawe.errors import KaweError, WorkbookError
from kawe.files.answers import answers_beside
from kawe.files.attachments import FolderAttachments
from kawe.flows.check.checking import Checked, check
from kawe.flows.check.placing import PlacesTable
from kawe.flows.checked_rows import CheckContext
from kawe.flows.kinds import Kind
from kawe.flows.report.reporting import Frame, report_batch, report_check
from kawe.flows.routing import AnswerCache, Asker
from kawe.flows.tools import StopSignal, Tools
from kawe.journal.journal import StoreJournal
from kawe.journal.store.lock import Holder
from kawe.journal.store.places import is_there, state_of, writer_at
from kawe.machine import SystemClock
from kawe.ports import Alerts, Halt, Journal, Progress
from kawe.schemas.catalog import load_columns
from kawe.schemas.checker import SchemaChecker
from kawe.settings.headings import column_memory
from kawe.settings.values import Settings
from kawe.settings.working import WorkedProfiles
from kawe.workbook.identify import unsaved_words
from kawe.workbook.reading.alike import RapidfuzzSuggester
from kawe.workbook.reading.books import Books
from kawe.workbook.reading.choosing import Chooser
from kawe.workbook.reading.reader import CalamineReader
from kawe.workbook.reading.rows import OpenSheet
from kawe_places.places import PyprojPlaces
from kawe_xlsx.cells import column_letters
from kawe_xlsx.patching.original import Original

if TYPE_CHECKING:
    from kawe.html.pages import ResultPage
    from kawe.service.opening import Service
    from kawe.workbook.results.result import StreamedResultWriter


@dataclass(slots=True)
class NoHalt:
    """Implements `Halt`: a program that sets `asked` stops its runs."""

    asked: bool = False


class NoProgress:
    """Implements `Progress` and says nothing."""

    def close(self, *_: object, **__: object) -> None:
        """Do nothing, as all of it does."""

    follow = begin = advance = say = close


class RunListener(Protocol):
    """Hears how the batches of a run stand: the log, and who is told of runs."""

    def record(
        self, report: BatchReport, *, code: int, because: KaweError | None
    ) -> None:
        """Record how a batch stands; its last record counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolkit:
    """What kawe does without a session."""

    settings: Settings
    progress: Progress
    halt: Halt
    clock: SystemClock = field(default_factory=SystemClock)
    kinds: tuple[Kind, ...] = KINDS
    alerts: Alerts | None = None
    """Sends alerts during a run; None: nobody is notified."""
    told: RunListener | None = None
    """Hears how the batches stand after a run; None: nobody does."""
    says: Says = str
    """Says in files that people keep what they do next."""
    run: RunName = NO_NAME
    """Which run this is, for journal and results."""
    profiles: WorkedProfiles = field(default_factory=WorkedProfiles, compare=False)
    _readers: dict[Hashable, CalamineReader] = field(
        init=False, default_factory=dict, repr=False, compare=False
    )
    """By how rows are read."""
    _books: Books = field(default_factory=Books, repr=False, compare=False)
    _places: dict[Hashable, PlacesTable] = field(
        default_factory=dict, repr=False, compare=False
    )
    """The table of places that was read last, by the state of its file."""

    def read(self, reading: Reading) -> Table:
        """Read a workbook; check nothing."""
        table = self._open(reading).table()
        if (found := self._places_of(reading, table.kind)) is None:
            return table
        return found.fill(table, accepts=reading.accepts_addresses)

    def near_addresses(self, reading: Reading) -> Mapping[tuple[str, str], str]:
        """Show each address that a person may accept, and the only one near to it."""
        opened = self._open(reading)
        found = self._places_of(reading, opened.head.kind)
        return {} if found is None else found.near(opened.table())

    def _places_of(self, reading: Reading, kind: SheetKind) -> PlacesTable | None:
        if (path := reading.places) is None or not _has(kind, "address"):
            return None
        state = path, kind, path.stat().st_mtime_ns if path.is_file() else 0
        if state not in self._places:
            self._places.clear()
            self._places[state] = companions.read_places(path, kind=kind)
        return self._places[state]

    def head(self, reading: Reading) -> Table:
        return self._open(reading).head

    def tools(self, service: Service) -> Tools:
        return Tools(
            lookups=service.lookups,
            clock=self.clock,
            progress=self.progress,
            stop=StopSignal(halt=self.halt),
            workers=self.settings.workers,
        )

    async def check(
        self,
        reading: Reading,
        *,
        service: Service | None = None,
        journal: Journal | None = None,
        cache: AnswerCache | None = None,
        team_id: str = "",
    ) -> Checked:
        """Read and check a workbook, all its rows held; ask the service if given.

        What `cache` has is not asked; it keeps what the service says.
        """
        asker = None
        if service is not None:
            asker = Asker(tools=self.tools(service), cache=cache, team_id=team_id)
        suggester, table = RapidfuzzSuggester(), self.read(reading)
        beside = filter(None, (reading.places, reading.message))
        context = CheckContext(
            checker=SchemaChecker(),
            places=PyprojPlaces(accepts_suggestions=reading.accepts_coordinates),
            attachments=FolderAttachments(
                # The pattern * must not attach the workbook itself.
                reading.root.resolve(),
                suggester=suggester,
                excluding=[
                    *(reading.workbook, *beside),
                    *results_beside(reading.workbook),
                ],
                accepts_patterns=reading.accepts_patterns,
                bring=companions.bring_to(self.settings, reading.root),
            ),
            working_days=NewZealandDays(),
            suggester=suggester,
            today=self.today,
            choices=reading,
            given=reading.given,
            organisations=self._organisations(reading, table.kind),
            wording=self._wording(reading, table),
            own_checks=self.settings.own_checks,
        )
        return await check(table, context=context, asker=asker, journal=journal)

    def forget_answers(self) -> None:
        """Remove what checks were told, if there is anything."""
        with suppress(OSError):
            answers_beside(self.settings.journal_path()).unlink(missing_ok=True)

    def lacking(self, reading: Reading) -> tuple[Column, ...]:
        """Give the columns that the sheet lacks, and that a person can say in a word.

        None where the sheet is wrong in something else too.
        """
        head = self._open(reading).head
        filled = [each.means for each in head.read_as.every if each.values]
        lacking = tuple(
            each
            for each in load_columns(head.kind)
            if each.option and each not in filled and each.field not in reading.given
        )
        errors = [each for each in head.findings if each.severity is Severity.ERROR]
        there = sum(head.has(column.field) for column in lacking)
        return lacking if len(errors) + there == len(lacking) else ()

    def idle_options(self, reading: Reading) -> dict[str, SheetKind]:
        """Name the options of `reading` that mean nothing for its kind, and that."""
        usual = None, False, self.settings.bucket_folder
        options = READING_OPTIONS.items()
        said = [option for e, option in options if getattr(reading, e) not in usual]
        kind = self._open(reading).head.kind
        columns = load_columns(kind)
        idle = sorted(reading.given.keys() - {e.field for e in columns if e.option})
        has = {"", *(column.field for column in columns)}
        if kind.has_drafts:
            has.add("draft")
        idle += [each.called for each in said if not has & {*each.needs.split(" ")}]
        return dict.fromkeys(idle, kind)

    @property
    def today(self) -> date:
        return day_in_new_zealand(self.clock.now())

    def afresh(self) -> Toolkit:
        return replace(self)

    def sheets(self, reading: Reading, *, every: bool = False) -> SheetsToRead:
        """Say which sheet `reading` means, or name `every` list of its workbook."""
        if not every:
            sheet = self._open(reading).head.sheet
            label = self.label(reading, sheet=sheet)
            one = SheetToRead(reading=reading, sheet=sheet, label=label)
            return SheetsToRead(lists=(one,))
        found, left = self._book(reading).lists(kind=reading.kind)
        names = dict.fromkeys(self.list_names(reading, sheet=found[0][0])) | dict(found)
        lists = tuple(
            SheetToRead(
                reading=replace(reading, sheet=sheet, kind=kind),
                sheet=sheet,
                label=label_of(sheet, among=[*names]),
            )
            for sheet, kind in found
        )
        return SheetsToRead(lists=lists, left=left)

    def label(self, reading: Reading, *, sheet: str) -> str:
        """Say what names of files and batches carry, where there is another list."""
        label = label_of(sheet, among=self.list_names(reading, sheet=sheet))
        if reading.table is None:
            return label
        return f"{label or plain_label(sheet)} {plain_label(reading.table)}"

    def list_names(self, reading: Reading, *, sheet: str) -> tuple[str, ...]:
        return self._book(reading).names(chosen=sheet)

    def has_still(self, reading: Reading, earlier: SheetReading) -> bool:
        """Say whether a sheet lies where it was read `earlier`."""
        if earlier.workbook == str(reading.workbook.resolve()):
            return earlier.sheet in {each.name for each in self._book(reading).sheets}
        with suppress(OSError):
            return Path(earlier.workbook).exists()
        # Without read access, take it as there.
        return True

    def let_rows_go(self) -> None:
        """Let the rows of workbooks go: many take much memory while a run goes."""
        for reader in self._readers.values():
            reader.let_rows_go()
        gc.collect()  # A workbook and its rows name each other.

    def _open(self, reading: Reading) -> OpenSheet:
        return self._reader(reading).open(
            reading.workbook, kind=reading.kind, sheet=reading.sheet
        )

    def _book(self, reading: Reading) -> Chooser:
        return self._reader(reading).book(reading.workbook)

    def _reader(self, reading: Reading) -> CalamineReader:
        given = frozenset(reading.given)
        reads = reading.include_hidden, reading.takes_struck
        wanted = *reads, reading.accepts_months_first, given, reading.table
        if wanted not in self._readers:
            if unsaved := unsaved_words(reading.workbook):
                self.progress.say(unsaved)
            self._readers[wanted] = CalamineReader(
                {kind: load_columns(kind) for kind in self.kinds},
                choices=reading,
                memory=column_memory(self.settings.headings),
                given=given,
                books=self._books,
            )
        return self._readers[wanted]

    def _organisations(self, reading: Reading, kind: SheetKind) -> Sequence[TableRow]:
        """Read the sheet that lists organisations, if the workbook has one."""
        sheet = self._book(reading).organisations()
        if sheet in {None, reading.sheet} or not _has(kind, "organisation"):
            return ()
        return companions.read_organisations(
            reading.workbook, sheet=sheet, kind=kind, books=self._books
        )

    def _wording(self, reading: Reading, table: Table) -> Wording | None:
        """Read the message of rows without one, from its file or its sheet."""
        if not table.kind.has_drafts:
            return None
        if reading.message is not None:
            return companions.read_message(reading.message)
        book = self._book(reading)
        named = (e.name for e in book.sheets if fold(e.name) == MESSAGE_SHEET)
        sheet = next(named, table.sheet)
        if sheet == table.sheet:
            return None
        return wording_of(
            book.grid(sheet).rows,
            of="the sheet Message",
            place=lambda row, column: f"{sheet}!{column_letters(column)}{row}",
        )

    def writer(self, workbook: Path) -> StreamedResultWriter:
        """Give a writer of results that never touches `workbook`."""
        from kawe.workbook.results.result import (  # noqa: PLC0415 (start-up)
            StreamedResultWriter,
        )

        return StreamedResultWriter(
            protect=frozenset({workbook}),
            run=self.run.id,
            original=partial(self._original, workbook),
            page=self._page,
            says=self.says,
        )

    def _page(self, report: BatchReport) -> ResultPage:
        from kawe.html.pages import ResultPage  # noqa: PLC0415 (start-up)

        links = self.settings.project_link, self.settings.base_url
        return ResultPage(report, origins=filter(None, links))

    def _original(self, workbook: Path, report: BatchReport) -> Original | str:
        """Give the workbook that a report is of, as it was read, or why it is lost."""
        kind, sheet = SheetKind.named(report.kind), report.sheet
        with suppress(WorkbookError):
            for reader in self._readers.values():
                if held := reader.original(workbook, kind=kind, sheet=sheet):
                    return held
            # A report or a release has read none; its rows tell if it is as it was.
            reading = Reading(workbook=workbook, include_hidden=True, takes_struck=True)
            reader = self._reader(reading)
            reader.book(workbook)
            if again := reader.original(workbook, kind=kind, sheet=sheet):
                return again
        return "your own cannot be read as it was"

    def check_report(self, checked: Checked, *, workbook: Path) -> BatchReport:
        return report_check(
            checked, workbook=workbook, frame=Frame(written_at=self.clock.now())
        )

    def open_service(self) -> AbstractAsyncContextManager[Service]:
        """Open the service alone, for a check, or for questions about a key."""
        from kawe.service.opening import open_service  # noqa: PLC0415 (start-up)

        return open_service(
            service_options(self.settings),
            clock=self.clock,
            progress=self.progress,
            halt=self.halt,
        )

    @property
    def has_journal(self) -> bool:
        return is_there(self.settings.journal_place())

    @property
    def holder(self) -> Holder | None:
        """Give who writes the journal now; None: nobody does."""
        return writer_at(self.settings.journal_place())

    @property
    def journal_state(self) -> object:
        """Give what is another after every change, or once somebody else writes."""
        return state_of(self.settings.journal_place()), self.holder

    def run_beside(self, journal: Journal) -> datetime | None:
        """Give since when another run writes what `journal` only reads; None: none."""
        holder = self.holder if journal.is_read_only else None
        return holder.since if holder else None

    @asynccontextmanager
    async def open_journal(
        self, *, read_only: bool, may_be_missing: bool = False
    ) -> AsyncIterator[Journal]:
        """Open the journal alone; a missing one that is only read is empty."""
        if read_only and may_be_missing and not self.has_journal:
            journal = StoreJournal.in_memory()
        else:
            journal = StoreJournal.open(
                self.settings.journal_place(), run=self.run, read_only=read_only
            )
        async with aclosing(journal):
            yield journal

    async def held(self, journal: Journal) -> list[Entry]:
        """Give every row that waits for a person's decision."""
        held = [each for each in State if outcome_of(each) is Outcome.HELD]
        names = [batch.name for batch in await journal.batches()]
        return [e for n in names for e in await journal.unfinished(n, states=held)]

    def project_link(self, binding: Binding | None) -> str:
        """Give the address of a project's page, with `{id}`; empty if unknown.

        The interface shows no such address: only the twin's is known.
        """
        if self.settings.project_link or binding is None:
            return self.settings.project_link
        is_twin = is_loopback(binding.base_url)
        return f"{binding.base_url}/portal/projects/{{id}}" if is_twin else ""

    async def frame(self, journal: Journal) -> Frame:
        """Give what a report says beside the rows, whatever it is of."""
        return Frame(
            written_at=self.clock.now(),
            project_link=self.project_link(await journal.binding()),
            nobody=nobody(),
            reserve=self.settings.keep_reserve,
        )

    async def report(
        self, batch: Batch, *, journal: Journal, frame: Frame | None = None
    ) -> BatchReport:
        """Report a batch from the journal, with all rows if no `frame` says less."""
        frame = frame or await self.frame(journal)
        return await report_batch(batch, journal=journal, frame=frame)


def _has(kind: SheetKind, field: str) -> bool:
    return any(column.field == field for column in load_columns(kind))
