"""Places on the ground, in degrees of WGS 84."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import quote

from kawe.domain.text.cell_types import CellValue
from kawe.domain.text.texts import one_line

PLACE_DECIMALS: Final = 7
"""Places that agree so far, about 1 cm, are the same."""


PLACE_NEEDED: Final = "place-needed"
"""The rule of a row that is to be sent and says no place."""
MAP_SEARCH: Final = "https://www.google.com/maps/search/?api=1&query="
_SEARCHED: Final = 120


def map_search(address: str) -> str:
    """Give a link by which a person may look for an address; kawe never opens it."""
    words = one_line(address, limit=_SEARCHED)
    return MAP_SEARCH + quote(words, safe="", errors="replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One point; latitude and longitude in decimal degrees, WGS 84."""

    latitude: float
    longitude: float

    def key(self) -> tuple[float, float]:
        return (
            round(self.latitude, PLACE_DECIMALS),
            round(self.longitude, PLACE_DECIMALS),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenPlace:
    """What one row says about where it is, as typed. None is an empty cell."""

    latitude: CellValue = None
    longitude: CellValue = None
    easting: CellValue = None
    northing: CellValue = None
    system: CellValue = None
    takes_metres: bool = True
    """False: the sheet has no columns for easting and northing of this place."""

    @property
    def is_empty(self) -> bool:
        return all(
            part is None
            for part in (self.latitude, self.longitude, self.easting, self.northing)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRemark:
    """Something to say about one part of a given place."""

    field: str
    """latitude, longitude, easting, northing or coordinate_system."""
    rule: str
    message: str
    advice: str = ""
    is_note: bool = False
    """True: only worth knowing; False: a warning, or the reason to refuse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """The given place was understood."""

    place: Place
    remarks: tuple[PlaceRemark, ...] = ()
    is_at_sea: bool = False
    """True: more than a kilometre from land."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Misplaced:
    """The given place was not understood, or is not in New Zealand."""

    remarks: tuple[PlaceRemark, ...]


Location: TypeAlias = Located | Misplaced


@dataclass(frozen=True, slots=True, kw_only=True)
class IwiChoice:
    """One iwi that a place can be sent to."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IwiAnswer:
    """Which iwi a place belongs to (interface, POST /iwi/count)."""

    choices: tuple[IwiChoice, ...]
    can_select: bool
    """False: the service routes the project itself, names are ignored."""
