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

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import product

from doubles.figures import RUN, Figures, record
from faults.people.overlap import Meeting, Scenery, meet, meetings


def sceneries(options: argparse.Namespace) -> list[Scenery]:
    """Give every scenery, numbered from 0."""
    every = product(
        range(1, options.seeds + 1), (False, True), (0.0, 20.0), (0.2, 60.0), (1, 3, 8)
    )
    return [
        Scenery(
            rows=options.rows,
            seed=seed,
            refuses_second_send=refuses,
            lag_seconds=lag,
            upload_seconds=upload,
            workers=workers,
        )
        for seed, refuses, lag, upload, workers in every
    ]


def main(words: Sequence[str] | None = None) -> int:
    """Let them meet, print what was not as promised, write the figures down."""
    options = _options(words)
    if options.show:
        return _show(options)
    begun, met = time.monotonic(), []
    for number, scenery in enumerate(sceneries(options)):
        here = list(meetings(scenery, every=options.every))
        met += here
        doubled = sum(each.doubled for each in here)
        print(f"{number}: {scenery.words()}: {len(here)} moments, {doubled} doubled")
        for each in here:
            for trouble in each.troubles():
                print(f"BROKEN: {number}:{each.moment}: {trouble}")
    record(_figures(met, options=options, seconds=time.monotonic() - begun))
    return 1 if any(each.troubles() for each in met) else 0


def _show(options: argparse.Namespace) -> int:
    number, _, moment = options.show.partition(":")
    met = meet(sceneries(options)[int(number)], int(moment), keeps_trace=True)
    print("\n".join(met.lines))
    print("\n".join(met.troubles()) or "every promise was kept")
    return 1 if met.troubles() else 0


def _figures(
    met: Sequence[Meeting], *, options: argparse.Namespace, seconds: float
) -> Figures:
    return Figures(
        campaign="two-computers",
        what="a second computer submits the same workbook at every moment of the "
        "first's run; both run again later",
        command=f"{RUN}.two_computers --rows {options.rows} "
        f"--seeds {options.seeds} --every {options.every}",
        runs=6 * len(met),
        rows=sum(each.rows for each in met),
        faults=0,
        lost=sum(each.lost for each in met),
        doubled=sum(each.doubled for each in met),
        to_a_person=sum(each.to_a_person for each in met),
        seconds=round(seconds, 1),
        seeds=f"1 to {options.seeds}",
        note=f"{len(met)} moments; with and without 409, lists that lag 0 and 20 s "
        f'(then with `machines = "several"`), 1, 3 and 8 workers; '
        f"{sum(len(each.untold) for each in met)} people were not told",
    )


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=6)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--every", type=int, default=1, help="every n-th moment")
    parser.add_argument("--show", metavar="SCENERY:MOMENT", default="")
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
