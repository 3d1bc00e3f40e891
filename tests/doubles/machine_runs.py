"""Machines that share a journal on a server, and all that can happen to them.

Each run is a real process, in the home of the machine that it runs on. While it sends,
one thing happens: it is killed, it is frozen while another machine tries, the server
is restarted, or its connections are cut. At the end every row was sent once.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from doubles.command import Person, csv_row, write_csv
from doubles.postgres import Postgres
from doubles.typed_commands import Started, start_command
from kawe_twin.serving import TwinOptions, start_twin

EVENTS = ("kill", "freeze", "restart", "cut", "nothing")
_MOST_SENDS = 12
_MOST_RUNS = 60


@dataclass(slots=True, kw_only=True)
class Shared:
    """What came of it."""

    rows: int
    runs: int = 0
    events: Counter[str] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    lost: int = 0
    doubled: int = 0


def submit_through_trouble(
    folder: Path, database: Postgres, *, rows: int, machines: int, seed: int
) -> Shared:
    """Let something happen to each run until one ends that has sent all."""
    chance, done = random.Random(seed), Shared(rows=rows)
    options = TwinOptions(folder=folder / "twin", rate_limit=10**6, tokens=rows * 2)
    with start_twin(options) as twin:
        hosts = [
            Person(folder=folder / f"host-{n}", twin=twin) for n in range(machines)
        ]
        for each in hosts:
            each.folder.mkdir()
            each.write_settings(f'journal = "{database.url}"')
            write_csv(each.folder / "monthly.csv", [csv_row(n) for n in range(rows)])
        while done.codes[0] == 0 and done.runs < _MOST_RUNS:
            host, other = chance.sample(hosts, 2)
            event = chance.choice(EVENTS)
            done.events[event] += 1
            process = _begin(host)
            _wait(process, host, sends=host.sends() + chance.randint(0, _MOST_SENDS))
            _happens(event, process, other=other, database=database)
            done.runs += 1
            done.codes[process.wait(180)] += 1
        sent = hosts[0].sends_of_each()
    done.lost = sum(sent[f"R-{n}"] == 0 for n in range(rows))
    done.doubled = sum(n - 1 for n in sent.values() if n > 1)
    return done


def _begin(host: Person) -> Started:
    words = ("submit", "monthly.csv", "--yes", "999", "--no-input", "--settle", "2")
    return start_command(
        (*words, "--workers", "2"),
        folder=host.folder,
        environment=host.surroundings(),
        screen=os.devnull,
        errors=os.devnull,
    )


def _wait(process: Started, host: Person, *, sends: int) -> None:
    while process.poll() is None and host.sends() < sends:
        time.sleep(0.02)


def _happens(
    event: str, process: Started, *, other: Person, database: Postgres
) -> None:
    match event:
        case "kill":
            process.kill()
        case "restart":
            database.restart()
        case "cut":
            database.cut_connections()
        case "freeze" if process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            _begin(other).wait(180)
            process.send_signal(signal.SIGCONT)
