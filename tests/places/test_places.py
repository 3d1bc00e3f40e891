import pytest

from kawe_places.places import PyprojPlaces
from kawe_places.values import GivenPlace, Located, Misplaced, Place, PlaceRemark

WELLINGTON = Place(latitude=-41.2889, longitude=174.7772)
IN_NZTM = {"easting": 1748807.9, "northing": 5427646.7}


def noted(field, message, *, rule="coordinate-read-as"):
    return PlaceRemark(field=field, rule=rule, message=message, is_note=True)


def locate(**given):
    (found,) = PyprojPlaces().locate([GivenPlace(**given)])
    return found


def suggested(**given):
    """Give (field, rule, advice) of the one remark of a refused place."""
    found = locate(**given)
    assert isinstance(found, Misplaced)
    (remark,) = found.remarks
    assert not remark.is_note
    return remark.field, remark.rule, remark.advice


def rules(found):
    return [(remark.field, remark.rule) for remark in found.remarks]


def test_plain_degrees_are_taken_as_they_stand():
    assert locate(latitude=-41.2889, longitude=174.7772) == Located(place=WELLINGTON)


def test_notation_is_read_with_a_note_on_each_cell():
    assert locate(latitude="−41,2889", longitude="174.7772° E") == Located(
        place=WELLINGTON,
        remarks=(
            noted("latitude", "“−41,2889” was read as -41.2889."),
            noted("longitude", "“174.7772° E” was read as 174.7772."),
        ),
    )


@pytest.mark.parametrize(
    "given",
    [
        {"latitude": "-41.2889, 174.7772"},
        {"longitude": "-41.2889, 174.7772"},
        {"latitude": "174.7772 E, 41.2889 S"},
        {"latitude": "-41.2889 174.7772", "longitude": "-41.2889 174.7772"},
    ],
)
def test_both_numbers_may_stand_in_one_cell(given):
    found = locate(**given)

    assert isinstance(found, Located)
    assert found.place == WELLINGTON
    assert rules(found) == [(next(iter(given)), "coordinate-read-as")]


@pytest.mark.parametrize(
    ("typed", "is_read"),
    [
        ("X: 1748808 Y: 5427647", True),
        ("5427647 N, 1748808 E", True),
        ("NZTM 1748808 5427647", True),
        # Nothing says what they are, or they are of another system.
        ("1748808, 5427647", False),
        ("E 2658000 N 5990000", False),
    ],
)
def test_metres_in_one_cell_are_read_where_it_says_so(typed, is_read):
    found = locate(latitude=typed)
    place = found.place if isinstance(found, Located) else WELLINGTON
    rule = "coordinate-read-as" if is_read else "coordinate-metres-in-degrees"
    assert (isinstance(found, Located), rules(found)) == (is_read, [("latitude", rule)])
    assert place.latitude == pytest.approx(-41.2889, abs=1e-4)
    assert place.longitude == pytest.approx(174.7772, abs=1e-4)


def test_a_longitude_counted_to_360_is_brought_back():
    found = locate(latitude=-43.9530, longitude=183.4403)

    assert isinstance(found, Located)
    assert found.place.key() == (-43.953, -176.5597)
    assert rules(found) == [("longitude", "coordinate-read-as")]


def test_nztm_is_what_metres_are_when_nothing_is_said():
    found = locate(**IN_NZTM)

    assert isinstance(found, Located)
    assert found.place.latitude == pytest.approx(-41.2889, abs=1e-4)
    assert found.place.longitude == pytest.approx(174.7772, abs=1e-4)
    assert found.remarks == ()


def test_map_grid_metres_carry_their_accuracy():
    found = locate(easting=2658012, northing=5990000, system="NZMG")

    assert isinstance(found, Located)
    assert found.remarks == (
        noted(
            "easting",
            "Converted from New Zealand Map Grid (NZMG), good to about 4 m.",
            rule="coordinate-accuracy",
        ),
    )


def test_a_place_at_the_chathams_stays_west_of_180():
    found = locate(easting=3_500_000, northing=5_130_000, system="CITM")

    assert isinstance(found, Located)
    assert found.place.key() == pytest.approx((-43.9655989, -176.5))


def test_both_kinds_of_coordinates_may_agree():
    found = locate(latitude=-41.2889, longitude=174.7772, **IN_NZTM)

    assert found == Located(place=WELLINGTON)


def test_both_kinds_of_coordinates_that_disagree_are_refused():
    found = locate(
        latitude=-41.2889, longitude=174.7772, easting=1748735, northing=5428938
    )

    assert found == Misplaced(
        remarks=(
            PlaceRemark(
                field="latitude",
                rule="coordinates-disagree",
                message="Latitude and longitude lie 1,294 m away from easting "
                "and northing.",
                advice="Find out which is right and clear the other two cells.",
            ),
        )
    )


def test_far_apart_is_told_in_kilometres():
    found = locate(latitude=-36.8485, longitude=174.7633, **IN_NZTM)

    assert [remark.message for remark in found.remarks] == [
        "Latitude and longitude lie 494 km away from easting and northing."
    ]


def test_one_wrong_kind_spoils_the_other():
    found = locate(latitude=-41.2889, longitude=174.7772, easting=1748735)

    assert isinstance(found, Misplaced)
    assert rules(found) == [("northing", "coordinate-missing")]


END = "."
TYPE_WELLINGTON = (
    "If that is the place, type -41.2889 as the latitude and 174.7772 as the longitude"
    + END
)
TYPE_WAITANGI = (
    "If that is the place, type -43.953 as the latitude and -176.5597 as the longitude"
    + END
)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ((174.7772, -41.2889), ("latitude", "coordinate-swapped", TYPE_WELLINGTON)),
        ((174.7772, 41.2889), ("latitude", "coordinate-swapped", TYPE_WELLINGTON)),
        (
            ("174.7772 E", "41.2889 S"),
            ("latitude", "coordinate-swapped", TYPE_WELLINGTON),
        ),
        ((41.2889, 174.7772), ("latitude", "coordinate-sign", TYPE_WELLINGTON)),
        (("41.2889 N", 174.7772), ("latitude", "coordinate-sign", TYPE_WELLINGTON)),
        ((-41.2889, -174.7772), ("longitude", "coordinate-sign", TYPE_WELLINGTON)),
        ((43.9530, 176.5597), ("latitude", "coordinate-sign", TYPE_WAITANGI)),
        ((-43.9530, 176.5597), ("longitude", "coordinate-sign", TYPE_WAITANGI)),
        ((176.5597, 43.9530), ("latitude", "coordinate-swapped", TYPE_WAITANGI)),
    ],
)
def test_another_place_than_was_typed_is_only_suggested(typed, told):
    assert suggested(latitude=typed[0], longitude=typed[1]) == told


METRES_THERE = "coordinate-metres-in-degrees"
CLEAR = ", and clear latitude and longitude"
NZMG = " with NZMG as the coordinate system"
CITM = " with CITM as the coordinate system"


def metres(easting, northing, besides=""):
    there = f"{easting} as the easting and {northing} as the northing"
    return f"If that is the place, type {there}{besides}{END}"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"latitude": 1748735, "longitude": 5428938},
            ("latitude", METRES_THERE, metres(1748735, 5428938, CLEAR)),
        ),
        (
            {"latitude": "5 428 938", "longitude": "1 748 735"},
            ("latitude", METRES_THERE, metres(1748735, 5428938, CLEAR)),
        ),
        (
            {"latitude": 2658000, "longitude": 5990000},
            ("latitude", METRES_THERE, metres(2658000, 5990000, f"{NZMG}{CLEAR}")),
        ),
        (
            {"easting": 5428938, "northing": 1748735},
            ("easting", "coordinate-swapped", metres(1748735, 5428938)),
        ),
        (
            {"easting": 3500000, "northing": 5130000},
            ("easting", "coordinate-system", metres(3500000, 5130000, CITM)),
        ),
        (
            {"easting": -41.2889, "northing": 174.7772},
            ("easting", "coordinate-degrees-in-metres", TYPE_WELLINGTON),
        ),
    ],
)
def test_numbers_in_the_wrong_columns_or_system_are_only_suggested(given, told):
    assert suggested(**given) == told


def test_where_no_metres_can_be_typed_degrees_are_suggested():
    assert suggested(latitude=5427646.7, longitude=1748807.9, takes_metres=False) == (
        "latitude",
        "coordinate-metres-in-degrees",
        "If that is the place, type -41.2889156 as the latitude and 174.7771295 as "
        "the longitude" + END,
    )


def test_a_person_can_agree_to_a_suggestion_that_stands_alone():
    places = PyprojPlaces(accepts_suggestions=True)

    (found,) = places.locate([GivenPlace(latitude=174.7772, longitude=-41.2889)])

    assert found == Located(
        place=WELLINGTON,
        remarks=(
            PlaceRemark(
                field="latitude",
                rule="coordinate-swapped",
                message="Latitude and longitude are the wrong way round. “174.7772, "
                "-41.2889” was taken as -41.2889, 174.7772, as you agreed.",
                advice="To put it right for good, type -41.2889 as the latitude "
                "and 174.7772 as the longitude.",
            ),
        ),
    )


def test_what_was_typed_in_one_cell_is_named_once():
    places = PyprojPlaces(accepts_suggestions=True)

    (found,) = places.locate([GivenPlace(latitude="174.7772, -41.2889")])

    (remark,) = found.remarks
    assert remark.message == (
        "Latitude and longitude are the wrong way round. “174.7772, -41.2889” was "
        "taken as -41.2889, 174.7772, as you agreed."
    )


# Off Hawke's Bay in NZTM; in the old map grid off Fiordland.
TWO_SEAS = {"latitude": 2019000, "longitude": 5626000}
# Portland Island in NZTM; in the old map grid off Fiordland as well.
ONE_LAND = {"latitude": 2019000, "longitude": 5638000}


@pytest.mark.parametrize("accepts_suggestions", [False, True])
def test_two_suggestions_are_both_told_and_none_is_taken(accepts_suggestions):
    places = PyprojPlaces(accepts_suggestions=accepts_suggestions)

    (found,) = places.locate([GivenPlace(**TWO_SEAS)])

    metres = "type 2019000 as the easting and 5626000 as the northing"
    assert found == Misplaced(
        remarks=(
            PlaceRemark(
                field="latitude",
                rule="coordinate-outside",
                message="Latitude and longitude are no place in New Zealand as "
                "they stand, and could be more than one.",
                advice=f"Check the source: {metres}, and clear latitude and "
                f"longitude, or {metres} with NZMG as the coordinate system, and "
                "clear latitude and longitude.",
            ),
        )
    )


def test_of_two_suggestions_the_one_on_land_is_left():
    assert suggested(**ONE_LAND) == (
        "latitude",
        "coordinate-metres-in-degrees",
        "If that is the place, type 2019000 as the easting and 5638000 as the "
        "northing, and clear latitude and longitude" + END,
    )


@pytest.mark.parametrize(
    ("given", "is_at_sea"),
    [
        ({"latitude": -41.2889, "longitude": 174.7772}, False),
        ({"latitude": -41.2512, "longitude": 174.5013}, True),
        ({"easting": 3_500_000, "northing": 5_130_000, "system": "CITM"}, False),
        ({"easting": 3_520_000, "northing": 5_106_000, "system": "CITM"}, True),
    ],
)
def test_a_place_says_whether_it_is_at_sea(given, is_at_sea):
    found = locate(**given)

    assert isinstance(found, Located)
    assert found.is_at_sea is is_at_sea


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"latitude": 0, "longitude": 0}, [("latitude", "coordinate-zero")]),
        ({"easting": 0, "northing": 0}, [("easting", "coordinate-zero")]),
        ({"latitude": -41.2889}, [("longitude", "coordinate-missing")]),
        ({"northing": 5428938}, [("easting", "coordinate-missing")]),
        (
            {"latitude": "12 Main Street"},
            [("latitude", "coordinate-unreadable")],
        ),
        (
            {"latitude": "12 Main Street", "longitude": "Wellington"},
            [
                ("latitude", "coordinate-unreadable"),
                ("longitude", "coordinate-unreadable"),
            ],
        ),
        (
            {"latitude": "BQ31 487 289", "longitude": 174.7772},
            [("latitude", "coordinate-topo50")],
        ),
        (
            {"latitude": "41°75'20\"S", "longitude": 174.7772},
            [("latitude", "coordinate-minutes")],
        ),
        (
            {"latitude": "-41.2889 S", "longitude": 174.7772},
            [("latitude", "coordinate-two-signs")],
        ),
        (
            {"latitude": "-41.2889, 174.7772", "longitude": 174.7772},
            [("latitude", "coordinate-two-in-one")],
        ),
        (
            {"latitude": -41.2889, "longitude": "174.7772 N"},
            [("longitude", "coordinate-letter")],
        ),
        (
            {"easting": "1748735 N", "northing": 5428938},
            [("easting", "coordinate-letter")],
        ),
        (
            {"latitude": -33.8688, "longitude": 151.2093},
            [("latitude", "coordinate-outside")],
        ),
        ({"easting": 12, "northing": 13}, [("easting", "coordinate-outside")]),
        (
            {"latitude": -41.2889, "longitude": 174.7772, "system": "NZGD49"},
            [("coordinate_system", "coordinate-system")],
        ),
        (
            {"easting": 1748735, "northing": 5428938, "system": "WGS84"},
            [("coordinate_system", "coordinate-system")],
        ),
    ],
)
def test_what_is_no_place_is_refused_with_its_reason(given, told):
    found = locate(**given)

    assert isinstance(found, Misplaced)
    assert rules(found) == told
    assert all(r.message.endswith(".") and r.advice for r in found.remarks)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ((-41.289, 174.777), [("latitude", "coordinate-decimals")]),
        ((-41.2889, 174.78), [("longitude", "coordinate-decimals")]),
        # A zero at the end that Excel does not keep.
        ((-41.289, 174.7772), []),
        ((-41.2889, 174.7772), []),
        (("-41.2900", "174.7800"), []),
        (("41 17 20 S", "174 46 38 E"), []),
    ],
)
def test_few_decimals_are_a_warning(typed, told):
    found = locate(latitude=typed[0], longitude=typed[1])

    assert isinstance(found, Located)
    assert [
        (remark.field, remark.rule) for remark in found.remarks if not remark.is_note
    ] == told


@pytest.mark.parametrize(
    ("place", "off"), [((-41.29, 174.78), "1 km"), ((-38.0, 176.0), "111 km")]
)
def test_a_warning_about_decimals_says_how_far_off_a_place_may_be(place, off):
    found = locate(latitude=place[0], longitude=place[1])

    assert [remark.message for remark in found.remarks] == [
        f"The coordinates have few decimals, so the place may be {off} off."
    ]


@pytest.mark.parametrize(
    ("easting", "off"), [(1748700, "100 m"), (1740000, "1 km"), (1748735, None)]
)
def test_metres_in_whole_hundreds_are_a_warning(easting, off):
    found = locate(easting=easting, northing=5429000)
    why = f"The coordinates have whole hundreds, so the place may be {off} off."
    assert [each.message for each in found.remarks] == ([why] if off else [])


def test_a_batch_keeps_its_order_whatever_the_systems_are():
    given = [
        GivenPlace(easting=3_500_000, northing=5_130_000, system="CITM"),
        GivenPlace(latitude=-41.2889, longitude=174.7772),
        GivenPlace(easting=2658000, northing=5990000, system="NZMG"),
        GivenPlace(latitude="?", longitude="?"),
        GivenPlace(**IN_NZTM),
        GivenPlace(easting=2658000, northing=5990000, system="NZMG"),
    ]

    together = PyprojPlaces().locate(given)

    assert together == tuple(PyprojPlaces().locate([each])[0] for each in given)


def test_no_rows_have_no_places():
    assert PyprojPlaces().locate([]) == ()
