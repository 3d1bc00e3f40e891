"""Look for the key in every byte that months of kawe write.

    PYTHONPATH=tests .venv/bin/python -m campaigns.canary
        (nothing more)        ten months
        --months 50 --seed 7
        --months 1 --short    one answer, one crash, one signal

In each month somebody with a key of their own runs every command with debugging
on, with wrong keys and wrong settings, without tokens, before a service that says
the key back, with crashes planted at named places, and ended by signals at any
moment. What was said, what the disk was asked to write (also what was deleted
again), every file and every name is looked through for every piece of ten
characters of each key, in many forms. Ends with 1 when one was found.
"""

from __future__ import annotations

import random
import tempfile
from contextlib import nullcontext
from pathlib import Path

from doubles.canary import Hunt
from doubles.canary_runs import ROWS, SHORT, Month, Size, a_month, go_through
from doubles.failing_disk import commands, why_not
from doubles.figures import Asked
from kawe_twin.serving import TwinOptions, start_twin


def a_whole_month(folder: Path, *, seed: int, size: Size) -> Month:
    """Let one person go through everything."""
    options = TwinOptions(folder=folder / "twin", tokens=3, rate_limit=1_000_000)
    recording = nullcontext() if why_not() else commands(folder / "born")
    with start_twin(options) as twin, recording as born:
        month = a_month(folder / "person", twin=twin, born=born, hunt=Hunt())
        go_through(month, chance=random.Random(seed), size=size)
    return month


def main() -> int:
    """Go through all months, print and write down what was found."""
    given = Asked(__doc__, months=10, seed=1, short=False)
    size = SHORT if given.short else Size()
    months = []
    for seed in range(given.seed, given.seed + given.months):
        with tempfile.TemporaryDirectory(prefix="kawe-canary-") as name:
            month = a_whole_month(Path(name).resolve(), seed=seed, size=size)
        for trouble in (*month.hunt.found, *month.complaints):
            print(f"seed {seed}: {trouble}")
        print(
            f"seed {seed}: {month.runs} runs, {month.hunt.bytes_read:,} bytes in "
            f"{month.hunt.places} places, {len(month.hunt.found)} with a key"
        )
        months.append(month)
    found = sum(len(each.hunt.found) + len(each.complaints) for each in months)
    sends = [each["sends"] for month in months for each in month.projects]
    seen_bytes = sum(each.hunt.bytes_read for each in months)
    given.record(
        "canary",
        "months of every command with debugging on, wrong keys, crashes, "
        "signals, and a service that says the key back; every byte said and "
        "written is looked through for every piece of each key",
        runs=sum(each.runs for each in months),
        rows=len(sends),
        faults=sum(each.faults for each in months),
        doubled=sum(each > 1 for each in sends),
        seeds=f"{given.seed} to {given.seed + given.months - 1}",
        note=f"{seen_bytes / 1e6:,.0f} MB in "
        f"{sum(each.hunt.places for each in months):,} places, of "
        f"{ROWS} rows and more each; a key in {found} of them"
        + (f"; writes not recorded: {why_not()}" if why_not() else ""),
    )
    return 1 if found or any(each > 1 for each in sends) else 0


if __name__ == "__main__":
    raise SystemExit(main())
