"""Which faults are set, and which of them happen to a request.

One seed gives one run: a fault draws its own numbers, in the order in which
the requests that match it arrive.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from kawe.twin.faults.kinds import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """When a fault happens."""

    operations: frozenset[str] = frozenset()
    """Names of the contract, `storage_post` and `storage_get`; none means all."""
    nth: int = 1
    """The first matching request to which it can happen, counted from one."""
    count: int | None = None
    """How often it happens at most."""
    probability: float = 1.0
    seed: int = 0


@dataclass(slots=True, kw_only=True)
class SetFault:
    """A fault that is set, with its counts."""

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
        """Count a request, and tell whether the fault happens to it."""
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
    """The faults that are set, in order. Used from one thread only."""

    _set: dict[int, SetFault] = field(default_factory=dict)
    _last_id: int = 0

    def put(self, fault: Fault, *, kind: str, trigger: Trigger) -> SetFault:
        """Set a fault."""
        self._last_id += 1
        made = SetFault(id=self._last_id, kind=kind, fault=fault, trigger=trigger)
        self._set[made.id] = made
        return made

    def all(self) -> list[SetFault]:
        """List the faults that are set; the first is the outermost."""
        return list(self._set.values())

    def clear(self) -> None:
        """Take every fault away."""
        self._set.clear()

    def take_away(self, fault_id: int) -> bool:
        """Take one fault away; tell whether it was there."""
        return self._set.pop(fault_id, None) is not None
