"""The shipped outline of New Zealand, as tools/write_coast.py wrote it.

Derived from LINZ's NZ Coastlines and Islands Polygons (Topo50, 1:50,000), which LINZ
licenses under CC BY 4.0. It has Stewart Island, the Three Kings and the Chathams, but
not the sub-antarctic islands and the Kermadecs: the service asks no iwi about them,
and a wrong sign would be a place there.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Final, TypeAlias

DATA: Final = "coast.json.gz"
UNIT_DEGREES: Final = 0.0001
BAND_DEGREES: Final = 0.5

Ring: TypeAlias = Sequence[tuple[float, float]]
"""(latitude, longitude) around one island; the last point is the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoastData:
    """Land as rings, and how far it reaches."""

    rings: tuple[Ring, ...]
    """Simplified by up to 500 m; longitudes of the Chathams are negative."""
    bands: Mapping[int, tuple[float, float]]
    """Westernmost and easternmost land of the mainland and its islands, by half
    degree of latitude: -83 is 41.5 to 41 degrees south. Not simplified."""
    chathams: tuple[float, float, float, float]
    """South, west, north and east of the Chathams; west of 180 degrees."""


@cache
def coast_data() -> CoastData:
    """Load the outline once."""
    packed = files("kawe.geo").joinpath("data", DATA).read_bytes()
    document = json.loads(gzip.decompress(packed))
    south, west, north, east = document["chathams"]
    return CoastData(
        rings=tuple(_ring(each) for each in document["rings"]),
        bands={band: (west, east) for band, west, east in document["bands"]},
        chathams=(south, west, north, east),
    )


def _ring(steps: Sequence[int]) -> Ring:
    """Undo the steps from point to point, in units of 0.0001 degrees."""
    latitudes = [north * UNIT_DEGREES for north in accumulate(steps[::2])]
    longitudes = [east * UNIT_DEGREES for east in accumulate(steps[1::2])]
    return tuple(zip(latitudes, longitudes, strict=True))
