"""A run in memory: no socket, no disk, and time that passes only by sleeping."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

from doubles.clock import StillClock
from doubles.loops import awaited
from doubles.machine import AskedToStop, Quiet
from doubles.memory_journal import Keeping, MemoryJournal
from doubles.rows import SOURCE
from doubles.service import AT, MemoryService
from doubles.submitting import submit
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.batch.plans import Plan
from kawe.domain.service.service_words import Project
from kawe.flows.check.checking import Checked
from kawe.flows.plan.belonging import Source
from kawe.flows.plan.planning import make_plan
from kawe.flows.report.reporting import Frame, report_batch
from kawe.flows.run import Run
from kawe.flows.settle.resolving import Decision, PersonDecision, Resolved, Resolver
from kawe.flows.tools import StopSignal
from kawe.flows.wait.queueing import release


@dataclass(slots=True, kw_only=True)
class MemoryScene(Keeping):
    """One person, one journal, one service in memory."""

    service: MemoryService = field(default_factory=MemoryService)
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    clock: StillClock = field(default_factory=StillClock)
    halt: AskedToStop = field(default_factory=AskedToStop)
    quiet: Quiet = field(default_factory=Quiet)
    workers: int = 3
    is_alone: bool = True
    chance: float = 0.0
    owner: str = ""

    def submit(self, checked: Checked, **how: Any) -> Run:
        """Submit a sheet; give what the run learnt."""
        return asyncio.run(self._submit(checked, **how))

    @awaited
    async def plan(self, checked: Checked, *, source: Source = SOURCE) -> Plan:
        """Plan a sheet, as the next submit would."""
        account = await self.service.account()
        return await make_plan(
            checked, source=source, account=account, journal=self.journal
        )

    @awaited
    async def report(self, name: str | None = None, **frame: Any) -> BatchReport:
        """Report a batch: the first, where none is named."""
        batches = await self.journal.batches()
        batch = next(each for each in batches if name in {None, each.name})
        how = Frame(**{"written_at": AT, **frame})
        return await report_batch(batch, journal=self.journal, frame=how)

    def decide(
        self, decision: Decision, *, marker: str | None = None, **word: Any
    ) -> Resolved:
        """Carry out a decision about a row: the one there is, where none is named."""
        (entry,) = (e for e in self.entries() if marker in {None, e.marker})
        resolver = Resolver(
            journal=self.journal, lookups=self.service, clock=self.clock
        )
        return asyncio.run(
            resolver.resolve(entry, PersonDecision(decision=decision, **word))
        )

    @property
    def draft(self) -> Project:
        """Give the one project that the service has."""
        (only,) = self.service.projects_there
        return only

    def shows(self, **changes: Any) -> None:
        """Change what the service shows of every project."""
        there = self.service.projects_there
        self.service.projects_there = [replace(each, **changes) for each in there]

    async def run(self) -> Run:
        """Start a run."""
        service = self.service
        service.clock = self.clock
        return Run(
            journal=self.journal,
            acts=service,
            lookups=service,
            uploads=service,
            pace=service,
            clock=self.clock,
            progress=self.quiet,
            stop=StopSignal(halt=self.halt),
            account=await service.account(),
            workers=self.workers,
            settle_seconds=180,
            is_alone=self.is_alone,
            owner=self.owner,
            chance=lambda: self.chance,
        )

    async def _submit(
        self,
        checked: Checked,
        *,
        drafts_only: bool = False,
        update_drafts: bool = False,
        source: Source = SOURCE,
        takes_out: bool = False,
        **budget: Any,
    ) -> Run:
        run = await self.run()
        plan = await make_plan(
            checked,
            source=source,
            account=run.account,
            journal=self.journal,
            update_drafts=update_drafts,
        )
        await submit(
            replace(plan, takes_out=takes_out),
            run=run,
            budget=Budget(**{"balance": run.account.balance, **budget}),
            organisations=checked.organisations,
            drafts_only=drafts_only,
        )
        return run

    @awaited
    async def release(self, *, tokens: int | None = None, **budget: Any) -> Run:
        """Release what waits, when the team has so many `tokens`."""
        if tokens is not None:
            self.service.tokens = tokens
        run = await self.run()
        names = tuple(each.name for each in await self.journal.batches())
        limits = Budget(**{"balance": run.account.balance, **budget})
        await release(names, run=run, budget=limits)
        return run


def scripted(**script: list[Any]) -> MemoryScene:
    """Give a scene whose service says first what is laid out, by what it is asked."""
    return MemoryScene(service=MemoryService(script=script))
