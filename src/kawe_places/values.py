"""Places on the ground, as typed and as found, in degrees of WGS 84."""

from dataclasses import dataclass
from typing import Final, TypeAlias

CellValue: TypeAlias = str | float | int | bool | list[str] | None
"""What a cell means: JSON values. Dates are ISO text; None is an empty cell."""

PLACE_DECIMALS: Final = 7
"""Places that agree so far, about 1 cm, are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One point; latitude and longitude in decimal degrees, WGS 84."""

    latitude: float
    longitude: float

    def key(self) -> tuple[float, float]:
        """Give the place as far as two that agree are the same."""
        north, east = self.latitude, self.longitude
        return round(north, PLACE_DECIMALS), round(east, PLACE_DECIMALS)


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
        return [self.latitude, self.longitude, self.easting, self.northing] == [
            None
        ] * 4


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
    is_suggestion: bool = False
    """True: whoever accepts suggestions gets the place that it names."""


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


def misplaced(field: str, rule: str, message: str, *, advice: str) -> Misplaced:
    """Refuse for one reason."""
    remark = PlaceRemark(field=field, rule=rule, message=message, advice=advice)
    return Misplaced(remarks=(remark,))
