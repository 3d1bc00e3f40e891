from dataclasses import replace

import pytest

from doubles.sheets import SameBeginning, table
from kawe.domain.sheet.tables import Cell
from kawe.domain.text.texts import fold_address
from kawe.flows.check.placing import places_table

PLACES = (
    {"address": "1 Rata Street", "latitude": -36.9, "longitude": 174.8},
    {"address": "2 Quay", "easting": 1764390, "northing": 5908600, "crs": "x"},
    {"address": "3 Quay", "latitude": -36.9, "longitude": 174.8},
    {"address": "3 quay", "latitude": -36.8, "longitude": 174.8},
    {"address": "4 Quay", "latitude": -36.9, "longitude": 174.8},
    {"address": "4 QUAY", "latitude": -36.9, "longitude": 174.8},
    {"address": "5 Quay", "latitude": None, "longitude": None},
    {"address": None, "latitude": -36.9, "longitude": 174.8},
)


def placed(*, accepts=False, **values):
    """Give one row of a sheet as it is placed by the table."""
    book = places_table(table(*PLACES), name="places.csv", suggester=SameBeginning())
    return book.fill(table(values), accepts=accepts).rows[0]


def said(row):
    return [(each.rule, each.message) for each in row.findings]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("12 Rātā St.", "12 rata  street"),
        ("3/14 St Johns Rd, Meadowbank", "3/14 st johns road Meadowbank"),
        ("SH 1 Pt Chevalier Sq", "state highway 1 Point Chevalier Square"),
        ("Cnr Mt Eden Rd & Esplanade Rd", "cnr mount eden road esplanade road"),
    ],
)
def test_notation_of_an_address_does_not_count(one, other):
    assert fold_address(one) == fold_address(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Lot 5 DP 1234", "Lot 5 DP 5678"), ("2/12 Quay", "212 Quay"), ("東", "西")],
)
def test_other_addresses_stay_apart(one, other):
    assert fold_address(one) != fold_address(other)


def test_degrees_and_metres_are_taken_as_they_stand_there():
    degrees, metres = placed(address="1 rātā st"), placed(address="2 Quay")

    assert (degrees.value("latitude"), degrees.value("longitude")) == (-36.9, 174.8)
    assert degrees.cells["latitude"] == replace(
        degrees.cells["address"], value=-36.9, shown="-36.9"
    )
    assert (metres.value("easting"), metres.value("northing")) == (1764390, 5908600)
    assert metres.value("latitude") is None
    assert said(degrees) == [
        ("place-from-table", "The place is taken from places.csv row 2.")
    ]


def test_a_value_stands_below_the_heading_that_the_sheet_has():
    sheet = table({"address": "1 Rata St", "latitude": None})
    (row,) = sheet.rows
    empty = replace(row.cells["latitude"], shown="")
    row = replace(row, cells={**row.cells, "latitude": empty})
    book = places_table(table(*PLACES), name="places.csv", suggester=SameBeginning())
    (found,) = book.fill(replace(sheet, rows=(row,))).rows

    assert found.cells["latitude"] == Cell(
        ref=empty.ref, heading="latitude", shown="-36.9", value=-36.9
    )


@pytest.mark.parametrize(
    "values",
    [
        {"address": "1 Rata St", "latitude": "somewhere"},
        {"address": "1 Rata St", "easting": 1.0, "northing": 2.0},
        {"address": None},
        {"name": "No address"},
        {"address": "5 Quay"},
        {"address": "9 Far away"},
    ],
)
def test_what_says_a_place_or_no_known_address_stays_as_it_is(values):
    assert said(placed(**values)) == []


def test_a_near_address_is_named_and_not_taken():
    row = placed(address="1 Rata Streets")

    assert row.value("latitude") is None
    assert said(row) == [
        (
            "address-near",
            ("places.csv has no such address. Did you mean “1 Rata Street” (row 2)?"),
        )
    ]


def test_a_near_address_is_taken_with_a_warning_where_that_is_accepted():
    row = placed(address="1 Rata Streets", accepts=True)

    assert (row.value("latitude"), row.value("longitude")) == (-36.9, 174.8)
    assert said(row) == [
        (
            "place-from-near",
            "The place is taken from places.csv row 2, “1 Rata Street”.",
        )
    ]
    assert placed(address="3 Quay Road", accepts=True).value("latitude") is None


def test_two_places_of_one_address_are_named_and_neither_is_taken():
    row, same = placed(address="3 Quay"), placed(address="4 Quay")

    assert row.value("latitude") is None
    assert said(row) == [
        ("address-twice", "places.csv has two places for this address: rows 4 and 5.")
    ]
    assert same.value("latitude") == -36.9


def test_an_address_without_a_letter_or_number_is_no_address():
    book = places_table(
        table({**PLACES[0], "address": "–"}),
        name="places.csv",
        suggester=SameBeginning(),
    )
    (row,) = book.fill(table({"address": "-"})).rows

    assert said(row) == []
