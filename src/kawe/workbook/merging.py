"""Merged cells in the rows of a sheet.

Excel keeps one value for a merged area, in its first cell. What the other
cells were meant to say cannot be known, so none of them is read.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from kawe.errors import WorkbookError
from kawe.workbook.areas import Area
from kawe.workbook.tally import Position

_MOST: Final = 500_000
_CORNERS: Final = attrgetter("first_row", "first_column", "last_row", "last_column")


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """One cell of the data that lies in a merged area."""

    area: str
    speaks: bool
    """The first such cell of its row carries the finding for all."""


def merged_cells(
    merges: Iterable[Area], *, rows: Sequence[int], columns: Sequence[int]
) -> Mapping[Position, Merged]:
    """Find the cells in `rows` and `columns`, both sorted, that are merged.

    Raises:
        WorkbookError: There are so many that the sheet is no table.
    """
    found: dict[Position, Merged] = {}
    work = 0
    # By key: comparing the areas themselves takes a tuple each time.
    for area in sorted(merges, key=_CORNERS):
        across = _within(columns, area.first_column, area.last_column)
        down = _within(rows, area.first_row, area.last_row)
        work += len(across) * len(down) + 1
        if work > _MOST:
            raise WorkbookError(
                message="The sheet has very many merged cells.",
                hint="Unmerge them in Excel (Home > Merge & Center) and save.",
            )
        for row in down:
            for column in across:
                speaks = column == across[0]
                found.setdefault((row, column), Merged(area=str(area), speaks=speaks))
    return found


def _within(numbers: Sequence[int], first: int, last: int) -> Sequence[int]:
    return numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]
