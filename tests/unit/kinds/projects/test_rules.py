"""Rules across the fields of one row."""

from dataclasses import replace
from datetime import date

import pytest

from doubles.journal_values import content
from doubles.sheets import check_context
from kawe.domain.sheet.findings import Severity
from kawe.kinds.projects.rows import content_breaches, value_breaches
from kawe_places.values import GivenPlace, Place

TODAY = date(2026, 11, 21)
PLACE = Place(latitude=-40.75, longitude=175.15)
CONTEXT = replace(check_context(), today=TODAY)
CONTACT = {"contact_name": "Mere", "contact_role": "Planner", "contact_phone": "04"}


def _broken(breaches):
    return [(each.field, each.rule, each.severity) for each in breaches]


@pytest.mark.parametrize(
    ("values", "fields"),
    [
        ({}, []),
        (CONTACT, []),
        ({**CONTACT, "contact_email": "m@example.nz"}, []),
        ({"contact_name": "Mere"}, ["contact_role"]),
        ({"contact_email": "m@x.nz"}, ["contact_name"]),
        ({"contact_phone": "021", "contact_role": "x"}, ["contact_name"]),
        ({"organisation": "x", "organisation_city": "Ōtaki"}, []),
        ({"organisation_city": "Ōtaki"}, ["organisation"]),
    ],
)
def test_what_belongs_together_must_be_given_together(values, fields):
    assert [each.field for each in value_breaches(values)] == fields


@pytest.mark.parametrize(
    ("said", "broken"),
    [
        ({}, []),
        (
            {"respond_by_on": date(2027, 5, 3)},
            [("respond_by_date", "respond-by-after-end", Severity.ERROR)],
        ),
        (
            {"start_on": date(2027, 5, 2)},
            [("start_date", "start-after-end", Severity.WARNING)],
        ),
        (
            {"respond_by_on": date(2026, 11, 20)},
            [("respond_by_date", "date-past", Severity.WARNING)],
        ),
        (
            {"start_on": date(1927, 3, 1)},
            [("start_date", "date-far", Severity.WARNING)],
        ),
        ({"end_on": date(2207, 3, 1)}, [("end_date", "date-far", Severity.WARNING)]),
        ({"end_on": date(2061, 3, 1)}, []),
        ({"respond_by_on": date(2026, 11, 23)}, []),
        ({"send": True, "place": PLACE}, []),
        ({"send": True}, [("latitude", "place-needed", Severity.ERROR)]),
        ({"address": "1 Rd"}, [("latitude", "place-needed", Severity.WARNING)]),
    ],
)
def test_dates_and_sends_are_checked_together(said, broken):
    assert _broken(content_breaches(content(1, **said), CONTEXT)) == broken


def test_a_project_that_is_over_is_pointed_out():
    row = content(
        1,
        start_on=date(2025, 1, 1),
        respond_by_on=date(2025, 1, 1),
        end_on=date(2025, 2, 1),
    )
    fields = [each.field for each in content_breaches(row, CONTEXT)]
    assert fields == ["respond_by_date", "end_date"]


@pytest.mark.parametrize(
    ("given", "empty"),
    [
        (GivenPlace(), True),
        (GivenPlace(system="NZTM"), True),
        (GivenPlace(latitude=0.0), False),
        (GivenPlace(northing=1.0), False),
    ],
)
def test_a_place_is_given_when_any_number_of_it_is(given, empty):
    assert given.is_empty is empty


def test_two_places_within_a_centimetre_are_the_same():
    assert Place(latitude=-40.75 + 1e-9, longitude=175.15 - 1e-9).key() == PLACE.key()
