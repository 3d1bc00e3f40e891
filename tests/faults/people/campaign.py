"""Many worlds with people in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final

from faults.people import habits, months, programmes
from faults.people.oracle import live
from faults.people.world import Setting, size_of
from faults.simulation.campaign import Campaign, Lives
from faults.simulation.oracle import Findings

SIDE_BY_SIDE: Final = "side by side"
WITH_HABITS: Final = "habits"
HONEST: Final = "programmes"
_MIXED: Final = (*[SIDE_BY_SIDE] * 5, *[WITH_HABITS] * 2, HONEST)
"""What worlds are about, by their seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleCampaign(Campaign):
    """So many rows that several computers have in their workbooks."""

    KIND: ClassVar = Setting
    about: str = ""
    """What all worlds are about; empty: it depends on their seed."""

    @property
    def lives(self) -> Lives:
        """Give what lets a world of this campaign live."""
        return partial(_live, about=self.about)

    def size(self, setting: Any) -> int:
        """Say about how many rows a world has: people write more."""
        match self.about or _MIXED[setting.seed % len(_MIXED)]:
            case "habits":
                return 25
            case "programmes":
                return 150
            case _:
                return size_of(setting)


def _live(setting: Setting, *, about: str) -> tuple[Findings, Any]:
    match about or _MIXED[setting.seed % len(_MIXED)]:
        case "habits":
            return months.live(setting, habits.live)
        case "programmes":
            return months.live(setting, programmes.live)
        case _:
            return live(setting)
