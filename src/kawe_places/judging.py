"""Judges two numbers: a place, a suggestion, or a refusal with its reason.

A suggestion is made where the typed place is not in New Zealand. It moves the place,
which decides the iwi, so kawe shows the values to type and applies them only if the
person accepts suggestions.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from kawe_places.coast import coast
from kawe_places.coast_data import is_in_new_zealand
from kawe_places.readings import ADVICE, DEGREES, DEGREES_ALONE, METRES, Axes, Pair
from kawe_places.systems import GRIDS, NZTM, MapGrid, project
from kawe_places.values import (
    Located,
    Location,
    Misplaced,
    Place,
    PlaceRemark,
    misplaced,
)

_OUTSIDE: Final = "coordinate-outside"
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
        latitude, longitude = pair.first.value, pair.second.value
        # Some maps have 0 to 360.
        if 180 < longitude <= 360:
            longitude -= 360
        place = Place(latitude=latitude, longitude=longitude)
        contrary = pair.contrary(DEGREES)
        if len(contrary) == 1:
            return _letter(pair, DEGREES, contrary[0])
        if not contrary and is_in_new_zealand(place):
            remarks = (*_notes(pair, DEGREES, (latitude, longitude)), *_coarse(pair))
            return Located(place=place, remarks=remarks)
        if latitude == 0 and longitude == 0:
            return _zero(DEGREES)
        found = _distinct(_slips(latitude, longitude))
        found += for_metres(
            pair.first.value,
            pair.second.value,
            grids=GRIDS if grid is None else (grid,),
            axes=DEGREES if takes_metres else DEGREES_ALONE,
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
            remarks += tuple(_rounded(easting, northing))
            return Located(place=place, remarks=remarks)
        if easting == 0 and northing == 0:
            return _zero(METRES)
        found = for_swapped_metres(easting, northing, grid=grid)
        if not found:
            others = [each for each in GRIDS if each is not grid]
            found = for_metres(
                easting, northing, grids=others, axes=METRES
            ) + for_degrees_in_metres(easting, northing)
        return self._suggest(found, pair, METRES)

    def _suggest(
        self, found: "Sequence[Suggestion]", pair: Pair, axes: Axes
    ) -> Location:
        match _likely(found):
            case []:
                return _outside(pair, axes)
            case [only] if self.accepts_suggestions:
                return Located(place=only.place, remarks=(_accepted(only, pair),))
            case [only]:
                remark = PlaceRemark(
                    field=only.field,
                    rule=only.rule,
                    message=only.message,
                    advice=f"If that is the place, {only.advice}.",
                    is_suggestion=True,
                )
                return Misplaced(remarks=(remark,))
            case _:
                advice = ", or ".join(each.advice for each in found)
                return misplaced(
                    axes.first,
                    _OUTSIDE,
                    f"{axes.both()} are no place in New Zealand as they stand, and "
                    "could be more than one.",
                    advice=f"Check the source: {advice}.",
                )


def _likely(found: "Sequence[Suggestion]") -> "Sequence[Suggestion]":
    """Keep the only suggestion on land, else all."""
    on_land = [each for each in found if coast().is_near_land(each.place)]
    return on_land if len(on_land) == 1 else found


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
    read = ((axes.first, pair.first), (axes.second, pair.second))
    for (field, reading), value in zip(read, values, strict=True):
        if not reading.is_plain or value != reading.value:
            yield _note(field, f"“{reading.shown}” was read as {show(value)}.")


def _note(field: str, message: str) -> PlaceRemark:
    return PlaceRemark(
        field=field, rule="coordinate-read-as", message=message, is_note=True
    )


def _coarse(pair: Pair) -> Iterator[PlaceRemark]:
    best, worst = sorted((pair.first.precision, pair.second.precision))
    if worst >= _VERY_COARSE_DEGREES or best >= _COARSE_DEGREES:
        field = "latitude" if pair.first.precision == worst else "longitude"
        off = worst * _METRES_PER_DEGREE
        yield _off(field, off, has="few decimals", give="at least 4 decimals")


def _rounded(easting: float, northing: float) -> Iterator[PlaceRemark]:
    for off in (10_000, 1_000, 100):
        if not easting % off and not northing % off:
            yield _off("easting", off, has="whole hundreds", give="whole metres")
            return


def _off(field: str, off: float, *, has: str, give: str) -> PlaceRemark:
    about = f"{off / 1000:,.0f} km" if off >= 1000 else f"{off:,.0f} m"
    return PlaceRemark(
        field=field,
        rule="coordinate-decimals",
        message=f"The coordinates have {has}, so the place may be {about} off.",
        advice=f"Give {give}: a place near a boundary could otherwise reach other iwi.",
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
    return misplaced(
        field,
        "coordinate-letter",
        f"“{reading.shown}” stands under {field}, but {reading.letter} does not belong "
        "there.",
        advice="Check both cells: latitude takes N or S, longitude E or W. " + ADVICE,
    )


def _zero(axes: Axes) -> Misplaced:
    return misplaced(
        axes.first,
        "coordinate-zero",
        f"{axes.both()} are both 0, which is no place in New Zealand.",
        advice="Type the real place, or clear both cells.",
    )


def _outside(pair: Pair, axes: Axes) -> Misplaced:
    values = f"{show(pair.first.value)}, {show(pair.second.value)}"
    return misplaced(
        axes.first,
        _OUTSIDE,
        f"{axes.both()} ({values}) are not in New Zealand.",
        advice=ADVICE,
    )


def _accepted(only: "Suggestion", pair: Pair) -> PlaceRemark:
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


# Each way of mistyping degrees: swapped, longitude's sign, latitude's sign.
_SLIPS: Final = tuple(product((False, True), (1, -1), (1, -1)))[1:]
_SWAPPED: Final = "Latitude and longitude are the wrong way round{}."
_SIGNS: Final = {
    (-1, 1): "The latitude has no minus, so it is north of the equator.",
    (1, -1): "The longitude has the wrong sign.",
    (-1, -1): "Latitude and longitude have the wrong signs.",
}


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


def for_metres(
    first: float, second: float, *, grids: Sequence[MapGrid] = GRIDS, axes: Axes
) -> tuple[Suggestion, ...]:
    """Find the places of two numbers taken as metres.

    `first` stands under latitude or easting, `second` under longitude or
    northing; `axes` says which.
    """
    return _distinct(
        _metres(pair, place, grid=grid, axes=axes)
        for grid in grids
        for pair in ((first, second), (second, first))
        for place in _on(grid, pair)
    )


def for_swapped_metres(
    easting: float, northing: float, *, grid: MapGrid
) -> tuple[Suggestion, ...]:
    """Find the place of a swapped easting and northing."""
    pair = (northing, easting)
    return _distinct(
        Suggestion(
            place=place,
            field="easting",
            rule="coordinate-swapped",
            message="Easting and northing are the wrong way round.",
            advice=_type_pair(pair),
        )
        for place in _on(grid, pair)
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


def _on(grid: MapGrid, pair: tuple[float, float]) -> list[Place]:
    """Give the place of a pair, if it is one of this grid in New Zealand."""
    found = project(grid, [pair]) if grid.covers(*pair) else []
    return [place for place in found if place is not None and is_in_new_zealand(place)]


def show(value: float) -> str:
    """Write a coordinate as people type it, to about a centimetre."""
    decimals = 7 if abs(value) <= 360 else 2
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")


def _slips(latitude: float, longitude: float) -> Iterator[Suggestion]:
    for is_swapped, east_sign, north_sign in _SLIPS:
        pair = (longitude, latitude) if is_swapped else (latitude, longitude)
        place = Place(latitude=north_sign * pair[0], longitude=east_sign * pair[1])
        if is_in_new_zealand(place):
            tail = ", and a sign is wrong" if -1 in {north_sign, east_sign} else ""
            yield Suggestion(
                place=place,
                field="latitude" if is_swapped or north_sign < 0 else "longitude",
                rule="coordinate-swapped" if is_swapped else "coordinate-sign",
                message=_SWAPPED.format(tail)
                if is_swapped
                else _SIGNS[north_sign, east_sign],
                advice=_type_degrees(place),
            )


def _metres(
    pair: tuple[float, float], place: Place, *, grid: MapGrid, axes: Axes
) -> Suggestion:
    return Suggestion(
        place=place,
        field=axes.first,
        rule="coordinate-system" if axes is METRES else "coordinate-metres-in-degrees",
        message=f"The {axes.first} and {axes.second} look like {grid.name} metres "
        f"({grid.title}).",
        advice=_type_metres(pair, place, grid=grid, axes=axes),
    )


def _type_metres(
    pair: tuple[float, float], place: Place, *, grid: MapGrid, axes: Axes
) -> str:
    if axes is DEGREES_ALONE:
        return _type_degrees(place)
    system = "" if grid is NZTM else f" with {grid.name} as the coordinate system"
    advice = _type_pair(pair) + system
    if axes is DEGREES:
        advice += ", and clear latitude and longitude"
    return advice


def _type_pair(pair: tuple[float, float]) -> str:
    return f"type {show(pair[0])} as the easting and {show(pair[1])} as the northing"


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
