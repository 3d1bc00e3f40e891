"""How near a submit comes to what a rate limit allows, over real sockets.

    python bench/rate.py                      1,000 rows, 300 requests in 20 seconds
    python bench/rate.py ROWS LIMIT SECONDS   something else
    python bench/rate.py --tiny               4 rows, far below the limit

A twin counts in a rolling window, as the service does, and tells every 429. The
rows are submitted by one process, then by two at once with one key, then by
one while somebody else uses the same key twice a second. The share of the ideal
is what the fewest windows that such many requests fit in would take, the last
one not counted, over what it took.
"""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from submit import Silent, _checked, _start

from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.flows.kinds import Submission
from kawe.flows.plan.belonging import Source
from kawe.flows.plan.planning import make_plan
from kawe.flows.submit.submitting import begin, submit
from kawe.journal.journal import StoreJournal
from kawe.machine import SystemClock
from kawe.service.opening import ServiceSetup, open_service

WORKERS = 8
SERVE = """
import pathlib, sys
from kawe_twin.serving import TwinOptions, serve_twin
def ready(address):
    print(address.api_url, address.live_key, address.owner_secret, flush=True)
folder, limit, seconds, tokens = sys.argv[1:]
serve_twin(
    TwinOptions(
        folder=pathlib.Path(folder),
        rate_limit=int(limit),
        rate_window_seconds=int(seconds),
        tokens=int(tokens),
    ),
    ready=ready,
)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What is measured."""

    rows: int
    limit: int
    seconds: int
    processes: int = 1
    guest_every_seconds: float | None = None


def main() -> None:
    """Measure one process, two, and one with a guest."""
    if sys.argv[1:2] == ["client"]:
        asyncio.run(_client(*sys.argv[2:]))
        return
    words = sys.argv[1:]
    sizes = (4, 100, 1) if words == ["--tiny"] else words or (1000, 300, 20)
    rows, limit, seconds = map(int, sizes)
    case = {"rows": rows, "limit": limit, "seconds": seconds}
    _measure("one process", Case(**case))
    _measure("two processes, half the rows each", Case(**case, processes=2))
    _measure("one process and a guest", Case(**case, guest_every_seconds=0.5))


def _measure(what: str, case: Case) -> None:
    with tempfile.TemporaryDirectory() as folder, _twin(case, folder) as twin:
        guests = Counter[int]()
        with _guest(twin, case.guest_every_seconds, guests):
            begun = time.monotonic()
            ended = _submit(twin, case)
            took = time.monotonic() - begun
        answers = _answers(twin)
    ours = answers.total() - guests.total()
    refused = answers[429] - guests[429]
    # Guests have their part of the windows.
    let_in = answers.total() - answers[429]
    ideal = (math.ceil(let_in / case.limit) - 1) * case.seconds
    print(
        f"{what}: {case.rows} rows, {ours} requests, {case.limit} in "
        f"{case.seconds} s; {took:.1f} s, {ideal / took:.2f} of the ideal, "
        f"{refused} refused (429); rows: {dict(ended)}",
        flush=True,
    )


def _submit(twin: list[str], case: Case) -> Counter[str]:
    url, key, _ = twin
    rows = case.rows // case.processes
    command = [sys.executable, __file__, "client", url, key]
    running = [
        subprocess.Popen(
            [*command, str(rows), str(number)], stdout=subprocess.PIPE, text=True
        )
        for number in range(case.processes)
    ]
    ended = Counter[str]()
    for process in running:
        said, _ = process.communicate()
        ended.update(json.loads(said))
    return ended


async def _client(*words: str) -> None:
    url, key, rows, number = words
    journal, clock = StoreJournal.in_memory(), SystemClock()
    options = ServiceSetup(base_url=url, key=key, workers=WORKERS)
    async with open_service(
        options, clock=clock, progress=Silent(), halt=Silent()
    ) as service:
        run = await _start(service, journal, WORKERS)
        plan = await make_plan(
            _checked(int(number), int(rows)),
            source=Source(workbook=Path(f"{number}.xlsx"), read_at=datetime.now(UTC)),
            account=run.account,
            journal=journal,
        )
        budget = Budget(balance=None)
        plan = await begin(plan, run=run, budget=budget)
        await submit(Submission(plan=plan, run=run, budget=budget, organisations={}))
    (batch,) = await journal.batches()
    ended = Counter(
        outcome_of(each.state).value for each in await journal.entries(batch.name)
    )
    if ended[Outcome.SENT.value] != int(rows):
        print(f"  not every row was sent: {dict(ended)}", file=sys.stderr)
    print(json.dumps(ended))


@contextmanager
def _twin(case: Case, folder: str) -> Iterator[list[str]]:
    words = [f"{folder}/twin", case.limit, case.seconds, case.rows]
    command = [sys.executable, "-c", SERVE, *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().split()
        finally:
            process.terminate()


@contextmanager
def _guest(
    twin: list[str], every_seconds: float | None, answers: Counter[int]
) -> Iterator[None]:
    over = threading.Event()

    def visit() -> None:
        while not over.wait(every_seconds):
            answers[_status(twin)] += 1

    if every_seconds is None:
        yield
        return
    visitor = threading.Thread(target=visit)
    visitor.start()
    try:
        yield
    finally:
        over.set()
        visitor.join()


def _status(twin: list[str]) -> int:
    url, key, _ = twin
    bearer = {"Authorization": f"Bearer {key}"}
    request = urllib.request.Request(f"{url}/projects?limit=1", headers=bearer)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code


def _answers(twin: list[str]) -> Counter[int]:
    url, _, secret = twin
    headers = {"X-Twin-Secret": secret}
    request = urllib.request.Request(f"{url}/_twin/state", headers=headers)
    with urllib.request.urlopen(request) as answer:
        told: dict[str, dict[str, Any]] = json.load(answer)["requests"]
    found = Counter[int]()
    for statuses in told.values():
        for status, count in statuses.items():
            found[int(status)] += count
    return found


if __name__ == "__main__":
    main()
