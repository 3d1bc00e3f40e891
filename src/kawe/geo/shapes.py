"""Reads a point as GIS programs export it (Well-Known Text, OGC 06-103r4).

`POINT (174.77557 -41.28664)` has its longitude or easting first; PostGIS puts
`SRID=4326;` in front. An ArcGIS table says only `Point`.
"""

from __future__ import annotations

import re
from typing import Final

from kawe.domain.service.places import GivenPlace, Place, PlaceRemark
from kawe.domain.text.texts import one_line
from kawe.geo.pairing import Pair, Refused
from kawe.geo.projector import project
from kawe.geo.readings import ADVICE, ReadCoordinate
from kawe.geo.systems import NZTM, Degrees, MapGrid, system_named

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
_LONGEST: Final = 500
"""A point has up to 80 characters; an outline has thousands."""


def read_shape(given: GivenPlace) -> Pair | Refused | None:
    """Read a shape under latitude; None: there is none. Empty: others say the place."""
    text = given.latitude
    found = _SHAPE.fullmatch(text[:_LONGEST]) if isinstance(text, str) else None
    if found is None:
        return None
    if found["rest"] is None:
        return None if given.easting is None else ()
    shown = one_line(found[0], limit=40)
    read = _read(found, given, shown=shown)
    if not isinstance(read, str):
        return read
    return (
        PlaceRemark(
            field="latitude",
            rule="coordinate-shape",
            message=f"“{shown}” {read}.",
            advice="Export a point, such as POINT (174.77557 -41.28664). " + ADVICE,
        ),
    )


def _read(found: re.Match[str], given: GivenPlace, *, shown: str) -> Pair | str:
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
