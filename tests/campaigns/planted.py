"""Plant known bugs in copies of kawe, one at a time, and see that tests catch them.

Each bug is a patch in tests/faults/planted. It is applied to a copy of the
sources and the tests; the tests that are to catch it run there, and at least
one must fail. Before that, all of them must pass in a copy without a bug.

    PYTHONPATH=tests .venv/bin/python -m campaigns.planted
        (nothing more)            every bug, two at a time
        --only 404 --processes 1  those with 404 in the name
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from doubles.figures import RUN, Figures, record
from faults.planted.bugs import Bug, bugs
from faults.planted.planting import End, Trial, copied, plant_all, tested

_WIDTH: Final = 40


def main() -> int:
    """Plant, print the table, write the figures down; fail on a bug not caught."""
    options = _options()
    planted = [bug for bug in bugs() if options.only in bug.name]
    began = time.monotonic()
    end, words = _without_a_bug(planted)
    if end is not End.MISSED:
        print(f"Without any bug the tests do not pass: {words}")
        return 1
    trials = plant_all(planted, processes=options.processes, tell=_tell)
    caught = sum(trial.end is End.CAUGHT for trial in trials)
    print(f"{caught} of {len(trials)} caught")
    if not options.only:
        seconds = time.monotonic() - began
        record(_figures(trials, caught=caught, seconds=seconds))
    return 0 if caught == len(trials) > 0 else 1


def _without_a_bug(planted: list[Bug]) -> tuple[End, str]:
    # A test that fails anyway would seem to catch everything.
    tests = dict.fromkeys(test for bug in planted for test in bug.caught_by)
    with tempfile.TemporaryDirectory(prefix="kawe-planted-") as folder:
        return tested(copied(Path(folder).resolve() / "kawe"), list(tests))


def _tell(trial: Trial) -> None:
    name = trial.bug.name.ljust(_WIDTH)
    print(f"{name} {trial.end:9} {trial.seconds:5.0f} s  {trial.by}", flush=True)


def _figures(trials: list[Trial], *, caught: int, seconds: float) -> Figures:
    return Figures(
        campaign="planted-bugs",
        what="known bugs planted in copies of kawe, one at a time",
        command=f"{RUN}.planted",
        runs=len(trials) + 1,
        rows=0,
        faults=len(trials),
        lost=0,
        doubled=0,
        to_a_person=0,
        seconds=round(seconds, 1),
        note=f"{caught} of {len(trials)} caught",
    )


def _options() -> argparse.Namespace:
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--processes", type=int, default=2)
    words.add_argument("--only", default="", help="a part of the names")
    return words.parse_args()


if __name__ == "__main__":
    sys.exit(main())
