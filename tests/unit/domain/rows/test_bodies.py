"""The bodies that kawe sends are what the contract allows, and never more."""

from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from doubles.journal_values import content
from doubles.sheets import attached
from kawe.domain.rows.identity import draft_body, project_fingerprint
from kawe.domain.sheet.content import Contact, OrganisationContent
from kawe.flows.submit.sending import send_body
from kawe.kinds.invitations.kind import (
    InvitationContent,
    invitation_fingerprint,
    invite_body,
)
from kawe_contract.document import document
from kawe_contract.shapes import ref
from kawe_places.values import Place

FILE = attached("a.pdf", path=Path("plans/a.pdf"), size_bytes=3)
DOCUMENT = {"id": "00000000-0000-4000-8000-00000000000d", "name": "a.pdf"}
FULL = content(
    1,
    phase="PRE_START",
    address="1 Te Ara",
    place=Place(latitude=-40.75, longitude=175.15),
    iwi=("ngati-toa",),
    organisation=OrganisationContent(
        name="Kāpiti Coast",
        address="1 Te Ara",
        city="Ōtaki",
        place=Place(latitude=-40.7, longitude=175.1),
    ),
    contact=Contact(name="Mere", role="Planner", phone="04 123 4567"),
    files=(FILE,),
    recipient_team_id="00000000-0000-4000-8000-000000000009",
)
PERSON = InvitationContent(name="Hēmi", email="hemi@example.nz", role="MEMBER")


def test_a_small_row_makes_a_small_body():
    assert draft_body(content(1)) == {
        "name": "Stormwater outlet 1, Ōtaki",
        "description": "A new outlet.",
        "type": "EARTHWORKS",
        "start_date": "2027-02-01",
        "end_date": "2027-05-01",
        "respond_by_date": "2027-01-20",
        "reference": "R-1",
        "files": [],
        "draft": True,
    }


def test_a_full_row_says_all_it_has():
    assert draft_body(FULL, files=[DOCUMENT]) == {
        **draft_body(content(1)),
        "phase": "PRE_START",
        "address": "1 Te Ara",
        "latitude": -40.75,
        "longitude": 175.15,
        "iwi": ["ngati-toa"],
        "organisation": {
            "name": "Kāpiti Coast",
            "address": "1 Te Ara",
            "latitude": -40.7,
            "longitude": 175.1,
            "city": "Ōtaki",
        },
        "contact": {"name": "Mere", "role": "Planner", "phone": "04 123 4567"},
        "recipient_team_id": "00000000-0000-4000-8000-000000000009",
        "files": [DOCUMENT],
    }


def test_a_known_organisation_goes_by_its_id_alone():
    body = draft_body(FULL, organisation_id="00000000-0000-4000-8000-00000000000e")
    assert body["organisation_id"] == "00000000-0000-4000-8000-00000000000e"
    assert "organisation" not in body


def test_an_organisation_without_a_place_names_none():
    row = replace(FULL, organisation=OrganisationContent(name="x"))
    assert draft_body(row)["organisation"] == {"name": "x"}


@pytest.mark.parametrize("row", [content(1), FULL, replace(FULL, send=True)])
def test_no_row_ever_buys_or_sends_while_it_is_drafted(row):
    body = draft_body(row)
    assert body["draft"] is True
    assert "quantity" not in body


@pytest.mark.parametrize(
    ("row", "body"),
    [
        (content(1), {"message": "Kia ora."}),
        (FULL, {"message": "Kia ora.", "iwi": ["ngati-toa"]}),
    ],
)
def test_a_send_says_its_message_and_the_iwi_that_were_chosen(row, body):
    assert send_body(row) == body


@pytest.mark.parametrize(
    ("body", "schema"),
    [
        (draft_body(content(1)), "CreateProjectBody"),
        (draft_body(FULL, files=[DOCUMENT]), "CreateProjectBody"),
        (send_body(FULL), "SendProjectBody"),
        (invite_body(PERSON), "InviteUserBody"),
    ],
)
def test_every_body_fits_the_contract(body, schema):
    jsonschema.validate(body, {**document(), **ref(schema)})


def test_an_invitation_leaves_out_what_was_left_empty():
    assert invite_body(replace(PERSON, org_role="Planner")) == {
        "name": "Hēmi",
        "email": "hemi@example.nz",
        "role": "MEMBER",
        "org_role": "Planner",
    }


@pytest.mark.parametrize(
    "edit",
    [
        {"description": "Larger."},
        {"iwi": ()},
        {"files": ()},
        {"files": (replace(FILE, sha256="b" * 64),)},
        {"files": (replace(FILE, name="b.pdf"),)},
        {"organisation": None},
    ],
)
def test_an_edit_that_the_draft_would_carry_changes_the_fingerprint(edit):
    assert project_fingerprint(replace(FULL, **edit)) != project_fingerprint(FULL)


@pytest.mark.parametrize(
    "edit",
    [
        {"send": True},
        {"message": "Tēnā koutou."},
        {"priority_order": 1.0},
        {"files": (replace(FILE, path=Path("moved/a.pdf")),)},
    ],
)
def test_an_edit_that_no_draft_carries_keeps_the_fingerprint(edit):
    assert project_fingerprint(replace(FULL, **edit)) == project_fingerprint(FULL)


def test_an_invitations_fingerprint_follows_what_it_says():
    other = replace(PERSON, role="OWNER")
    assert invitation_fingerprint(other) != invitation_fingerprint(PERSON)
