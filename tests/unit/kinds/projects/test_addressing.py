"""Organisations that a sheet of the workbook lists."""

from dataclasses import replace

import pytest

from doubles.sheets import SameBeginning, check_context, project_row, table
from kawe.domain.service.service_words import Organisation, OrganisationId
from kawe.domain.sheet.content import Contact, OrganisationContent
from kawe.flows.check.naming import Naming
from kawe.kinds.projects.kind import with_addresses
from kawe.kinds.projects.rows import read_projects
from kawe_places.values import Place

WHOLE = {
    "organisation": "Kāpehu Ltd",
    "organisation_address": "1 Quay",
    "organisation_city": "Hāwera",
    "organisation_latitude": -41.0,
    "organisation_longitude": 174.0,
}
CONTACT = {
    "contact_name": "Aroha",
    "contact_role": "Planner",
    "contact_phone": "021 555 0142",
}
LISTED = OrganisationContent(
    name="Kapehu ltd",
    address="1 Quay",
    city="Hāwera",
    place=Place(latitude=-41.0, longitude=174.0),
)
KNOWN = {"kapehu ltd": Organisation(id=OrganisationId("o-1"), name="Kāpehu Ltd")}


def completed(row, *listed, team=(), skip=False):
    """Give the one row as the sheet of organisations completes it."""
    sheet = table(*listed)
    rows = [replace(e, ref=replace(e.ref, sheet="Clients")) for e in sheet.rows]
    context = replace(check_context(), organisations=rows)
    (found,) = with_addresses(
        read_projects(table(row), context=context),
        naming=Naming(team=dict(team), was_asked=True, suggester=SameBeginning()),
        context=context,
        skip=[table(row).rows[0].ref] if skip else [],
    )
    return found


def said(found):
    return [each.message for each in found.findings]


def test_a_new_organisation_takes_its_details_from_the_sheet():
    row = project_row(1, organisation="Kapehu ltd")
    found = completed(row, WHOLE)

    assert found.content.organisation == LISTED
    assert said(found) == ["The address of Kapehu ltd is taken from row 2 of Clients."]
    assert found.fingerprint == completed(row).fingerprint


def test_what_a_row_says_itself_stays_and_is_said_where_it_differs():
    own = project_row(
        1, organisation="Kapehu ltd", organisation_city="Ōtaki", contact_name="Mere"
    )
    same = project_row(1, organisation="Kapehu ltd", organisation_city="Hāwera")
    found = completed({**own, "name": None}, WHOLE)

    assert found.partly.organisation == replace(LISTED, city="Ōtaki")
    assert said(found)[-1] == (
        "The address of Kapehu ltd is taken from row 2 of Clients. What this row says "
        "itself stays: it differs."
    )
    assert said(completed(same, WHOLE)) == [
        "The address of Kapehu ltd is taken from row 2 of Clients."
    ]
    assert said(completed(project_row(1, **WHOLE), WHOLE)) == []


def test_the_contact_of_an_organisation_is_that_of_projects_without_one():
    row = project_row(1, organisation="Kapehu ltd")
    found = completed(row, {**WHOLE, **CONTACT}, team=KNOWN)
    own = completed({**row, **CONTACT, "contact_name": "Mere"}, {**WHOLE, **CONTACT})

    assert found.content.contact == Contact(
        name="Aroha", role="Planner", phone="021 555 0142", email=None
    )
    assert found.content.organisation == OrganisationContent(name="Kapehu ltd")
    assert said(found) == ["The contact is taken from row 2 of Clients."]
    assert own.content.contact.name == "Mere"


@pytest.mark.parametrize(
    "listed",
    [
        {**WHOLE, "contact_name": "Aroha"},
        {**WHOLE, **CONTACT, "contact_role": None},
        WHOLE,
    ],
)
def test_a_contact_without_role_or_phone_is_none(listed):
    row = project_row(1, organisation="Kapehu ltd")

    assert completed(row, listed).content.contact is None


@pytest.mark.parametrize(
    ("row", "more"),
    [
        ({"organisation": "Other Ltd"}, {}),
        ({}, {}),
        ({"organisation": "Kapehu ltd"}, {"team": KNOWN}),
        ({"organisation": "Kapehu ltd"}, {"skip": True}),
    ],
)
def test_known_done_and_unlisted_ones_stay_as_they_are(row, more):
    row = project_row(1, **row)

    assert completed(row, WHOLE, **more) == completed(row)


def test_two_rows_of_the_sheet_that_differ_are_not_chosen_from():
    row = project_row(1, organisation="Kapehu ltd")
    found = completed(row, WHOLE, {**WHOLE, "organisation_city": "Ōtaki"})

    assert found.content.organisation == OrganisationContent(name="Kapehu ltd")
    assert said(found) == [
        "Rows 2 and 3 of Clients give Kapehu ltd different addresses."
    ]


def test_a_row_of_the_sheet_without_a_place_completes_nothing_and_is_named():
    row = project_row(1, organisation="Kapehu ltd")

    assert said(completed(row, {**WHOLE, "organisation_latitude": None})) == [
        "Row 2 of Clients has no address or no place that kawe can read."
    ]
