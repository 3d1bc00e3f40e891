"""The made-up areas of the twin's iwi."""

import pytest

from kawe_twin.world.iwi_areas import BOXES, IWI, resolve

TOWNS = {
    "Cape Rēinga": (-34.43, 172.68),
    "Kaitāia": (-35.11, 173.26),
    "Whangārei": (-35.73, 174.32),
    "Aotea": (-36.20, 175.42),
    "Tāmaki": (-36.85, 174.76),
    "Kirikiriroa": (-37.79, 175.28),
    "Tauranga": (-37.69, 176.17),
    "Taupō": (-38.69, 176.07),
    "Te Araroa": (-37.63, 178.37),
    "Tūranga": (-38.66, 178.02),
    "Te Māhia": (-39.09, 177.92),
    "Ahuriri": (-39.49, 176.92),
    "Ngāmotu": (-39.06, 174.08),
    "Whanganui": (-39.93, 175.05),
    "Te Papaioea": (-40.36, 175.61),
    "Ōtaki": (-40.76, 175.15),
    "Whakaoriori": (-40.95, 175.66),
    "Te Whanganui-a-Tara": (-41.29, 174.78),
    "Whakatū": (-41.27, 173.28),
    "Tuamarina": (-41.43, 173.95),
    "Kawatiri": (-41.75, 171.60),
    "Māwhera": (-42.45, 171.21),
    "Kaikōura": (-42.40, 173.68),
    "Ōtautahi": (-43.53, 172.64),
    "Akaroa": (-43.80, 172.97),
    "Te Tihi-o-Maru": (-44.40, 171.25),
    "Aoraki": (-43.60, 170.14),
    "Tāhuna": (-45.03, 168.66),
    "Ōtepoti": (-45.87, 170.50),
    "Piopiotahi": (-44.67, 167.92),
    "Waihōpai": (-46.41, 168.35),
    "Oban": (-46.90, 168.13),
    "Waitangi, Chatham Islands": (-43.95, -176.55),
}


@pytest.mark.parametrize("town", TOWNS)
def test_every_part_of_the_country_belongs_to_one_to_three_iwi(town):
    latitude, longitude = TOWNS[town]
    assert 1 <= len(resolve(latitude=latitude, longitude=longitude)) <= 3


def test_there_are_places_of_one_and_of_several_iwi():
    counts = {
        len(resolve(latitude=latitude, longitude=longitude))
        for latitude, longitude in TOWNS.values()
    }
    assert counts >= {1, 2}


@pytest.mark.parametrize(
    "place",
    [
        (0.0, 0.0),
        (-40.0, 165.0),
        (-36.0, 180.0),
        (-33.87, 151.21),
        (-50.0, 170.0),
        (174.76, -36.85),
        (1e300, -1e300),
    ],
)
def test_the_sea_and_other_countries_belong_to_none(place):
    latitude, longitude = place
    assert resolve(latitude=latitude, longitude=longitude) == ()


def test_the_chathams_are_found_counted_either_way_around_the_globe():
    west = resolve(latitude=-43.95, longitude=-176.5)
    east = resolve(latitude=-43.95, longitude=183.5)
    assert west == east != resolve(latitude=0, longitude=0)


def test_every_name_says_that_it_is_an_example():
    assert all("Tauira" in iwi.name for iwi in IWI)


def test_every_iwi_has_an_area():
    assert {box.slug for box in BOXES} == {iwi.slug for iwi in IWI}
