"""A person at a desk: runs kawe, and picks a journal up after a process died."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TypeVar
from zlib import crc32

from doubles.clock import StillClock
from doubles.machine import Quiet
from doubles.memory_journal import MemoryJournal
from doubles.sheets import check_context
from doubles.submitting import submit
from doubles.world import Doors, World
from faults.leaving import Standing, agreed_words, standing_of, words_of
from faults.state_machine.books import Book, People
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.rows.entries import BatchName, Entry, SheetReading
from kawe.domain.rows.identity import marker_of
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import RowKey, State
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.errors import KaweError
from kawe.flows.check.checking import Checked, compare_with_before
from kawe.flows.check.reusing import keys_of
from kawe.flows.plan.planning import make_plan
from kawe.flows.report.reporting import Frame, Submitted, report_batch
from kawe.flows.routing import Asker
from kawe.flows.run import Run
from kawe.flows.scanning import scan_organisations
from kawe.flows.settle.resolving import Decision, PersonDecision, Resolver
from kawe.flows.tools import StopSignal
from kawe.flows.wait.queueing import release
from kawe.journal.history import verify_journal
from kawe.journal.journal import StoreJournal
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
        return StoreJournal.open(self._path)

    def wipe(self) -> None:
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
    takes_out: bool = False
    """Rows that were cut out of their workbook leave."""
    max_tokens: int | None = None
    keep_reserve: int = 0
    lies_by: int = 0
    """So many tokens the balance shows that are not there."""


NO_LIMITS = Limits()


class DeskClock(StillClock):
    """The world's clock, set wrong."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def now(self) -> datetime:
        """Give what this computer takes for the instant."""
        return self._desk.world.clock.now() + self._desk.ahead

    def elapsed(self) -> float:
        """Give the seconds that really went by."""
        return self._desk.world.clock.elapsed()

    async def sleep(self, wait_seconds: float) -> None:
        """Let the time pass for everybody."""
        await self._desk.world.clock.sleep(wait_seconds)


@dataclass(slots=True, kw_only=True)
class Desk:
    """One person, one journal, one world."""

    world: World
    drawer: Drawer
    ahead: timedelta = timedelta(0)
    """How far the clock of this computer is ahead of the service's."""
    is_there: Callable[[SheetReading], bool] = field(default=lambda _: True)
    """Says whether a workbook lies where it was read."""
    is_busy: bool = False
    """A command runs: another one would not get at the journal."""
    unsaid: list[str] = field(default_factory=list)
    """Rows that waited, and of which no command told when they did no more."""
    workers: int = 3
    last_read: SheetReading | None = None
    rows_read: int | None = None
    """How many rows the last workbook had; None when that run died."""
    trouble: KaweError | None = None
    """What ended the last command."""
    superfluous: frozenset[str] = frozenset()
    """The rows whose drafts the last command said belong to none."""
    _read: dict[str, frozenset[str]] = field(default_factory=dict)
    may_ask: dict[str, set[str]] = field(default_factory=dict)
    """The markers that each workbook asks to be sent, as far as kawe may have read."""
    _waited: dict[RowKey, Entry] = field(default_factory=dict)
    _quiet: Quiet = field(default_factory=Quiet)
    _heard: list[str] = field(default_factory=list)
    """What was said since by commands that were killed."""

    @property
    def clock(self) -> DeskClock:
        """Give the clock on the wall of this computer."""
        return DeskClock(self)

    def lose_journal(self) -> None:
        """Have the journal gone."""
        self.drawer.wipe()
        self.last_read = None
        self._waited = {}

    async def submit(
        self,
        book: Book | People,
        *,
        limits: Limits = NO_LIMITS,
        stop_at: int | None = None,
    ) -> Run | None:
        """Run `kawe submit`; None when the command ended before it began."""
        batches: list[BatchName] = []

        async def work(journal: Journal, doors: Doors) -> Run:
            organisations = (
                await scan_organisations(doors.lookups)
                if isinstance(book, Book)
                else {}
            )
            run = await self._run(journal, doors)
            checked = book.checked()
            if isinstance(book, Book):
                checked = await _held_against(checked, run=run)
            plan = await make_plan(
                checked,
                source=replace(book.source(self.clock.now()), is_there=self.is_there),
                account=run.account,
                journal=journal,
                update_drafts=limits.update_drafts,
            )
            plan = replace(plan, takes_out=limits.takes_out)
            self._quiet.say(agreed_words(plan))
            self.last_read, self.rows_read = plan.batch.reading, None
            batches.append(plan.batch.name)
            await submit(
                plan,
                run=run,
                budget=self._budget(run, limits),
                organisations=organisations,
                drafts_only=limits.drafts_only,
            )
            self.rows_read = len(book.rows)
            self.trouble = run.stop.because
            return run

        return await self._watched(work, batches, book=book, stop_at=stop_at)

    async def release(
        self, *, limits: Limits = NO_LIMITS, stop_at: int | None = None
    ) -> Run | None:
        """Run `kawe release`."""
        names: list[BatchName] = []

        async def work(journal: Journal, doors: Doors) -> Run:
            run = await self._run(journal, doors)
            names.extend(each.name for each in await journal.batches())
            await release(names, run=run, budget=self._budget(run, limits))
            self.trouble = run.stop.because
            return run

        return await self._watched(work, names, stop_at=stop_at)

    async def resolve(
        self, entry: Entry, decision: Decision, *, project: ProjectId | None
    ) -> Entry | None:
        """Run `kawe resolve`."""

        async def work(journal: Journal, doors: Doors) -> Entry:
            resolved = await Resolver(
                journal=journal, lookups=doors.lookups, clock=self.clock
            ).resolve(entry, PersonDecision(decision=decision, project=project))
            return resolved.entry

        return await self._command(work, stop_at=None)

    async def look(self) -> tuple[list[Entry], BatchReport | None]:
        """Give every row, and what `kawe status --write` says of the last workbook."""
        journal = self.drawer.open(stop_at=None)
        entries: list[Entry] = []
        report = None
        async with aclosing(journal):
            for batch in await journal.batches():
                entries += await journal.entries(batch.name)
                if self.last_read is not None and batch.name == self.last_read.batch:
                    report = await report_batch(
                        batch,
                        journal=journal,
                        frame=Frame(
                            written_at=self.clock.now(),
                            submitted=Submitted(reading=self.last_read),
                        ),
                    )
        return entries, report

    async def entries(self) -> list[Entry]:
        """Give every row that the journal knows."""
        return (await self.look())[0]

    async def held(self) -> list[Entry]:
        """List the rows that wait for a person's word."""
        return [each for each in await self.entries() if each.state is State.HELD]

    async def _watched(
        self,
        work: Callable[[Journal, Doors], Awaitable[T]],
        batches: Sequence[BatchName],
        *,
        book: Book | People | None = None,
        stop_at: int | None,
    ) -> T | None:
        """Run a command, and see to it that it says what leaves the queue."""
        self._waited |= (await self._standing()).waiting
        self._quiet, self.trouble = Quiet(), None
        try:
            done = await self._command(work, stop_at=stop_at)
        except BaseException:
            self._heard += self._quiet.said
            self._reads(book, is_whole=False)
            raise
        waited, self._waited = self._waited, {}
        after = await self._standing()
        words = await self._words(batches)
        self._reads(book, is_whole=done is not None)
        # Where the service was away, nothing was read.
        if isinstance(book, Book) and batches:
            wanted = (row.name for row in book.valid() if row.send)
            self._read[book.name] = frozenset(wanted)
        self.unsaid += [each.content.name for each in after.unsaid(waited, words)]
        return done

    async def _standing(self) -> Standing:
        async with aclosing(self.drawer.open(stop_at=None)) as journal:
            return await standing_of(journal)

    async def _words(self, batches: Sequence[BatchName]) -> str:
        said = [*self._heard, *self._quiet.said, str(self.trouble or "")]
        orphans: set[str] = set()
        self._heard = []
        journal = self.drawer.open(stop_at=None)
        frame = Frame(written_at=self.clock.now())
        async with aclosing(journal):
            for batch in await journal.batches():
                if batch.name in batches:
                    report = await report_batch(batch, journal=journal, frame=frame)
                    said.append(words_of(report))
                    orphans |= {
                        each.name
                        for each in report.orphans
                        if "given up" not in each.why
                    }
        self.superfluous = frozenset(orphans)
        return "\n".join(said)

    def needed(self, books: Sequence[Book]) -> frozenset[str]:
        """Name the rows whose drafts were called superfluous, and are not.

        A row is needed that asks to be sent in a workbook which kawe read so.
        """
        return self.superfluous & {
            row.name
            for book in books
            for row in book.valid()
            if row.send and row.name in self._read.get(book.name, ())
        }

    def _reads(self, book: Book | People | None, *, is_whole: bool) -> None:
        if isinstance(book, Book):
            asked = {marker_of(row) for row in book.valid() if row.send}
            before = set[str]() if is_whole else self.may_ask.get(book.name, set())
            self.may_ask[book.name] = before | asked

    async def _command(
        self, work: Callable[[Journal, Doors], Awaitable[T]], *, stop_at: int | None
    ) -> T | None:
        self.world.halt.asked, self.is_busy = False, True
        journal = self.drawer.open(stop_at=stop_at)
        try:
            async with self.world.open() as doors:
                return await work(journal, doors)
        except KaweError as trouble:
            self.trouble = trouble
            return None
        finally:
            self.is_busy = False
            await journal.aclose()

    async def _run(self, journal: Journal, doors: Doors) -> Run:
        return Run(
            journal=journal,
            acts=doors.acts,
            lookups=doors.lookups,
            uploads=doors.uploads,
            pace=doors.pace,
            clock=self.clock,
            progress=self._quiet,
            stop=StopSignal(halt=self.world.halt),
            account=await doors.lookups.account(),
            workers=self.workers,
            settle_seconds=SETTLE_SECONDS,
            # Each computer waits another while, and each life the same one.
            chance=lambda: crc32(str(self.ahead).encode()) % 97 / 97,
        )

    def _budget(self, run: Run, limits: Limits) -> Budget:
        return Budget(
            balance=run.account.balance + limits.lies_by,
            max_tokens=limits.max_tokens,
            keep_reserve=limits.keep_reserve,
        )


async def _held_against(checked: Checked, *, run: Run) -> Checked:
    """Compare the rows with all that was before, as `kawe check` does."""
    table, rows, look = await compare_with_before(
        checked.table,
        checked.rows,
        known=await run.journal.known(keys_of(checked.rows)),
        context=replace(check_context(), today=day_in_new_zealand(run.clock.now())),
        asker=Asker(tools=run),
        journal=run.journal,
    )
    return replace(checked, table=table, rows=rows, look=look)
