"""Eleven kinds of input for one place: right values, and ten usual mistakes.

What is typed follows from a true place on land, so for each it is known what
kawe ought to make of it. Metres are NZTM on the mainland and CITM at the
Chathams, which NZTM does not reach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from pyproj import Transformer

from kawe_places.places import PyprojPlaces
from kawe_places.values import GivenPlace, Located, Location, Place

POINTS: Final = (
    Path(__file__).resolve().parents[1] / "tests" / "properties" / "land_points.csv"
)
_NEAR_DEGREES: Final = 0.00001
"""About a metre: metres are typed to the centimetre, seconds to a hundredth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A true place on land, in degrees and in metres."""

    place: Place
    grid: str
    """The grid of its own region: NZTM or CITM."""
    metres: tuple[float, float]
    map_grid: tuple[float, float]
    """Of the old New Zealand Map Grid; of no use at the Chathams."""


Typed: TypeAlias = Callable[[Spot], GivenPlace]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One way in which places get typed."""

    words: str
    typed: Typed
    is_right: bool = False
    """True: it is the place; False: it is not, as it stands."""
    notes: int = 0
    """For how many of the 2,000 places it is told how they were read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What kawe made of one kind, counted over all spots."""

    by_itself: Counter[str]
    with_agreement: Counter[str]


def _degrees(latitude: float, longitude: float) -> GivenPlace:
    return GivenPlace(latitude=latitude, longitude=longitude)


def _north(spot: Spot) -> float:
    return spot.place.latitude


def _east(spot: Spot) -> float:
    return spot.place.longitude


def _another_grid(spot: Spot) -> GivenPlace:
    """Give metres with no system named, where NZTM is not what they are."""
    easting, northing = spot.map_grid if spot.grid == "NZTM" else spot.metres
    return GivenPlace(easting=easting, northing=northing)


def _old_metres(spot: Spot) -> GivenPlace:
    first, second = spot.map_grid if spot.grid == "NZTM" else spot.metres
    # In either order, as often as not.
    return _degrees(first, second) if round(first) % 2 else _degrees(second, first)


ELEVEN: Final = (
    Kind(
        words="right degrees",
        typed=lambda s: _degrees(_north(s), _east(s)),
        is_right=True,
    ),
    Kind(
        words="latitude and longitude swapped",
        typed=lambda s: _degrees(_east(s), _north(s)),
    ),
    Kind(
        words="swapped, and no minus",
        typed=lambda s: _degrees(abs(_east(s)), abs(_north(s))),
    ),
    Kind(
        words="latitude without its minus",
        typed=lambda s: _degrees(-_north(s), _east(s)),
    ),
    Kind(
        words="longitude with the wrong sign",
        typed=lambda s: _degrees(_north(s), -_east(s)),
    ),
    Kind(words="both signs wrong", typed=lambda s: _degrees(-_north(s), -_east(s))),
    Kind(
        words="metres under latitude and longitude, easting first",
        typed=lambda s: _degrees(*s.metres),
    ),
    Kind(
        words="metres under latitude and longitude, northing first",
        typed=lambda s: _degrees(*reversed(s.metres)),
    ),
    Kind(
        words="old map grid metres under latitude and longitude, in either order",
        typed=_old_metres,
    ),
    Kind(
        words="easting and northing swapped",
        typed=lambda s: GivenPlace(
            easting=s.metres[1], northing=s.metres[0], system=s.grid
        ),
    ),
    Kind(
        words="metres of the old map grid or of the Chathams, and no system named",
        typed=_another_grid,
    ),
)


def _dms(value: float, letters: str) -> str:
    hundredths = round(abs(value) * 360_000)
    degrees, rest = divmod(hundredths, 360_000)
    minutes, seconds = divmod(rest, 6_000)
    return f"{degrees}°{minutes}'{seconds / 100:.2f}\"{letters[value > 0]}"


NOTATIONS: Final = (
    Kind(
        words="decimal comma, typographic minus",
        typed=lambda s: GivenPlace(
            latitude=f"{_north(s):.6f}".replace("-", "−").replace(".", ","),
            longitude=f"{_east(s):.6f}".replace("-", "−").replace(".", ","),
        ),
        is_right=True,
        notes=2_000,
    ),
    Kind(
        words="hemisphere letters",
        typed=lambda s: GivenPlace(
            latitude=f"{abs(_north(s)):.6f} S",
            longitude=f"{abs(_east(s)):.6f}° {'WE'[_east(s) > 0]}",
        ),
        is_right=True,
        notes=2_000,
    ),
    Kind(
        words="degrees, minutes and seconds",
        typed=lambda s: GivenPlace(
            latitude=_dms(_north(s), "SN"), longitude=_dms(_east(s), "WE")
        ),
        is_right=True,
        notes=2_000,
    ),
    Kind(
        words="both numbers in one cell",
        typed=lambda s: GivenPlace(latitude=f"{_north(s):.6f}, {_east(s):.6f}"),
        is_right=True,
        notes=2_000,
    ),
    Kind(
        words="longitude counted to 360",
        typed=lambda s: _degrees(_north(s), _east(s) % 360),
        is_right=True,
        # Those at the Chathams; the others are counted as ever.
        notes=200,
    ),
    Kind(
        words="metres with their system named",
        typed=lambda s: GivenPlace(
            easting=s.metres[0], northing=s.metres[1], system=s.grid
        ),
        is_right=True,
    ),
)


@cache
def spots() -> tuple[Spot, ...]:
    """Give 2,000 true places, one in ten of them at the Chathams."""
    lines = POINTS.read_text("utf-8").split()
    parts = [line.split(",") for line in lines]
    places = [Place(latitude=float(one), longitude=float(two)) for one, two in parts]
    on_grid = {code: _projected(places, code) for code in (2193, 3793, 27200)}
    return tuple(
        Spot(
            place=place,
            grid="NZTM" if place.longitude > 0 else "CITM",
            metres=on_grid[2193 if place.longitude > 0 else 3793][at],
            map_grid=on_grid[27200][at],
        )
        for at, place in enumerate(places)
    )


@cache
def found(kind: Kind) -> Found:
    """Let kawe read every spot as it was typed, without and with agreement."""
    typed = [kind.typed(spot) for spot in spots()]
    alone = PyprojPlaces().locate(typed)
    agreed = PyprojPlaces(accepts_suggestions=True).locate(typed)
    return Found(
        by_itself=Counter(map(_what, spots(), alone)),
        with_agreement=Counter(map(_what, spots(), agreed)),
    )


def _what(spot: Spot, location: Location) -> str:
    if not isinstance(location, Located):
        # Class B suggests one place and says how to agree to it, class C does not.
        is_suggested = any(each.is_suggestion for each in location.remarks)
        return "refused, one suggested" if is_suggested else "refused"
    off = max(
        abs(location.place.latitude - spot.place.latitude),
        abs(location.place.longitude - spot.place.longitude),
    )
    if off > _NEAR_DEGREES:
        return "elsewhere"
    if not location.remarks:
        return "right"
    warned = any(not remark.is_note for remark in location.remarks)
    return "right, with a warning" if warned else "right, with a note"


def _projected(places: Sequence[Place], code: int) -> list[tuple[float, float]]:
    """Give metres to the centimetre, as people copy them."""
    transformer = Transformer.from_crs(
        4326, code, always_xy=True, accuracy=5.0 if code == 27200 else None
    )
    metres: Iterator[tuple[float, float]] = zip(
        *transformer.transform(
            [place.longitude for place in places],
            [place.latitude for place in places],
        ),
        strict=True,
    )
    return [(round(one, 2), round(two, 2)) for one, two in metres]
