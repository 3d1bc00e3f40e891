"""What one call of the command does, as the toolkit does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from doubles.machine import AskedToStop, Quiet
from doubles.rows import SOURCE
from doubles.submitting import submit
from faults.simulation.life import SimulatedJournal
from faults.simulation.network import Network
from faults.simulation.passing_time import SimulatedClock
from faults.simulation.wires import BASE_URL, open_simulated
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.entries import Binding
from kawe.domain.service.service_words import Account
from kawe.errors import ServiceError
from kawe.flows.check.checking import Checked
from kawe.flows.plan.planning import make_plan
from kawe.flows.report.reporting import Frame, report_batch
from kawe.flows.routing import AnswerCache, Asker
from kawe.flows.run import Run
from kawe.flows.scanning import scan_organisations
from kawe.flows.tools import StopSignal
from kawe.flows.wait.queueing import release, waiting
from kawe.kinds.projects.kind import route
from kawe.service.opening import Service

_DONE: Final = frozenset({Outcome.SENT, Outcome.DRAFTED, Outcome.HELD})


def unwrapped(service: Service) -> Service:
    """Leave the service as it is."""
    return service


async def bound(journal: SimulatedJournal, service: Service) -> Account:
    """Bind a journal to the account behind the key; give the account."""
    account = await service.lookups.account()
    await journal.bind(
        Binding(
            base_url=BASE_URL,
            team_id=account.team_id,
            team_name=account.team_name,
            mode="live",
        )
    )
    return account


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a process ended."""

    words: str
    is_finished: bool
    """Whether the command itself says that nothing is left."""
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """`kawe submit`, or now and then `kawe release`."""

    journal: SimulatedJournal
    network: Network
    halt: AskedToStop
    checked: Checked
    workers: int
    settle_seconds: float
    wrap: Callable[[Service], Service]
    through_http: bool

    async def run(self) -> Ended:
        """Run it to its end.

        Raises:
            JournalError: Never, unless something is wrong with kawe.
        """
        clock = SimulatedClock()
        async with open_simulated(
            self.network, halt=self.halt, through_http=self.through_http
        ) as service:
            try:
                run = await self._start(self.wrap(service))
                await self._go(run)
            except ServiceError as trouble:
                return Ended(words=trouble.message, is_finished=False)
            batches = await self.journal.batches()
            report = await report_batch(
                batches[-1], journal=self.journal, frame=Frame(written_at=clock.now())
            )
            outcomes = tuple(row.outcome for row in report.rows)
            because = run.stop.because
            return Ended(
                words="done" if because is None else because.message,
                is_finished=_DONE.issuperset(outcomes),
                outcomes=outcomes,
            )

    async def _start(self, service: Service) -> Run:
        account = await bound(self.journal, service)
        return Run(
            journal=self.journal,
            acts=service.acts,
            lookups=service.lookups,
            uploads=service.uploads,
            pace=service.pace,
            clock=SimulatedClock(),
            progress=Quiet(),
            stop=StopSignal(halt=self.halt),
            account=account,
            workers=self.workers,
            settle_seconds=self.settle_seconds,
        )

    async def _go(self, run: Run) -> None:
        budget = Budget(balance=run.account.balance)
        calm = self.network.weather.is_calm
        batches = await self.journal.batches()
        if batches and not calm and self.network.chance.random() < 0.1:
            name = batches[-1].name
            if await waiting([name], journal=self.journal):
                await release([name], run=run, budget=budget)
                return
        asker = Asker(
            tools=run, cache=AnswerCache(journal=self.journal, clock=run.clock)
        )
        rows = await route(self.checked.rows, asker=asker)
        checked = Checked(
            table=self.checked.table,
            rows=rows,
            organisations=await scan_organisations(run.lookups),
        )
        plan = await make_plan(
            checked,
            source=replace(SOURCE, read_at=run.clock.now()),
            account=run.account,
            journal=self.journal,
        )
        await submit(plan, run=run, budget=budget, organisations=checked.organisations)
