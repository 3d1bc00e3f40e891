import pytest

from kawe_places.coast import Coast, coast
from kawe_places.values import Place

# Public places, as printed in the New Zealand Gazetteer.
LAND = {
    "Taupō, far from any coast": (-38.6857, 176.0702),
    "Lake Taupō, which is no sea": (-38.8, 175.9),
    "Wellington, the waterfront": (-41.2865, 174.7850),
    "Cape Reinga": (-34.4267, 172.6800),
    "Farewell Spit": (-40.5150, 172.8667),
    "Oban, Stewart Island": (-46.8991, 168.1278),
    "Waitangi, Chatham Islands": (-43.9530, -176.5597),
    "Pitt Island": (-44.2833, -176.2167),
    "Matiu Somes Island": (-41.2580, 174.8650),
    "half a kilometre off Petone": (-41.2330, 174.8700),
}
SEA = {
    "Cook Strait": (-41.2500, 174.5000),
    "Hauraki Gulf": (-36.5000, 175.1000),
    "off New Plymouth": (-38.9500, 174.0000),
    "Foveaux Strait": (-46.7000, 168.0000),
    "Tasman Bay": (-41.0000, 173.2000),
    "between Chatham and Pitt": (-44.1700, -176.4000),
    "Te Whanga is a lagoon, but this lies outside": (-43.9000, -176.1000),
}


@pytest.mark.parametrize("where", LAND)
def test_on_land_or_within_a_kilometre(where):
    latitude, longitude = LAND[where]

    assert coast().is_near_land(Place(latitude=latitude, longitude=longitude))


@pytest.mark.parametrize("where", SEA)
def test_at_sea(where):
    latitude, longitude = SEA[where]

    assert not coast().is_near_land(Place(latitude=latitude, longitude=longitude))


SQUARE = (
    (-40.0, 175.0),
    (-40.0, 175.4),
    (-39.6, 175.4),
    (-39.6, 175.0),
    (-40.0, 175.0),
)


@pytest.mark.parametrize(
    ("latitude", "longitude", "answer"),
    [
        (-39.8, 175.2, True),
        # 0.8 and 1.2 km beyond each side.
        (-40.0072, 175.2, True),
        (-40.0108, 175.2, False),
        (-39.5928, 175.2, True),
        (-39.5892, 175.2, False),
        (-39.8, 174.9906, True),
        (-39.8, 174.9859, False),
        (-39.8, 175.4094, True),
        (-39.8, 175.4141, False),
        # Through a corner's own latitude, on both sides of it.
        (-40.0, 174.9, False),
        (-40.0, 175.5, False),
        (-39.6, 174.9, False),
        (-39.6, 175.5, False),
    ],
)
def test_a_kilometre_is_a_kilometre_on_every_side(latitude, longitude, answer):
    place = Place(latitude=latitude, longitude=longitude)

    assert Coast([SQUARE]).is_near_land(place) is answer


def test_a_whole_cell_answers_as_its_points_do():
    asked_before = Coast([SQUARE])
    places = [
        Place(latitude=-40.06 + 0.004 * north, longitude=174.94 + 0.004 * east)
        for north in range(130)
        for east in range(130)
    ]

    answers = [asked_before.is_near_land(place) for place in places]

    measured = Coast([SQUARE])
    assert answers == [
        measured.is_on_land(place) or measured.is_within(place, km=1)
        for place in places
    ]
    assert 0 < sum(answers) < len(answers)
