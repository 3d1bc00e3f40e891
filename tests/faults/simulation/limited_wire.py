"""A world whose service has a rate limit and no other trouble."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from doubles.limited import LimitedService
from doubles.machine import AskedToStop, Quiet
from doubles.memory_journal import MemoryJournal
from doubles.rows import SOURCE
from doubles.submitting import submit
from faults.simulation.kept import Climate
from faults.simulation.passing_time import SimulatedClock
from faults.simulation.service import SimulatedService
from faults.simulation.trace import Trace
from faults.simulation.wires import BASE_URL, SimulatedWire
from kawe.domain.batch.agreements import Budget
from kawe.flows.check.checking import Checked
from kawe.flows.plan.planning import make_plan
from kawe.flows.run import Run
from kawe.flows.tools import StopSignal
from kawe.service.opening import ServiceSetup, stacked
from kawe.service.transport.answers import Answer, Exchange
from kawe.service.transport.pacing import Pacer

Late = Callable[[str, str], float]
"""How long an answer is on its way, by operation and project, beside the latency."""
_LATENCY_SECONDS = 0.4
_KEY = "kw_live_simulated"


def calm_service(*, tokens: int) -> SimulatedService:
    """Make a service that does what it is asked."""
    climate = Climate(
        chance=Random(1),
        refuses_second_send=True,
        most_lag_seconds=0,
        hides_status_share=0,
        says_local_midnight=False,
        balance_lies=0,
    )
    return SimulatedService(climate=climate, trace=Trace(), tokens=tokens)


class LimitedWire(SimulatedWire):
    """A wire to a service behind a limit."""

    def __init__(
        self,
        *,
        limit: LimitedService,
        service: SimulatedService,
        pacer: Pacer,
        chance: Random,
        late: Late,
    ) -> None:
        super().__init__(network=None, pacer=pacer)
        self._limit = limit
        self._service = service
        self._chance = chance
        self._late = late

    async def ask(
        self,
        operation: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | int] | None = None,
        body: Mapping[str, object] | None = None,
        total_seconds: float = 0,  # noqa: ARG002 - nothing takes that long
    ) -> Exchange:
        """Make one request."""
        start = self._pacer.leaves()
        await asyncio.sleep(self._chance.uniform(0, _LATENCY_SECONDS))
        status, headers = self._limit.ask()
        said = b'{"error": "Too many requests"}'
        if status == 200:
            self._service.pass_time(asyncio.get_running_loop().time())
            answer = self._service.ask(
                operation, path=path or {}, query=query or {}, body=body or {}
            )
            status, said = answer.status, json.dumps(answer.body).encode()
            await asyncio.sleep(self._late(operation, (path or {}).get("id", "")))
        await asyncio.sleep(self._chance.uniform(0, _LATENCY_SECONDS))
        self._pacer.learn(headers, http_status=status, start=start)
        return Answer(http_status=status, headers=headers, body=said)


@dataclass(slots=True, kw_only=True)
class LimitedRun:
    """One kawe that submits rows to a service behind a limit."""

    limit: LimitedService
    service: SimulatedService
    workers: int = 8
    seed: int = 1
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    quiet: Quiet = field(default_factory=Quiet)
    late: Late = lambda _operation, _project: 0.0

    async def submit(self, checked: Checked) -> Run:
        """Submit a sheet; give what the run learnt."""
        clock, halt, chance = SimulatedClock(), AskedToStop(), Random(self.seed)
        pacer = Pacer(clock=clock, progress=self.quiet, halt=halt, chance=chance)
        service = stacked(
            wire=LimitedWire(
                limit=self.limit,
                service=self.service,
                pacer=pacer,
                chance=chance,
                late=self.late,
            ),
            storage=None,
            pacer=pacer,
            options=ServiceSetup(base_url=BASE_URL, key=_KEY),
        )
        run = Run(
            journal=self.journal,
            acts=service.acts,
            lookups=service.lookups,
            uploads=service.uploads,
            pace=service.pace,
            clock=clock,
            progress=self.quiet,
            stop=StopSignal(halt=halt),
            account=await service.lookups.account(),
            workers=self.workers,
            settle_seconds=180,
        )
        plan = await make_plan(
            checked, source=SOURCE, account=run.account, journal=self.journal
        )
        await submit(plan, run=run, budget=Budget(balance=None), organisations={})
        return run
