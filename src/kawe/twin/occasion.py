"""Who does something, and when: what every act needs and every log keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from kawe.twin.clock import instant_text
from kawe.twin.keys import Caller


class Occasion(Protocol):
    """Somebody doing something at an instant; a `Call` is one."""

    @property
    def caller(self) -> Caller:
        """Who does it."""
        ...

    @property
    def at(self) -> datetime:
        """When it is done."""
        ...

    @property
    def now(self) -> str:
        """Write that instant as it is stored."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """An occasion without a call: what follows from a payment, say."""

    caller: Caller
    at: datetime

    @property
    def now(self) -> str:
        """Write the instant as it is stored."""
        return instant_text(self.at)
