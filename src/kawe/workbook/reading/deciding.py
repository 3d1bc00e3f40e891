"""Decides what the rows of a sheet are about: by its headings, and then by its name.

A heading counts more for a kind that needs its column, and more where no other kind
knows it: projects and people both have a name and an e-mail address.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.texts import fold
from kawe.workbook.reading.grids import Grid
from kawe.workbook.reading.headings import HeadingRow, Recogniser

_SHARED: Final = 0.5
_OPTIONAL: Final = 0.1
_NAMED: Final = 0.15
_MOSTLY: Final = 0.6
_A_LIST: Final = 0.3
_ENOUGH: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How well a heading row fits a kind."""

    headings: HeadingRow
    required: float
    """The share of the columns that the kind needs which are there."""
    own_required: int
    """How many of them no other kind knows."""
    own_optional: int
    score: float

    @property
    def is_list(self) -> bool:
        """Say whether a sheet with such headings is recognisably a list."""
        return self.required >= _A_LIST

    @property
    def is_strong(self) -> bool:
        """Say whether such headings can hardly be there for another kind's sake."""
        own = self.own_required + self.own_optional
        return self.required >= _MOSTLY and self.own_required > 0 and own >= _ENOUGH


def fits_of(
    grid: Grid, *, recogniser: Recogniser, kinds: Iterable[SheetKind]
) -> tuple[Fit, ...]:
    """Find what a sheet is about: nothing, one kind, or several that are all meant."""
    found = [row for kind in kinds if (row := recogniser.find(grid, kind=kind))]
    fits = [_fit(row, found, recogniser=recogniser, name=grid.sheet) for row in found]
    strong = tuple(each for each in fits if each.is_strong)
    if len(strong) > 1:
        return strong
    best = max(fits, key=lambda each: (each.score, each.required), default=None)
    return () if best is None else (best,)


def kind_named(name: str, kinds: Iterable[SheetKind]) -> SheetKind | None:
    """Give the kind that the name of a sheet says, if any."""
    return next((kind for kind in kinds if fold(name) in kind.sheet_names), None)


def _fit(
    row: HeadingRow, rows: Sequence[HeadingRow], *, recogniser: Recogniser, name: str
) -> Fit:
    elsewhere = {
        (other.row, heading.column)
        for other in rows
        if other is not row
        for heading, _ in other.known()
    }
    needed = [each for each in recogniser.columns[row.kind] if each.required]
    known = [
        (column.required, (row.row, heading.column) not in elsewhere)
        for heading, column in row.known()
    ]
    there, own = known.count((True, False)), known.count((True, True))
    of = len(needed) or 1
    optional = known.count((False, True))
    is_named = kind_named(name, [row.kind]) is not None
    return Fit(
        headings=row,
        required=(own + there) / of if needed else 1.0,
        own_required=own,
        own_optional=optional,
        score=(own + _SHARED * there) / of + _OPTIONAL * optional + _NAMED * is_named,
    )
