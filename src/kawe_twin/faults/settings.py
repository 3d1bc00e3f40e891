"""The faults that are set, and when they happen.

Each fault has its own random numbers, so that a seed repeats a run.
"""

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
        count = self.trigger.count
        is_spent = count is not None and self.happened >= count
        if self.matched < self.trigger.nth or is_spent:
            return False
        if self._chance.random() >= self.trigger.probability:
            return False
        self.happened += 1
        return True
