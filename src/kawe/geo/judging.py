"""Judges two numbers: a place, a suggestion, or a refusal with its reason.

A suggestion is made where the typed place is not in New Zealand. It moves the place,
which decides the iwi, so kawe shows the values to type and applies them only if the
person accepts suggestions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from kawe.domain.service.places import Located, Location, Misplaced, Place, PlaceRemark
from kawe.geo.bounds import is_in_new_zealand
from kawe.geo.coast import coast
from kawe.geo.pairing import DEGREES, METRES, Axes, Pair
from kawe.geo.projector import project
from kawe.geo.readings import ADVICE, ReadCoordinate
from kawe.geo.systems import GRIDS, NZTM, MapGrid

ACCEPT: Final = "--accept coordinates"
"""The option that accepts suggestions."""

_METRES_PER_DEGREE: Final = 111_000
# 41°17'20" is exact to 0.0003 degrees and good; three decimals are not.
_COARSE_DEGREES: Final = 0.0005
# Excel drops one zero at the end of a number, seldom two.
_VERY_COARSE_DEGREES: Final = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Judges pairs of numbers."""

    accepts_suggestions: bool = False
    """True: the only suggestion is taken, with a warning."""

    def degrees(
        self, pair: Pair, *, grid: MapGrid | None, takes_metres: bool
    ) -> Location:
        """Judge a latitude and a longitude; `grid` is the row's own, if any.

        `takes_metres`: the sheet also has columns for metres.
        """
        latitude, longitude = pair.first.value, _turned(pair.second.value)
        place = Place(latitude=latitude, longitude=longitude)
        contrary = pair.contrary(DEGREES)
        if len(contrary) == 1:
            return _letter(pair, DEGREES, contrary[0])
        if not contrary and is_in_new_zealand(place):
            remarks = (*_notes(pair, DEGREES, (latitude, longitude)), *_coarse(pair))
            return Located(place=place, remarks=remarks)
        if latitude == 0 and longitude == 0:
            return _zero(DEGREES)
        found = for_degrees(latitude, longitude)
        found += for_metres(
            pair.first.value,
            pair.second.value,
            grids=GRIDS if grid is None else (grid,),
            columns=Columns.DEGREES if takes_metres else Columns.DEGREES_ALONE,
        )
        return self._suggest(found, pair, DEGREES)

    def degrees_as_metres(self, pair: Pair) -> Location:
        """Judge longitude and latitude that stand under x and y, where they fit."""
        turned = Pair(first=pair.second, second=pair.first)
        found = self.degrees(turned, grid=None, takes_metres=True)
        note = _note(
            "easting",
            f"Degrees: read as longitude {show(pair.first.value)} and latitude "
            f"{show(pair.second.value)}.",
        )
        return replace(found, remarks=(note, *found.remarks))

    def metres(self, pair: Pair, *, grid: MapGrid, place: Place | None) -> Location:
        """Judge an easting and a northing that PROJ puts at `place`."""
        easting, northing = pair.first.value, pair.second.value
        contrary = pair.contrary(METRES)
        if len(contrary) == 1:
            return _letter(pair, METRES, contrary[0])
        if not contrary and place is not None and is_in_new_zealand(place):
            remarks = (*_notes(pair, METRES, (easting, northing)), *_accuracy(grid))
            return Located(place=place, remarks=remarks)
        if easting == 0 and northing == 0:
            return _zero(METRES)
        found = for_swapped_metres(easting, northing, grid=grid)
        if not found:
            others = [each for each in GRIDS if each is not grid]
            found = for_metres(
                easting, northing, grids=others, columns=Columns.METRES
            ) + for_degrees_in_metres(easting, northing)
        return self._suggest(found, pair, METRES)

    def _suggest(self, found: Sequence[Suggestion], pair: Pair, axes: Axes) -> Location:
        match _likely(found):
            case []:
                return _outside(pair, axes)
            case [only] if self.accepts_suggestions:
                return Located(place=only.place, remarks=(_accepted(only, pair),))
            case [only]:
                return Misplaced(remarks=(_suggested(only),))
            case _:
                return Misplaced(remarks=(_several(found, axes),))


def _likely(found: Sequence[Suggestion]) -> Sequence[Suggestion]:
    """Keep the only suggestion on land, else all."""
    on_land = [each for each in found if coast().is_near_land(each.place)]
    return on_land if len(on_land) == 1 else found


def _turned(longitude: float) -> float:
    """Normalise a longitude to -180 to 180; some maps have 0 to 360."""
    return longitude - 360 if 180 < longitude <= 360 else longitude


def _notes(
    pair: Pair, axes: Axes, values: tuple[float, float]
) -> Iterator[PlaceRemark]:
    if pair.in_one_cell:
        one, two = values
        yield _note(
            pair.in_one_cell,
            f"“{pair.first.shown}” was read as {axes.first} {show(one)} "
            f"and {axes.second} {show(two)}.",
        )
        return
    readings = (pair.first, pair.second)
    for field, reading, value in zip(_fields(axes), readings, values, strict=True):
        if not reading.is_plain or value != reading.value:
            yield _note(field, f"“{reading.shown}” was read as {show(value)}.")


def _note(field: str, message: str) -> PlaceRemark:
    return PlaceRemark(
        field=field, rule="coordinate-read-as", message=message, is_note=True
    )


def _coarse(pair: Pair) -> Iterator[PlaceRemark]:
    readings = (pair.first, pair.second)
    worst = max(reading.precision for reading in readings)
    best = min(reading.precision for reading in readings)
    if worst >= _VERY_COARSE_DEGREES or best >= _COARSE_DEGREES:
        off = worst * _METRES_PER_DEGREE
        about = f"{off / 1000:,.0f} km" if off >= 1000 else f"{off:,.0f} m"
        first: ReadCoordinate = readings[0]
        yield PlaceRemark(
            field="latitude" if first.precision == worst else "longitude",
            rule="coordinate-decimals",
            message="The coordinates have few decimals, so the place may be "
            f"{about} off.",
            advice="Give at least 4 decimals: a place near a boundary could "
            "otherwise reach other iwi.",
        )


def _accuracy(grid: MapGrid) -> Iterator[PlaceRemark]:
    if grid.accuracy_metres > 1:
        yield PlaceRemark(
            field="easting",
            rule="coordinate-accuracy",
            message=f"Converted from {grid.title} ({grid.name}), good to about "
            f"{grid.accuracy_metres:.0f} m.",
            is_note=True,
        )


def _letter(pair: Pair, axes: Axes, field: str) -> Misplaced:
    reading = pair.first if field == axes.first else pair.second
    return Misplaced(
        remarks=(
            PlaceRemark(
                field=field,
                rule="coordinate-letter",
                message=f"“{reading.shown}” stands under {field}, but "
                f"{reading.letter} does not belong there.",
                advice="Check both cells: latitude takes N or S, longitude E or W. "
                + ADVICE,
            ),
        )
    )


def _zero(axes: Axes) -> Misplaced:
    return Misplaced(
        remarks=(
            PlaceRemark(
                field=axes.first,
                rule="coordinate-zero",
                message=f"{axes.first.capitalize()} and {axes.second} are both 0, "
                "which is no place in New Zealand.",
                advice="Type the real place, or clear both cells.",
            ),
        )
    )


def _outside(pair: Pair, axes: Axes) -> Misplaced:
    values = f"{show(pair.first.value)}, {show(pair.second.value)}"
    return Misplaced(
        remarks=(
            PlaceRemark(
                field=axes.first,
                rule="coordinate-outside",
                message=f"{axes.first.capitalize()} and {axes.second} ({values}) "
                "are not in New Zealand.",
                advice=ADVICE,
            ),
        )
    )


def _suggested(only: Suggestion) -> PlaceRemark:
    return PlaceRemark(
        field=only.field,
        rule=only.rule,
        message=only.message,
        advice=f"If that is the place, {only.advice}; or run the command again "
        f"with {ACCEPT}.",
    )


def _several(found: Sequence[Suggestion], axes: Axes) -> PlaceRemark:
    return PlaceRemark(
        field=axes.first,
        rule="coordinate-outside",
        message=f"{axes.first.capitalize()} and {axes.second} are no place in New "
        "Zealand as they stand, and could be more than one.",
        advice="Check the source: " + ", or ".join(each.advice for each in found) + ".",
    )


def _accepted(only: Suggestion, pair: Pair) -> PlaceRemark:
    typed = pair.first.shown
    if not pair.in_one_cell:
        typed = f"{typed}, {pair.second.shown}"
    return PlaceRemark(
        field=only.field,
        rule=only.rule,
        message=f"{only.message} “{typed}” was taken as "
        f"{show(only.place.latitude)}, {show(only.place.longitude)}, as you agreed.",
        advice=f"To put it right for good, {only.advice}.",
    )


def _fields(axes: Axes) -> tuple[str, str]:
    return (axes.first, axes.second)


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
