"""How long a row has waited for a token, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A row's waiting, over all releases that did not reach it."""

    since_at: datetime
    """When it first had to wait."""
    refused_at: datetime | None = None
    """When the service last said 402 to it; None where it was never tried."""
