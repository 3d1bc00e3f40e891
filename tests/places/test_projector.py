import pytest

from kawe_places.systems import CITM, NZMG, NZTM, project
from kawe_places.values import Place


def degrees(degree: int, minute: int, second: float) -> float:
    return degree + minute / 60 + second / 3600


# LINZ concord tests; a millimetre is 1e-8 degrees.
NZTM_POINTS = [
    (
        (1744726.8792, 5428938.4809),
        (-degrees(41, 16, 40.896358), degrees(174, 43, 41.184258)),
    ),
    (
        (1264681.5192, 4976182.0506),
        (-degrees(45, 17, 15.937966), degrees(168, 43, 26.475812)),
    ),
]


@pytest.mark.parametrize(("metres", "place"), NZTM_POINTS)
def test_nztm_meets_the_control_points_within_a_millimetre(metres, place):
    (found,) = project(NZTM, [metres])

    assert found is not None
    assert (found.latitude, found.longitude) == pytest.approx(place, abs=1e-8)


def test_citm_meets_its_definition():
    (found,) = project(CITM, [(3_500_000, 10_000_000)])

    assert found is not None
    assert (found.latitude, found.longitude) == pytest.approx((0, -176.5), abs=1e-9)


def test_nzmg_meets_the_control_points_of_its_definition_in_the_old_datum():
    # Technical Circular 1973/32 gives degrees of NZGD49; pyproj's own
    # inverse of our path brings them back there.
    from pyproj import Transformer  # noqa: PLC0415 (only this test needs it)

    to_old = Transformer.from_crs(27200, 4272, always_xy=True)
    for (easting, northing), old in [
        ((2487100.638, 6751049.719), (172.739194, -34.444066)),
        ((2216746.425, 5388508.765), (169.172062, -46.651295)),
    ]:
        # 0.06 m is 5e-7 degrees; the circular prints six decimals.
        assert to_old.transform(easting, northing) == pytest.approx(old, abs=1.2e-6)


def test_nzmg_is_shifted_from_its_old_datum():
    # The seven-parameter shift is near (0.000166, 0.001845) degrees here;
    # without it the place would be some 200 m away.
    (found,) = project(NZMG, [(2487100.638, 6751049.719)])

    assert found == Place(
        latitude=pytest.approx(-34.442221, abs=1e-6),
        longitude=pytest.approx(172.739360, abs=1e-6),
    )


def test_a_point_that_cannot_be_projected_spoils_no_other():
    good = (1744726.8792, 5428938.4809)

    found = project(NZTM, [good, (1e30, 1e30), good])

    assert found[0] == found[2] == project(NZTM, [good])[0]
    assert found[1] is None


def test_no_points_need_no_projection():
    assert project(NZTM, []) == []
