"""Fail every call to the disk under a submit, one run for each, and count.

The short version is tests/faults/test_io_errors.py. This one takes the rows
and how many of the calls to try:

    PYTHONPATH=tests .venv/bin/python -m campaigns.io_faults 50 --every 7
"""

from __future__ import annotations

import errno
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from doubles.failing_disk import Fault, why_not
from doubles.figures import Asked
from doubles.io_cases import Case, Trial, complaints, trials
from doubles.power import Kind

# The many come last, for when the time is up.
_KINDS: Final = (
    Kind.MKDIR,
    Kind.RENAME,
    Kind.FTRUNCATE,
    Kind.UNLINK,
    Kind.OPEN,
    Kind.FSYNC,
    Kind.WRITE,
)
_WHOLE: Final = 12


def _cases(kind: Kind, number: int, *, rows: int) -> Iterator[Case]:
    """Give the four faults that the n-th call of a kind meets."""
    for error in (errno.ENOSPC, errno.EIO):
        for keeps_on in (False, True):
            fault = Fault(kind=kind, number=number, error=error, keeps_on=keeps_on)
            # One worker: then nothing at all may leave after a failed fsync.
            workers = 1 if kind is Kind.FSYNC else 8
            yield Case(fault=fault, rows=rows, workers=workers)


def campaign(folder: Path, *, rows: int, every: int, seconds: float) -> list[Trial]:
    """Try every n-th call of each kind until runs pass untouched."""
    done: list[Trial] = []
    ends = time.monotonic() + seconds
    with trials(folder) as running:
        for kind in _KINDS:
            number, struck = 1, True
            while struck and time.monotonic() < ends:
                # Small kinds are tried whole: there is one rename in a run.
                tried = running.every(_cases(kind, number, rows=rows))
                struck = any(each.struck for each in tried)
                done += [each for each in tried if each.struck]
                number += every if number > _WHOLE else 1
            tell(kind, [each for each in done if each.case.fault.kind is kind])
    return done


def tell(kind: Kind, done: list[Trial]) -> None:
    """Print one line of the table."""
    codes = Counter(each.code for each in done)
    print(
        f"{kind.name.lower():10} {len(done):6} faults, exit codes "
        f"{dict(sorted(codes.items()))}, {len(complaints(done))} complaints",
        flush=True,
    )


def main() -> int:
    """Fail when anything did not hold."""
    given = Asked(__doc__, "rows", rows=50, every=1, seconds=3600.0)
    if (why := why_not()) is not None:
        print(f"not run: {why}")
        return 0
    with tempfile.TemporaryDirectory(prefix="kawe-io-") as name:
        done = campaign(
            Path(name), rows=given.rows, every=given.every, seconds=given.seconds
        )
    wrong = complaints(done)
    print(*wrong[:20], sep="\n")
    given.record(
        "io-errors",
        "ENOSPC and EIO at the n-th write, fsync, open, rename, truncate, "
        "unlink or mkdir of a submit, once and from then on",
        runs=len(done),
        rows=sum(each.case.rows for each in done),
        faults=len(done),
        lost=sum(each.sends.count(0) for each in done),
        doubled=sum(count - 1 for each in done for count in each.sends if count > 1),
        to_a_person=sum(each.to_a_person for each in done),
        note=f"{len(wrong)} complaints",
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
