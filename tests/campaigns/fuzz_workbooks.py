"""Read and check thousands of spoiled workbooks, on every core at once.

A workbook may be read, or refused in one plain sentence. A traceback, a
process that dies, more than 10 s of the CPU and more than 512 MiB are
failures: the workbook is kept, with what was done to it.

    PYTHONPATH=tests .venv/bin/python -m campaigns.fuzz_workbooks
        (nothing more)  5,000 workbooks
        400 20261121    so many, from this seed
        --only 17       number 17 of that seed again
        400 --json      the figures printed, not kept

Needs fork: Linux or macOS.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from doubles.figures import RUN, Figures, record
from faults.fuzzing.crew import MOST_BYTES, Crew, End, Ran, check
from faults.fuzzing.mutations import Spoiled, spoil

ROOT: Final = Path(__file__).resolve().parents[2]
KEPT: Final = ROOT / "build" / "fuzz"
_TOLD_EACH: Final = 10_000


@dataclass(slots=True, kw_only=True)
class Counts:
    """What all of them came to."""

    ends: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, 0)
    """Seconds, and the number of the workbook; so too the peak."""
    peak: tuple[int, int] = (0, 0)
    changes: int = 0
    failures: list[int] = field(default_factory=list)

    def add(self, number: int, ran: Ran) -> None:
        """Count one workbook."""
        self.ends[ran.end] += 1
        self.slowest = max(self.slowest, (ran.seconds, number))
        self.peak = max(self.peak, (ran.peak_bytes, number))
        self.changes += ran.changes
        if not ran.is_good:
            self.failures.append(number)

    def told(self) -> dict[str, int | float]:
        """Give the figures by name."""
        return {
            "workbooks": self.ends.total(),
            "changes": self.changes,
            "read": self.ends[End.TABLE.name],
            "refused": self.ends[End.REFUSAL.name],
            "failures": len(self.failures),
            "slowest_seconds": round(self.slowest[0], 1),
            "slowest": self.slowest[1],
            "peak_mib": round(self.peak[0] / 2**20),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Makes the spoiled workbook of each number, always the same for a seed."""

    seed: int
    samples: Sequence[bytes]

    def make(self, number: int) -> Spoiled:
        """Make the workbook with this number."""
        chance = Random(f"{self.seed}:{number}")
        return spoil(chance.choice(self.samples), chance=chance)


def good_workbooks() -> list[Path]:
    """Give the samples that can be read, in a fixed order."""
    return sorted(
        path
        for folder in ("good", "odd")
        for ending in ("xlsx", "csv")
        for path in (ROOT / "samples" / folder).glob(f"*/*.{ending}")
    )


def campaign(numbers: Sequence[int], *, seed: int) -> Counts:
    """Run all of them; failures are kept below `build/fuzz` and told."""
    paths = good_workbooks()
    recipe = Recipe(seed=seed, samples=[path.read_bytes() for path in paths])
    for path in paths:
        # Once here, so that what is loaded late is loaded for every worker.
        check(path)
    counts = Counts()
    with tempfile.TemporaryDirectory(prefix="kawe-fuzz-") as folder:
        crew = Crew(make=recipe.make, folder=Path(folder))
        for number, ran in crew.run(numbers):
            counts.add(number, ran)
            if not ran.is_good:
                _keep(f"{seed}-{number}", recipe.make(number), ran)
            if counts.ends.total() % _TOLD_EACH == 0:
                print(f"{counts.ends.total()} of {len(numbers)}", file=sys.stderr)
    return counts


def _keep(name: str, workbook: Spoiled, ran: Ran) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / f"{name}.{workbook.ending}").write_bytes(workbook.data)
    words = [
        f"{ran.end} after {ran.seconds:.1f} s, {ran.peak_bytes / 2**20:.0f} MiB",
        *workbook.done,
        ran.said,
    ]
    text = "\n".join(words).encode("utf-8", "backslashreplace")
    (KEPT / f"{name}.txt").write_bytes(text)
    print(f"FAILURE {name}: {ran.end}; kept in {KEPT}", flush=True)


def say(counts: Counts) -> None:
    """Print the figures."""
    ends = counts.ends
    print(
        f"{ends.total()} spoiled workbooks: {ends[End.TABLE.name]} read, "
        f"{ends[End.REFUSAL.name]} refused plainly, {len(counts.failures)} failures"
    )
    print(f"slowest {counts.slowest[0]:.1f} s (number {counts.slowest[1]})")
    print(
        f"peak {counts.peak[0] / 2**20:.0f} MiB of {MOST_BYTES // 2**20} "
        f"(number {counts.peak[1]})"
    )


def figures(counts: Counts, *, seed: int, seconds: float) -> Figures:
    """Give what is published."""
    told, many = counts.told(), counts.ends.total()
    return Figures(
        campaign="workbooks",
        what="spoiled workbooks and CSV files, each read or refused plainly",
        command=f"{RUN}.fuzz_workbooks {many} {seed}",
        runs=many,
        rows=0,
        faults=counts.changes,
        lost=0,
        doubled=0,
        to_a_person=0,
        seconds=seconds,
        seeds=str(seed),
        note=(
            f"{told['read']:,} read, {told['refused']:,} refused in one sentence; "
            f"{told['failures']} failures; slowest {told['slowest_seconds']} s, "
            f"peak {told['peak_mib']} MiB"
        ),
    )


def main() -> int:
    """Fail when any workbook did."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("count", type=int, nargs="?", default=5_000)
    words.add_argument("seed", type=int, nargs="?", default=20261121)
    words.add_argument("--only", type=int, action="append")
    words.add_argument("--json", action="store_true", help="print them, keep nothing")
    given = words.parse_args()
    begun = time.monotonic()
    counts = campaign(given.only or range(given.count), seed=given.seed)
    seconds = round(time.monotonic() - begun, 1)
    if given.json:
        print(json.dumps(counts.told() | {"seconds": seconds}))
    else:
        say(counts)
        if not given.only:
            record(figures(counts, seed=given.seed, seconds=seconds))
    return 1 if counts.failures else 0


if __name__ == "__main__":
    sys.exit(main())
