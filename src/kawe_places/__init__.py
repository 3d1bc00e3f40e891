"""Coordinates as New Zealanders write them, found on the ground.

It knows nothing of kawe, and stands on pyproj alone. A place decides the iwi, and a
send is final. So it reads notation that cannot move the place, only suggests what
would move it, and refuses the rest with a reason::

    given = GivenPlace(latitude="41.28664 S", longitude="174.77557 E")
    [found] = PyprojPlaces().locate([given])

gives `Located` with a `Place` in decimal degrees of WGS 84 and remarks, or `Misplaced`
with the reason. Degrees, NZTM, NZMG, CITM and points of GIS programs are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kawe_places.values import GivenPlace as GivenPlace
from kawe_places.values import Located as Located
from kawe_places.values import Location as Location
from kawe_places.values import Misplaced as Misplaced
from kawe_places.values import Place as Place

if TYPE_CHECKING:
    from kawe_places.places import PyprojPlaces as PyprojPlaces


def __getattr__(name: str) -> object:
    # PROJ takes long to load, and values are wanted without it.
    if name == "PyprojPlaces":
        from kawe_places import places  # noqa: PLC0415 - see above

        return places.PyprojPlaces
    raise AttributeError(name)
