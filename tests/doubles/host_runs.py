"""Hosts that share the work of many accounts, and all that can happen to them."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Mapping
from pathlib import Path

from doubles.hosts import COUNCILS, Bureau, bureau_on, sends, started_twins
from doubles.machine_runs import EVENTS, Shared
from doubles.postgres import Postgres
from doubles.typed_commands import Started
from kawe_twin.serving import RunningTwin

_EVENTS = (*EVENTS, "promote")
_MOST_SENDS = 6
_MOST_EVENTS = 40
_MOST_SECONDS = 900
_WAITS_SECONDS = 60
_SLEEPS_SECONDS = 5


def work_through_trouble(
    folder: Path,
    database: Postgres,
    *,
    rows: int,
    machines: int,
    seed: int,
    accounts: int = len(COUNCILS),
) -> Shared:
    """Let hosts share the work of accounts, and trouble come to one at a time.

    A host that is killed is started again elsewhere; one that is frozen goes on later.
    Each host works for four accounts at once. Accounts share three twins.
    """
    chance, done = random.Random(seed), Shared(rows=rows * accounts)
    number = -(-accounts // len(COUNCILS))
    with started_twins(folder, tokens=rows * number * 2) as twins:
        names = [COUNCILS[n % len(COUNCILS)] for n in range(accounts)]
        theirs = {f"{name}-{n}": twins[name] for n, name in enumerate(names)}
        bureau = bureau_on(folder, theirs, database=database, yes=rows)
        for n, council in enumerate(theirs):
            bureau.drop(council, rows=rows, first=n // len(COUNCILS) * rows)
        running = [bureau.host(f"host-{n}") for n in range(machines)]
        deadline = time.monotonic() + _MOST_SECONDS + done.rows
        most = max(_MOST_SENDS, done.rows // _MOST_EVENTS)
        while _sent(twins) < done.rows and time.monotonic() < deadline:
            more = _sent(twins) + chance.randint(1, most)
            _wait(twins, sent=min(more, done.rows))
            event, at = chance.choice(_EVENTS), chance.randrange(machines)
            done.events[event] += 1
            done.runs += 1
            running[at] = _befalls(event, running[at], bureau=bureau, database=database)
        for each in running:
            each.send_signal(signal.SIGTERM)
            done.codes[each.wait(180)] += 1
        every = {name: sends(twin) for name, twin in twins.items()}
    done.lost = sum(
        every[name][f"R-{n // len(COUNCILS) * rows + row}"] == 0
        for n, name in enumerate(names)
        for row in range(rows)
    )
    done.doubled = sum(n - 1 for each in every.values() for n in each.values() if n > 1)
    return done


def _befalls(
    event: str, host: Started, *, bureau: Bureau, database: Postgres
) -> Started:
    match event:
        case "kill":
            host.kill()
            host.wait()
            return bureau.host("after-a-kill")
        case "restart":
            database.restart()
        case "cut":
            database.cut_connections()
        case "promote":
            database.promote_standby()
        case "freeze":
            host.send_signal(signal.SIGSTOP)
            time.sleep(_SLEEPS_SECONDS)
            host.send_signal(signal.SIGCONT)
        case _:
            pass
    return host


def _sent(twins: Mapping[str, RunningTwin]) -> int:
    return sum(sends(twin).total() for twin in twins.values())


def _wait(twins: Mapping[str, RunningTwin], *, sent: int) -> None:
    deadline = time.monotonic() + _WAITS_SECONDS
    while _sent(twins) < sent and time.monotonic() < deadline:
        time.sleep(0.05)
