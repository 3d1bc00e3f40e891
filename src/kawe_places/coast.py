"""Checks that a place is on land or near it, in a few microseconds.

Most cells of 0.05 degrees have no coast near, so one look-up decides. In a coastal cell
the outline is tested (even-odd), and the distance only if that fails.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from kawe_places.coast_data import Ring, coast_data
from kawe_places.values import Place

_CELLS_PER_DEGREE: Final = 20
_ROW_DEGREES: Final = 0.01
_KM_PER_DEGREE: Final = 111.2
NEAR_KM: Final = 1.0
"""The outline is good to about 500 m; wharves extend it."""

_NEAR_LATITUDE: Final = NEAR_KM / _KM_PER_DEGREE
# At 48 degrees south, where degrees of longitude are shortest.
_NEAR_LONGITUDE: Final = _NEAR_LATITUDE / math.cos(math.radians(48))


class _Edge(NamedTuple):
    """A piece of the outline between two of its points."""

    latitude: float
    longitude: float
    to_latitude: float
    to_longitude: float
    slope: float
    """Degrees east for each degree north; 0 where it runs due east."""


class Coast:
    """Land as rings, indexed by latitude."""

    def __init__(self, rings: Iterable[Ring]) -> None:
        self._rows: defaultdict[int, list[_Edge]] = defaultdict(list)
        self._cells: dict[tuple[float, float], bool | None] = {}
        for ring in rings:
            self._add(ring)

    def is_near_land(self, place: Place) -> bool:
        """Check that `place` is on land or within a kilometre."""
        north, east = place.latitude, place.longitude
        cell = (north * _CELLS_PER_DEGREE // 1, east * _CELLS_PER_DEGREE // 1)
        if cell not in self._cells:
            self._cells[cell] = self._whole_cell(*cell)
        if (whole := self._cells[cell]) is not None:
            return whole
        return self.is_on_land(place) or self.is_within(place, km=NEAR_KM)

    def is_on_land(self, place: Place) -> bool:
        """Check that `place` is inside the outline."""
        north, east = place.latitude, place.longitude
        inside = False
        for edge in self._rows.get(_row(north), ()):
            if (edge.latitude > north) is not (edge.to_latitude > north):
                inside ^= east < edge.longitude + (north - edge.latitude) * edge.slope
        return inside

    def is_within(self, place: Place, *, km: float) -> bool:
        """Check that the outline is within `km` of `place`."""
        reach = km / _KM_PER_DEGREE
        around = self._between(place.latitude - reach, place.latitude + reach)
        return any(_apart_km(place, edge) <= km for edge in around)

    def _add(self, ring: Ring) -> None:
        for (south, west), (north, east) in pairwise(ring):
            slope = (east - west) / (north - south) if north != south else 0.0
            edge = _Edge(south, west, north, east, slope)
            for row in range(_row(min(south, north)), _row(max(south, north)) + 1):
                self._rows[row].append(edge)

    def _whole_cell(self, row: float, column: float) -> bool | None:
        """Give the answer for a whole cell; None: the coast is too near."""
        south, west = row / _CELLS_PER_DEGREE, column / _CELLS_PER_DEGREE
        north, east = (row + 1) / _CELLS_PER_DEGREE, (column + 1) / _CELLS_PER_DEGREE
        for edge in self._between(south - _NEAR_LATITUDE, north + _NEAR_LATITUDE):
            if (
                max(edge.longitude, edge.to_longitude) >= west - _NEAR_LONGITUDE
                and min(edge.longitude, edge.to_longitude) <= east + _NEAR_LONGITUDE
                and max(edge.latitude, edge.to_latitude) >= south - _NEAR_LATITUDE
                and min(edge.latitude, edge.to_latitude) <= north + _NEAR_LATITUDE
            ):
                return None
        middle = Place(latitude=(south + north) / 2, longitude=(west + east) / 2)
        return self.is_on_land(middle)

    def _between(self, south: float, north: float) -> Sequence[_Edge]:
        rows = range(_row(south), _row(north) + 1)
        return [edge for row in rows for edge in self._rows.get(row, ())]


@cache
def coast() -> Coast:
    return Coast(coast_data().rings)


def _row(latitude: float) -> int:
    return math.floor(latitude / _ROW_DEGREES)


def _apart_km(place: Place, edge: _Edge) -> float:
    """Measure from a place to an edge nearby, as on a flat map."""
    shrink = math.cos(math.radians(place.latitude)) * _KM_PER_DEGREE
    x = (edge.longitude - place.longitude) * shrink
    y = (edge.latitude - place.latitude) * _KM_PER_DEGREE
    along_x = (edge.to_longitude - edge.longitude) * shrink
    along_y = (edge.to_latitude - edge.latitude) * _KM_PER_DEGREE
    length = along_x * along_x + along_y * along_y
    at = 0.0 if length == 0 else -(x * along_x + y * along_y) / length
    at = min(1.0, max(0.0, at))
    return math.hypot(x + at * along_x, y + at * along_y)
