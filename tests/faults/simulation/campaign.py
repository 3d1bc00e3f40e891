"""Many worlds, on a few processors."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from multiprocessing import get_context
from random import Random
from typing import Any, ClassVar, Final, TypeAlias

from faults.simulation.batches import size_of
from faults.simulation.command import unwrapped
from faults.simulation.oracle import Findings, live
from faults.simulation.world import Setting
from kawe.service.opening import Service

Lives: TypeAlias = Callable[[Any], tuple[Findings, Any]]
_TOGETHER: Final = 8
_AHEAD: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """So many rows, from so many worlds as it takes; one seed gives all of it."""

    KIND: ClassVar[type[Setting]] = Setting
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

    @property
    def lives(self) -> Lives:
        """Give what lets a world of this campaign live."""
        return live

    def settings(self) -> Iterator[Any]:
        """Give the worlds."""
        seed, rows = self.seed, 0
        while rows < self.rows:
            setting = self.setting(seed)
            rows += self.size(setting)
            seed += 1
            yield setting

    def size(self, setting: Any) -> int:
        """Say how many rows a world has."""
        return size_of(setting.chance("size"))

    def setting(self, seed: int, *, keeps_trace: bool = False) -> Any:
        return self.KIND(
            seed=seed,
            faults_percent=self.faults_of(seed),
            oddities_percent=self.oddities_percent,
            settle_seconds=self.settle_seconds,
            wrap=self.wrap,
            keeps_trace=keeps_trace,
        )

    def faults_of(self, seed: int) -> float:
        """Say how many percent of the requests of a world meet a fault."""
        return Random(f"{seed} faults").uniform(self.least_faults, self.most_faults)

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

    def _lived(self, groups: Iterator[list[Any]]) -> Iterator[Findings]:
        live_group = partial(live_all, self.lives)
        if self.processes == 1:
            yield from map(live_group, groups)
            return
        # Started anew, not copied: what another test left running stays there.
        with ProcessPoolExecutor(
            self.processes, mp_context=get_context("spawn")
        ) as pool:
            # A few at a time, so that the time can be up in between.
            while several := list(islice(groups, self.processes * _AHEAD)):
                yield from pool.map(live_group, several)


def live_all(lives: Lives, settings: Sequence[Any]) -> Findings:
    """Let some worlds live, one after the other."""
    findings = Findings()
    for setting in settings:
        findings += lives(setting)[0]
    return findings


def _grouped(settings: Iterator[Any]) -> Iterator[list[Any]]:
    while group := list(islice(settings, _TOGETHER)):
        yield group
