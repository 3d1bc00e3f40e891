"""The workbook that rows were read from, to be given back."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Never, TypeAlias

from kawe_xlsx.cells import RawValue
from kawe_xlsx.scan.tally import Area, Position

RawRows: TypeAlias = Iterator[tuple[int, tuple[RawValue, ...]]]
"""The number of each row, and its values by heading."""


def _nothing() -> Iterator[Never]:
    return iter(())


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """A workbook as it was read; columns and rows count from 1."""

    data: bytes = field(repr=False)
    name: str
    """The file's name."""
    sheet: str
    heading_row: int
    headings: tuple[str, ...]
    """The person's own."""
    columns: tuple[int, ...]
    """Where each of them stands."""
    keys: tuple[int, ...]
    """The columns that name a row: its reference, its name."""
    own: Mapping[str, int] = field(default_factory=dict)
    """The columns that kawe added before, by their headings."""
    merges: Collection[Area] = ()
    reach: Position | None = None
    """The last row and column that the sheet has, where that is known."""
    rows: Callable[[], RawRows] = field(default=_nothing, repr=False)
    own_cells: Callable[[], Iterator[RawValue]] = field(default=_nothing, repr=False)
    """Give what stands in the columns that kawe added."""
    own_sheets: Callable[[], Iterator[Iterator[tuple[RawValue, ...]]]] = field(
        default=_nothing, repr=False
    )
    """Give the rows of each sheet that kawe added."""

    @property
    def ending(self) -> str:
        """Give the ending of the file, which says whether it has macros."""
        return ".xlsm" if self.name.casefold().endswith(".xlsm") else ".xlsx"
