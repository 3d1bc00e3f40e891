"""How near a submit comes to what the service's latency allows.

    python bench/submit.py            every part
    python bench/submit.py profile    the client at 32 in flight under cProfile
    python bench/submit.py --tiny     every part once, with a few rows

A service in a process of its own answers after 50 ms. The limit is requests in
flight divided by latency divided by calls for each row: create, read, send and
read back. The journal is the one on disk, against one in memory, turn about.
Batches are as large as the limit sends in eight seconds; what a small one loses,
because it begins and ends once as well, is printed beside it.
"""

from __future__ import annotations

import asyncio
import cProfile
import gc
import pstats
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from itertools import count
from pathlib import Path

from _responder import KEY, Responder, responder

from kawe.domain.batch.agreements import Budget
from kawe.domain.rows.entries import Binding
from kawe.domain.rows.identity import marker_of, project_fingerprint, project_key
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.sheet.findings import RowRef
from kawe.domain.sheet.tables import Table, TableRow
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.kinds import Submission
from kawe.flows.plan.belonging import Source
from kawe.flows.plan.foreseeing import without_there_already
from kawe.flows.plan.planning import make_plan
from kawe.flows.run import Run
from kawe.flows.submit.submitting import begin, submit
from kawe.flows.tools import StopSignal
from kawe.journal.journal import StoreJournal
from kawe.journal.store.sqlite import SqliteStore
from kawe.kinds.projects import PROJECTS
from kawe.machine import SystemClock
from kawe.service.opening import Service, ServiceSetup, open_service
from kawe_places.values import Place

LATENCY_MS = 50
CALLS_PER_ROW = 4
SLOWER_SECONDS = 0.005
_batches = count()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much is measured."""

    rows: dict[int, int]
    """For each number of requests in flight."""
    small_rows: int
    rows_to_connect: int
    repeats: int


USUAL = Sizes(
    rows={8: 320, 32: 1280},
    small_rows=480,
    rows_to_connect=1000 // CALLS_PER_ROW,
    repeats=5,
)
TINY = Sizes(rows={2: 4}, small_rows=4, rows_to_connect=4, repeats=1)


class Silent:
    """Implements the ports `Progress` and `Halt`."""

    asked = False

    def follow(self, pace: object) -> None:
        """Say nothing."""

    def begin(self, what: str, *, total: int) -> None:
        """Say nothing."""

    def advance(self, things: int = 1) -> None:
        """Say nothing."""

    def say(self, sentence: str) -> None:
        """Say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """What one submit cost."""

    seconds: float
    client_cpu: float
    service_cpu: float


def main() -> None:
    """Measure at 8 and at 32 in flight."""
    # As the command line sets it.
    gc.set_threshold(1_000_000, 50, 1_000)
    with tempfile.TemporaryDirectory() as folder, responder(LATENCY_MS) as service:
        if "profile" in sys.argv:
            _profile(service, Path(folder))
            return
        sizes = TINY if "--tiny" in sys.argv else USUAL
        for workers in sizes.rows:
            _compare(service, Path(folder), workers=workers, sizes=sizes)
        _small(service, Path(folder), workers=max(sizes.rows), sizes=sizes)
        _connections(service, Path(folder), sizes)


class _SlowerStore(SqliteStore):
    """A store whose disk takes its time for each commit."""

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[None]:
        with super().transaction(writes=writes):
            yield
            if writes:
                time.sleep(SLOWER_SECONDS)


def _kinds(folder: Path) -> dict[str, Callable[[], StoreJournal]]:
    def fresh() -> Path:
        return folder / f"{next(_batches)}.journal"

    return {
        "memory": StoreJournal.in_memory,
        "disk": lambda: StoreJournal.open(fresh()),
        "slower": lambda: StoreJournal(_SlowerStore.for_writing(fresh())),
    }


def _compare(service: Responder, folder: Path, *, workers: int, sizes: Sizes) -> None:
    rows = sizes.rows[workers]
    took: dict[str, list[Took]] = {}
    for _ in range(sizes.repeats):
        for kind, opened in _kinds(folder).items():
            one = _measure(service, opened(), workers=workers, rows=rows)
            took.setdefault(kind, []).append(one)
    best = {kind: min(each.seconds for each in took[kind]) for kind in took}
    limit = _limit(workers)
    middle = statistics.median(
        1 - m.seconds / d.seconds
        for m, d in zip(took["memory"], took["disk"], strict=True)
    )
    print(
        f"{workers} in flight: {rows / best['disk']:.0f} rows/s, "
        f"{rows / best['disk'] / limit:.2f} of the limit (gate 0.85, aim 0.93), "
        f"with the journal in memory {rows / best['memory'] / limit:.2f}"
    )
    print(
        f"  the journal's share of the time: {1 - best['memory'] / best['disk']:.1%} "
        f"(best of {sizes.repeats} each), {middle:.1%} (median of pairs) "
        "(gate 5 %, aim 3 %)"
    )
    print(
        f"  with {SLOWER_SECONDS * 1000:.0f} ms more for each commit: "
        f"{best['disk'] / best['slower']:.2f} of the speed (gate 0.85, aim 0.95)"
    )
    for kind in ("memory", "disk"):
        cpu = min(each.client_cpu for each in took[kind]) / rows
        theirs = min(each.service_cpu for each in took[kind]) / rows
        print(
            f"  processor time for each row, journal {kind}: client {cpu * 1000:.2f} "
            f"ms, service {theirs * 1000:.2f} ms; the limit allows "
            f"{1000 / limit:.2f} ms"
        )


def _limit(workers: int) -> float:
    """Give the rows that the latency allows in a second."""
    return workers / (LATENCY_MS / 1000) / CALLS_PER_ROW


def _small(service: Responder, folder: Path, *, workers: int, sizes: Sizes) -> None:
    """Send a small batch, in which the beginning and the end weigh more."""
    rows = sizes.small_rows
    opened = _kinds(folder)["disk"]
    seconds = min(
        _measure(service, opened(), workers=workers, rows=rows).seconds
        for _ in range(sizes.repeats)
    )
    limit = _limit(workers)
    print(
        f"{workers} in flight, {rows} rows: {rows / seconds / limit:.2f} of the limit"
    )


def _connections(service: Responder, folder: Path, sizes: Sizes) -> None:
    for workers in sizes.rows:
        _measure(
            service,
            _kinds(folder)["disk"](),
            workers=workers,
            rows=sizes.rows_to_connect,
        )
        seen = service.state()
        print(
            f"{workers} in flight: {seen['connections']} connections for "
            f"{seen['requests']} requests (gate {workers + 2})"
        )


def _profile(service: Responder, folder: Path) -> None:
    watch = cProfile.Profile(time.process_time)
    journal = _kinds(folder)["disk"]()
    watch.enable()
    _measure(service, journal, workers=32, rows=960)
    watch.disable()
    for order in ("tottime", "cumtime"):
        pstats.Stats(watch).sort_stats(order).print_stats(45)


def _measure(
    service: Responder, journal: StoreJournal, *, workers: int, rows: int
) -> Took:
    # Projects of an earlier turn would be paged through before the first create.
    service.forget()
    theirs, ours = service.cpu_seconds(), time.process_time()
    seconds = asyncio.run(_run(service, journal, workers=workers, rows=rows))
    return Took(
        seconds=seconds,
        client_cpu=time.process_time() - ours,
        service_cpu=service.cpu_seconds() - theirs,
    )


async def _run(
    responder: Responder, journal: StoreJournal, *, workers: int, rows: int
) -> float:
    options = ServiceSetup(base_url=responder.url, key=KEY, workers=workers)
    async with open_service(
        options, clock=SystemClock(), progress=Silent(), halt=Silent()
    ) as service:
        run = await _start(service, journal, workers)
        plan = await make_plan(
            _checked(next(_batches), rows),
            source=Source(workbook=Path("bench.xlsx"), read_at=datetime.now(UTC)),
            account=run.account,
            journal=run.journal,
        )
        # As the command does: what the plan looked at, the submit does not read again.
        plan = await without_there_already(run, plan)
        begun = time.perf_counter()
        budget = Budget(balance=None)
        plan = await begin(plan, run=run, budget=budget)
        await submit(Submission(plan=plan, run=run, budget=budget, organisations={}))
        took = time.perf_counter() - begun
    if run.tally.sent != rows:
        raise SystemExit(f"{run.tally.sent} of {rows} rows were sent")
    await journal.aclose()
    return took


async def _start(service: Service, journal: StoreJournal, workers: int) -> Run:
    account = await service.lookups.account()
    run = Run(
        journal=journal,
        acts=service.acts,
        lookups=service.lookups,
        uploads=service.uploads,
        pace=service.pace,
        clock=SystemClock(),
        progress=Silent(),
        stop=StopSignal(halt=Silent()),
        account=account,
        workers=workers,
        settle_seconds=180,
    )
    await run.journal.bind(
        Binding(
            base_url="http://127.0.0.1",
            team_id=account.team_id,
            team_name=account.team_name,
            mode="live",
        )
    )
    return run


def _checked(batch: int, rows: int) -> Checked:
    first = ProjectContent(
        reference="B-0",
        name="Bench",
        description="A row.",
        type="EARTHWORKS",
        start_on=date(2030, 3, 1),
        end_on=date(2030, 9, 30),
        respond_by_on=date(2030, 4, 1),
        place=Place(latitude=-36.85, longitude=174.76),
        send=True,
        message="Please tell us what matters to you here.",
    )
    checked = []
    for number in range(rows):
        # Works of their own: rows of one work would be left to whoever made the first.
        content = replace(
            first,
            reference=f"B-{batch}-{number}",
            name=f"Bench {batch} {number}",
            description=f"The row {number} of the batch {batch}.",
            place=Place(latitude=-36.85 - batch / 100, longitude=174.76),
        )
        row = TableRow(ref=RowRef(sheet="Projects", row=number + 2), cells={}, raw=())
        checked.append(
            CheckedRow(
                row=row,
                findings=(),
                key=project_key(content),
                content=content,
                marker=marker_of(content),
                take_fingerprint=partial(project_fingerprint, content),
            )
        )
    table = Table(
        kind=PROJECTS,
        sheet="Projects",
        heading_row=1,
        headings=(),
        rows=tuple(each.row for each in checked),
    )
    return Checked(table=table, rows=tuple(checked), organisations={})


if __name__ == "__main__":
    main()
