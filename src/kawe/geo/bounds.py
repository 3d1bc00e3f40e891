"""Where New Zealand is, closely enough to notice a place typed wrongly.

The table gives how far west and east land lies in each half degree of
latitude. It is derived from LINZ's NZ Coastlines and Islands Polygons
(Topo50, 1:50,000), which LINZ licenses for reuse under CC BY 4.0. A margin
of about the territorial sea (12 nautical miles) lies around it, for coastal
consents. Stewart Island and the Three Kings are in; the Snares and the other
sub-antarctic islands and the Kermadecs are out: no iwi is asked about them
through this service, and a sign typed wrongly would land there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kawe.domain.places import Place

_MARGIN_LATITUDE: Final = 0.2
_MARGIN_LONGITUDE: Final = 0.3
_STEP: Final = 0.5

# The south edge of a half degree: its westernmost and easternmost land.
_MAINLAND: Final[Mapping[float, tuple[float, float]]] = {
    -47.5: (167.31, 168.23),
    -47.0: (166.86, 169.72),
    -46.5: (166.44, 170.26),
    -46.0: (166.42, 170.80),
    -45.5: (166.69, 171.11),
    -45.0: (167.13, 171.22),
    -44.5: (167.81, 171.93),
    -44.0: (168.51, 173.14),
    -43.5: (169.72, 173.13),
    -43.0: (170.58, 173.53),
    -42.5: (171.17, 174.02),
    -42.0: (171.39, 175.54),
    -41.5: (171.95, 176.13),
    -41.0: (172.09, 176.55),
    -40.5: (172.67, 176.91),
    -40.0: (173.89, 177.10),
    -39.5: (173.75, 178.01),
    -39.0: (174.17, 178.30),
    -38.5: (174.63, 178.39),
    -38.0: (174.56, 178.58),
    -37.5: (174.47, 177.14),
    -37.0: (174.17, 176.11),
    -36.5: (173.78, 175.79),
    -36.0: (173.33, 175.17),
    -35.5: (173.05, 174.75),
    -35.0: (172.69, 173.98),
    -34.5: (172.03, 173.06),
}
# The Chathams, as (south, west, north, east); west of 180 degrees.
_CHATHAMS: Final = (-44.44, -176.90, -43.55, -176.15)


def is_in_new_zealand(place: Place) -> bool:
    """Say whether `place` is on New Zealand's land or near its coast."""
    return _is_near_mainland(place) or _is_near_chathams(place)


def _is_near_mainland(place: Place) -> bool:
    return any(
        south - _MARGIN_LATITUDE <= place.latitude <= south + _STEP + _MARGIN_LATITUDE
        and west - _MARGIN_LONGITUDE <= place.longitude <= east + _MARGIN_LONGITUDE
        for south, (west, east) in _MAINLAND.items()
    )


def _is_near_chathams(place: Place) -> bool:
    south, west, north, east = _CHATHAMS
    return (
        south - _MARGIN_LATITUDE <= place.latitude <= north + _MARGIN_LATITUDE
        and west - _MARGIN_LONGITUDE <= place.longitude <= east + _MARGIN_LONGITUDE
    )
