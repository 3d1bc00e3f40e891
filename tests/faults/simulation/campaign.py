"""Many worlds, on a few processors."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from random import Random
from typing import Final

from faults.simulation.batches import size_of
from faults.simulation.command import unwrapped
from faults.simulation.oracle import Findings, live
from faults.simulation.world import Setting
from kawe.service.opening import Service

_TOGETHER: Final = 8
_AHEAD: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """So many rows, from so many worlds as it takes; one seed gives all of it."""

    seed: int
    rows: int
    least_faults: float = 5.0
    most_faults: float = 5.0
    """Percent of the requests; each world has its own share in between."""
    oddities_percent: float = 2.0
    settle_seconds: float = 180.0
    wrap: Callable[[Service], Service] = unwrapped
    processes: int = 1
    most_seconds: float = float("inf")
    """When to begin no further world."""
    tell: Callable[[Findings], None] = field(default=lambda _: None)

    def settings(self) -> Iterator[Setting]:
        """Give the worlds."""
        seed, rows = self.seed, 0
        while rows < self.rows:
            setting = self.setting(seed)
            rows += size_of(setting.chance("size"))
            seed += 1
            yield setting

    def setting(self, seed: int, *, keeps_trace: bool = False) -> Setting:
        """Give the world of one seed."""
        share = Random(f"{seed} faults").uniform(self.least_faults, self.most_faults)
        return Setting(
            seed=seed,
            faults_percent=share,
            oddities_percent=self.oddities_percent,
            settle_seconds=self.settle_seconds,
            wrap=self.wrap,
            keeps_trace=keeps_trace,
        )

    def run(self) -> Findings:
        """Let all worlds live."""
        begun, findings = time.monotonic(), Findings()
        groups = _grouped(self.settings())
        for found in self._lived(
            group for group in groups if time.monotonic() - begun < self.most_seconds
        ):
            findings += found
            self.tell(findings)
        return findings

    def _lived(self, groups: Iterator[list[Setting]]) -> Iterator[Findings]:
        if self.processes == 1:
            yield from map(live_all, groups)
            return
        # Started anew, not copied: what another test left running stays there.
        with ProcessPoolExecutor(
            self.processes, mp_context=get_context("spawn")
        ) as pool:
            # A few at a time, so that the time can be up in between.
            while several := list(islice(groups, self.processes * _AHEAD)):
                yield from pool.map(live_all, several)


def live_all(settings: Sequence[Setting]) -> Findings:
    """Let some worlds live, one after the other."""
    findings = Findings()
    for setting in settings:
        findings += live(setting)[0]
    return findings


def _grouped(settings: Iterator[Setting]) -> Iterator[list[Setting]]:
    while group := list(islice(settings, _TOGETHER)):
        yield group
