"""Totals of a report, counted while its rows are written once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kawe.domain.batch.outcomes import NEEDS_PERSON, Outcome, RowReport
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import Finding, Problems


class Overview:
    """Counts, findings and waiting rows."""

    def __init__(self, rows: Iterable[RowReport] = ()) -> None:
        self.counts: Counter[Outcome] = Counter()
        self.findings: list[Finding] = []
        self.problems: Problems = ()
        self.waiting: list[RowReport] = []
        self.files: list[tuple[RowReport, Attachment]] = []
        self.iwi: Counter[str] = Counter()
        """How many rows go to each."""
        self.has_long_text = False
        """A text is longer than a cell may be."""
        for row in rows:
            self.add(row)

    def add(self, row: RowReport) -> None:
        """Add a row."""
        # Another batch counts this row.
        self.counts[row.outcome] += not row.of_batch
        if row.iwi and not row.of_batch:
            self.iwi.update(row.iwi)
        if row.findings:
            self.findings += row.findings
        self.files += [(row, file) for file in row.files]
        if row.outcome in NEEDS_PERSON and not row.of_batch:
            self.waiting.append(row)
