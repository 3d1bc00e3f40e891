"""The shipped outline of New Zealand, as tools/write_coast.py wrote it, and its bounds.

Derived from LINZ's NZ Coastlines and Islands Polygons (Topo50, 1:50,000), which LINZ
licenses under CC BY 4.0. It has Stewart Island, the Three Kings and the Chathams, but
not the sub-antarctic islands and the Kermadecs: the service asks no iwi about them,
and a wrong sign would be a place there. The bounds find mistyped places: a margin of
about the territorial sea (12 nautical miles) is for coastal consents.
"""

import gzip
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Final, TypeAlias

from kawe_places.values import Place

DATA: Final = "coast.json.gz"
UNIT_DEGREES: Final = 0.0001
BAND_DEGREES: Final = 0.5
_MARGIN_LATITUDE: Final = 0.2
_MARGIN_LONGITUDE: Final = 0.3

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
    packed = files("kawe_places").joinpath("data", DATA).read_bytes()
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


def is_in_new_zealand(place: Place) -> bool:
    """Check that `place` is on New Zealand's land or near its coast."""
    if not (abs(place.latitude) <= 90 and abs(place.longitude) <= 360):
        # Not on Earth: huge numbers, infinity, NaN.
        return False
    return _is_near_mainland(place) or _is_near_chathams(place)


def _is_near_mainland(place: Place) -> bool:
    # The margin is narrower than a band: two bands suffice.
    for margin in (-_MARGIN_LATITUDE, _MARGIN_LATITUDE):
        band = math.floor((place.latitude + margin) / BAND_DEGREES)
        west, east = coast_data().bands.get(band, (math.inf, -math.inf))
        if west - _MARGIN_LONGITUDE <= place.longitude <= east + _MARGIN_LONGITUDE:
            return True
    return False


def _is_near_chathams(place: Place) -> bool:
    south, west, north, east = coast_data().chathams
    return (
        south - _MARGIN_LATITUDE <= place.latitude <= north + _MARGIN_LATITUDE
        and west - _MARGIN_LONGITUDE <= place.longitude <= east + _MARGIN_LONGITUDE
    )
