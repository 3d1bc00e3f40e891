"""The bounds of New Zealand, to find mistyped places.

For each half degree of latitude there are the westernmost and easternmost land, and a
margin of about the territorial sea (12 nautical miles) for coastal consents.
"""

from __future__ import annotations

import math
from typing import Final

from kawe.domain.service.places import Place
from kawe.geo.coast_data import BAND_DEGREES, coast_data

_MARGIN_LATITUDE: Final = 0.2
_MARGIN_LONGITUDE: Final = 0.3


def is_in_new_zealand(place: Place) -> bool:
    """Check that `place` is on New Zealand's land or near its coast."""
    if not (abs(place.latitude) <= 90 and abs(place.longitude) <= 360):
        # Not on Earth: huge numbers, infinity, NaN.
        return False
    return _is_near_mainland(place) or _is_near_chathams(place)


def _is_near_mainland(place: Place) -> bool:
    # The margin is narrower than a band: two bands suffice.
    for latitude in (
        place.latitude - _MARGIN_LATITUDE,
        place.latitude + _MARGIN_LATITUDE,
    ):
        reach = coast_data().bands.get(math.floor(latitude / BAND_DEGREES))
        if (
            reach is not None
            and reach[0] - _MARGIN_LONGITUDE
            <= place.longitude
            <= reach[1] + _MARGIN_LONGITUDE
        ):
            return True
    return False


def _is_near_chathams(place: Place) -> bool:
    south, west, north, east = coast_data().chathams
    return (
        south - _MARGIN_LATITUDE <= place.latitude <= north + _MARGIN_LATITUDE
        and west - _MARGIN_LONGITUDE <= place.longitude <= east + _MARGIN_LONGITUDE
    )
