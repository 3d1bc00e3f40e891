"""Turns eastings and northings into degrees, with PROJ and without a network.

One transformer for each grid and one call for each batch: making one costs
1.8 ms, a point in an array 0.24 µs. The distortion grid of the map grid is
not shipped (LINZ gives it ±5 m after the earthquakes itself), so NZMG goes by
seven parameters and is good to about 4 m.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from kawe.domain.service.places import Place
from kawe.geo.systems import NZMG, MapGrid

if TYPE_CHECKING:
    from pyproj import Transformer

_WGS84: Final = 4326
# Without it PROJ may take a path for the map grid that skips the datum shift,
# which is wrong by 185 to 200 m.
_WORST_METRES: Final = {NZMG.epsg: 5.0}


@cache
def _transformer(epsg: int) -> Transformer:
    # 84 ms to import; --help and workbooks in degrees never need it.
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
    """Place each (easting, northing) of `grid`; None where PROJ cannot.

    PROJ does not look at the area of use: whether a pair belongs to the grid
    is for the caller to check, before and after.
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
        # One bad point spoils the whole array.
        return [place for pair in pairs for place in project(grid, [pair])]
    return [
        Place(latitude=float(latitude), longitude=float(longitude))
        for latitude, longitude in zip(latitudes, longitudes, strict=True)
    ]
