"""How often each operation was called, and how it was answered."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field


@dataclass(slots=True)
class RequestCounts:
    """Requests since the twin started. Used from one thread only."""

    _counts: defaultdict[str, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )

    def count(self, name: str, *, status_code: int) -> None:
        """Count one answer."""
        self._counts[name][str(status_code)] += 1

    def shown(self) -> dict[str, dict[str, int]]:
        """Give the counts by operation and status code."""
        return {name: dict(counts) for name, counts in sorted(self._counts.items())}
