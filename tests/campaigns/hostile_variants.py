"""Submit many batches to a service that breaks its rules in every known way.

    PYTHONPATH=tests .venv/bin/python -m campaigns.hostile_variants
        (nothing more)                          200 batches of each kind
        --seeds 20                              so many of each
        --seeds 1 --seed 77 --only "lists lag"

Each batch has its own number of rows and its own chance that something goes
wrong; one in three meets two kinds at once. Each is submitted while the
service is hostile, and twice when it is well. Ends with 1 when a row was
doubled or lost, when a command ended in a way that no page describes, and when
a row was held without the reason.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from doubles.figures import Asked
from doubles.hostile_batch import Rehearsal, Told, Variant
from doubles.hostile_variants import VARIANTS
from kawe_twin.serving import TwinOptions, start_twin

MOST_ROWS = 8
OLD_PROJECTS = 110


def chosen(variant: Variant, *, seed: int) -> tuple[Variant, int]:
    """Make a kind of hostility a little different; give it with a number of rows."""
    chance = Random(f"{variant.name} {seed}")
    made = variant.as_likely(round(chance.uniform(0.1, 0.9), 2))
    if chance.random() < 1 / 3:
        made = made.mixed(chance.choice(VARIANTS).as_likely(0.3))
    return made, chance.randint(1, MOST_ROWS)


def rehearse(folder: Path, *, variants: list[Variant], seeds: range) -> list[Told]:
    """Go through every batch, and print what went wrong with each."""
    ends: list[Told] = []
    options = TwinOptions(
        folder=folder / "twin", tokens=1_000_000, rate_limit=10_000_000, faults=True
    )
    with start_twin(options) as twin:
        rehearsal = Rehearsal(twin=twin, folder=folder)
        rehearsal.fill(projects=OLD_PROJECTS)
        for seed in seeds:
            for variant in variants:
                made, rows = chosen(variant, seed=seed)
                end = rehearsal.go_through(made, rows=rows, seed=seed)
                ends.append(end)
                if end.doubled or end.wrong:
                    print(f"{variant.name!r}, seed {seed}: {end}", flush=True)
    return ends


def tell(ends: list[Told], *, given: Asked, seeds: range) -> bool:
    """Print and write down what came of all batches; say whether all is well."""
    outcomes: Counter[str] = Counter()
    for end in ends:
        outcomes.update(end.outcomes)
    doubled = sum(len(end.doubled) for end in ends)
    wrong = sum(bool(end.wrong) for end in ends)
    faults = sum(end.faults for end in ends)
    print(
        f"{len(ends)} batches, {outcomes.total()} rows, {faults} faults: {doubled} "
        f"doubled, {wrong} batches that ended wrongly; {dict(outcomes)}"
    )
    given.record(
        "hostile-variants",
        f"batches sent to a service that is hostile in {len(VARIANTS)} ways",
        runs=3 * len(ends),
        rows=outcomes.total(),
        faults=faults,
        lost=wrong,
        doubled=doubled,
        to_a_person=outcomes["held"],
        seeds=f"{seeds.start} to {seeds.stop - 1}",
        note="lost counts batches that ended in any way that is not described",
    )
    return not doubled and not wrong


def main() -> int:
    """Rehearse every kind of hostility."""
    given = Asked(__doc__, seeds=200, seed=1, only="")
    seeds = range(given.seed, given.seed + given.seeds)
    variants = [each for each in VARIANTS if given.only in each.name]
    with tempfile.TemporaryDirectory() as folder:
        ends = rehearse(Path(folder), variants=variants, seeds=seeds)
    return 0 if tell(ends, given=given, seeds=seeds) else 1


if __name__ == "__main__":
    sys.exit(main())
