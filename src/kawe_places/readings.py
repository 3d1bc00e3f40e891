"""Reads typed coordinates, one or a pair: their notation, not their meaning. Pure.

It reads decimal commas, typographic minus, hemisphere letters, degrees with minutes and
seconds, thousands separators, and X and Y where they are named.
"""

import math
import re
from dataclasses import dataclass, replace
from typing import Final, TypeAlias
from urllib.parse import unquote_plus

from kawe_places.texts import clean, one_line
from kawe_places.values import CellValue, Misplaced, PlaceRemark, misplaced

_MARKS: Final = (
    dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"), "-")
    | dict.fromkeys(map(ord, "\u00ba\u02da\u1d52\u2070"), "\u00b0")
    | dict.fromkeys(map(ord, "\u2032\u2018\u2019\u00b4\u02b9`"), "'")
    | dict.fromkeys(map(ord, "\u2033\u201c\u201d\u02ba"), '"')
)
_METRES: Final = r"(\d{7}|\d,\d{3},\d{3}|\d \d{3} \d{3})"
_SPELT: Final = (
    # A pair that was parted leaves its brackets and its comma.
    (re.compile(r"^[(\[ ]+|[)\],;. ]+$"), ""),
    (re.compile(r"^GEO:([^;?]*).*$"), r"\1"),
    (re.compile(r"^WGS ?84\b[\s:,]*"), ""),
    (re.compile(r"^NZTM(?:2000)?\b[\s:,]*(?=[EN]|.*\d\s?M?[EN]\b)"), ""),
    (re.compile(rf"^NZTM(?:2000)?\b[\s:,]*{_METRES}[\s,;/]+{_METRES}$"), r"E\1 N\2"),
    # Programs for maps call the east X.
    (re.compile(r"\bX\s*[:=]\s*-"), "W"),
    (re.compile(r"\bX\s*[:=]"), "E:"),
    (re.compile(r"\bY\s*[:=]\s*-"), "S"),
    (re.compile(r"\bY\s*[:=]"), "N:"),
    (re.compile(r"\b([EN])(?:(?:AST|ORTH)INGS?\b|(?=\s*[:=]))"), r"\1"),
    (re.compile(r"(?<=\b[EN])\s*[:=]\s*"), ""),
    (re.compile(r"\b([NSEW])(?:ORTH|OUTH|AST|EST)\b"), r"\1"),
    (re.compile(r"\b(?:LATITUDE|LAT|LONGITUDE|LONG|LON|LNG)\b[\s.:=]*"), ""),
    (re.compile(r"(?<=\d)\s*(?:DEGREES?|DEG)\b\.?"), "\u00b0"),
    (re.compile(r"(?<=\d)\s*(?:MINUTES?|MINS?)\b\.?"), "'"),
    (re.compile(r"(?<=\d)\s*(?:SECONDS?|SECS?)\b\.?"), '"'),
    # d, m and s only together: a lone s is the south.
    (re.compile(r"(\d)\s*D\s*([\d.,]+)\s*M\s*([\d.,]+)\s*S"), "\\1\u00b0\\2'\\3\""),
    (re.compile(r"''"), '"'),
    # 41:17:20 is 41 17 20.
    (re.compile(r"(?<=\d):(?=\d)"), " "),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCoordinate:
    """One number, in degrees or metres."""

    value: float
    shown: str
    """What was typed, safe to show."""
    letter: str = ""
    """N, S, E or W, if typed; S and W made the value negative."""
    precision: float = 0.0
    """The size of the last digit, in the unit of `value`."""
    is_plain: bool = True
    """False: a person should check how it was read."""


Read: TypeAlias = ReadCoordinate | Misplaced
"""A number, or why the text is not one coordinate; the field is not said."""

ADVICE: Final = (
    "Type decimal degrees, such as -41.28664 and 174.77557, "
    "or NZTM easting and northing in metres."
)

# Real pairs have up to 60 characters; a long text would slow the patterns.
_LONGEST: Final = 120
_PLAIN: Final = re.compile(r"-?[0-9]+(?:\.([0-9]+))?")
_NUMBER: Final = r"[0-9]+(?:[.,][0-9]+)?"
_COORDINATE: Final = re.compile(
    rf"""
    (?P<before>[NSEW])? \s* (?P<sign>[-+])? \s* (?P<degrees>{_NUMBER})
    (?:
        (?:\s*°\s*|\s+) (?P<minutes>{_NUMBER})
        (?: (?:\s*'\s*|\s+) (?P<seconds>{_NUMBER}) (?:\s*")? | \s*' )?
      | \s*°
      | \s*M (?=\s*[NE]?$)
    )?
    \s* (?P<after>[NSEW])?
    """,
    re.VERBOSE,
)
# Thousands, as in 1 748 735 or 5,428,938.5; at least two groups exclude 41,288.
_GROUPED: Final = re.compile(r"(?<!\d)([0-9]{1,3})([ ,'])([0-9]{3})\2([0-9]{3})(?!\d)")
_TOPO50: Final = re.compile(
    r"(?:(?:NZ)?TOPO ?50\b[\s:]*)?[A-Z]{2}\s?[0-9]{2}[\s:,]*[0-9]{3,5}[\s,]*[0-9]{3,5}"
)


def read_coordinate(value: CellValue) -> Read:
    """Read one cell that is not empty."""
    match value:
        case bool() | list() | None:
            return _unreadable(str(value))
        case int() | float():
            return _read_number(value)
        case str():
            return read_text(value)


def read_text(text: str) -> Read:
    """Read one coordinate in a text."""
    shown = one_line(text)
    if _LINK.fullmatch(text):
        what = f"“{shown}” is a link that marks no place in numbers."
        advice = "Open it, right-click the place, and copy its two numbers."
        return misplaced("", "coordinate-link", what, advice=advice)
    if len(text) > _LONGEST:
        return _unreadable(shown)
    if plain := _PLAIN.fullmatch(text.strip()):
        return ReadCoordinate(
            value=float(plain[0]), shown=shown, precision=10.0 ** -len(plain[1] or "")
        )
    written = normalise(text)
    if (found := _COORDINATE.fullmatch(_GROUPED.sub(r"\1\3\4", written))) is None:
        if _TOPO50.fullmatch(written):
            what = f"“{shown}” is a map sheet reference, which kawe does not read."
            return misplaced("", "coordinate-topo50", what, advice=ADVICE)
        return _unreadable(shown)
    return _from_parts(found.groupdict(), shown)


def _read_number(value: float) -> Read:
    if not math.isfinite(value):
        return _unreadable(str(value))
    # repr has the typed decimals, without zeros at the end but of a whole number.
    plain = _PLAIN.fullmatch(repr(value).removesuffix(".0"))
    decimals = len(plain[1] or "") if plain else 16
    return ReadCoordinate(
        value=float(value), shown=f"{value:.12g}", precision=10.0**-decimals
    )


def _from_parts(parts: dict[str, str | None], shown: str) -> Read:
    letter = (parts["before"] or "") + (parts["after"] or "")
    if len(letter) > 1:
        return _unreadable(shown)
    if parts["sign"] == "-" and letter:
        return misplaced(
            "",
            "coordinate-two-signs",
            f"“{shown}” has both a minus and the letter {letter}.",
            advice="Keep one of them: -41.28664 and 41.28664 S are the same place.",
        )
    given = [p for p in (parts[n] for n in ("degrees", "minutes", "seconds")) if p]
    if any("." in part or "," in part for part in given[:-1]):
        return _unreadable(shown)
    numbers = [float(part.replace(",", ".")) for part in given]
    if any(number >= 60 for number in numbers[1:]):
        return misplaced(
            "",
            "coordinate-minutes",
            f"“{shown}” has 60 or more minutes or seconds.",
            advice="Minutes and seconds go from 0 to 59. " + ADVICE,
        )
    size = sum(number / 60**at for at, number in enumerate(numbers))
    decimals = len(given[-1].replace(",", ".").partition(".")[2])
    return ReadCoordinate(
        value=-size if parts["sign"] == "-" or letter in {"S", "W"} else size,
        shown=shown,
        letter=letter,
        precision=10.0**-decimals / 60 ** (len(given) - 1),
        is_plain=False,
    )


def _unreadable(shown: str) -> Misplaced:
    what = f"“{one_line(shown)}” is not a coordinate."
    return misplaced("", "coordinate-unreadable", what, advice=ADVICE)


def read_any(text: str) -> tuple[ReadCoordinate, ...]:
    """Read the one coordinate of a text, or both."""
    one = read_text(text)
    return (one,) if isinstance(one, ReadCoordinate) else read_both(text) or ()


_SPLITS: Final = (
    # With a separator that no coordinate contains.
    re.compile(r"(?P<one>[^;|/]+?)\s*[;|/]\s*(?P<two>[^;|/]+)"),
    # After or before a hemisphere.
    re.compile(r"(?P<one>[^NSEW]*[NSEW])[\s,]*(?P<two>[^NSEW]*[NSEW])"),
    re.compile(r"(?P<one>[NSEW][^NSEW]*?)[\s,]*(?P<two>[NSEW][^NSEW]*)"),
    re.compile(r"(?P<one>.+?),\s+(?P<two>.+)"),
    re.compile(r"(?P<one>[^\s,]*\.[^\s,]*),(?P<two>[^\s,]*\.[^\s,]*)"),
    re.compile(r"(?P<one>\S+)\s+(?P<two>\S+)"),
    # Whole metres: no easting has seven decimals.
    re.compile(r"(?P<one>\d{6,7}),(?P<two>\d{6,7})"),
)


_LINK: Final = re.compile(r"\s*https?://\S+\s*", re.IGNORECASE)
_MARKED: Final = (
    re.compile(r"!3d(-?[0-9.]+)!4d(-?[0-9.]+)"),
    re.compile(r"[?&](?:q|query|destination)=(?:loc:)?([^&#]+)"),
    re.compile(r"/maps/(?:place|search)/([^/@?]+)"),
    re.compile(r"[?&]mlat=(-?[0-9.]+)&mlon=(-?[0-9.]+)"),
)
"""How links mark a place; what follows an @ is the middle of what was seen."""


def read_both(value: CellValue) -> tuple[ReadCoordinate, ReadCoordinate] | None:
    """Read a cell with two coordinates, in order, or a link; None: it has not two."""
    if not isinstance(value, str) or _LINK.fullmatch(value) is None:
        return _both_of(value, shown=value) if isinstance(value, str) else None
    link = unquote_plus(value)
    # A link to a way has several places.
    marks = () if "/dir/" in link or link.count("!3d") > 1 else _MARKED
    marked = [found for mark in marks for found in mark.finditer(link)]
    read = (_both_of(", ".join(each.groups()), shown=value) for each in marked)
    return next(filter(None, read), None)


def _both_of(text: str, *, shown: str) -> tuple[ReadCoordinate, ReadCoordinate] | None:
    if len(text) > _LONGEST:
        return None
    written = normalise(text)
    for split in _SPLITS:
        if (found := split.fullmatch(written)) is None:
            continue
        one, two = read_text(found["one"]), read_text(found["two"])
        if isinstance(one, ReadCoordinate) and isinstance(two, ReadCoordinate):
            shown = one_line(shown)
            return replace(one, shown=shown), replace(two, shown=shown)
    return None


def normalise(text: str) -> str:
    """Write `text` with one kind of each mark; line breaks become semicolons."""
    out = clean(text).upper().replace("\n", "; ").translate(_MARKS)
    for pattern, plain in _SPELT:
        out = pattern.sub(plain, out)
    return out.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """Two columns of a pair, and the letters of each."""

    first: str
    second: str
    first_letters: str
    second_letters: str

    def both(self) -> str:
        return f"{self.first.capitalize()} and {self.second}"


DEGREES: Final = Axes(
    first="latitude", second="longitude", first_letters="NS", second_letters="EW"
)
DEGREES_ALONE: Final = replace(DEGREES)
"""On a sheet that has no columns for metres."""
METRES: Final = Axes(
    first="easting", second="northing", first_letters="E", second_letters="N"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two numbers of a pair of columns, not yet a place."""

    first: ReadCoordinate
    second: ReadCoordinate
    in_one_cell: str = ""
    """The column with both numbers; empty: each has its own."""

    @property
    def says_metres(self) -> bool:
        """Say whether one cell has a northing and an easting, with their letters."""
        letters = self.first.letter + self.second.letter
        return bool(self.in_one_cell) and letters == "NE" and self.first.value > 360

    def contrary(self, axes: Axes) -> tuple[str, ...]:
        return tuple(
            field
            for field, letters, reading in (
                (axes.first, axes.first_letters, self.first),
                (axes.second, axes.second_letters, self.second),
            )
            if reading.letter and reading.letter not in letters
        )


Refused: TypeAlias = tuple[PlaceRemark, ...]


def read_pair(first: CellValue, second: CellValue, axes: Axes) -> Pair | Refused:
    """Read two cells, at least one of them not empty."""
    if (first is None or second is None or first == second) and (
        both := read_both(second if first is None else first)
    ):
        return _in_order(*both, axes, cell=axes.second if first is None else axes.first)
    if first is None or second is None:
        return _half(first, second, axes)
    one, two = read_coordinate(first), read_coordinate(second)
    if isinstance(one, ReadCoordinate) and isinstance(two, ReadCoordinate):
        return Pair(first=one, second=two)
    return _remark(axes.first, first, one) + _remark(axes.second, second, two)


def _in_order(
    one: ReadCoordinate, two: ReadCoordinate, axes: Axes, *, cell: str
) -> Pair:
    """Order two numbers of one cell, by letters or as typed."""
    is_turned = one.letter and one.letter in axes.second_letters
    is_turned = is_turned or (two.letter and two.letter in axes.first_letters)
    if is_turned:
        one, two = two, one
    return Pair(first=one, second=two, in_one_cell=cell)


def _half(first: CellValue, second: CellValue, axes: Axes) -> Refused:
    there, missing, value = axes.first, axes.second, first
    if first is None:
        there, missing, value = missing, there, second
    remark = PlaceRemark(
        field=missing,
        rule="coordinate-missing",
        message=f"There is {'an' if there == 'easting' else 'a'} {there} but no "
        f"{missing}.",
        advice=f"Type the {missing} too, or clear the {there}.",
    )
    return _remark(there, value, read_coordinate(value)) or (remark,)


def _remark(field: str, value: CellValue, read: Read) -> Refused:
    if isinstance(read, ReadCoordinate):
        return ()
    if both := read_both(value):
        return misplaced(
            field,
            "coordinate-two-in-one",
            f"“{both[0].shown}” holds two numbers, and the cell beside it holds "
            "another.",
            advice=f"Leave only the {field} in this cell.",
        ).remarks
    return tuple(replace(each, field=field) for each in read.remarks)
