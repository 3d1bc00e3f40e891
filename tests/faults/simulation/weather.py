"""The faults of a world: what becomes of each request, decided as it leaves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Final

from faults.simulation.trace import Trace

MOST_LATE_SECONDS: Final = 90.0
ACTS: Final = frozenset({"project_create", "project_send"})


class Fault(StrEnum):
    """What can become of a request."""

    NONE = "none"
    NOT_REACHED = "no connection"
    LOST_REQUEST = "lost request"
    LOST_ANSWER = "lost answer after commit"
    ERROR_BEFORE = "5xx before commit"
    ERROR_AFTER = "5xx after commit"
    LATE = "late commit"
    CUT_ANSWER = "cut answer after commit"
    PAGE_BEFORE = "a gateway's page before commit"
    PAGE_AFTER = "a gateway's page after commit"
    FALSE_CONFLICT = "409 without a send"
    REPEATED = "sent twice by a middlebox, answered 409"
    STORM = "429"
    SHIFTED = "list shifts between pages"


_OF_ACTS: Final = {
    Fault.NOT_REACHED: 10,
    Fault.LOST_REQUEST: 20,
    Fault.LOST_ANSWER: 20,
    Fault.ERROR_BEFORE: 12,
    Fault.ERROR_AFTER: 12,
    Fault.LATE: 14,
    Fault.CUT_ANSWER: 4,
    Fault.PAGE_BEFORE: 3,
    Fault.PAGE_AFTER: 3,
    Fault.FALSE_CONFLICT: 1,
    Fault.REPEATED: 1,
}
_OF_LOOKUPS: Final = {
    Fault.NOT_REACHED: 10,
    Fault.LOST_ANSWER: 30,
    Fault.ERROR_BEFORE: 40,
    Fault.CUT_ANSWER: 5,
    Fault.PAGE_BEFORE: 10,
    Fault.SHIFTED: 5,
}
_NEVER_ARRIVES: Final = frozenset(
    {
        Fault.NOT_REACHED,
        Fault.LOST_REQUEST,
        Fault.ERROR_BEFORE,
        Fault.PAGE_BEFORE,
        Fault.FALSE_CONFLICT,
        Fault.STORM,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What becomes of one request."""

    fault: Fault
    arrives_after: float | None
    """Seconds until the service carries it out; None: never."""
    ends_after: float
    """Seconds until the caller knows more, or gives up."""
    status: int = 0
    """Of a fault that answers."""


@dataclass(slots=True, kw_only=True)
class Weather:
    """Decides about requests, one after the other."""

    chance: Random
    fault_share: float
    trace: Trace
    has_stormy_days: bool = True
    slow_share: float = 0.0
    """How many looks at one project are answered seconds after they were read."""
    is_calm: bool = False
    struck: Counter[Fault] = field(default_factory=Counter)
    _storm_until: float = 0.0
    _next_storm: float = -1.0

    def fate(self, operation: str, *, now: float, shows_409: bool) -> Fate:
        """Decide what becomes of a request that leaves now."""
        quick = self.chance.uniform(0.02, 0.4)
        if self.is_calm:
            return Fate(fault=Fault.NONE, arrives_after=quick / 2, ends_after=quick)
        if self._is_storm(now):
            return self._strike(
                Fate(
                    fault=Fault.STORM, arrives_after=None, ends_after=quick, status=429
                )
            )
        if operation == "project_read" and self._is_slow():
            return self._late_answer(quick)
        if self.chance.random() >= self.fault_share:
            return Fate(fault=Fault.NONE, arrives_after=quick / 2, ends_after=quick)
        return self._strike(self._fault(operation, quick=quick, shows_409=shows_409))

    def retry_after(self, *, now: float) -> int | None:
        """Say what a 429 says of the window's end; not every one does."""
        if self.chance.random() < 0.3:
            return None
        return max(1, round(self._storm_until - now))

    def _strike(self, fate: Fate) -> Fate:
        self.struck[fate.fault] += 1
        return fate

    def _is_slow(self) -> bool:
        return self.slow_share > 0 and self.chance.random() < self.slow_share

    def _late_answer(self, quick: float) -> Fate:
        late = self.chance.uniform(3, 9)
        return Fate(fault=Fault.NONE, arrives_after=quick / 2, ends_after=late)

    def _is_storm(self, now: float) -> bool:
        if not self.has_stormy_days:
            return False
        if self._next_storm < 0:
            self._next_storm = now + self.chance.expovariate(1 / 200)
        if now >= self._next_storm:
            self._storm_until = now + self.chance.uniform(1, 60)
            self._next_storm = self._storm_until + self.chance.expovariate(1 / 200)
        return now < self._storm_until

    def _fault(self, operation: str, *, quick: float, shows_409: bool) -> Fate:
        kinds = _OF_ACTS if operation in ACTS else _OF_LOOKUPS
        (fault,) = self.chance.choices(list(kinds), list(kinds.values()))
        if fault in {Fault.FALSE_CONFLICT, Fault.REPEATED} and not (
            shows_409 and operation == "project_send"
        ):
            fault = Fault.LOST_ANSWER
        if fault is Fault.SHIFTED and operation != "project_list":
            fault = Fault.ERROR_BEFORE
        ends_after, status = self._end(fault, quick=quick)
        arrives_after: float | None = quick / 2
        if fault in _NEVER_ARRIVES:
            arrives_after = None
        elif fault is Fault.LATE:
            arrives_after = ends_after + self.chance.uniform(0.1, MOST_LATE_SECONDS)
        return Fate(
            fault=fault,
            arrives_after=arrives_after,
            ends_after=ends_after,
            status=status,
        )

    def _end(self, fault: Fault, *, quick: float) -> tuple[float, int]:
        match fault:
            case Fault.SHIFTED | Fault.CUT_ANSWER | Fault.REPEATED:
                return quick, 409
            case Fault.FALSE_CONFLICT:
                return quick, 409
            case Fault.PAGE_BEFORE | Fault.PAGE_AFTER:
                return quick, 200
            case Fault.NOT_REACHED:
                return self.chance.choice((0.01, 0.01, 10.0)), 0
            case Fault.ERROR_BEFORE | Fault.ERROR_AFTER:
                return quick, self.chance.choice((500, 502, 503, 504, 408))
            case _:
                # A broken connection is seen at once, silence after a minute.
                seconds = self.chance.uniform(0.1, 3)
                if self.chance.random() < 0.3:
                    seconds = 60.0
                status = 504 if self.chance.random() < 0.2 else 0
                return seconds, status
