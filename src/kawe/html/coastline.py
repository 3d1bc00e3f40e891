"""Where places lie on a drawing of New Zealand, and its coast as one SVG path.

The Chatham Islands are 800 km to the east: they stand in a frame of their own, at twice
the scale. Both frames are flat maps whose degrees of longitude are shrunk as they are
at their middle. One unit of the drawing is about 220 m.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

from kawe_places.coast_data import Ring, coast_data
from kawe_places.values import Place

_UNITS: Final = 500
"""So many units are one degree of latitude."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapFrame:
    """A part of the drawing: what it shows, in degrees, and where it stands."""

    north: float
    west: float
    south: float
    east: float
    x: int = 0
    y: int = 0
    scale: int = 1

    @property
    def _shrink(self) -> float:
        return math.cos(math.radians((self.north + self.south) / 2))

    @property
    def width(self) -> int:
        return round((self.east - self.west) * self._shrink * _UNITS * self.scale)

    @property
    def height(self) -> int:
        return round((self.north - self.south) * _UNITS * self.scale)

    def position(self, latitude: float, longitude: float) -> tuple[int, int] | None:
        """Say where a place is drawn; None where it is not in the frame."""
        is_north = self.south <= latitude <= self.north
        if not (is_north and self.west <= longitude <= self.east):
            return None
        x = (longitude - self.west) * self._shrink * _UNITS * self.scale
        y = (self.north - latitude) * _UNITS * self.scale
        return self.x + round(x), self.y + round(y)


MAINLAND: Final = MapFrame(north=-33.95, west=165.9, south=-47.65, east=179.2)
CHATHAMS: Final = MapFrame(
    north=-43.35, west=-177.15, south=-44.6, east=-175.95, x=3_950, y=4_850, scale=2
)
FRAMES: Final = (MAINLAND, CHATHAMS)


def position(place: Place) -> tuple[int, int] | None:
    """Say where a place is drawn; None where the drawing does not reach."""
    east = place.longitude - 360 if place.longitude > 180 else place.longitude
    found = (frame.position(place.latitude, east) for frame in FRAMES)
    return next(filter(None, found), None)


@cache
def coast_path() -> str:
    return "".join(map(_ring_path, coast_data().rings))


def _ring_path(ring: Ring) -> str:
    frame = CHATHAMS if ring[0][1] < 0 else MAINLAND
    points = [at for each in ring if (at := frame.position(*each)) is not None]
    if len(set(points)) < 3:
        # Too small to be seen.
        return ""
    (x, y), *rest = points
    steps = [f"M{x} {y}l"]
    for to_x, to_y in rest:
        if (to_x, to_y) != (x, y):
            steps.append(f"{to_x - x} {to_y - y} ")
            x, y = to_x, to_y
    return "".join(steps).rstrip() + "z"
