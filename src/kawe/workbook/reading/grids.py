"""A sheet as values in rows and columns, from any file."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from typing import TypeAlias

from kawe.domain.sheet.findings import Finding
from kawe_xlsx.cells import RawValue
from kawe_xlsx.limits import HEADING_ROWS
from kawe_xlsx.scan.tally import Position, SheetScan

GridRow: TypeAlias = tuple[int, tuple[RawValue, ...]]
"""Excel's row number, and the values from column A on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """One sheet without empty rows.

    Each iteration makes the rows anew, so that 200,000 rows are never in memory.
    """

    sheet: str
    rows: Iterable[GridRow]
    tally: SheetScan = field(default_factory=SheetScan)
    """What a scan found. The rows hold the text of an error, and None for a formula
    without a value."""
    counts_from_1904: bool = False
    struck_rows: frozenset[int] = frozenset()
    totals_rows: frozenset[int] = frozenset()
    reach: Position | None = None
    """The last row and column with a value, if none was left out."""
    uncertain: frozenset[Position] = frozenset()
    """Cells that depend on a guessed encoding."""
    findings: tuple[Finding, ...] = ()
    """Findings on the whole sheet."""

    def top(self) -> Iterable[GridRow]:
        """Give the rows that may be the heading row."""
        return islice(self.rows, HEADING_ROWS)

    def between(self, start: int, until: float = inf) -> Grid:
        """Give the rows from `start` on, without `until` and those below."""
        return replace(self, rows=[e for e in self.rows if start <= e[0] < until])

    def across(self, columns: Container[int]) -> Grid:
        """Give it with nothing in other columns than these."""
        rows = [
            (number, tuple(v if at in columns else None for at, v in enumerate(row, 1)))
            for number, row in self.rows
        ]
        rows = [row for row in rows if any(value is not None for value in row[1])]
        # Of a row of totals it is not known below which columns it stands.
        return replace(self, rows=rows, totals_rows=frozenset())
