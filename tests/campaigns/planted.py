"""Plant known bugs in copies of kawe, one at a time, and see that tests catch them.

Each bug is a patch in tests/faults/planted. It is applied to a copy of the
sources and the tests; the tests that are to catch it run there, and at least
one must fail. Before that, all of them must pass in a copy without a bug.

    PYTHONPATH=tests .venv/bin/python -m campaigns.planted
        (nothing more)            every bug, two at a time
        --only 404 --processes 1  those with 404 in the name
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

from doubles.figures import Asked
from faults.planted.bugs import Bug, bugs
from faults.planted.planting import End, Trial, copied, plant_all, tested

_WIDTH: Final = 40


def main() -> int:
    """Plant, print the table, write the figures down; fail on a bug not caught."""
    given = Asked(__doc__, processes=2, only="")
    planted = [bug for bug in bugs() if given.only in bug.name]
    end, words = _without_a_bug(planted)
    if end is not End.MISSED:
        print(f"Without any bug the tests do not pass: {words}")
        return 1
    trials = plant_all(planted, processes=given.processes, tell=_tell)
    caught = sum(trial.end is End.CAUGHT for trial in trials)
    print(f"{caught} of {len(trials)} caught")
    if not given.only:
        given.record(
            "planted-bugs",
            "known bugs planted in copies of kawe, one at a time",
            runs=len(trials) + 1,
            rows=0,
            faults=len(trials),
            note=f"{caught} of {len(trials)} caught",
        )
    return 0 if caught == len(trials) > 0 else 1


def _without_a_bug(planted: list[Bug]) -> tuple[End, str]:
    # A test that fails anyway would seem to catch everything.
    tests = dict.fromkeys(test for bug in planted for test in bug.caught_by)
    with tempfile.TemporaryDirectory(prefix="kawe-planted-") as folder:
        return tested(copied(Path(folder).resolve() / "kawe"), list(tests))


def _tell(trial: Trial) -> None:
    name = trial.bug.name.ljust(_WIDTH)
    print(f"{name} {trial.end:9} {trial.seconds:5.0f} s  {trial.by}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
