"""What an edit can change in a draft, and which column shows it."""

from dataclasses import replace
from datetime import date

import pytest

from doubles.rows import project
from doubles.sheets import attached
from kawe.domain.rows.edits import beyond_update, edited_field
from kawe.domain.rows.identity import update_body
from kawe.domain.sheet.content import Contact, OrganisationContent
from kawe_places.values import Place

ROW = project(1, phase="PRE_START")
PLAN = attached("plan.pdf", size_bytes=1)


def test_an_update_says_what_the_service_can_change_and_nothing_else():
    assert update_body(ROW) == {
        "name": "Culvert 1 at Māngere",
        "description": "A culvert is replaced.",
        "type": "EARTHWORKS",
        "start_date": "2030-03-01",
        "end_date": "2030-09-30",
        "respond_by_date": "2030-04-01",
        "phase": "PRE_START",
    }


@pytest.mark.parametrize(
    ("edit", "field", "beyond"),
    [
        ({}, "name", ()),
        ({"name": "Another"}, "name", ()),
        ({"description": "Other."}, "description", ()),
        ({"type": "OTHER"}, "type", ()),
        ({"phase": "LODGED"}, "phase", ()),
        ({"phase": None}, "phase", ("phase",)),
        ({"start_on": date(2030, 3, 2)}, "start_date", ()),
        ({"end_on": date(2030, 10, 1)}, "end_date", ()),
        ({"respond_by_on": date(2030, 4, 2)}, "respond_by_date", ()),
        ({"address": None}, "address", ("address",)),
        ({"place": Place(latitude=-37.0, longitude=175.0)}, "latitude", ("place",)),
        (
            {"organisation": OrganisationContent(name="Wai Ora")},
            "organisation",
            ("organisation",),
        ),
        (
            {"contact": Contact(name="Hēmi", role="Planner", phone="1")},
            "contact_name",
            ("contact",),
        ),
        ({"files": (PLAN,)}, "files", ("files",)),
        ({"recipient_team_id": "t"}, "name", ("recipient team",)),
        # Iwi, message and priority go with the send.
        ({"iwi": ("iwi-1",)}, "iwi", ()),
        ({"message": "Kia ora.", "priority_order": 1.0}, "name", ()),
    ],
    ids=str,
)
def test_an_edit_names_its_column_and_what_no_update_can_change(edit, field, beyond):
    after = replace(ROW, **edit)
    assert (edited_field(ROW, after), beyond_update(ROW, after)) == (field, beyond)
