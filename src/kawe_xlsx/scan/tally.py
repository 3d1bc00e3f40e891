"""The results of a scan, by bytes or by parser."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from kawe_xlsx.cells import address

Position: TypeAlias = tuple[int, int]
"""Row and column, counted from 1."""

Marks: TypeAlias = Mapping[str, tuple[bool, bool]]
"""Whether the cell style with this number strikes through, and shows no day."""
# Excel shows a time of day this late as the next day.
_LATE: Final = re.compile(r"[0-9]+\.9999999[0-9]*")
_ADDRESS: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")


@dataclass(slots=True, kw_only=True)
class SheetScan:
    """What a scan found in one sheet."""

    marks: Marks = field(default_factory=dict)
    last_row: int = 0
    """The last row with a value; formatted empty cells do not count."""
    last_column: int = 0
    hidden_rows: set[int] = field(default_factory=set)
    """Rows with values that are hidden, by hand or by a filter."""
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    """First and last column of each hidden run."""
    errors: dict[Position, str] = field(default_factory=dict)
    """Cells that show an error, such as #REF!."""
    uncalculated: set[Position] = field(default_factory=set)
    """Formulas that were saved without their value."""
    formulas: dict[int, Position] = field(default_factory=dict)
    """By column: its last calculated formula."""
    before_midnight: set[Position] = field(default_factory=set)
    """Times so late that rounding would make them the next day."""
    merges: "set[Area]" = field(default_factory=set)
    dayless: set[Position] = field(default_factory=set)
    """Cells whose format shows the month or the year of a date, and no day."""
    texts: frozenset[str] = frozenset()
    """The numbers of shared texts of which a part is struck through."""
    _lined: dict[int, list[int]] = field(default_factory=dict)
    """By row: the column of each cell that is struck, all or a part; 0 for others."""
    _strikes: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self._strikes = bool(self.texts) or any(e for e, _ in self.marks.values())

    @property
    def struck_rows(self) -> frozenset[int]:
        """Rows of which half the cells with a value, or the first two, are struck."""
        rows = self._lined.items()
        return frozenset(n for n, e in rows if 2 * e.count(0) <= len(e) or all(e[:2]))

    @property
    def struck(self) -> frozenset[Position]:
        """Struck-through cells of other rows."""
        rows = self._lined.keys() - self.struck_rows
        return frozenset((n, at) for n in rows for at in self._lined[n] if at)

    def reach(self, *, row: int, column: int) -> None:
        """Extend the used area to this cell."""
        self.last_row = max(self.last_row, row)
        self.last_column = max(self.last_column, column)

    def styled(self, position: Position, style: str) -> None:
        """Record the style of a cell with a value: its `s`."""
        is_struck, is_dayless = self.marks.get(style, (False, False))
        if is_dayless:
            self.dayless.add(position)
        if self._strikes:
            row, column = position
            self._lined.setdefault(row, []).append(column if is_struck else 0)

    def cell(
        self, *, position: Position, kind: str, has_formula: bool, value: str | None
    ) -> None:
        """Record one cell: `kind` is its `t`, `value` its `v`, if any.

        A formula without a value is uncalculated, unless it is an empty text
        (ECMA-376 part 1, 18.3.1.4).
        """
        if kind == "e":
            self.errors[position] = value or "#ERROR"
        elif has_formula and (value is None or (not value and kind != "str")):
            self.uncalculated.add(position)
        elif has_formula:
            self.formulas[position[1]] = position
        elif kind == "s" and value in self.texts:
            self._lined[position[0]].append(position[1])
        if kind == "n" and value and _LATE.fullmatch(value):
            self.before_midnight.add(position)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    """An accepted sheet: the scan, and the bytes to read."""

    tally: SheetScan
    data: bytes
    """The workbook, or a copy of it without the stray cells."""
    strays: tuple[str, ...] = ()
    """The first addresses of far cells that were left out."""
    stray_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Area:
    """Cells between two corners, counted from 1."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int

    def __str__(self) -> str:
        first = address(self.first_row, self.first_column)
        return f"{first}:{address(self.last_row, self.last_column)}"


def column_number(letters: str) -> int:
    """Count a column named as Excel does, from 1: A is 1, AB is 28."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def position_of(address: str) -> tuple[int, int] | None:
    """Read `C7` as row 7, column 3; None when it is no address."""
    if (match := _ADDRESS.fullmatch(address)) is None:
        return None
    return int(match[2]), column_number(match[1])


def area_of(reference: str) -> Area | None:
    """Read `A1:C7`, or `A1` alone; None when it is no area."""
    first, _, last = reference.partition(":")
    corner, opposite = position_of(first), position_of(last or first)
    if corner is None or opposite is None:
        return None
    rows = sorted((corner[0], opposite[0]))
    columns = sorted((corner[1], opposite[1]))
    return Area(
        first_row=rows[0],
        first_column=columns[0],
        last_row=rows[1],
        last_column=columns[1],
    )
