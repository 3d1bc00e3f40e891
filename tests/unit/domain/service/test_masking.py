"""People in records of the service are masked: the same one alike, and for good."""

import pytest

from kawe.domain.service.masking import Masks

PERSON = {"first_name": "Aroha", "last_name": "Tauira"}


@pytest.fixture
def masks():
    return Masks()


def test_one_person_has_one_mask_wherever_the_record_names_them(masks):
    member = {**PERSON, "id": "7f", "email": "Aroha@tauira.nz", "role": "ADMIN"}
    invited = {"id": "8f", "name": "ĀROHA Tauira", "email": "aroha@tauira.nz"}
    team = {"id": "t", "name": "Tauira", "users": [member], "invitations": [invited]}
    name, address = masks.of("aroha tauira"), masks.of("aroha@tauira.nz")
    assert masks.record(team) == {
        "id": "t",
        "name": "Tauira",
        "users": [
            {
                "first_name": "Person",
                "last_name": name,
                "id": masks.of("7f"),
                "email": f"{address}@masked.invalid",
                "role": "ADMIN",
            }
        ],
        "invitations": [
            {
                "id": masks.of("8f"),
                "name": f"Person {name}",
                "email": f"{address}@masked.invalid",
            }
        ],
        "masked": True,
    }


def test_a_second_export_has_other_masks(masks):
    assert masks.name("Aroha") != Masks().name("Aroha")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Write to a.b@c.nz, or ring 021 555 0123.", "Write to "),
        ("(09) 555-0199 or +64 9 555 0199", " or "),
    ],
    ids=["address and number", "two numbers"],
)
def test_addresses_and_numbers_within_a_text_are_masked(masks, text, *, kept):
    shown = masks.record({"content": text})["content"]
    assert (kept in shown, "555" in shown, "@c.nz" in shown) == (True, False, False)


def test_what_names_nobody_stays(masks):
    project = {
        "id": "1f",
        "name": "Bridge 0215550123",
        "reference": "RC-021-555-0123",
        "description": "Lot 2021-0077 of 5,000 m2 from 1/10/2026 to 30/11/2026",
        "iwi_name": "Ngāti Tauira",
        "latitude": -36.0,
        "organisation": {"name": "Tauira Ltd"},
        "assigned_to": None,
    }
    assert masks.record(project) == project | {"masked": True}


@pytest.mark.parametrize("about", ["assigned_to", "contact_phone"])
def test_a_log_names_nobody(masks, about):
    log = {"property": about, "from": "Aroha Tauira", "to": None, "created_by": PERSON}
    mask = masks.of("aroha tauira")
    assert masks.masked(log) == {
        "property": about,
        "from": f"Person {mask}",
        "to": None,
        "created_by": {"first_name": "Person", "last_name": mask},
    }
