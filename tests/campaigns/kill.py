"""Kill kawe at every named point, thousands of times, and count what is left.

Each kill is kill -9 of a real process in front of a twin: before and after
each commit, at the first byte, the whole request and the answer of each call,
around each rename. Each batch is then run once to its end, and once more.

    PYTHONPATH=tests .venv/bin/python -m campaigns.kill
        --kills 10000 --recovery 5000 --minutes 60
        --kills 400 --recovery 200 --seed 7 --processes 2

Needs fork: Linux or macOS.
"""

from __future__ import annotations

import sys
from collections import Counter

from doubles.figures import Asked
from faults.kills import points
from faults.kills.campaign import Size, run_campaign
from faults.kills.life import Ledger


def main() -> int:
    """Kill, print the table, write the figures down; fail on anything found."""
    given = Asked(
        __doc__, kills=10_000, recovery=5_000, seed=20261121, processes=2, minutes=60.0
    )
    size = Size(
        kills=given.kills,
        in_recovery=given.recovery,
        seed=given.seed,
        seconds=given.minutes * 60,
    )
    ledger = run_campaign(size, processes=given.processes)
    _print_table(ledger)
    _record(ledger, given)
    return 0 if _is_clean(ledger, kills=given.kills) else 1


def _print_table(ledger: Ledger) -> None:
    _print_points("killed at", ledger.kills, known=points.NAMED)
    recovery = (*points.SETTLING, *points.NAMED)
    _print_points("killed in recovery at", ledger.in_recovery, known=recovery)
    print(f"{ledger.runs:>7} processes, {ledger.batches} batches, {ledger.rows} rows")
    print(f"{ledger.held:>7} rows that a person had to let go on")
    for name in ("lost", "doubled", "wrong"):
        found: list[str] = getattr(ledger, name)
        print(f"{len(found):>7} {name}")
        for each in found[:20]:
            print(f"        {each}")


def _print_points(title: str, met: Counter[str], *, known: tuple[str, ...]) -> None:
    print(f"{met.total():>7} {title}")
    for point in known:
        print(f"{met[point]:>7}   {point}")


def _record(ledger: Ledger, given: Asked) -> None:
    campaigns = (
        ("kills", "kill -9 at every named point, real processes", ledger.kills),
        ("kills-in-recovery", "kill -9 again during recovery", ledger.in_recovery),
    )
    for name, what, met in campaigns:
        given.record(
            name,
            what,
            runs=ledger.runs,
            rows=ledger.rows,
            faults=met.total(),
            lost=len(ledger.lost),
            doubled=len(ledger.doubled),
            to_a_person=ledger.held,
            seeds=str(given.seed),
            note=f"{sum(count > 0 for count in met.values())} points; processes, rows "
            "and seconds are those of both kinds of kills together",
        )


def _is_clean(ledger: Ledger, *, kills: int) -> bool:
    never_met = [
        *(point for point in points.NAMED if not ledger.kills[point]),
        *(point for point in points.SETTLING if not ledger.in_recovery[point]),
    ]
    if never_met:
        print(f"NEVER MET: {', '.join(never_met)}")
    # Fewer kills than points cannot meet them all: a trial of the campaign itself.
    is_trial = kills < len(points.NAMED)
    is_met = is_trial or not never_met
    return is_met and not (ledger.lost or ledger.doubled or ledger.wrong)


if __name__ == "__main__":
    sys.exit(main())
