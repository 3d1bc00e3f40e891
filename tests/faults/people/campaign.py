"""Many worlds with people in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from faults.people.oracle import live
from faults.people.world import Setting, size_of
from faults.simulation.campaign import Campaign, Lives


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleCampaign(Campaign):
    """So many rows that several computers have in their workbooks."""

    @property
    def lives(self) -> Lives:
        """Give what lets a world of this campaign live."""
        return live

    def size(self, setting: Any) -> int:
        """Say how many rows a world has at least: people write more."""
        return size_of(setting)

    def setting(self, seed: int, *, keeps_trace: bool = False) -> Any:
        """Give the world of one seed."""
        return Setting(
            seed=seed,
            faults_percent=self.faults_of(seed),
            oddities_percent=self.oddities_percent,
            settle_seconds=self.settle_seconds,
            keeps_trace=keeps_trace,
        )
