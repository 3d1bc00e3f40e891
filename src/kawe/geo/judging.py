"""Judges two numbers: a place, a suggestion, or a refusal with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kawe.domain.service.places import Located, Location, Misplaced, Place, PlaceRemark
from kawe.geo import suggestions
from kawe.geo.bounds import is_in_new_zealand
from kawe.geo.coast import coast
from kawe.geo.pairing import DEGREES, METRES, Axes, Pair
from kawe.geo.readings import ADVICE, ReadCoordinate
from kawe.geo.suggestions import Columns, Suggestion, show
from kawe.geo.systems import GRIDS, MapGrid

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
        found = suggestions.for_degrees(latitude, longitude)
        found += suggestions.for_metres(
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
        found = suggestions.for_swapped_metres(easting, northing, grid=grid)
        if not found:
            others = [each for each in GRIDS if each is not grid]
            found = suggestions.for_metres(
                easting, northing, grids=others, columns=Columns.METRES
            ) + suggestions.for_degrees_in_metres(easting, northing)
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
