"""Converts eastings and northings to degrees, with PROJ and without a network.

One transformer for each grid (1.8 ms) and one call for each batch (0.24 µs a point).
NZMG uses seven parameters, good to about 4 m; its distortion grid is not shipped (LINZ
gives it ±5 m after the earthquakes).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from kawe_places.systems import NZMG, MapGrid
from kawe_places.values import Place

if TYPE_CHECKING:
    from pyproj import Transformer

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

    PROJ ignores the area of use: the caller checks pairs before and after.
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
