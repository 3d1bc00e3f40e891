"""A person at a desk: runs kawe, and picks a journal up after a process died."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TypeVar

from doubles.machine import Quiet
from doubles.world import Doors, World
from faults.state_machine.books import Book, People
from kawe.domain.entries import Entry, SheetReading
from kawe.domain.outcomes import BatchReport
from kawe.domain.service_words import ProjectId
from kawe.domain.states import State
from kawe.domain.tokens import Budget
from kawe.errors import KaweError
from kawe.flows.crew import Brake
from kawe.flows.planning import make_plan
from kawe.flows.releasing import release
from kawe.flows.reporting import Frame, Submitted, report_batch
from kawe.flows.resolving import Decision, Word, resolve
from kawe.flows.run import Run
from kawe.flows.scanning import scan_organisations
from kawe.flows.submitting import submit
from kawe.journal.memory import MemoryJournal
from kawe.journal.sqlite import SqliteJournal
from kawe.journal.verify import verify_journal
from kawe.ports import Journal

T = TypeVar("T")
SETTLE_SECONDS = 180.0


class Drawer(ABC):
    """Where the journal lies from one process to the next."""

    @abstractmethod
    def open(self, *, stop_at: int | None) -> Journal:
        """Open it as the next process does; it may die at a write."""

    @abstractmethod
    def wipe(self) -> None:
        """Lose it."""

    @abstractmethod
    def check(self) -> None:
        """Make sure that what it tells of each row could have happened."""


class MemoryDrawer(Drawer):
    """A journal in memory."""

    def __init__(self) -> None:
        self._journal = MemoryJournal()

    def open(self, *, stop_at: int | None) -> Journal:
        """Open what the last process left."""
        self._journal = self._journal.restarted(stop_at=stop_at)
        return self._journal

    def wipe(self) -> None:
        """Forget everything."""
        self._journal = MemoryJournal()

    def check(self) -> None:
        """Leave it to the rules that every move went through."""


class SqliteDrawer(Drawer):
    """A journal on disk, in a file of its own after each loss."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()
        self.wipe()

    def open(self, *, stop_at: int | None) -> Journal:  # noqa: ARG002 - dies in requests alone
        """Open the file."""
        return SqliteJournal.open(self._path)

    def wipe(self) -> None:
        """Begin another file."""
        self._path = self._folder / f"journal-{next(self._numbers)}.db"

    def check(self) -> None:
        """Follow the chain of everything that happened."""
        if self._path.exists():
            assert verify_journal(self._path).fault is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a person allows one run."""

    drafts_only: bool = False
    update_drafts: bool = False
    max_tokens: int | None = None
    keep_reserve: int = 0
    lies_by: int = 0
    """So many tokens the balance shows that are not there."""


NO_LIMITS = Limits()


@dataclass(slots=True, kw_only=True)
class Desk:
    """One person, one journal, one world."""

    world: World
    drawer: Drawer
    workers: int = 3
    last_read: SheetReading | None = None
    rows_read: int | None = None
    """How many rows the last workbook had; None when that run died."""
    trouble: KaweError | None = None
    """What ended the last command."""

    def lose_journal(self) -> None:
        """Have the journal gone."""
        self.drawer.wipe()
        self.last_read = None

    async def submit(
        self,
        book: Book | People,
        *,
        limits: Limits = NO_LIMITS,
        stop_at: int | None = None,
    ) -> Run | None:
        """Run `kawe submit`; None when the command ended before it began."""

        async def work(journal: Journal, doors: Doors) -> Run:
            organisations = (
                await scan_organisations(doors.lookups)
                if isinstance(book, Book)
                else {}
            )
            run = await self._run(journal, doors)
            plan = await make_plan(
                book.checked(),
                source=book.source(self.world.clock.now()),
                account=run.account,
                journal=journal,
                update_drafts=limits.update_drafts,
            )
            self.last_read, self.rows_read = plan.batch.reading, None
            await submit(
                plan,
                run=run,
                budget=self._budget(run, limits),
                organisations=organisations,
                drafts_only=limits.drafts_only,
            )
            self.rows_read = len(book.rows)
            self.trouble = run.brake.because
            return run

        return await self._command(work, stop_at=stop_at)

    async def release(
        self, *, limits: Limits = NO_LIMITS, stop_at: int | None = None
    ) -> Run | None:
        """Run `kawe release`."""

        async def work(journal: Journal, doors: Doors) -> Run:
            run = await self._run(journal, doors)
            names = tuple(each.name for each in await journal.batches())
            await release(names, run=run, budget=self._budget(run, limits))
            self.trouble = run.brake.because
            return run

        return await self._command(work, stop_at=stop_at)

    async def resolve(
        self, entry: Entry, decision: Decision, *, project: ProjectId | None
    ) -> Entry | None:
        """Run `kawe resolve`."""

        async def work(journal: Journal, doors: Doors) -> Entry:
            resolved = await resolve(
                entry,
                Word(decision=decision, project=project),
                journal=journal,
                lookups=doors.lookups,
                clock=self.world.clock,
            )
            return resolved.entry

        return await self._command(work, stop_at=None)

    async def look(self) -> tuple[list[Entry], BatchReport | None]:
        """Give every row, and what `kawe report` says of the last workbook."""
        journal = self.drawer.open(stop_at=None)
        entries: list[Entry] = []
        report = None
        try:
            for batch in await journal.batches():
                entries += await journal.entries(batch.name)
                if self.last_read is not None and batch.name == self.last_read.batch:
                    report = await report_batch(
                        batch,
                        journal=journal,
                        frame=Frame(
                            written_at=self.world.clock.now(),
                            submitted=Submitted(reading=self.last_read),
                        ),
                    )
        finally:
            await journal.close()
        return entries, report

    async def entries(self) -> list[Entry]:
        """Give every row that the journal knows."""
        return (await self.look())[0]

    async def held(self) -> list[Entry]:
        """List the rows that wait for a person's word."""
        return [each for each in await self.entries() if each.state is State.HELD]

    async def _command(
        self,
        work: Callable[[Journal, Doors], Awaitable[T]],
        *,
        stop_at: int | None,
    ) -> T | None:
        self.world.halt.asked = False
        journal = self.drawer.open(stop_at=stop_at)
        try:
            async with self.world.open() as doors:
                return await work(journal, doors)
        except KaweError as trouble:
            self.trouble = trouble
            return None
        finally:
            await journal.close()

    async def _run(self, journal: Journal, doors: Doors) -> Run:
        return Run(
            journal=journal,
            acts=doors.acts,
            lookups=doors.lookups,
            uploads=doors.uploads,
            pace=doors.pace,
            clock=self.world.clock,
            progress=Quiet(),
            brake=Brake(halt=self.world.halt),
            account=await doors.lookups.account(),
            workers=self.workers,
            settle_seconds=SETTLE_SECONDS,
        )

    def _budget(self, run: Run, limits: Limits) -> Budget:
        return Budget(
            balance=run.account.balance + limits.lies_by,
            max_tokens=limits.max_tokens,
            keep_reserve=limits.keep_reserve,
        )
