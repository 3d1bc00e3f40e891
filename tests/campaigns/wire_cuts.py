"""Cut the connection at every byte of a create and of a send, and count.

The short version is tests/faults/test_wire_cuts.py. This one takes the step
between two bytes:

    PYTHONPATH=tests .venv/bin/python -m campaigns.wire_cuts 1
"""

from __future__ import annotations

import sys
import tempfile
from itertools import zip_longest
from pathlib import Path
from typing import Final

from doubles.cutting import Cut
from doubles.figures import Asked
from doubles.wire_cases import Cuts, batches, cuts, lengths, try_cuts
from kawe.domain.service.states import Step

_AT_ONCE: Final = 150


def campaign(folder: Path, *, every: int) -> list[Cuts]:
    """Cut everywhere, closed and reset, many rows to a run."""
    measured = lengths(folder / "measure")
    for (step, way), length in measured.items():
        print(f"{step:7} {way.value:8} {length:5} bytes")
    done = []
    for resets in (False, True):
        creates, sends = (
            cuts(measured, step, every=every, resets=resets)
            for step in (Step.CREATE, Step.SEND)
        )
        none: list[Cut] = []
        pairs = zip_longest(
            batches(creates, _AT_ONCE), batches(sends, _AT_ONCE), fillvalue=none
        )
        for number, (some, others) in enumerate(pairs):
            place = folder / f"{'reset' if resets else 'closed'}-{number}"
            found = try_cuts(place, creates=some, sends=others)
            print(
                f"{place.name:10} {found.acts:5} cuts, {found.rows:4} rows, "
                f"{found.doubled} doubled, {found.lost} lost, "
                f"{found.to_a_person} to a person, "
                f"{len(found.complaints)} complaints",
                flush=True,
            )
            print(*found.complaints[:5], sep="\n")
            done.append(found)
    return done


def main() -> int:
    """Fail when anything did not hold."""
    given = Asked(__doc__, "every", every=1)
    with tempfile.TemporaryDirectory(prefix="kawe-wire-") as name:
        done = campaign(Path(name), every=given.every)
    wrong = [each for found in done for each in found.complaints]
    given.record(
        "wire-cuts",
        "the connection is closed or reset at every "
        f"{'byte' if given.every == 1 else f'{given.every}th byte'} of a create "
        "and of a send, both ways",
        runs=2 * len(done),
        rows=sum(each.rows for each in done),
        faults=sum(each.acts for each in done),
        lost=sum(each.lost for each in done),
        doubled=sum(each.doubled for each in done),
        to_a_person=sum(each.to_a_person for each in done),
        note=f"{len(wrong)} verdicts or ends that were not as they should be",
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
