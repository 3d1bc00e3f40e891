"""Rebuild what a power loss may leave of a run, at every moment, and count.

The short version is tests/faults/test_power_loss.py. This one takes the rows,
the seeds, how many states are tried at each moment, and each which moment:

    PYTHONPATH=tests .venv/bin/python -m campaigns.power_loss
        20 --seeds 5 --most 32 --every 1
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from doubles.failing_disk import (
    DIE,
    Commands,
    Fault,
    a_person,
    commands,
    submitting,
    why_not,
)
from doubles.figures import Asked
from doubles.power import Kind
from doubles.power_cases import Losses, cut_and_go_on, look_at_losses, recorded


def states(born: Commands, folder: Path, *, given: Asked, seed: int) -> Losses:
    """Look at every moment of one submit and of one export."""
    found = Losses()
    with a_person(folder / f"states-{seed}", rows=given.rows) as person:
        for words in (submitting(), ("export", "receipts", "-o", "receipts")):
            recording = recorded(born, person, words)
            more = look_at_losses(
                recording,
                scratch=folder / "left",
                seed=seed,
                most=given.most,
                every=given.every,
            )
            found.moments += more.moments
            found.states += more.states
            found.refused += more.refused
            found.complaints += more.complaints
    print(
        f"seed {seed}: {found.moments} moments, {found.states} states, "
        f"{found.refused} before there was a journal, "
        f"{len(found.complaints)} complaints",
        flush=True,
    )
    return found


def recoveries(
    born: Commands, folder: Path, *, rows: int, count: int
) -> list[tuple[int, ...]]:
    """Cut the power at every act and at many writes, and run again.

    Gives how often each project was sent, run by run.
    """
    faults = [
        Fault(kind=Kind.SEND, number=number, error=DIE)
        for number in range(1, 2 * rows + 1)
    ]
    faults += [
        Fault(kind=Kind.WRITE, number=20 + 11 * number, error=DIE)
        for number in range(count)
    ]
    sends = []
    for number, fault in enumerate(faults):
        with a_person(folder / f"cut-{number}", rows=rows) as person:
            _, went_on, counted = cut_and_go_on(born, person, fault, seed=number)
        if went_on.code or counted != (1,) * rows:
            print(f"{fault}: {went_on.code} {counted} {went_on.err}")
        sends.append(counted)
    return sends


def main() -> int:
    """Fail when anything did not hold."""
    given = Asked(__doc__, "rows", rows=20, seeds=3, most=32, every=1, recoveries=60)
    if (why := why_not()) is not None:
        print(f"not run: {why}")
        return 0
    with tempfile.TemporaryDirectory(prefix="kawe-power-") as name:
        folder = Path(name).resolve()
        with commands(folder / "commands") as born:
            found = [
                states(born, folder, given=given, seed=seed)
                for seed in range(1, given.seeds + 1)
            ]
            sends = recoveries(born, folder, rows=5, count=given.recoveries)
    wrong = [each for losses in found for each in losses.complaints]
    print(*wrong[:20], sep="\n")
    tried = sum(losses.states for losses in found)
    moments = sum(losses.moments for losses in found)
    given.record(
        "power-loss",
        f"the power goes at {moments} moments of a submit and an export: "
        f"{tried} states that the disk may be left in are opened, and "
        f"{len(sends)} runs go on from one",
        runs=given.seeds + len(sends),
        rows=given.seeds * given.rows + 5 * len(sends),
        faults=tried + len(sends),
        lost=sum(5 - len(each) + each.count(0) for each in sends),
        doubled=sum(n - 1 for each in sends for n in each if n > 1),
        # A row that waits for a person was not sent.
        to_a_person=sum(5 - len(each) + each.count(0) for each in sends),
        seeds=f"1 to {given.seeds}",
        note=f"{len(wrong)} complaints",
    )
    ended_well = all(each == (1,) * 5 for each in sends)
    return 0 if ended_well and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
