"""Hosts that share the work of many accounts, and all that can happen to them."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from doubles.hosts import COUNCILS, bureau_on, sends, started_twins
from doubles.machine_runs import EVENTS, Shared
from doubles.namespaces import Network, relays
from doubles.postgres import Postgres
from doubles.typed_commands import Started
from kawe_twin.serving import RunningTwin

_EVENTS = (*EVENTS, "promote")
_MOST_SENDS = 6
_MOST_EVENTS = 40
_MOST_SECONDS = 900
_WAITS_SECONDS = 60
_SLEEPS_SECONDS = 5
_CUT_SECONDS = (5, 60)
"""A link is cut for a moment, or until the server takes the host for gone."""


def work_through_trouble(
    folder: Path,
    database: Postgres,
    *,
    rows: int,
    machines: int,
    seed: int,
    accounts: int = len(COUNCILS),
    links: Network | None = None,
) -> Shared:
    """Let hosts share the work of accounts, and trouble come to one at a time.

    A host that is killed is started again elsewhere; one that is frozen goes on later.
    Each host works for four accounts at once. Accounts share three twins. With `links`,
    each is in a network namespace of its own, and its link is cut as well.
    """
    chance, done = random.Random(seed), Shared(rows=rows * accounts)
    number = -(-accounts // len(COUNCILS))
    events = _EVENTS if links is None else (*_EVENTS, "unplug")
    with started_twins(folder, tokens=rows * number * 2) as twins, ExitStack() as stack:
        if links is not None:
            urls = (urlsplit(each.address.api_url) for each in twins.values())
            stack.enter_context(relays(links, [each.port or 0 for each in urls]))
        names = [COUNCILS[n % len(COUNCILS)] for n in range(accounts)]
        theirs = {f"{name}-{n}": twins[name] for n, name in enumerate(names)}
        bureau = bureau_on(folder, theirs, database=database, yes=rows)
        for n, council in enumerate(theirs):
            bureau.drop(council, rows=rows, first=n // len(COUNCILS) * rows)
        begin = [
            partial(bureau.host, within=() if links is None else links.within(n))
            for n in range(machines)
        ]
        running = [each(f"host-{n}") for n, each in enumerate(begin)]
        stack.callback(_kill, running)
        deadline = time.monotonic() + _MOST_SECONDS + done.rows
        most = max(_MOST_SENDS, done.rows // _MOST_EVENTS)
        while _sent(twins) < done.rows and time.monotonic() < deadline:
            more = _sent(twins) + chance.randint(1, most)
            _wait(twins, sent=min(more, done.rows))
            event, at = chance.choice(events), chance.randrange(machines)
            done.events[event] += 1
            done.runs += 1
            if event == "kill":
                running[at].kill()
                running[at].wait()
                running[at] = begin[at]("after-a-kill")
            elif event == "unplug" and links is not None:
                links.cut(at, is_cut=True)
                time.sleep(chance.choice(_CUT_SECONDS))
                links.cut(at, is_cut=False)
            else:
                _befalls(event, running[at], database=database)
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


def _kill(running: Sequence[Started]) -> None:
    for each in running:
        each.kill()


def _befalls(event: str, host: Started, *, database: Postgres) -> None:
    match event:
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


def _sent(twins: Mapping[str, RunningTwin]) -> int:
    return sum(sends(twin).total() for twin in twins.values())


def _wait(twins: Mapping[str, RunningTwin], *, sent: int) -> None:
    deadline = time.monotonic() + _WAITS_SECONDS
    while _sent(twins) < sent and time.monotonic() < deadline:
        time.sleep(0.05)
