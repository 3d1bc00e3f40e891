"""Several machines share a journal on a PostgreSQL server while everything goes wrong.

    PYTHONPATH=tests .venv/bin/python -m campaigns.machines
        (nothing more)               10 months of 150 rows, 3 machines each
        --months 3 --rows 30         as many
        --seed 7                     other moments
        --shared --accounts 40       hosts share the work of accounts
        --shared --namespaces        each in a network namespace, whose link is cut

While a run sends, it is killed or frozen, or the server is restarted or its connections
cut; with --shared a standby takes its place too. At the end of each month every row was
sent once. Ends with 1 where one was not.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from doubles.figures import Asked
from doubles.host_runs import work_through_trouble
from doubles.machine_runs import Shared, submit_through_trouble
from doubles.namespaces import HOSTS, OUTSIDE, Network, network, why_none
from doubles.postgres import Postgres, running_postgres

_HOSTS = (
    "hosts share the work of accounts; they are killed and frozen, the server is "
    "restarted, its connections are cut, a standby takes its place"
)
_WHAT = {
    "machines": "machines share a journal on a server; runs are killed and frozen, the "
    "server is restarted, its connections are cut",
    "hosts": _HOSTS,
    "hosts-apart": f"{_HOSTS}; each has a network of its own, whose link is cut",
}


def main() -> int:
    """Run it, print and write down what came of it."""
    given = Asked(
        __doc__,
        months=10,
        rows=150,
        machines=3,
        seed=1,
        shared=False,
        accounts=3,
        namespaces=False,
    )
    events = Counter[str]()
    done: list[Shared] = []
    with ExitStack() as stack:
        links, server = _server(given, stack)
        for month in range(given.months):
            with tempfile.TemporaryDirectory(prefix="kawe-machines-") as name:
                folder = Path(name).resolve()
                one = _month(given, folder, server, month=month, links=links)
            done.append(one)
            events += one.events
            print(f"{month}: {one}")
    lost, doubled = sum(each.lost for each in done), sum(each.doubled for each in done)
    _record(given, done, events)
    print(f"{lost} lost, {doubled} doubled")
    return 1 if lost or doubled else 0


def _server(given: Asked, stack: ExitStack) -> tuple[Network | None, Postgres]:
    """Start the server, in reach of namespaces where they are asked for and allowed."""
    if not (given.shared and given.namespaces):
        return None, stack.enter_context(running_postgres())
    if why := why_none():
        print(f"The hosts are in no namespaces of their own: {why}.")
        return None, stack.enter_context(running_postgres())
    links = stack.enter_context(network(given.machines))
    server = stack.enter_context(running_postgres(listens=OUTSIDE, to=HOSTS))
    return links, server


def _month(
    given: Asked,
    folder: Path,
    server: Postgres,
    *,
    month: int,
    links: Network | None,
) -> Shared:
    run: Callable[..., Shared] = submit_through_trouble
    if given.shared:
        run = partial(work_through_trouble, accounts=given.accounts, links=links)
    return run(
        folder,
        server.fresh(),
        rows=given.rows,
        machines=given.machines,
        seed=given.seed + month,
    )


def _record(given: Asked, done: list[Shared], events: Counter[str]) -> None:
    apart = "hosts-apart" if given.namespaces else "hosts"
    campaign = apart if given.shared else "machines"
    given.record(
        campaign,
        _WHAT[campaign],
        runs=sum(each.runs for each in done),
        rows=sum(each.rows for each in done),
        faults=events.total() - events["nothing"],
        lost=sum(each.lost for each in done),
        doubled=sum(each.doubled for each in done),
        seeds=f"{given.seed} to {given.seed + given.months - 1}",
        note=", ".join(f"{n} {event}" for event, n in sorted(events.items())),
    )


if __name__ == "__main__":
    sys.exit(main())
