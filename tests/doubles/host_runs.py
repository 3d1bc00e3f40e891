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

_MOST_SENDS = 6
_MOST_SECONDS = 900
_WAITS_SECONDS = 60
_SLEEPS_SECONDS = 5


def work_through_trouble(
    folder: Path, database: Postgres, *, rows: int, machines: int, seed: int
) -> Shared:
    """Let hosts share the work of three accounts, and trouble come to one at a time.

    A host that is killed is started again elsewhere; one that is frozen goes on later.
    """
    chance, done = random.Random(seed), Shared(rows=rows * len(COUNCILS))
    with started_twins(folder, tokens=rows * 2) as twins:
        bureau = bureau_on(folder, twins, database=database, yes=rows)
        for council in COUNCILS:
            bureau.drop(council, rows=rows)
        running = [bureau.host(f"host-{n}") for n in range(machines)]
        deadline = time.monotonic() + _MOST_SECONDS
        while _sent(twins) < done.rows and time.monotonic() < deadline:
            more = _sent(twins) + chance.randint(1, _MOST_SENDS)
            _wait(twins, sent=min(more, done.rows))
            event, at = chance.choice(EVENTS), chance.randrange(machines)
            done.events[event] += 1
            done.runs += 1
            running[at] = _befalls(event, running[at], bureau=bureau, database=database)
        for each in running:
            each.send_signal(signal.SIGTERM)
            done.codes[each.wait(180)] += 1
        every = [sends(twin) for twin in twins.values()]
    done.lost = sum(each[f"R-{n}"] == 0 for each in every for n in range(rows))
    done.doubled = sum(n - 1 for each in every for n in each.values() if n > 1)
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
