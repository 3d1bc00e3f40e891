"""A sheet as it was read: typed cells, and the person's own values beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.findings import CellRef, Finding, RowRef
from kawe.domain.sheet.read_as import NO_COLUMNS, ReadAs
from kawe_places.values import CellValue
from kawe_xlsx.cells import RawValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """One heading of the person's sheet and the column it was found to be."""

    column: int
    text: str
    means: Column | None
    """None: the column is unknown, kept in the result and ignored."""
    part: int = 0
    """Which of the column's parts it holds, from 1; 0: all of it."""

    @property
    def unread(self) -> Heading:
        return replace(self, means=None, part=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a known column."""

    ref: CellRef
    heading: str
    shown: str
    """What the person sees there, cleaned, for messages."""
    value: CellValue
    """None when the cell is empty or could not be read; a finding says so."""
    may_be_empty: bool = False
    """A row without it can be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One row that is not blank."""

    ref: RowRef
    cells: Mapping[str, Cell]
    """By field; only columns that the sheet has."""
    raw: tuple[RawValue, ...]
    """The person's values in the order of `Table.headings`."""
    findings: tuple[Finding, ...] = ()

    def value(self, field: str) -> CellValue:
        """Give what the cell of `field` means, None where there is none."""
        cell = self.cells.get(field)
        return None if cell is None else cell.value

    def where(self, field: str) -> CellRef | RowRef:
        """Give the cell of `field`, or the row where it has none."""
        cell = self.cells.get(field)
        return self.ref if cell is None else cell.ref

    def values(self) -> dict[str, CellValue]:
        return {
            field: cell.value
            for field, cell in self.cells.items()
            if cell.value is not None
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows of one sheet."""

    kind: SheetKind
    sheet: str
    heading_row: int
    headings: tuple[Heading, ...]
    rows: tuple[TableRow, ...]
    findings: tuple[Finding, ...] = ()
    """What concerns the sheet and no single row."""
    read_as: ReadAs = NO_COLUMNS
    projects: Mapping[int, str] = field(default_factory=dict, repr=False, compare=False)
    """What stands in the column Project id of kawe, by the number of the row."""
    markers: Mapping[int, str] = field(default_factory=dict, repr=False, compare=False)
    """What stands in its column Reference at the service."""

    def has(self, field: str) -> bool:
        return self.heading_of(field) is not None

    def heading_of(self, field: str) -> Heading | None:
        """Give the heading of the column for `field`; None where there is none."""
        found = (h for h in self.headings if h.means and h.means.field == field)
        return next(found, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftSheet:
    """A sheet that is not read as a list."""

    sheet: str
    why: str
    """Follows "because" in a sentence."""
