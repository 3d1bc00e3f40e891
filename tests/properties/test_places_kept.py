"""Whatever way a place is written, it is the same place or it is refused."""

import math

from hypothesis import given
from hypothesis import strategies as st
from pyproj import Transformer

from kawe_places.coast_data import is_in_new_zealand
from kawe_places.places import PyprojPlaces
from kawe_places.readings import ReadCoordinate, read_both, read_coordinate
from kawe_places.values import GivenPlace, Located, Misplaced, Place

# On land, and inside the ranges of the grids, whichever point is drawn.
MAINLAND = st.builds(
    lambda lat, along: Place(
        latitude=round(lat, 6), longitude=round(170.9 + 0.35 * along, 6)
    ),
    st.floats(-43.4, -43.1),
    st.floats(0, 1),
) | st.builds(
    lambda lat, lon: Place(latitude=round(lat, 6), longitude=round(lon, 6)),
    st.floats(-38.9, -38.1),
    st.floats(175.0, 177.0),
)
CHATHAMS = st.builds(
    lambda lat, lon: Place(latitude=round(lat, 6), longitude=round(lon, 6)),
    st.floats(-44.05, -43.75),
    st.floats(-176.8, -176.3),
)
PLACES = MAINLAND | CHATHAMS

MINUS = st.sampled_from(["-", "−", "–", "\uff0d", "- "])


def dms(value: float, letters: str, *, marks: tuple[str, str, str]) -> str:
    """Write degrees, minutes and seconds to a hundredth of a second."""
    degrees, rest = divmod(round(abs(value) * 360_000), 360_000)
    minutes, seconds = divmod(rest, 6_000)
    letter = letters[0] if value > 0 else letters[1]
    one, two, three = marks
    return f"{degrees}{one}{minutes}{two}{seconds / 100:.2f}{three}{letter}"


@st.composite
def notations(draw: st.DrawFn) -> tuple[Place, str, str]:
    """Draw a place and a way to write it that cannot change it."""
    place = draw(PLACES)
    latitude, longitude = f"{place.latitude:.6f}", f"{place.longitude:.6f}"
    match draw(st.integers(0, 6)):
        case 0:
            minus = draw(MINUS)
            latitude = latitude.replace("-", minus)
            longitude = longitude.replace("-", minus)
        case 1:
            latitude = latitude.replace(".", ",")
            longitude = longitude.replace(".", ",")
        case 2:
            latitude = f"{abs(place.latitude):.6f} S"
            side = "E" if place.longitude > 0 else "W"
            longitude = f"{side}{abs(place.longitude):.6f}"
        case 3 | 4:
            marks = draw(
                st.sampled_from([("°", "'", '"'), ("º ", "′ ", "″ "), (" ", " ", " ")])
            )
            latitude = dms(place.latitude, "NS", marks=marks)
            longitude = dms(place.longitude, "EW", marks=marks)
        case 5:
            longitude = f"{place.longitude % 360:.6f}"
        case _:
            latitude = f"\u00a0{latitude}°"
    return place, latitude, longitude


def is_near(one: Place, two: Place) -> bool:
    """A hundredth of a second of arc, and the rounding around it."""
    return math.isclose(one.latitude, two.latitude, abs_tol=3e-6) and math.isclose(
        one.longitude, two.longitude, abs_tol=3e-6
    )


@given(notations())
def test_notation_never_moves_a_place(drawn):
    place, latitude, longitude = drawn

    (found,) = PyprojPlaces().locate(
        [GivenPlace(latitude=latitude, longitude=longitude)]
    )

    assert isinstance(found, Located), (latitude, longitude, found)
    assert is_near(found.place, place)


@given(notations(), st.sampled_from(["; ", ", ", " / ", "\n"]))
def test_both_numbers_in_one_cell_never_move_a_place(drawn, between):
    place, latitude, longitude = drawn

    (found,) = PyprojPlaces().locate(
        [GivenPlace(latitude=f"{latitude}{between}{longitude}")]
    )

    assert isinstance(found, Located), (latitude, longitude, found)
    assert is_near(found.place, place)


SLIPS = {
    "swapped": lambda p: (p.longitude, p.latitude),
    "north": lambda p: (-p.latitude, p.longitude),
    "wrong side": lambda p: (p.latitude, -p.longitude),
    "both signs": lambda p: (-p.latitude, -p.longitude),
    "swapped without signs": lambda p: (abs(p.longitude), abs(p.latitude)),
}


@given(PLACES, st.sampled_from(sorted(SLIPS)))
def test_a_slip_is_never_applied_by_itself_and_its_place_is_suggested(place, slip):
    typed = SLIPS[slip](place)
    given_place = GivenPlace(latitude=typed[0], longitude=typed[1])

    (refused,) = PyprojPlaces().locate([given_place])
    (agreed,) = PyprojPlaces(accepts_suggestions=True).locate([given_place])

    assert isinstance(refused, Misplaced)
    assert isinstance(agreed, Located)
    assert agreed.place == place


GRIDS = {"NZTM": 2193, "NZMG": 27200, "CITM": 3793}


@given(
    st.tuples(MAINLAND, st.sampled_from(["NZTM", "NZMG"]))
    | st.tuples(CHATHAMS, st.just("CITM"))
)
def test_metres_lead_back_to_where_they_were_taken(drawn):
    place, name = drawn
    easting, northing = Transformer.from_crs(
        4326, GRIDS[name], always_xy=True, accuracy=5.0 if name == "NZMG" else None
    ).transform(place.longitude, place.latitude)

    (found,) = PyprojPlaces().locate(
        [GivenPlace(easting=easting, northing=northing, system=name)]
    )
    (turned,) = PyprojPlaces().locate(
        [GivenPlace(easting=northing, northing=easting, system=name)]
    )

    assert isinstance(found, Located)
    assert is_near(found.place, place)
    assert isinstance(turned, Misplaced)
    assert [remark.rule for remark in turned.remarks] == ["coordinate-swapped"]


ANY_CELL = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=150),
    st.from_regex(r"[NSEW]?[-−+]? ?[0-9]{1,7}[.,° ']?[0-9]{0,4}[\"' ]?[NSEWm]?"),
)


@given(
    st.builds(
        GivenPlace,
        *[],
        **dict.fromkeys(
            ("latitude", "longitude", "easting", "northing", "system"), ANY_CELL
        ),
    )
)
def test_whatever_is_typed_a_place_in_new_zealand_or_a_reason_comes_back(given_place):
    if given_place.is_empty:
        return

    (found,) = PyprojPlaces().locate([given_place])

    match found:
        case Located(place=place):
            assert is_in_new_zealand(place)
        case Misplaced(remarks=remarks):
            assert remarks
            for remark in remarks:
                assert remark.message.endswith(".")
                assert remark.advice.endswith(".")
                assert "\n" not in remark.message + remark.advice


DEGREES = st.builds(round, st.floats(-400, 400), st.integers(0, 9))


@given(
    st.tuples(DEGREES, DEGREES)
    | st.builds(
        lambda place, decimals: (
            round(place.latitude, decimals),
            round(place.longitude, decimals),
        ),
        PLACES,
        st.integers(0, 7),
    )
)
def test_a_number_is_placed_as_the_text_of_it_is(typed):
    # Two numbers may go a short way through, their texts never do.
    latitude, longitude = typed
    # A cell shows no decimals of a whole number.
    texts = [repr(each).removesuffix(".0") for each in typed]

    (found, spelt) = PyprojPlaces().locate(
        [
            GivenPlace(latitude=latitude, longitude=longitude),
            GivenPlace(latitude=texts[0], longitude=texts[1]),
        ]
    )

    # A place that is refused is told in the form in which it was typed.
    assert type(found) is type(spelt)
    assert isinstance(found, Misplaced) or found == spelt


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_read_as_itself(value):
    read = read_coordinate(value)

    assert isinstance(read, ReadCoordinate)
    assert read.value == value


@given(st.text(max_size=200))
def test_reading_never_raises(text):
    read_coordinate(text)
    read_both(text)
