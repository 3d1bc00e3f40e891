"""Who acts, and when, for every act and log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from kawe.twin.world.clock import instant_text
from kawe.twin.world.keys import Caller


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """A caller at an instant; a `Call` is one."""

    caller: Caller
    at: datetime

    @property
    def now(self) -> str:
        return instant_text(self.at)
