"""Many batches: so many kills, then so many kills while a run recovers."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final

from faults.kills import points
from faults.kills.life import Ledger, Life
from faults.kills.nursery import Nursery
from faults.kills.scripts import be_killed, be_killed_in_recovery
from faults.kills.stand import open_stand

# Enough projects for scans of more than one page, few enough to be quick.
_BATCHES_BEFORE_ONE_TWIN: Final = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is to be done."""

    kills: int
    in_recovery: int
    seed: int
    seconds: float = float("inf")
    """No further batch is begun after so long; the two kinds share it."""

    @property
    def seconds_for_kills(self) -> float:
        """Give the share of those that are no kills in recovery."""
        return self.seconds * self.kills / max(1, self.kills + self.in_recovery)


def run_campaign(size: Size, *, processes: int) -> Ledger:
    """Share the kills among processes, and put together what came of them."""
    shares = [
        Size(
            kills=-(-size.kills // processes),
            in_recovery=-(-size.in_recovery // processes),
            seed=size.seed * 1_000 + number,
            seconds=size.seconds,
        )
        for number in range(processes)
    ]
    whole = Ledger()
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for part in pool.map(run_share, shares):
            whole.add(part)
    return whole


def run_share(size: Size) -> Ledger:
    """Do one process's share: first the kills, then those in recovery."""
    chance, begun = Random(size.seed), time.monotonic()

    def is_over(seconds: float) -> bool:
        return time.monotonic() - begun > seconds

    kills, recovery = Ledger(), Ledger()
    with (
        tempfile.TemporaryDirectory(prefix="kawe-kills-") as folder,
        Nursery() as nursery,
    ):
        grounds = _Grounds(folder=Path(folder), nursery=nursery, chance=chance)
        for life in grounds.lives(
            kills,
            until=lambda: (
                _is_enough(kills.kills, wanted=size.kills, of=points.NAMED)
                or is_over(size.seconds_for_kills)
            ),
        ):
            be_killed(life)
        for life in grounds.lives(
            recovery,
            until=lambda: (
                _is_enough(
                    recovery.in_recovery, wanted=size.in_recovery, of=points.SETTLING
                )
                or is_over(size.seconds)
            ),
        ):
            be_killed_in_recovery(life)
    # What only led to a recovery is no kill of the first kind.
    recovery.kills.clear()
    kills.add(recovery)
    return kills


def _is_enough(met: Counter[str], *, wanted: int, of: tuple[str, ...]) -> bool:
    """Go on where chance has left a point out."""
    is_all_met = all(met[point] for point in of)
    return met.total() >= wanted * (1 if is_all_met else 3)


@dataclass(slots=True, kw_only=True)
class _Grounds:
    folder: Path
    nursery: Nursery
    chance: Random

    def lives(self, ledger: Ledger, *, until: Callable[[], bool]) -> Iterator[Life]:
        """Give batch after batch, a fresh twin now and then."""
        numbers = count(1)
        while not until():
            stand_folder = Path(tempfile.mkdtemp(dir=self.folder))
            with open_stand(stand_folder, nursery=self.nursery) as stand:
                for _ in range(_BATCHES_BEFORE_ONE_TWIN):
                    if until():
                        return
                    yield Life(
                        next(numbers), stand=stand, chance=self.chance, ledger=ledger
                    )
