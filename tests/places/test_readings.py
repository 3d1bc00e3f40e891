import pytest

from kawe_places.readings import ReadCoordinate, read_both, read_coordinate
from kawe_places.values import Misplaced

DEGREES = 41 + 17 / 60 + 20 / 3600
HALF = 41 + 17.5 / 60
MAPS = "https://www.google.com/maps/"
PAPA = (-41.29, 174.78)


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        (-41.2889, -41.2889),
        (174, 174.0),
        ("-41.2889", -41.2889),
        ("174.7772", 174.7772),
        ("174.7772\x1f", 174.7772),
        ("−41.2889", -41.2889),
        ("–41.2889", -41.2889),
        ("\uff0d41.2889", -41.2889),
        ("-41,2889", -41.2889),
        ("\u00a0-41.2889\u202f", -41.2889),
        ("- 41.2889", -41.2889),
        ("+174.7772", 174.7772),
        ("-41.2889°", -41.2889),
        ("41.2889 S;", -41.2889),
        ("41.2889s", -41.2889),
        ("S 41.2889", -41.2889),
        ("41.2889° South", -41.2889),
        ("41,2889° S", -41.2889),
        ("174.7772 E", 174.7772),
        ("(176.56\u200e W", -176.56),
        ("41.2889 N", 41.2889),
        ("Lat: -41.2889", -41.2889),
        ("Longitude = 174.7772", 174.7772),
        ("41°17'20\"S", -DEGREES),
        ("41° 17′ 20″ S", -DEGREES),
        ("41º17’20”S", -DEGREES),
        ("41°17'20''S", -DEGREES),
        ("41 17 20 S", -DEGREES),
        ("S41 17 20", -DEGREES),
        ("41:17:20 S", -DEGREES),
        ("-41 17 20", -DEGREES),
        ("41d17m20sS", -DEGREES),
        ("41 deg 17 min 20 sec south", -DEGREES),
        ("41°17'20,0\"S", -DEGREES),
        ("41°17.5'S", -HALF),
        ("41 17.5 S", -HALF),
        ("41°17,5′ S", -HALF),
        ("41°17'S", -(41 + 17 / 60)),
        ("1748735", 1748735.0),
        ("1,748,735", 1748735.0),
        ("1 748 735", 1748735.0),
        ("1 748 735.5", 1748735.5),
        ("5,428,938.25", 5428938.25),
        ("1748735 m", 1748735.0),
        ("1748735mE", 1748735.0),
        ("E 1748735", 1748735.0),
        ("5 428 938 mN", 5428938.0),
        ("1748735,5", 1748735.5),
    ],
)
def test_a_coordinate_is_read_however_it_is_written(typed, value):
    read = read_coordinate(typed)

    assert isinstance(read, ReadCoordinate)
    assert read.value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("12 Main Street", "coordinate-unreadable"),
        ("tbc", "coordinate-unreadable"),
        ("", "coordinate-unreadable"),
        ("-", "coordinate-unreadable"),
        ("S", "coordinate-unreadable"),
        ("41.5°17'20\"S", "coordinate-unreadable"),
        ("41°17'20\"S E", "coordinate-unreadable"),
        ("S 41.2889 S", "coordinate-unreadable"),
        ("41..2889", "coordinate-unreadable"),
        ("1,748,73", "coordinate-unreadable"),
        ("-41.2889 174.7772", "coordinate-unreadable"),
        ("٤١.٢٨", "coordinate-unreadable"),
        ("=-41.2889", "coordinate-unreadable"),
        ("1e3", "coordinate-unreadable"),
        ("nan", "coordinate-unreadable"),
        (float("nan"), "coordinate-unreadable"),
        (float("inf"), "coordinate-unreadable"),
        (True, "coordinate-unreadable"),
        (["-41.2889"], "coordinate-unreadable"),
        ("41°60'20\"S", "coordinate-minutes"),
        ("41 17 60 S", "coordinate-minutes"),
        ("41 75.5 S", "coordinate-minutes"),
        ("-41.2889 S", "coordinate-two-signs"),
        ("S -41.2889", "coordinate-two-signs"),
        ("-176.56 W", "coordinate-two-signs"),
        ("BQ31 487 289", "coordinate-topo50"),
        ("BQ31 48712 28934", "coordinate-topo50"),
        ("bq31:487289", "coordinate-topo50"),
        (f"{MAPS}@-41.2889,174.7772,17z", "coordinate-link"),
    ],
)
def test_what_is_no_coordinate_is_refused_with_its_reason(typed, rule):
    read = read_coordinate(typed)

    assert isinstance(read, Misplaced)
    [why] = read.remarks
    assert why.rule == rule
    assert why.message.endswith(".")
    assert why.advice.endswith(".")


@pytest.mark.parametrize(
    ("typed", "precision"),
    [
        (-41.2889, 1e-4),
        (-41.29, 1e-2),
        ("-41.2900", 1e-4),
        ("41 17 20 S", 1 / 3600),
        ("41 17.5 S", 0.1 / 60),
        ("41°17'20.25\"S", 0.01 / 3600),
    ],
)
def test_the_last_digit_says_how_exact_a_coordinate_is(typed, precision):
    read = read_coordinate(typed)

    assert isinstance(read, ReadCoordinate)
    assert read.precision == pytest.approx(precision)


@pytest.mark.parametrize(
    ("typed", "is_plain"),
    [(-41.2889, True), ("-41.2889", True), ("−41.2889", False), ("41 S", False)],
)
def test_only_a_plain_number_needs_no_note(typed, is_plain):
    read = read_coordinate(typed)

    assert isinstance(read, ReadCoordinate)
    assert read.is_plain is is_plain


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("-41.2889, 174.7772", (-41.2889, 174.7772)),
        ("-41.2889,174.7772", (-41.2889, 174.7772)),
        ("-41.2889 174.7772", (-41.2889, 174.7772)),
        ("-41.2889; 174.7772", (-41.2889, 174.7772)),
        ("-41.2889 / 174.7772", (-41.2889, 174.7772)),
        ("-41.2889\n174.7772", (-41.2889, 174.7772)),
        ("(-41.2889, 174.7772)", (-41.2889, 174.7772)),
        ("geo:-41.2889,174.7772?z=12", (-41.2889, 174.7772)),
        ("WGS84: -41.2889, 174.7772", (-41.2889, 174.7772)),
        ("Y: -41.2889 X: 174.7772", (-41.2889, 174.7772)),
        ("X=-176.5, Y=-44", (-176.5, -44.0)),
        ("NZTM2000 1748735 5427916", (1748735.0, 5427916.0)),
        ("NZTM2000: 1748735E, 5427916N", (1748735.0, 5427916.0)),
        ("NZTM 1,748,735 / 5,427,916", (1748735.0, 5427916.0)),
        ("NZTM 1 748 735 5 427 916", (1748735.0, 5427916.0)),
        ("X: 1748735; Y: 5427916", (1748735.0, 5427916.0)),
        ("-41,2889 174,7772", (-41.2889, 174.7772)),
        ("-41,2889; 174,7772", (-41.2889, 174.7772)),
        ("-41,2889, 174,7772", (-41.2889, 174.7772)),
        ("41.2889S 174.7772E", (-41.2889, 174.7772)),
        ("S41.2889 E174.7772", (-41.2889, 174.7772)),
        ("S 41.2889, E 174.7772", (-41.2889, 174.7772)),
        ("41°17'20\"S,174°46'12\"E", (-DEGREES, 174.77)),
        ("41 17 20 S 174 46 12 E", (-DEGREES, 174.77)),
        ("174 46 12 E 41 17 20 S", (174.77, -DEGREES)),
        ("Lat: -41.2889, Long: 174.7772", (-41.2889, 174.7772)),
        ("1748735 5428938", (1748735.0, 5428938.0)),
        ("1,748,735 / 5,428,938", (1748735.0, 5428938.0)),
        ("E1748735 N5428938", (1748735.0, 5428938.0)),
        ("1748735,5428938", (1748735.0, 5428938.0)),
        ("E: 1748735, N: 5428938", (1748735.0, 5428938.0)),
        ("Northing 5428938 Easting = 1748735", (5428938.0, 1748735.0)),
        ("https://maps.google.com/?q=-41.2889,174.7772", (-41.2889, 174.7772)),
        (f"{MAPS}search/?api=1&query=-41.2889%2C174.7772", (-41.2889, 174.7772)),
        (
            f"{MAPS}place/41%C2%B017'20%22S+174%C2%B046'12%22E/@-41.3,174.8,17z",
            (-DEGREES, 174.77),
        ),
        (f"{MAPS}place/Te+Papa/@-41.3,174.8,17z/data=!8m2!3d-41.29!4d174.78", PAPA),
        ("https://www.openstreetmap.org/?mlat=-41.29&mlon=174.78#map=9/0/0", PAPA),
    ],
)
def test_two_coordinates_in_one_cell_are_read_in_their_order(typed, values):
    both = read_both(typed)

    assert both is not None
    assert tuple(each.value for each in both) == pytest.approx(values)


@pytest.mark.parametrize(
    "typed",
    [
        "-41.2889",
        "12 Main Street",
        "41 17 20 S",
        "1 748 735",
        "-41.2889, 174.7772, 12",
        "NZMG 2658731 5989863",
        f"{MAPS}@-41.2889,174.7772,17z",
        f"{MAPS}dir/-41.2889,174.7772/-41.3,174.8/data=!3d-41.3!4d174.8",
        f"{MAPS}data=!3d-41.29!4d174.78!3d-41.3!4d174.8",
        f"{MAPS}?q=12+Main+Street",
        "",
        None,
        7.0,
        ["-41.2889", "174.7772"],
    ],
)
def test_a_cell_without_two_coordinates_gives_none(typed):
    assert read_both(typed) is None


@pytest.mark.parametrize(
    "hostile", ["." * 40_000, "1 " * 20_000, ("9" * 60 + ".") * 500, "°'\"S" * 9_000]
)
def test_a_page_of_text_is_refused_and_not_searched(hostile):
    read = read_coordinate(hostile)

    assert isinstance(read, Misplaced)
    assert read_both(hostile) is None
    assert len(read.remarks[0].message) < 100


def test_a_message_never_carries_control_or_direction_marks():
    read = read_coordinate("\x1b[31m\u202e12 Main\nStreet\x07")

    assert isinstance(read, Misplaced)
    assert read.remarks[0].message == "“[31m12 Main Street” is not a coordinate."
