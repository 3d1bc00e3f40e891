"""Suggests a place where the typed one is not in New Zealand.

A suggestion moves the place, which decides the iwi. So kawe shows the values to type
and applies them only if the person accepts suggestions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from kawe.domain.service.places import Place
from kawe.geo.bounds import is_in_new_zealand
from kawe.geo.projector import project
from kawe.geo.systems import GRIDS, NZTM, MapGrid

# Each way of mistyping degrees: (swapped, latitude's sign, longitude's sign).
_SLIPS: Final = (
    (False, -1, 1),
    (False, 1, -1),
    (False, -1, -1),
    (True, 1, 1),
    (True, -1, 1),
    (True, 1, -1),
    (True, -1, -1),
)


class Columns(Enum):
    """The columns of two numbers, and the other columns of the sheet."""

    DEGREES = "latitude and longitude, with easting and northing beside them"
    DEGREES_ALONE = "latitude and longitude, and no others"
    METRES = "easting and northing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A place that the person may have meant."""

    place: Place
    field: str
    """The first column to change."""
    rule: str
    message: str
    """What seems to have happened."""
    advice: str
    """What to type, without a full stop."""


def for_degrees(latitude: float, longitude: float) -> tuple[Suggestion, ...]:
    """Find places in New Zealand that one mistake explains."""
    return _distinct(_slips(latitude, longitude))


def for_metres(
    first: float, second: float, *, grids: Sequence[MapGrid] = GRIDS, columns: Columns
) -> tuple[Suggestion, ...]:
    """Find the places of two numbers taken as metres.

    `first` stands under latitude or easting, `second` under longitude or
    northing; `columns` says which.
    """
    return _distinct(
        _metres(pair, place, grid=grid, columns=columns)
        for grid in grids
        for pair in ((first, second), (second, first))
        if grid.covers(*pair)
        for place in project(grid, [pair])
        if place is not None and is_in_new_zealand(place)
    )


def for_swapped_metres(
    easting: float, northing: float, *, grid: MapGrid
) -> tuple[Suggestion, ...]:
    """Find the place of a swapped easting and northing."""
    if not grid.covers(northing, easting):
        return ()
    return _distinct(
        Suggestion(
            place=place,
            field="easting",
            rule="coordinate-swapped",
            message="Easting and northing are the wrong way round.",
            advice=(
                f"type {show(northing)} as the easting and {show(easting)} "
                "as the northing"
            ),
        )
        for place in project(grid, [(northing, easting)])
        if place is not None and is_in_new_zealand(place)
    )


def for_degrees_in_metres(easting: float, northing: float) -> tuple[Suggestion, ...]:
    """Find the place of degrees under easting and northing."""
    pairs = ((northing, easting), (easting, northing))
    return _distinct(
        Suggestion(
            place=place,
            field="easting",
            rule="coordinate-degrees-in-metres",
            message="Easting and northing hold degrees, not metres.",
            advice=_type_degrees(place),
        )
        for latitude, longitude in pairs
        for place in [Place(latitude=latitude, longitude=longitude)]
        if is_in_new_zealand(place)
    )


def show(value: float) -> str:
    """Write a coordinate as people type it, to about a centimetre."""
    decimals = 7 if abs(value) <= 360 else 2
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".")


def _slips(latitude: float, longitude: float) -> Iterator[Suggestion]:
    for is_swapped, north_sign, east_sign in _SLIPS:
        pair = (longitude, latitude) if is_swapped else (latitude, longitude)
        place = Place(latitude=north_sign * pair[0], longitude=east_sign * pair[1])
        if is_in_new_zealand(place):
            yield Suggestion(
                place=place,
                field="latitude" if is_swapped or north_sign < 0 else "longitude",
                rule="coordinate-swapped" if is_swapped else "coordinate-sign",
                message=_slip_message(
                    is_swapped=is_swapped, north=north_sign < 0, east=east_sign < 0
                ),
                advice=_type_degrees(place),
            )


def _slip_message(*, is_swapped: bool, north: bool, east: bool) -> str:
    if is_swapped:
        tail = ", and a sign is wrong" if north or east else ""
        return f"Latitude and longitude are the wrong way round{tail}."
    if north and east:
        return "Latitude and longitude have the wrong signs."
    if north:
        return "The latitude has no minus, so it is north of the equator."
    return "The longitude has the wrong sign."


def _metres(
    pair: tuple[float, float], place: Place, *, grid: MapGrid, columns: Columns
) -> Suggestion:
    is_metres = columns is Columns.METRES
    where = "easting and northing" if is_metres else "latitude and longitude"
    return Suggestion(
        place=place,
        field="easting" if is_metres else "latitude",
        rule="coordinate-system" if is_metres else "coordinate-metres-in-degrees",
        message=f"The {where} look like {grid.name} metres ({grid.title}).",
        advice=_type_metres(pair, place, grid=grid, columns=columns),
    )


def _type_metres(
    pair: tuple[float, float], place: Place, *, grid: MapGrid, columns: Columns
) -> str:
    if columns is Columns.DEGREES_ALONE:
        return _type_degrees(place)
    system = "" if grid is NZTM else f" with {grid.name} as the coordinate system"
    advice = (
        f"type {show(pair[0])} as the easting and {show(pair[1])} as the northing"
        f"{system}"
    )
    if columns is Columns.DEGREES:
        advice += ", and clear latitude and longitude"
    return advice


def _type_degrees(place: Place) -> str:
    return (
        f"type {show(place.latitude)} as the latitude and {show(place.longitude)} "
        "as the longitude"
    )


def _distinct(found: Iterable[Suggestion]) -> tuple[Suggestion, ...]:
    by_place: dict[tuple[float, float], Suggestion] = {}
    for each in found:
        by_place.setdefault(each.place.key(), each)
    return tuple(by_place.values())
