"""A run against a real twin over real sockets, with a journal in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from doubles.at_the_twin import state_of
from doubles.loops import awaited
from doubles.machine import AskedToStop, Quiet
from doubles.memory_journal import Keeping, MemoryJournal
from doubles.rows import SOURCE
from doubles.submitting import submit
from kawe.domain.batch.agreements import Budget
from kawe.flows.check.checking import Checked
from kawe.flows.plan.planning import make_plan
from kawe.flows.run import Run
from kawe.flows.tools import StopSignal
from kawe.flows.wait.queueing import release
from kawe.machine import SystemClock
from kawe.service.opening import Service, ServiceSetup, open_service
from kawe.service.retrying import RetryPolicy
from kawe_twin.serving import RunningTwin

IMPATIENT = RetryPolicy(
    attempts=3, total_seconds=10, first_wait_seconds=0.01, longest_wait_seconds=0.05
)


@dataclass(slots=True, kw_only=True)
class Scene(Keeping):
    """One person with one key, one journal and one twin."""

    twin: RunningTwin
    key: str = ""
    base_url: str = ""
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    halt: AskedToStop = field(default_factory=AskedToStop)
    quiet: Quiet = field(default_factory=Quiet)
    settle_seconds: float = 0.4
    workers: int = 4
    update_drafts: bool = False
    takes_out: bool = False
    """The person agrees that rows which were cut out leave."""
    is_alone: bool = True
    wrap: Any = None
    """Wraps the service before a run, to lose answers."""

    def submit(self, checked: Checked, **budget: Any) -> Run:
        """Submit a sheet, as the command does; give what the run learnt."""
        return asyncio.run(self._submit(checked, **budget))

    @awaited
    async def submit_beside(self, other: Scene, checked: Sequence[Checked]) -> None:
        """Submit a sheet while another submits one of its own."""
        mine, theirs = checked
        await asyncio.gather(self._submit(mine), other._submit(theirs))

    def state(self) -> dict[str, Any]:
        """Ask the twin what really happened."""
        return state_of(self.twin.address)

    def sends(self) -> list[int]:
        """Say how often each project of the twin was sent, sorted."""
        return sorted(each["sends"] for each in self.state()["projects"])

    async def _submit(self, checked: Checked, **budget: Any) -> Run:
        async with self._service() as service:
            run = await self._run(service)
            plan = await make_plan(
                checked,
                source=SOURCE,
                account=run.account,
                journal=self.journal,
                update_drafts=self.update_drafts,
            )
            await submit(
                replace(plan, takes_out=self.takes_out),
                run=run,
                budget=Budget(**{"balance": run.account.balance, **budget}),
                organisations=checked.organisations,
            )
            return run

    @awaited
    async def release(self, **budget: Any) -> Run:
        async with self._service() as service:
            run = await self._run(service)
            names = tuple(each.name for each in await self.journal.batches())
            await release(
                names,
                run=run,
                budget=Budget(**{"balance": run.account.balance, **budget}),
            )
            return run

    def _service(self) -> Any:
        options = ServiceSetup(
            base_url=self.base_url or self.twin.address.api_url,
            key=self.key or self.twin.address.live_key,
            workers=self.workers,
            policy=IMPATIENT,
        )
        return open_service(
            options, clock=SystemClock(), progress=self.quiet, halt=self.halt
        )

    async def _run(self, service: Service) -> Run:
        if self.wrap is not None:
            service = self.wrap(service)
        return Run(
            journal=self.journal,
            acts=service.acts,
            lookups=service.lookups,
            uploads=service.uploads,
            pace=service.pace,
            clock=SystemClock(),
            progress=self.quiet,
            stop=StopSignal(halt=self.halt),
            account=await service.lookups.account(),
            workers=self.workers,
            settle_seconds=self.settle_seconds,
            is_alone=self.is_alone,
        )
