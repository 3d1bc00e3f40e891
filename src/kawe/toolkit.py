"""The one place that knows every class: adapters are picked and stacked here.

A `Toolkit` reads and checks; a `Session` is a toolkit with a service and a
journal open, bound to one account. The command line calls these and nothing
below them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from kawe import __version__
from kawe.domain.columns import SheetKind
from kawe.domain.entries import Batch, BatchName, Binding
from kawe.domain.exports import ReceiptExport
from kawe.domain.outcomes import BatchReport
from kawe.domain.plans import Plan
from kawe.domain.service_words import Account
from kawe.domain.tokens import Budget
from kawe.errors import GuardRefused, SettingsError, WorkbookError
from kawe.files.attachments import FolderAttachments
from kawe.files.receipts import ReceiptFolder
from kawe.flows.checking import Checked, check
from kawe.flows.crew import Brake
from kawe.flows.exporting import Exporter, export_receipts
from kawe.flows.planning import Source, make_plan
from kawe.flows.project_rows import Ground
from kawe.flows.releasing import release, waiting
from kawe.flows.reporting import Frame, report_batch, report_check
from kawe.flows.routing import Asker
from kawe.flows.run import Run
from kawe.flows.submitting import submit
from kawe.geo.places import PyprojPlaces
from kawe.journal.sqlite import SqliteJournal
from kawe.machine import SystemClock
from kawe.ports import Halt, Journal, Progress
from kawe.schemas.catalog import load_columns
from kawe.schemas.checker import SchemaChecker
from kawe.service.opening import Service, ServiceOptions, open_service
from kawe.settings import Settings
from kawe.workbook.plain import PlainWriter
from kawe.workbook.reader import workbook_reader
from kawe.workbook.result import OpenpyxlResultWriter

AUCKLAND: Final = ZoneInfo("Pacific/Auckland")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a workbook is to be read and checked."""

    workbook: Path
    kind: SheetKind | None = None
    sheet: str | None = None
    files_root: Path | None = None
    """None: the workbook's own folder."""
    send_by_default: bool = False
    include_hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A checked workbook and the plan that follows from it."""

    checked: Checked
    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolkit:
    """What kawe can do without asking anybody."""

    settings: Settings
    progress: Progress
    halt: Halt
    clock: SystemClock = field(default_factory=SystemClock)

    async def check(
        self, reading: Reading, *, service: Service | None, journal: Journal | None
    ) -> Checked:
        """Read and check a workbook; ask the service where there is one.

        Raises:
            WorkbookError: It cannot be read.
            ServiceError: A question could not be answered.
        """
        columns = {kind: load_columns(kind) for kind in SheetKind}
        reader = workbook_reader(columns, include_hidden=reading.include_hidden)
        table = reader.read(reading.workbook, kind=reading.kind, sheet=reading.sheet)
        brake = Brake(halt=self.halt)
        asker = None
        if service is not None:
            asker = Asker(
                lookups=service.lookups,
                progress=self.progress,
                brake=brake,
                workers=self.settings.workers,
            )
        root = reading.files_root or reading.workbook.parent
        ground = Ground(
            checker=SchemaChecker(),
            places=PyprojPlaces(),
            attachments=FolderAttachments(root),
            today=self.clock.now().astimezone(AUCKLAND).date(),
            send_by_default=reading.send_by_default,
        )
        return await check(table, ground=ground, asker=asker, journal=journal)

    def result_path(self, workbook: Path, *, wanted: Path | None) -> Path:
        """Say where the result of a workbook goes: NAME.result.xlsx beside it.

        Raises:
            WorkbookError: That would be the workbook itself.
        """
        stem = workbook.stem.removesuffix(".result")
        path = wanted or workbook.with_name(f"{stem}.result.xlsx")
        if path.exists() and path.samefile(workbook):
            if wanted is None:
                return workbook.with_name(f"{stem}.result (2).xlsx")
            raise WorkbookError(
                message="The result would be written over your workbook.",
                hint="Choose another name with --result.",
            )
        return path

    def writer(self, workbook: Path) -> OpenpyxlResultWriter:
        """Give a writer that will not touch `workbook`."""
        return OpenpyxlResultWriter(protect=frozenset({workbook}))

    def check_report(self, checked: Checked, *, workbook: Path) -> BatchReport:
        """Make the report of a check."""
        return report_check(
            checked, workbook=workbook, frame=Frame(written_at=self.clock.now())
        )

    @asynccontextmanager
    async def open_service(self) -> AsyncIterator[Service]:
        """Open the service alone, for a check."""
        options = ServiceOptions(
            base_url=self.settings.service_url(),
            key=self.settings.service_key(),
            paths=self.settings.paths,
            workers=self.settings.workers,
            user_agent=f"kawe/{__version__}",
        )
        async with open_service(
            options, clock=self.clock, progress=self.progress, halt=self.halt
        ) as service:
            yield service

    @asynccontextmanager
    async def open_journal(self, *, read_only: bool) -> AsyncIterator[Journal]:
        """Open the journal alone, for a look at it.

        Raises:
            JournalError: There is none, or it cannot be read.
        """
        journal = SqliteJournal.open(self.settings.journal_path(), read_only=read_only)
        try:
            yield journal
        finally:
            await journal.close()

    @asynccontextmanager
    async def open_session(self) -> AsyncIterator[Session]:
        """Open service and journal, and bind them to each other.

        Raises:
            GuardRefused: Key, account and settings disagree about live or sandbox.
            JournalForeign: The journal belongs to another account.
        """
        async with (
            self.open_service() as service,
            self.open_journal(read_only=False) as journal,
        ):
            account = await service.lookups.account()
            mode = agreed_mode(self.settings, account)
            await journal.bind(
                Binding(
                    base_url=self.settings.service_url(),
                    team_id=account.team_id,
                    team_name=account.team_name,
                    mode=mode,
                )
            )
            yield Session(
                toolkit=self,
                service=service,
                journal=journal,
                account=account,
                mode=mode,
            )

    async def report(
        self,
        batch: Batch,
        *,
        journal: Journal,
        tokens_left: int | None = None,
        remarks: tuple[str, ...] = (),
    ) -> BatchReport:
        """Make the report of a batch from the journal."""
        binding = await journal.binding()
        base_url = "" if binding is None else binding.base_url
        frame = Frame(
            written_at=self.clock.now(),
            project_link=self.settings.project_link or f"{base_url}/projects/{{id}}",
            tokens_left=tokens_left,
            remarks=remarks,
        )
        return await report_batch(batch, journal=journal, frame=frame)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A toolkit with its service and journal open."""

    toolkit: Toolkit
    service: Service
    journal: Journal
    account: Account
    mode: str

    @property
    def is_live(self) -> bool:
        """Say whether sends reach people and cost tokens."""
        return self.mode == "live"

    async def prepare(self, reading: Reading) -> Prepared:
        """Check a workbook and plan what submitting it would do."""
        checked = await self.toolkit.check(
            reading, service=self.service, journal=self.journal
        )
        source = Source(
            workbook=reading.workbook.resolve(), read_at=self.toolkit.clock.now()
        )
        plan = await make_plan(
            checked, source=source, account=self.account, journal=self.journal
        )
        return Prepared(checked=checked, plan=plan)

    def start(self) -> Run:
        """Start a run."""
        return Run(
            journal=self.journal,
            acts=self.service.acts,
            lookups=self.service.lookups,
            uploads=self.service.uploads,
            pace=self.service.pace,
            clock=self.toolkit.clock,
            progress=self.toolkit.progress,
            brake=Brake(halt=self.toolkit.halt),
            account=self.account,
            workers=self.toolkit.settings.workers,
            settle_seconds=self.toolkit.settings.settle_seconds,
        )

    def budget(self, *, max_tokens: int | None, agreed: int | None) -> Budget:
        """Say how many sends may be tried."""
        return Budget(
            balance=self.account.balance if self.is_live else None,
            keep_reserve=self.toolkit.settings.keep_reserve,
            max_tokens=max_tokens,
            agreed=agreed if self.is_live else None,
        )

    async def submit(
        self, prepared: Prepared, *, run: Run, budget: Budget, drafts_only: bool
    ) -> None:
        """Carry a plan out."""
        await submit(
            prepared.plan,
            run=run,
            budget=budget,
            organisations=prepared.checked.organisations,
            drafts_only=drafts_only,
        )

    async def waiting(self, batches: tuple[BatchName, ...]) -> int:
        """Count the rows that wait for tokens."""
        return sum([len(waiting(await self.journal.entries(n))) for n in batches])

    async def release(
        self, batches: tuple[BatchName, ...], *, run: Run, budget: Budget
    ) -> None:
        """Let rows go on that waited for tokens."""
        await release(batches, run=run, budget=budget)

    async def balance(self) -> int | None:
        """Ask for the balance; None for a sandbox key."""
        if not self.is_live:
            return None
        return (await self.service.lookups.account()).balance

    async def export_receipts(self, folder: Path) -> ReceiptExport:
        """Save every receipt below `folder`."""
        return await export_receipts(
            Exporter(
                lookups=self.service.lookups,
                downloads=self.service.downloads,
                folder=ReceiptFolder(folder, tables=PlainWriter()),
                journal=self.journal,
                progress=self.toolkit.progress,
                clock=self.toolkit.clock,
                brake=Brake(halt=self.toolkit.halt),
                account=self.account,
                workers=self.toolkit.settings.workers,
            )
        )


def agreed_mode(settings: Settings, account: Account) -> str:
    """Say live or sandbox, when key, account and settings agree.

    Raises:
        GuardRefused: They do not, or the account is an iwi's.
    """
    if account.is_iwi:
        raise GuardRefused(
            message=f"The key belongs to {account.team_name}, an iwi account.",
            hint="kawe works for organisations: use a key of your team.",
        )
    of_account = None
    if account.sandbox is not None:
        of_account = "sandbox" if account.sandbox else "live"
    said = {
        "the key": settings.key_mode,
        "the account": of_account,
        "the settings": settings.mode,
    }
    voices = {who: mode for who, mode in said.items() if mode is not None}
    if len(set(voices.values())) > 1:
        words = ", ".join(f"{who} says {mode}" for who, mode in voices.items())
        raise GuardRefused(
            message=f"It is not clear whether this is live or sandbox: {words}.",
            hint="Use the key that you mean, or correct mode in the settings. "
            "Nothing was sent.",
        )
    # Where nobody says, sends are taken to be real.
    return next(iter(voices.values()), "live")


def find_batch(batches: tuple[Batch, ...], *, name: str | None) -> Batch:
    """Find a batch by its name or the beginning of it; the latest without one.

    Raises:
        SettingsError: There is none, or several begin so.
    """
    if not batches:
        raise SettingsError(
            message="The journal holds no batch yet.",
            hint="Submit a workbook first: kawe submit WORKBOOK",
        )
    if name is None:
        return batches[-1]
    exact = [each for each in batches if each.name == name]
    found = exact or [each for each in batches if each.name.startswith(name)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(each.name for each in found or batches)
    raise SettingsError(
        message=f"{name!r} is {'not the name of a' if not found else 'more than one'} "
        "batch.",
        hint=f"Batches are: {names}.",
    )
