"""Let a second computer submit the same workbook at every moment of the first's run.

Each request of the first computer is a moment: before its first look, between
two files, between two drafts, before the first send, between sends, and when
all is done. Files take no time or a minute each; the service refuses a second
send or carries it out; its lists show at once what is new, or after 20 seconds
(then both say that several machines are at work).

    PYTHONPATH=tests .venv/bin/python -m campaigns.two_computers
        (nothing more)       six rows, every moment
        --rows 12 --seeds 5
        --show 3:17          one meeting, line by line
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import product

from doubles.figures import Asked
from faults.people.overlap import Meeting, Scenery, meet, meetings


def sceneries(given: Asked) -> list[Scenery]:
    """Give every scenery, numbered from 0."""
    every = product(
        range(1, given.seeds + 1), (False, True), (0.0, 20.0), (0.2, 60.0), (1, 3, 8)
    )
    return [
        Scenery(
            rows=given.rows,
            seed=seed,
            refuses_second_send=refuses,
            lag_seconds=lag,
            upload_seconds=upload,
            workers=workers,
        )
        for seed, refuses, lag, upload, workers in every
    ]


def main() -> int:
    """Let them meet, print what was not as promised, write the figures down."""
    given = Asked(__doc__, rows=6, seeds=3, every=1, show="")
    if given.show:
        return _show(given)
    met: list[Meeting] = []
    for number, scenery in enumerate(sceneries(given)):
        here = list(meetings(scenery, every=given.every))
        met += here
        doubled = sum(each.doubled for each in here)
        print(f"{number}: {scenery.words()}: {len(here)} moments, {doubled} doubled")
        for each in here:
            for trouble in each.troubles():
                print(f"BROKEN: {number}:{each.moment}: {trouble}")
    _record(met, given)
    return 1 if any(each.troubles() for each in met) else 0


def _show(given: Asked) -> int:
    number, _, moment = given.show.partition(":")
    met = meet(sceneries(given)[int(number)], int(moment), keeps_trace=True)
    print("\n".join(met.lines))
    print("\n".join(met.troubles()) or "every promise was kept")
    return 1 if met.troubles() else 0


def _record(met: Sequence[Meeting], given: Asked) -> None:
    given.record(
        "two-computers",
        "a second computer submits the same workbook at every moment of the "
        "first's run; both run again later",
        runs=6 * len(met),
        rows=sum(each.rows for each in met),
        faults=0,
        lost=sum(each.lost for each in met),
        doubled=sum(each.doubled for each in met),
        to_a_person=sum(each.to_a_person for each in met),
        seeds=f"1 to {given.seeds}",
        note=f"{len(met)} moments; with and without 409, lists that lag 0 and 20 s "
        f'(then with `machines = "several"`), 1, 3 and 8 workers; '
        f"{sum(len(each.untold) for each in met)} people were not told",
    )


if __name__ == "__main__":
    sys.exit(main())
