"""What one look at the projects of the service saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import Project
from kawe.domain.service.verdicts import RowKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What one look saw under the markers of some rows."""

    rows: frozenset[RowKey]
    """The rows that were looked for."""
    seen_at: float
    """When it began, as `Clock.elapsed` has it."""
    projects_before: int | None
    """How many projects there were before the run made any; None: not counted."""
    by_marker: Mapping[str, Sequence[Project]]
    strangers: frozenset[Project]
    """Projects that no row of this journal owns."""

    def of(self, entry: Entry) -> Sequence[Project]:
        """Give the projects that carry a row's marker."""
        return self.by_marker.get(entry.marker, ())

    def strangers_of(self, entry: Entry) -> list[Project]:
        """Give those of them that no row of this journal owns."""
        return [each for each in self.of(entry) if each in self.strangers]
