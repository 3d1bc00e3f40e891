"""What kawe does with a workbook, a service or a journal alone."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kawe.days import NewZealandDays
from kawe.domain.batch.iwi_load import NO_LOAD, IwiLoad
from kawe.domain.batch.outcomes import BatchReport, Outcome, outcome_of
from kawe.domain.batch.saved_plans import Reading
from kawe.domain.rows.entries import Batch, Binding, Entry
from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.findings import blocks
from kawe.domain.sheet.tables import Table
from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.errors import WorkbookError
from kawe.files.attachments import FolderAttachments
from kawe.flows.check.checking import Checked, check
from kawe.flows.checked_rows import CheckContext, QuickCheck
from kawe.flows.kinds import Kind
from kawe.flows.report.reporting import Frame, Submitted, report_batch, report_check
from kawe.flows.routing import AnswerCache, Asker
from kawe.flows.workers import StopSignal
from kawe.geo.places import PyprojPlaces
from kawe.journal.journal import StoreJournal
from kawe.machine import SystemClock
from kawe.ports import Halt, Journal, Progress, Sheet
from kawe.ports.notices import Alerts
from kawe.schemas.catalog import load_columns
from kawe.schemas.checker import SchemaChecker
from kawe.settings import Settings
from kawe.toolkit.choices import nobody
from kawe.toolkit.kinds import KINDS
from kawe.toolkit.reaching import service_options
from kawe.toolkit.sheets import (
    SheetsToRead,
    SheetToRead,
    label_of,
    result_name,
    result_name_of_batch,
)
from kawe.workbook.reading.reader import CalamineReader
from kawe.workbook.reading.suggesting import RapidfuzzSuggester
from kawe.workbook.scan.identify import check_is_file

if TYPE_CHECKING:
    from kawe.service.opening import Service
    from kawe.workbook.results.result import StreamedResultWriter

_RESULT_ENDINGS: Final = ("xlsx", "csv", "json")
_RESULT: Final = r"(\.[^/]+)?\.result( \(\d+\))?"


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
    _readers: dict[bool, CalamineReader] = field(
        init=False, default_factory=dict, repr=False, compare=False
    )
    """By whether hidden rows are read too: each holds the workbook it read last."""

    def read(self, reading: Reading) -> Table:
        """Read a workbook; check nothing.

        Raises:
            WorkbookError: It cannot be read.
        """
        return self._open(reading).table()

    async def check(
        self,
        reading: Reading,
        *,
        service: Service | None,
        journal: Journal | None,
        keeps: bool = True,
        team_id: str = "",
    ) -> Checked:
        """Read and check a workbook, all its rows held; ask the service if given.

        The journal keeps what the service says of places, if it `keeps` anything.

        Raises:
            WorkbookError: It cannot be read.
            ServiceError: A question could not be answered.
        """
        asker = None
        if service is not None:
            asker = Asker(
                lookups=service.lookups,
                progress=self.progress,
                stop=StopSignal(halt=self.halt),
                workers=self.settings.workers,
                cache=None
                if journal is None
                else AnswerCache(journal=journal, clock=self.clock, keeps=keeps),
                team_id=team_id,
            )
        table, context = self.read(reading), self._ground(reading)
        return await check(table, context=context, asker=asker, journal=journal)

    async def check_offline(
        self, reading: Reading, *, is_quick: bool = True
    ) -> Checked | QuickCheck:
        """Read and check a workbook of any size without the service.

        Raises:
            WorkbookError: It cannot be read.
        """
        sheet, context = self._open(reading), self._ground(reading)
        quick = None
        if is_quick and not blocks(sheet.head.findings):
            quick = Kind.of(sheet.head.kind).quick_check(sheet, context=context)
        return quick or await check(sheet.table(), context=context, asker=None)

    def sheets(self, reading: Reading, *, every: bool = False) -> SheetsToRead:
        """Say which sheet `reading` means, or name `every` list of its workbook.

        Raises:
            WorkbookError: It cannot be read, has no list, or several could be meant.
        """
        if not every:
            sheet = self._open(reading).head.sheet
            label = label_of(sheet, among=self.list_names(reading, sheet=sheet))
            one = SheetToRead(reading=reading, sheet=sheet, label=label)
            return SheetsToRead(lists=(one,))
        found, left = self._reader(reading).lists(reading.workbook, kind=reading.kind)
        names = self.list_names(reading, sheet=found[0][0])
        lists = tuple(
            SheetToRead(
                reading=replace(reading, sheet=sheet, kind=kind),
                sheet=sheet,
                label=label_of(sheet, among=names),
            )
            for sheet, kind in found
        )
        return SheetsToRead(lists=lists, left=left)

    def list_names(self, reading: Reading, *, sheet: str) -> tuple[str, ...]:
        """Name every list of a workbook, and `sheet`."""
        return self._reader(reading).list_names(reading.workbook, chosen=sheet)

    def _open(self, reading: Reading) -> Sheet:
        return self._reader(reading).open(
            reading.workbook, kind=reading.kind, sheet=reading.sheet
        )

    def _reader(self, reading: Reading) -> CalamineReader:
        wanted = reading.include_hidden
        if wanted not in self._readers:
            columns: dict[SheetKind, tuple[Column, ...]]
            columns = {kind: load_columns(kind) for kind in self.kinds}
            taught = self.settings.columns
            self._readers[wanted] = CalamineReader(
                columns, include_hidden=wanted, taught=taught
            )
        return self._readers[wanted]

    def _ground(self, reading: Reading) -> CheckContext:
        suggester = RapidfuzzSuggester()
        return CheckContext(
            checker=SchemaChecker(),
            places=PyprojPlaces(accepts_suggestions=reading.accepts_coordinates),
            attachments=FolderAttachments(
                # The pattern * must not attach the workbook itself.
                reading.root.resolve(),
                suggester=suggester,
                excluding=[reading.workbook, *_results_of(reading.workbook)],
                accepts_patterns=reading.accepts_patterns,
            ),
            working_days=NewZealandDays(),
            suggester=suggester,
            today=day_in_new_zealand(self.clock.now()),
            send_by_default=reading.send_by_default,
            allows_owners=reading.allows_owners,
            accepts_alike=reading.accepts_alike,
        )

    def result_path(
        self, workbook: Path, *, wanted: Path | None, label: str = ""
    ) -> Path:
        """Say where the result of a workbook goes: NAME.result.xlsx beside it.

        Of one list among several it is NAME.SHEET.result.xlsx, by its `label`.

        Raises:
            WorkbookError: That would be the workbook itself, or it is no file.
        """
        # A report can be written without the workbook.
        if workbook.exists():
            check_is_file(workbook)
        path = wanted or result_name(workbook, label)
        if path.exists() and path.samefile(workbook):
            if wanted is None:
                return workbook.with_name(f"{path.stem} (2).xlsx")
            raise WorkbookError(
                message="The result would be written over your workbook.",
                hint="Choose another name with --result.",
            )
        return path

    def result_path_of(
        self, batch: Batch, *, among: Sequence[Batch], wanted: Path | None = None
    ) -> Path:
        """Say where the result of a batch goes; `among` are all batches.

        Raises:
            WorkbookError: As for `result_path`.
        """
        workbook = Path(batch.workbook)
        others = ((each.workbook, each.sheet) for each in among)
        named = result_name_of_batch(workbook, batch.sheet, others=others)
        if wanted is None and not (named.exists() and named.samefile(workbook)):
            wanted = named
        return self.result_path(workbook, wanted=wanted)

    def writer(self, workbook: Path) -> StreamedResultWriter:
        """Give a writer that will not touch `workbook`."""
        from kawe.workbook.results.result import (  # noqa: PLC0415 (start-up)
            StreamedResultWriter,
        )

        return StreamedResultWriter(protect=frozenset({workbook}))

    def check_report(
        self, checked: Checked | QuickCheck, *, workbook: Path
    ) -> BatchReport:
        """Make the report of a check."""
        return report_check(
            checked, workbook=workbook, frame=Frame(written_at=self.clock.now())
        )

    def open_service(self) -> AbstractAsyncContextManager[Service]:
        """Open the service alone, for a check."""
        from kawe.service.opening import open_service  # noqa: PLC0415 (start-up)

        return open_service(
            service_options(self.settings),
            clock=self.clock,
            progress=self.progress,
            halt=self.halt,
        )

    @property
    def has_journal(self) -> bool:
        """Check that a journal exists for this service and key."""
        return self.settings.journal_path().exists()

    @asynccontextmanager
    async def open_journal(self, *, read_only: bool) -> AsyncIterator[Journal]:
        """Open the journal alone.

        Raises:
            JournalError: There is none, or it cannot be read.
        """
        journal = StoreJournal.open(self.settings.journal_path(), read_only=read_only)
        try:
            yield journal
        finally:
            await journal.close()

    async def held(self, journal: Journal) -> list[Entry]:
        """List the rows that wait for a person's decision."""
        return [
            entry
            for batch in await journal.batches()
            for entry in await journal.entries(batch.name)
            if outcome_of(entry.state) is Outcome.HELD
        ]

    def project_link(self, binding: Binding | None) -> str:
        """Give the address of a project's page, with `{id}`; empty if unknown.

        The interface shows no such address: only the twin's is known.
        """
        if self.settings.project_link or binding is None:
            return self.settings.project_link
        is_twin = is_loopback(binding.base_url)
        return f"{binding.base_url}/portal/projects/{{id}}" if is_twin else ""

    async def report(
        self,
        batch: Batch,
        *,
        journal: Journal,
        submitted: Submitted | None = None,
        tokens_left: int | None = None,
        remarks: tuple[str, ...] = (),
        iwi_load: IwiLoad = NO_LOAD,
    ) -> BatchReport:
        """Report a batch from the journal; `submitted` limits it to a sheet's rows."""
        binding = await journal.binding()
        frame = Frame(
            written_at=self.clock.now(),
            project_link=self.project_link(binding),
            tokens_left=tokens_left,
            nobody=nobody(),
            remarks=remarks,
            iwi_load=iwi_load,
            submitted=submitted,
        )
        return await report_batch(batch, journal=journal, frame=frame)


def _results_of(workbook: Path) -> list[Path]:
    """List the results beside `workbook`, also those of earlier runs."""
    name = re.sub(rf"{_RESULT}$", "", workbook.stem)
    wanted = re.compile(rf"{re.escape(name)}{_RESULT}\.({'|'.join(_RESULT_ENDINGS)})")
    try:
        beside = list(workbook.parent.iterdir())
    except OSError:
        # The folder cannot be listed.
        return [workbook.with_name(f"{name}.result.{end}") for end in _RESULT_ENDINGS]
    return [each for each in beside if wanted.fullmatch(each.name)]
