"""What one call of the command does on one computer, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from doubles.machine import AskedToStop, Quiet
from doubles.submitting import submit
from faults.leaving import agreed_words, words_of
from faults.people.books import Book
from faults.people.machine import WallClock
from faults.people.sheets import context_of
from faults.simulation.command import bound
from faults.simulation.life import SimulatedJournal
from faults.simulation.network import Network
from faults.simulation.wires import open_simulated
from kawe.cases.sheets import label_of
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport
from kawe.domain.batch.plans import Plan
from kawe.domain.rows.entries import Batch, BatchName, SheetReading
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.errors import KaweError, ServiceError
from kawe.flows.check.across import mark_across
from kawe.flows.check.checking import Checked, check
from kawe.flows.plan.belonging import Source
from kawe.flows.plan.foreseeing import without_there_already
from kawe.flows.plan.planning import make_plan
from kawe.flows.report.reporting import Frame, Submitted, report_batch
from kawe.flows.routing import AnswerCache, Asker
from kawe.flows.run import Run, Tally
from kawe.flows.tools import StopSignal
from kawe.flows.wait.queueing import release, waiting
from kawe.service.opening import Service


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a person reads after a command."""

    words: str
    rows: Sequence[RowReport] = ()
    superfluous: frozenset[str] = frozenset()
    """Names of rows whose drafts are said to belong to no row."""
    outcomes: frozenset[Outcome] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a person runs kawe."""

    workers: int
    settle_seconds: float
    is_alone: bool
    """What the setting `machines` says; not whether it is so."""


@dataclass(slots=True, kw_only=True)
class Command:
    """`kawe submit` of a workbook, or `kawe release`."""

    journal: SimulatedJournal
    network: Network
    halt: AskedToStop
    clock: WallClock
    manner: Manner
    chance: Random
    book: Book | None
    """None for a release of all that waits."""
    is_there: Callable[[SheetReading], bool]
    """Says whether a workbook lies at a path of this computer."""
    takes_out: bool = False
    """The person agrees that rows leave which the workbook has no more."""
    max_tokens: int | None = None
    drafts_only: bool = False
    accepts: bool = False
    """The person says that what looks like a repeat is none."""
    more: Sequence[Book] = ()
    """The other sheets of the workbook."""
    quiet: Quiet = field(default_factory=Quiet)

    async def run(self) -> Told:
        """Run it to its end; what stops it is among the words."""
        async with open_simulated(
            self.network, halt=self.halt, through_http=False, clock=self.clock
        ) as service:
            try:
                run = await self._start(service)
                names = await self._go(run)
            except ServiceError as trouble:
                return Told(words=self._words(trouble))
            return await self._told(run, names)

    async def _told(self, run: Run, names: Sequence[BatchName]) -> Told:
        batches = [each for each in await self.journal.batches() if each.name in names]
        reports = [await self._report(each) for each in batches]
        said = [words_of(report) for report in reports]
        rows = [row for report in reports for row in report.rows]
        orphans = {each.name for report in reports for each in report.orphans}
        return Told(
            words="\n".join([self._words(run.stop.because), *said]),
            rows=rows,
            superfluous=frozenset(orphans),
            outcomes=frozenset(row.outcome for row in rows),
        )

    async def _report(self, batch: Batch) -> BatchReport:
        """Report what was submitted, or everything after a release."""
        submitted = None if self.book is None else Submitted(reading=batch.reading)
        frame = Frame(written_at=self.clock.now(), submitted=submitted)
        return await report_batch(batch, journal=self.journal, frame=frame)

    def _words(self, trouble: KaweError | None) -> str:
        told = [] if trouble is None else [trouble.message, trouble.hint]
        return "\n".join([*self.quiet.said, *told])

    async def _start(self, service: Service) -> Run:
        account = await bound(self.journal, service)
        return Run(
            journal=self.journal,
            acts=service.acts,
            lookups=service.lookups,
            uploads=service.uploads,
            pace=service.pace,
            clock=self.clock,
            progress=self.quiet,
            stop=StopSignal(halt=self.halt),
            account=account,
            workers=self.manner.workers,
            settle_seconds=self.manner.settle_seconds,
            is_alone=self.manner.is_alone,
            chance=self.chance.random,
        )

    async def _go(self, run: Run) -> Sequence[BatchName]:
        budget = Budget(balance=run.account.balance, max_tokens=self.max_tokens)
        if self.book is None:
            names = [each.name for each in await self.journal.batches()]
            if await waiting(names, journal=self.journal):
                await release(names, run=run, budget=budget)
            return names
        books = [self.book, *self.more]
        sheets = [await self._checked(run, each) for each in books]
        if self.more:
            sheets = [*mark_across(sheets, accepts=self.accepts)]
        done = []
        for checked in sheets:
            plan, each = await self._planned(run, checked)
            await submit(
                plan,
                run=each,
                budget=budget,
                organisations=checked.organisations,
                drafts_only=self.drafts_only,
            )
            done.append(plan.batch.name)
            if each.stop.because is not None:
                run.stop.set(each.stop.because)
            if each.stop.is_set():
                break
        return done

    async def _planned(self, run: Run, checked: Checked) -> tuple[Plan, Run]:
        """Plan a sheet, with what the service has of it, for a run of its own."""
        assert self.book is not None
        names = [each.sheet for each in (self.book, *self.more)]
        sheet = checked.table.sheet
        source = Source(
            workbook=Path(self.book.path),
            read_at=run.clock.now(),
            is_there=self.is_there,
            label=label_of(sheet, among=names),
            siblings=frozenset(names) - {sheet},
        )
        plan = await make_plan(
            checked, source=source, account=run.account, journal=self.journal
        )
        looking, run = self._anew(run), self._anew(run)
        plan = await without_there_already(looking, plan, look=checked.look)
        run.tally.snapshot = looking.tally.snapshot
        self.quiet.say(agreed_words(plan))
        return replace(plan, takes_out=self.takes_out), run

    def _anew(self, run: Run) -> Run:
        return replace(run, tally=Tally(), stop=StopSignal(halt=self.halt))

    async def _checked(self, run: Run, book: Book) -> Checked:
        """Check a sheet, as `kawe submit` does."""
        asker = Asker(
            tools=run,
            cache=AnswerCache(journal=self.journal, clock=run.clock),
            team_id=run.account.team_id,
        )
        today = day_in_new_zealand(self.clock.now())
        return await check(
            book.table,
            context=context_of(book.rows, today=today, accepts=self.accepts),
            asker=asker,
            journal=self.journal,
        )
