import math

import pytest

from kawe_places.coast_data import is_in_new_zealand
from kawe_places.values import Place

# Public town centres and capes, as printed in the New Zealand Gazetteer.
INSIDE = {
    "Cape Reinga": (-34.4267, 172.6772),
    "Three Kings Islands": (-34.1547, 172.1417),
    "Auckland": (-36.8485, 174.7633),
    "Aotea Great Barrier": (-36.2, 175.4167),
    "East Cape": (-37.6892, 178.5483),
    "Gisborne": (-38.6623, 178.0176),
    "New Plymouth": (-39.0556, 174.0752),
    "Wellington": (-41.2865, 174.7762),
    "Farewell Spit": (-40.5167, 172.8667),
    "Christchurch": (-43.5321, 172.6362),
    "Akaroa": (-43.8036, 172.9686),
    "Milford Sound": (-44.6716, 167.9256),
    "Dusky Sound": (-45.7667, 166.6333),
    "Dunedin": (-45.8788, 170.5028),
    "Bluff": (-46.5993, 168.3459),
    "Oban, Stewart Island": (-46.8991, 168.1278),
    "Waitangi, Chatham Islands": (-43.9530, -176.5597),
    "Pitt Island": (-44.2833, -176.2167),
    "Five kilometres off Lyall Bay": (-41.39, 174.8),
}
OUTSIDE = {
    "Snares": (-48.0167, 166.5333),
    "Auckland Islands": (-50.7, 166.1),
    "Raoul, Kermadecs": (-29.2667, -177.9167),
    "Sydney": (-33.8688, 151.2093),
    "Suva": (-18.1248, 178.4501),
    "Chathams with an eastern longitude": (-43.9530, 176.5597),
    "Wellington in the north": (41.2865, 174.7762),
    "Wellington in the west": (-41.2865, -174.7762),
    "Mid Tasman": (-40.0, 168.0),
    "Null Island": (0.0, 0.0),
}


@pytest.mark.parametrize("where", INSIDE)
def test_new_zealand_reaches_this_far(where):
    latitude, longitude = INSIDE[where]

    assert is_in_new_zealand(Place(latitude=latitude, longitude=longitude))


@pytest.mark.parametrize("where", OUTSIDE)
def test_and_no_further(where):
    latitude, longitude = OUTSIDE[where]

    assert not is_in_new_zealand(Place(latitude=latitude, longitude=longitude))


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 1.7e308, 720.0])
def test_a_place_that_no_number_can_name_is_not_in_new_zealand(value):
    places = (
        Place(latitude=value, longitude=174.76),
        Place(latitude=-36.85, longitude=value),
    )
    assert [is_in_new_zealand(place) for place in places] == [False, False]
