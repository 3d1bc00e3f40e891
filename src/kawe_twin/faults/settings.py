"""The faults that are set, and when they happen.

Each fault has its own random numbers, so that a seed repeats a run.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from kawe_twin.faults.kinds import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """When a fault happens."""

    operations: frozenset[str] = frozenset()
    """Operations, `storage_post`, `storage_get`; empty: all."""
    nth: int = 1
    """The first matching request, counted from one."""
    count: int | None = None
    """Maximum number of times."""
    probability: float = 1.0
    seed: int = 0


@dataclass(slots=True, kw_only=True)
class SetFault:
    """A fault with its counts."""

    id: int
    kind: str
    fault: Fault
    trigger: Trigger
    matched: int = 0
    happened: int = 0
    _chance: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.trigger.seed)  # noqa: S311 - repeatable on purpose

    def draw(self, operation: str) -> bool:
        """Count a request; tell whether the fault happens."""
        wanted = self.trigger.operations
        if wanted and operation not in wanted:
            return False
        self.matched += 1
        if self.matched < self.trigger.nth or self._is_spent():
            return False
        if self._chance.random() >= self.trigger.probability:
            return False
        self.happened += 1
        return True

    def _is_spent(self) -> bool:
        return self.trigger.count is not None and self.happened >= self.trigger.count


@dataclass(slots=True)
class FaultSettings:
    """All faults in order. Used from one thread only."""

    _set: dict[int, SetFault] = field(default_factory=dict)
    _last_id: int = 0

    def put(self, fault: Fault, *, kind: str, trigger: Trigger) -> SetFault:
        """Set a fault."""
        self._last_id += 1
        made = SetFault(id=self._last_id, kind=kind, fault=fault, trigger=trigger)
        self._set[made.id] = made
        return made

    def all(self) -> list[SetFault]:
        """List the faults; the first is the outermost."""
        return list(self._set.values())

    def clear(self) -> None:
        self._set.clear()

    def take_away(self, fault_id: int) -> bool:
        return self._set.pop(fault_id, None) is not None
