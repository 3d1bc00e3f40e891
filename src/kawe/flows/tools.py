"""What every flow works with."""

from __future__ import annotations

from dataclasses import dataclass

from kawe.flows.workers import StopSignal
from kawe.ports import Clock, Lookups, Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """How a command reads the service, tells the time, and speaks to a person."""

    lookups: Lookups
    clock: Clock
    progress: Progress
    stop: StopSignal
    workers: int
