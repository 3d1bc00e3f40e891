"""What is said of places: at sea, and the same on many rows."""

import pytest

from doubles.sheets import project_row, table
from kawe.domain.sheet.findings import Severity
from kawe.flows.check.placing import ALSO_AT_SEA, copied_down, place_findings
from kawe_places.values import Located, Misplaced, Place, PlaceRemark

HERE = Place(latitude=-38.02, longitude=174.31)
AT_SEA = Located(place=HERE, is_at_sea=True)
ON_LAND = Located(place=HERE)


def said(here=None, there=None, **values):
    (row,) = table(project_row(2, **values)).rows
    return [
        (each.heading, each.severity, each.rule)
        for each in place_findings(row, here=here, there=there)
    ]


def test_a_place_at_sea_is_a_warning():
    assert said(AT_SEA) == [("latitude", Severity.WARNING, "place-at-sea")]


def test_it_stands_on_the_cell_that_says_the_place():
    metres = {"latitude": None, "longitude": None, "easting": 1, "northing": 2}
    assert said(AT_SEA, **metres) == [("easting", Severity.WARNING, "place-at-sea")]


def test_on_land_there_is_nothing_to_say():
    assert said(ON_LAND, ON_LAND) == []


@pytest.mark.parametrize("kind", sorted(ALSO_AT_SEA))
def test_some_types_are_at_home_at_sea(kind):
    assert said(AT_SEA, type=kind) == []


def test_an_organisation_is_never_at_home_at_sea():
    assert said(
        None, AT_SEA, type="COASTAL_STREAM_CONSENT", organisation_latitude=-38.02
    ) == [("organisation latitude", Severity.WARNING, "place-at-sea")]


def test_a_remark_on_a_refused_place_is_an_error():
    remark = PlaceRemark(field="longitude", rule="odd", message="No place.")
    assert said(Misplaced(remarks=(remark,))) == [("longitude", Severity.ERROR, "odd")]


def asked(*where):
    """Ask about rows whose places are told apart by a letter; ? is none."""
    rows = table(*(project_row(number) for number in range(len(where)))).rows
    places = {
        row.ref: Located(place=Place(latitude=-38.0, longitude=170.0 + ord(letter)))
        for row, letter in zip(rows, where, strict=True)
        if letter != "?"
    }
    return {
        str(ref): (finding.rule, finding.message)
        for ref, finding in copied_down(rows, places).items()
    }


def test_a_place_on_five_rows_is_asked_about_once_on_the_second():
    assert asked(*"abaa?aab") == {
        "Projects!4": (
            "place-on-many-rows",
            "The same place stands on rows 2, 4, 5, 7 and 1 more.",
        )
    }


def test_a_place_on_four_rows_is_not():
    assert asked(*"aaaabbbb") == {}


def test_many_rows_are_not_all_listed():
    assert asked(*("ab" * 7)) == {
        "Projects!4": (
            "place-on-many-rows",
            "The same place stands on rows 2, 4, 6, 8 and 3 more.",
        ),
        "Projects!5": (
            "place-on-many-rows",
            "The same place stands on rows 3, 5, 7, 9 and 3 more.",
        ),
    }


def test_rows_that_are_no_place_are_never_the_same():
    rows = table(*(project_row(number) for number in range(6))).rows
    remark = PlaceRemark(field="latitude", rule="odd", message="No place.")
    refused = {row.ref: Misplaced(remarks=(remark,)) for row in rows}
    assert copied_down(rows, refused) == {}
