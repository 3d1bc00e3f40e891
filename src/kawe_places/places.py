"""Finds the places that rows name.

PROJ converts all rows of a grid in one call; before and after it, each row is read and
judged by itself. A point may stand in one cell as GIS programs export it (Well-Known
Text, OGC 06-103r4): `POINT (174.77557 -41.28664)` has its longitude or easting first;
PostGIS puts `SRID=4326;` in front. An ArcGIS table says only `Point`.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kawe_places.coast import coast
from kawe_places.coast_data import is_in_new_zealand
from kawe_places.judging import Judge
from kawe_places.readings import (
    ADVICE,
    DEGREES,
    METRES,
    Pair,
    ReadCoordinate,
    Refused,
    read_pair,
)
from kawe_places.systems import (
    GRIDS,
    NZTM,
    Degrees,
    MapGrid,
    System,
    project,
    system_named,
)
from kawe_places.texts import one_line
from kawe_places.values import (
    GivenPlace,
    Located,
    Location,
    Misplaced,
    Place,
    PlaceRemark,
    misplaced,
)

_EARTH_RADIUS_METRES: Final = 6_371_000
_AGREEMENT_METRES: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One given place, read; None: an empty pair."""

    degrees: Pair | Refused | None
    metres: Pair | Refused | None
    system: System | None
    unknown_system: Refused
    takes_metres: bool

    @property
    def grid(self) -> MapGrid:
        return self.system if isinstance(self.system, MapGrid) else NZTM

    @property
    def on_grid(self) -> tuple[float, float] | None:
        """Give the pair for PROJ, which checks no ranges."""
        if isinstance(self.metres, Pair):
            pair = (self.metres.first.value, self.metres.second.value)
            if self.grid.covers(*pair):
                return pair
        return None


class PyprojPlaces:
    """A Places with our own grammar and PROJ.

    With `accepts_suggestions`, the only suggestion is taken with a warning.
    """

    def __init__(self, *, accepts_suggestions: bool = False) -> None:
        self._judge = Judge(accepts_suggestions=accepts_suggestions)

    def locate(self, given: Sequence[GivenPlace]) -> tuple[Location, ...]:
        """Read places in order, none of them empty."""
        plain = [_plain(each) for each in given]
        rows = {at: _read(given[at]) for at, place in enumerate(plain) if place is None}
        projected: dict[int, Place | None] = {}
        for grid in GRIDS:
            pairs = {
                at: pair
                for at, row in rows.items()
                if row.grid is grid and (pair := row.on_grid) is not None
            }
            projected |= zip(pairs, project(grid, list(pairs.values())), strict=True)
        return tuple(
            _located(place) if place else self._conclude(rows[at], projected.get(at))
            for at, place in enumerate(plain)
        )

    def _conclude(self, row: _Row, projected: Place | None) -> Location:
        both = (self._by_degrees(row), self._by_metres(row, projected))
        found = [each for each in both if each is not None]
        remarks = [remark for each in found for remark in each.remarks]
        places = [each.place for each in found if isinstance(each, Located)]
        if row.unknown_system:
            return Misplaced(remarks=(*row.unknown_system, *remarks))
        if len(places) < len(found):
            blamed = [r for e in found if isinstance(e, Misplaced) for r in e.remarks]
            return Misplaced(remarks=tuple(blamed))
        if len(places) == 2 and (apart := _metres_apart(*places)) > _AGREEMENT_METRES:
            return _disagreement(apart)
        return _located(places[0], *remarks)

    def _by_degrees(self, row: _Row) -> Location | None:
        match row.degrees:
            case None:
                return None
            case Pair() as pair:
                given = row.system if isinstance(row.system, MapGrid) else None
                return self._judge.degrees(
                    pair, grid=given, takes_metres=row.takes_metres
                )
            case refused:
                return Misplaced(remarks=refused)

    def _by_metres(self, row: _Row, projected: Place | None) -> Location | None:
        match row.metres:
            case None:
                return None
            case Pair() as pair:
                if not isinstance(row.system, MapGrid) and _holds_degrees(pair):
                    return self._judge.degrees_as_metres(pair)
                found = self._judge.metres(pair, grid=row.grid, place=projected)
                if isinstance(row.system, Degrees) and isinstance(found, Located):
                    return _odd_system(
                        f"{row.system.name} has degrees, but easting and northing "
                        "hold metres.",
                        advice="If they are NZTM, type NZTM as the coordinate system "
                        "or clear the cell.",
                    )
                return found
            case refused:
                return Misplaced(remarks=refused)


def _located(place: Place, *remarks: PlaceRemark) -> Located:
    is_at_sea = not coast().is_near_land(place)
    return Located(place=place, remarks=remarks, is_at_sea=is_at_sea)


def _plain(given: GivenPlace) -> Place | None:
    """Read two plain numbers quickly; None: read them fully, with the same result."""
    if (given.easting, given.northing, given.system) != (None, None, None):
        return None
    latitude, longitude = given.latitude, given.longitude
    if type(latitude) is not float or type(longitude) is not float:
        return None
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        return None
    # Fewer than four decimals are remarked on.
    if round(latitude, 3) == latitude or round(longitude, 3) == longitude:
        return None
    place = Place(latitude=latitude, longitude=longitude)
    return place if is_in_new_zealand(place) else None


def _holds_degrees(metres: Pair) -> bool:
    """Say whether x and y are degrees, as a GIS may export them."""
    place = Place(latitude=metres.second.value, longitude=metres.first.value)
    return is_in_new_zealand(place)


def _read(given: GivenPlace) -> _Row:
    system = None if given.system is None else system_named(given.system)
    unknown: Refused = ()
    if given.system is not None and system is None:
        unknown = _odd_system(
            f"“{one_line(str(given.system))}” is not a coordinate system that kawe "
            "knows.",
            advice="Type NZTM, NZMG, CITM (Chatham Islands), NZGD2000 or WGS 84, or "
            "clear the cell.",
        ).remarks
    degrees = read_shape(given)
    if degrees is None and not (given.latitude is None and given.longitude is None):
        degrees = read_pair(given.latitude, given.longitude, DEGREES)
    metres: Pair | Refused | None = None
    if given.easting is not None or given.northing is not None:
        metres = read_pair(given.easting, given.northing, METRES)
    elif isinstance(degrees, Pair) and degrees.says_metres:
        turned = replace(degrees, first=degrees.second, second=degrees.first)
        if NZTM.covers(turned.first.value, turned.second.value):
            degrees, metres = None, turned
    return _Row(
        degrees=degrees or None,
        metres=metres,
        system=system,
        unknown_system=unknown,
        takes_metres=given.takes_metres,
    )


def _metres_apart(one: Place, two: Place) -> float:
    """Measure the great circle, good to 0.5 %."""
    north = math.radians(two.latitude - one.latitude)
    east = math.radians(two.longitude - one.longitude)
    across = math.cos(math.radians(one.latitude)) * math.cos(math.radians(two.latitude))
    half = math.sin(north / 2) ** 2 + across * math.sin(east / 2) ** 2
    return 2 * _EARTH_RADIUS_METRES * math.asin(math.sqrt(half))


def _disagreement(apart_metres: float) -> Misplaced:
    far = f"{apart_metres:,.0f} m"
    if apart_metres >= 10_000:
        far = f"{apart_metres / 1000:,.0f} km"
    return misplaced(
        "latitude",
        "coordinates-disagree",
        f"Latitude and longitude lie {far} away from easting and northing.",
        advice="Find out which is right and clear the other two cells.",
    )


def _odd_system(message: str, *, advice: str) -> Misplaced:
    return misplaced("coordinate_system", "coordinate-system", message, advice=advice)


_SHAPE: Final = re.compile(
    r"\s*(?:SRID\s*=\s*(?P<srid>\d{1,6})\s*;)?\s*"
    r"(?P<what>(?:MULTI)?(?:POINT|LINESTRING|POLYGON)|GEOMETRYCOLLECTION)\b"
    r"\s*(?:[ZM]{1,2}\b\s*)?(?P<rest>EMPTY\s*|\(.*)?",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER: Final = r"-?\d{1,9}(?:\.\d{1,20})?"
_POINT: Final = re.compile(
    rf"\(\(?\s*({_NUMBER})\s+({_NUMBER})(?:\s+{_NUMBER}){{0,2}}\s*\)?\)\s*"
)
_GEOJSON: Final = re.compile(
    r'\s*\{\s*"type"\s*:\s*"(?P<what>Point)"\s*,\s*"coordinates"\s*:\s*'
    rf"\[\s*(?P<x>{_NUMBER})\s*,\s*(?P<y>{_NUMBER})\s*(?:,\s*{_NUMBER}\s*)?\]\s*\}}\s*"
)
_LONGEST: Final = 500
"""A point has up to 80 characters; an outline has thousands."""


def read_shape(given: GivenPlace) -> Pair | Refused | None:
    """Read a shape under latitude; None: there is none. Empty: others say the place."""
    text = given.latitude
    if isinstance(text, str) and (json := _GEOJSON.fullmatch(text[:_LONGEST])):
        text = "{what}({x} {y})".format(**json.groupdict())
    found = _SHAPE.fullmatch(text[:_LONGEST]) if isinstance(text, str) else None
    if found is None:
        return None
    if found["rest"] is None:
        return None if given.easting is None else ()
    shown = one_line(found[0])
    read = _read_shape(found, given, shown=shown)
    if not isinstance(read, str):
        return read
    return misplaced(
        "latitude",
        "coordinate-shape",
        f"“{shown}” {read}.",
        advice="Export a point, such as POINT (174.77557 -41.28664). " + ADVICE,
    ).remarks


def _read_shape(found: re.Match[str], given: GivenPlace, *, shown: str) -> Pair | str:
    """Read a shape, or say what it is."""
    point = _POINT.fullmatch(found["rest"])
    if point is None or not found["what"].upper().endswith("POINT"):
        is_empty = found["rest"].upper().startswith("EMPTY")
        return "is empty: it holds no point" if is_empty else "is not one point"
    if given.longitude is not None:
        return "is a whole point, but a longitude stands beside it"
    x, y = float(point[1]), float(point[2])
    srid = found["srid"]
    system = system_named(srid or given.system)
    is_degrees = max(abs(x), abs(y)) <= 360
    if srid and (system is None or isinstance(system, Degrees) is not is_degrees):
        return f"says SRID={srid}, and its numbers are not of a system so called"
    place: Place | None = Place(latitude=y, longitude=x)
    if not is_degrees:
        grid = system if isinstance(system, MapGrid) else NZTM
        place = project(grid, [(x, y)])[0] if grid.covers(x, y) else None
    if place is None:
        return "is not in New Zealand"
    decimals = min(len(each.partition(".")[2]) for each in point.groups())
    one, two = (
        ReadCoordinate(value=value, shown=shown, precision=is_degrees * 10.0**-decimals)
        for value in (place.latitude, place.longitude)
    )
    return Pair(first=one, second=two, in_one_cell="latitude")
