"""Rate limits and request counts.

An accepted request counts for one window, a refused one never (interface, Limits).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """The values of the RateLimit headers."""

    allowed: bool
    limit: int
    remaining: int
    reset_seconds: int
    """Whole seconds until one more request is accepted."""


@dataclass(slots=True, kw_only=True)
class RollingWindows:
    """One rolling window per key. Used from one thread only."""

    limit: int
    window_seconds: int
    _let_in: defaultdict[str, deque[float]] = field(
        default_factory=lambda: defaultdict(deque)
    )

    def take(self, key_id: str, *, at_seconds: float) -> Quota:
        """Accept a request of `key_id`, if its window has room."""
        let_in = self._let_in[key_id]
        while let_in and let_in[0] <= at_seconds - self.window_seconds:
            let_in.popleft()
        allowed = len(let_in) < self.limit
        if allowed:
            let_in.append(at_seconds)
        oldest = let_in[0] if let_in else at_seconds
        return Quota(
            allowed=allowed,
            limit=self.limit,
            remaining=self.limit - len(let_in),
            reset_seconds=math.ceil(oldest + self.window_seconds - at_seconds),
        )

    def untouched(self) -> Quota:
        """Give the full window, for answers without a key."""
        return Quota(
            allowed=True,
            limit=self.limit,
            remaining=self.limit,
            reset_seconds=self.window_seconds,
        )


@dataclass(slots=True)
class RequestCounts:
    """Requests since the twin started. Used from one thread only."""

    _counts: defaultdict[str, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )

    def count(self, name: str, *, status_code: int) -> None:
        self._counts[name][str(status_code)] += 1

    def shown(self) -> dict[str, dict[str, int]]:
        return {name: dict(counts) for name, counts in sorted(self._counts.items())}
