"""How near a submit comes to what the service's latency allows.

The twin runs in a process of its own and adds 50 ms to every answer. The
limit is requests in flight divided by latency divided by calls for each row:
create, read, send and read back. The journal is the one on disk.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

from kawe.domain.bodies import project_fingerprint
from kawe.domain.columns import SheetKind
from kawe.domain.content import ProjectContent
from kawe.domain.entries import Binding
from kawe.domain.identity import project_key
from kawe.domain.places import Place
from kawe.domain.refs import RowRef
from kawe.domain.tables import Table, TableRow
from kawe.domain.tokens import Budget
from kawe.flows.checking import Checked
from kawe.flows.crew import Brake
from kawe.flows.planning import Source, make_plan
from kawe.flows.project_rows import CheckedRow
from kawe.flows.run import Run
from kawe.flows.submitting import submit
from kawe.journal.memory import MemoryJournal
from kawe.journal.sqlite import SqliteJournal
from kawe.machine import SystemClock
from kawe.service.opening import Service, ServiceOptions, open_service
from kawe.twin.serving import TwinAddress, TwinOptions, start_twin

LATENCY_MS = 50
CALLS_PER_ROW = 4
ROWS = {8: 120, 32: 360}
REPEATS = 3
AnyJournal: TypeAlias = SqliteJournal | MemoryJournal
_batches = count()


class Silent:
    """Implements the ports `Progress` and `Halt`."""

    asked = False

    def begin(self, what: str, *, total: int) -> None:
        """Say nothing."""

    def advance(self, things: int = 1) -> None:
        """Say nothing."""

    def say(self, sentence: str) -> None:
        """Say nothing."""


def main() -> None:
    """Measure at 8 and at 32 in flight."""
    with tempfile.TemporaryDirectory() as folder, _twin(Path(folder)) as address:
        for workers, rows in ROWS.items():
            disk, memory = [], []
            for turn in range(REPEATS):
                path = Path(folder) / f"{workers}-{turn}.journal"
                disk.append(
                    _measure(
                        address, SqliteJournal.open(path), workers=workers, rows=rows
                    )
                )
                memory.append(
                    _measure(address, MemoryJournal(), workers=workers, rows=rows)
                )
            took, without = min(disk), min(memory)
            limit = workers / (LATENCY_MS / 1000) / CALLS_PER_ROW
            print(
                f"{workers} in flight: {rows / took:.0f} rows/s, "
                f"{rows / took / limit:.2f} of the limit (gate 0.85, aim 0.93); "
                f"{1 - without / took:.1%} of the time is the journal's, "
                "against one in memory (gate 5 %, aim 3 %)"
            )


def _measure(
    address: TwinAddress, journal: AnyJournal, *, workers: int, rows: int
) -> float:
    return asyncio.run(_run(address, journal, workers=workers, rows=rows))


@contextmanager
def _twin(folder: Path) -> Iterator[TwinAddress]:
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_serve, args=(folder, there))
    process.start()
    try:
        yield here.recv()
    finally:
        here.send("stop")
        process.join()


def _serve(folder: Path, pipe: Connection) -> None:
    options = TwinOptions(
        folder=folder / "twin",
        tokens=100_000,
        rate_limit=10_000_000,
        latency_ms=LATENCY_MS,
    )
    with start_twin(options) as twin:
        pipe.send(twin.address)
        pipe.recv()


async def _run(
    address: TwinAddress, journal: AnyJournal, *, workers: int, rows: int
) -> float:
    options = ServiceOptions(
        base_url=address.api_url, key=address.live_key, workers=workers
    )
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
        begun = time.perf_counter()
        await submit(plan, run=run, budget=Budget(balance=None), organisations={})
        took = time.perf_counter() - begun
    if run.tally.sent != rows:
        raise SystemExit(f"{run.tally.sent} of {rows} rows were sent")
    await journal.close()
    return took


async def _start(service: Service, journal: AnyJournal, workers: int) -> Run:
    account = await service.lookups.account()
    run = Run(
        journal=journal,
        acts=service.acts,
        lookups=service.lookups,
        uploads=service.uploads,
        pace=service.pace,
        clock=SystemClock(),
        progress=Silent(),
        brake=Brake(halt=Silent()),
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
        content = replace(first, reference=f"B-{batch}-{number}")
        row = TableRow(ref=RowRef(sheet="Projects", row=number + 2), cells={}, raw=())
        checked.append(
            CheckedRow(
                row=row,
                findings=(),
                key=project_key(content),
                content=content,
                fingerprint=project_fingerprint(content),
            )
        )
    table = Table(
        kind=SheetKind.PROJECTS,
        sheet="Projects",
        heading_row=1,
        headings=(),
        rows=tuple(each.row for each in checked),
    )
    return Checked(table=table, rows=tuple(checked), organisations={})


if __name__ == "__main__":
    main()
