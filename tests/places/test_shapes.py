import pytest

from kawe_places.values import Located, Misplaced
from places.test_places import IN_NZTM, WELLINGTON, locate, noted

POINT = "POINT (174.7772 -41.2889)"
NZTM_POINT = "POINT (1748807.9 5427646.7)"


def test_a_point_of_a_gis_has_its_longitude_first():
    assert locate(latitude=POINT) == Located(
        place=WELLINGTON,
        remarks=(
            noted(
                "latitude",
                f"“{POINT}” was read as latitude -41.2889 and longitude 174.7772.",
            ),
        ),
    )


@pytest.mark.parametrize(
    "given",
    [
        {"latitude": "SRID=4326;POINT(174.7772 -41.2889)"},
        {"latitude": "multipoint z ((174.7772 -41.2889 12.5))"},
        {"latitude": '{"type":"Point","coordinates":[174.7772,-41.2889,12.5]}'},
        {"latitude": NZTM_POINT},
        {"latitude": "SRID=2193;POINT (1748807.9 5427646.7)"},
        {"latitude": POINT} | IN_NZTM,
        {"latitude": NZTM_POINT} | IN_NZTM,
        {"latitude": NZTM_POINT, "easting": 174.7772, "northing": -41.2889},
        {"latitude": "Point", "easting": 174.7772, "northing": -41.2889},
        {"latitude": "Point ZM"} | IN_NZTM,
        {"easting": 174.7772, "northing": "-41.2889"},
        {"easting": 174.7772, "northing": -41.2889, "system": "WGS 84"},
    ],
)
def test_points_and_x_and_y_are_degrees_or_metres_by_their_values(given):
    found = locate(**given)

    assert isinstance(found, Located)
    assert found.place.latitude == pytest.approx(WELLINGTON.latitude, abs=0.0001)
    assert found.place.longitude == pytest.approx(WELLINGTON.longitude, abs=0.0001)


def test_degrees_under_x_and_y_are_noted():
    assert locate(easting=174.7772, northing=-41.2889).remarks == (
        noted("easting", "Degrees: read as longitude 174.7772 and latitude -41.2889."),
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"latitude": "POLYGON ((174.7 -41.2, 174.8 -41.2, 174.7 -41.2))"},
            "“POLYGON ((174.7 -41.2, 174.8 -41.2, 174…” is not one point.",
        ),
        ({"latitude": "POINT EMPTY"}, "“POINT EMPTY” is empty: it holds no point."),
        ({"latitude": "POINT (174.7)"}, "“POINT (174.7)” is not one point."),
        (
            {"latitude": "MULTIPOINT ((174.7 -41.2), (174.8 -41.2))"},
            "“MULTIPOINT ((174.7 -41.2), (174.8 -41.2…” is not one point.",
        ),
        (
            {"latitude": "POINT (-41.2889 174.7772)"},
            "Latitude and longitude are the wrong way round.",
        ),
        (
            {"latitude": "SRID=4326;" + NZTM_POINT},
            (
                "“SRID=4326;POINT (1748807.9 5427646.7)” says SRID=4326, and its "
                "numbers are not of a system so called."
            ),
        ),
        (
            {"latitude": "SRID=2193;" + POINT},
            (
                "“SRID=2193;POINT (174.7772 -41.2889)” says SRID=2193, and its "
                "numbers are not of a system so called."
            ),
        ),
        (
            {"latitude": "SRID=3857;POINT (19455908 -5054321)"},
            (
                "“SRID=3857;POINT (19455908 -5054321)” says SRID=3857, and its "
                "numbers are not of a system so called."
            ),
        ),
        (
            {"latitude": "POINT (1 5427646)"},
            "“POINT (1 5427646)” is not in New Zealand.",
        ),
        (
            {"latitude": POINT, "longitude": 174.7772},
            (
                "“POINT (174.7772 -41.2889)” is a whole point, but a longitude stands "
                "beside it."
            ),
        ),
        (
            {"latitude": NZTM_POINT, "easting": 1749807.9, "northing": 5427646.7},
            "Latitude and longitude lie 998 m away from easting and northing.",
        ),
        (
            {"easting": 174.7772, "northing": -41.2889, "system": "NZTM"},
            "Easting and northing hold degrees, not metres.",
        ),
    ],
)
def test_a_shape_that_is_no_point_is_refused_in_one_sentence(given, message):
    found = locate(**given)

    assert isinstance(found, Misplaced)
    assert [each.message for each in found.remarks] == [message]


def test_a_long_shape_and_a_huge_number_are_read_at_once():
    outline = "POLYGON ((" + "174.7 -41.2, " * 10_000 + "))"

    assert isinstance(locate(latitude=outline), Misplaced)
    assert isinstance(locate(latitude=f"POINT ({'9' * 400} 1)"), Misplaced)
    assert isinstance(locate(latitude="SRID=3857;POINT (1 2)"), Misplaced)


def test_a_point_with_few_decimals_is_warned_of():
    remarks = locate(latitude="POINT (174.77 -41.28)").remarks

    assert [each.rule for each in remarks] == [
        "coordinate-read-as",
        "coordinate-decimals",
    ]
