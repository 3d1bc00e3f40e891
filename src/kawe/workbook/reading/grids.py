"""A sheet as values in their places, whatever file it came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Any, Protocol, TypeAlias

from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.tables import RawValue
from kawe.workbook.limits import HEADING_ROWS
from kawe.workbook.scan.tally import Area, Position

GridRow: TypeAlias = tuple[int, tuple[RawValue, ...]]
"""The number that Excel gives the row, and its values from column A on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridFacts:
    """What is known of a sheet's cells beside their values."""

    counts_from_1904: bool = False
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    totals_rows: frozenset[int] = frozenset()
    errors: frozenset[Position] = frozenset()
    """Cells that show an error; the grid holds its text."""
    uncalculated: frozenset[Position] = frozenset()
    """Formulas without a value; the grid holds None."""
    formulas: Mapping[int, Position] = field(default_factory=dict)
    """By column: its last calculated formula."""
    merges: frozenset[Area] = frozenset()
    uncertain: frozenset[Position] = frozenset()
    """Cells whose letters rest on a guess about the file's encoding."""
    findings: tuple[Finding, ...] = ()
    """What concerns the whole sheet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """One sheet; rows without any value are left out.

    Rows can be gone through any number of times, and are made anew each time:
    a sheet of 200,000 rows is never held as Python values all at once.
    """

    sheet: str
    rows: Iterable[GridRow]
    facts: GridFacts
    coarse: Iterable[tuple[int, Sequence[Any]]] | None = None
    """The rows as the library gives them, where that is quicker: an empty text
    is an empty cell, a length of time may be there, and blank rows are."""
    differing: frozenset[int] = frozenset()
    """Rows in which the library does not show what is there."""

    def top(self) -> Iterable[GridRow]:
        """Give the rows that can be the heading row."""
        first = islice(self.rows, HEADING_ROWS)
        return takewhile(lambda row: row[0] <= _TOP_ROW, first)


# Twenty rows with values, and not below a page of blank ones.
_TOP_ROW = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetName:
    """One sheet of a book."""

    name: str
    is_hidden: bool


class Book(Protocol):
    """A workbook whose sheets can be looked at one by one."""

    name: str
    """The file's name, safe to show."""
    sheets: tuple[SheetName, ...]
    """The sheets that hold cells, in the workbook's order."""

    def grid(self, sheet: str) -> Grid:
        """Read one sheet.

        Raises:
            WorkbookError: The sheet is broken or too large.
        """
        ...
