"""The coordinate systems that people in New Zealand use, and degrees from them.

Ranges and accuracies are those of LINZ. Eastings and northings of a system never
overlap, so a swap is always found. WGS 84 and NZGD2000 agree within a metre.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from kawe_places.texts import fold
from kawe_places.values import CellValue, Place

if TYPE_CHECKING:
    from pyproj import Transformer


@dataclass(frozen=True, slots=True, kw_only=True)
class MapGrid:
    """One system of eastings and northings, in metres."""

    name: str
    title: str
    epsg: int
    eastings: tuple[float, float]
    northings: tuple[float, float]
    accuracy_metres: float

    def covers(self, easting: float, northing: float) -> bool:
        return (
            self.eastings[0] <= easting <= self.eastings[1]
            and self.northings[0] <= northing <= self.northings[1]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Degrees:
    """One system of latitudes and longitudes."""

    name: str
    epsg: int


NZTM: Final = MapGrid(
    name="NZTM",
    title="New Zealand Transverse Mercator 2000",
    epsg=2193,
    eastings=(988_000, 2_120_000),
    northings=(4_737_000, 6_227_000),
    accuracy_metres=1,
)
NZMG: Final = MapGrid(
    name="NZMG",
    title="New Zealand Map Grid",
    epsg=27200,
    eastings=(1_897_000, 3_031_000),
    northings=(5_299_000, 6_789_000),
    accuracy_metres=4,
)
CITM: Final = MapGrid(
    name="CITM",
    title="Chatham Islands Transverse Mercator 2000",
    epsg=3793,
    eastings=(3_439_000, 3_578_000),
    northings=(5_055_000, 5_204_000),
    accuracy_metres=1,
)
GRIDS: Final = (NZTM, NZMG, CITM)
WGS84: Final = Degrees(name="WGS 84", epsg=4326)
NZGD2000: Final = Degrees(name="NZGD2000", epsg=4167)

System = MapGrid | Degrees

_NAMES: Final[Mapping[System, str]] = {
    NZTM: (
        "nztm, nztm2000, nztm 2000, tm2000, transverse mercator, new zealand "
        "transverse mercator, new zealand transverse mercator 2000, nzgd2000 new "
        "zealand transverse mercator 2000, nzgd2000 nztm2000, nzgd2000 nztm, nztm "
        "nzgd2000"
    ),
    NZMG: (
        "nzmg, nzmg49, nzmg 49, nz map grid, new zealand map grid, map grid, "
        "nzgd49 new zealand map grid, nzgd1949 new zealand map grid, nzms260, "
        "nzms 260"
    ),
    CITM: (
        "citm, citm2000, citm 2000, chatham islands transverse mercator, chatham "
        "islands transverse mercator 2000, chatham islands tm 2000, nzgd2000 "
        "chatham islands tm 2000, chathams, chatham islands"
    ),
    WGS84: (
        "wgs84, wgs 84, wgs1984, wgs 1984, gps, degrees, decimal degrees, lat "
        "long, lat lon, latitude longitude, latitude and longitude, geographic"
    ),
    NZGD2000: "nzgd2000, nzgd 2000, nzgd2k",
}
"""What people call them, folded."""
_BY_NAME: Final[Mapping[str, System]] = {
    **{name: system for system, names in _NAMES.items() for name in names.split(", ")},
    **{
        prefix + str(system.epsg): system
        for system in _NAMES
        for prefix in ("", "epsg ", "epsg")
    },
}


def system_named(value: CellValue) -> System | None:
    """Find a system by name or any form of its EPSG code."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return _BY_NAME.get(fold(str(value)))


_WGS84: Final = 4326
# Without it PROJ may skip the datum shift of NZMG, an error of 185 to 200 m.
_WORST_METRES: Final = {NZMG.epsg: 5.0}


@cache
def _transformer(epsg: int) -> Transformer:
    # 84 ms to import; degrees do not need it.
    from pyproj import Transformer  # noqa: PLC0415 (start-up)
    from pyproj.network import (  # type: ignore[attr-defined]  # re-exported  # noqa: PLC0415 (start-up)
        set_network_enabled,
    )

    # With PROJ_NETWORK=ON and no network, PROJ answers "infinite" for NZMG.
    set_network_enabled(active=False)
    return Transformer.from_crs(
        epsg, _WGS84, always_xy=True, accuracy=_WORST_METRES.get(epsg)
    )


def project(grid: MapGrid, pairs: Sequence[tuple[float, float]]) -> list[Place | None]:
    """Convert each (easting, northing) of `grid`; None where PROJ cannot.

    PROJ ignores the area of use: the caller checks pairs before and after. NZMG uses
    seven parameters, good to about 4 m; its distortion grid is not shipped (LINZ gives
    it ±5 m after the earthquakes).
    """
    if not pairs:
        return []
    from pyproj.exceptions import ProjError  # noqa: PLC0415 (start-up)

    eastings, northings = zip(*pairs, strict=True)
    try:
        longitudes, latitudes = _transformer(grid.epsg).transform(
            eastings, northings, errcheck=True
        )
    except ProjError:
        if len(pairs) == 1:
            return [None]
        # One bad point fails the whole array.
        return [place for pair in pairs for place in project(grid, [pair])]
    return [
        Place(latitude=float(latitude), longitude=float(longitude))
        for latitude, longitude in zip(latitudes, longitudes, strict=True)
    ]
