"""Reads two cells together: latitude and longitude, or easting and northing.

Both numbers may be in one cell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from kawe_places.readings import Read, ReadCoordinate, read_both, read_coordinate
from kawe_places.values import CellValue, PlaceRemark, misplaced


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """Two columns of a pair, and the letters of each."""

    first: str
    second: str
    first_letters: str
    second_letters: str

    def both(self) -> str:
        return f"{self.first.capitalize()} and {self.second}"


DEGREES: Final = Axes(
    first="latitude", second="longitude", first_letters="NS", second_letters="EW"
)
DEGREES_ALONE: Final = replace(DEGREES)
"""On a sheet that has no columns for metres."""
METRES: Final = Axes(
    first="easting", second="northing", first_letters="E", second_letters="N"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two numbers of a pair of columns, not yet a place."""

    first: ReadCoordinate
    second: ReadCoordinate
    in_one_cell: str = ""
    """The column with both numbers; empty: each has its own."""

    def contrary(self, axes: Axes) -> tuple[str, ...]:
        return tuple(
            field
            for field, letters, reading in (
                (axes.first, axes.first_letters, self.first),
                (axes.second, axes.second_letters, self.second),
            )
            if reading.letter and reading.letter not in letters
        )


Refused: TypeAlias = tuple[PlaceRemark, ...]


def read_pair(first: CellValue, second: CellValue, axes: Axes) -> Pair | Refused:
    """Read two cells, at least one of them not empty."""
    alone = second if first is None else first
    if (first is None or second is None or first == second) and (
        both := read_both(alone)
    ):
        return _in_order(*both, axes, cell=axes.second if first is None else axes.first)
    if first is None or second is None:
        return _half(first, second, axes)
    one, two = read_coordinate(first), read_coordinate(second)
    if isinstance(one, ReadCoordinate) and isinstance(two, ReadCoordinate):
        return Pair(first=one, second=two)
    return _remark(axes.first, first, one) + _remark(axes.second, second, two)


def _in_order(
    one: ReadCoordinate, two: ReadCoordinate, axes: Axes, *, cell: str
) -> Pair:
    """Order two numbers of one cell, by letters or as typed."""
    is_turned = one.letter and one.letter in axes.second_letters
    is_turned = is_turned or (two.letter and two.letter in axes.first_letters)
    if is_turned:
        one, two = two, one
    return Pair(first=one, second=two, in_one_cell=cell)


def _half(first: CellValue, second: CellValue, axes: Axes) -> Refused:
    there, missing, value = axes.first, axes.second, first
    if first is None:
        there, missing, value = missing, there, second
    remark = PlaceRemark(
        field=missing,
        rule="coordinate-missing",
        message=f"There is {'an' if there == 'easting' else 'a'} {there} but no "
        f"{missing}.",
        advice=f"Type the {missing} too, or clear the {there}.",
    )
    return (*_remark(there, value, read_coordinate(value)), remark)


def _remark(field: str, value: CellValue, read: Read) -> Refused:
    if isinstance(read, ReadCoordinate):
        return ()
    if both := read_both(value):
        return misplaced(
            field,
            "coordinate-two-in-one",
            f"“{both[0].shown}” holds two numbers, and the cell beside it holds "
            "another.",
            advice=f"Leave only the {field} in this cell.",
        ).remarks
    return tuple(replace(each, field=field) for each in read.remarks)
