import pytest

from kawe_places.systems import CITM, GRIDS, NZGD2000, NZMG, NZTM, WGS84, system_named


@pytest.mark.parametrize(
    ("typed", "system"),
    [
        ("NZTM", NZTM),
        ("nztm2000", NZTM),
        ("NZTM 2000", NZTM),
        ("NZGD2000 / New Zealand Transverse Mercator 2000", NZTM),
        ("EPSG:2193", NZTM),
        (2193.0, NZTM),
        (2193, NZTM),
        ("NZMG", NZMG),
        ("New Zealand Map Grid", NZMG),
        ("epsg 27200", NZMG),
        ("CITM", CITM),
        ("Chatham Islands TM 2000", CITM),
        ("3793", CITM),
        ("WGS84", WGS84),
        ("WGS 84", WGS84),
        ("GPS", WGS84),
        ("EPSG:4326", WGS84),
        ("NZGD2000", NZGD2000),
        ("4167", NZGD2000),
    ],
)
def test_a_system_is_known_by_the_names_people_use(typed, system):
    assert system_named(typed) is system


@pytest.mark.parametrize("typed", ["NZGD49", "Bessel", "", "EPSG:3857", True, 1.5])
def test_a_system_that_would_shift_the_place_is_not_taken_for_another(typed):
    assert system_named(typed) is None


@pytest.mark.parametrize("grid", GRIDS)
def test_easting_and_northing_cannot_be_confused_inside_one_grid(grid):
    assert grid.eastings[1] < grid.northings[0]
