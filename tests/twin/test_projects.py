"""Creating, reading and changing projects."""

import uuid

import pytest

from twin.asking import draft_body

NOBODY = str(uuid.uuid4())


def message(answer):
    assert answer.status_code == 400, answer.text
    return answer.json()["message"].split("; ")


def test_a_draft_is_shown_as_it_was_made(live):
    made = live.create(
        name="Te Awa – ā ē ī ō ū", reference="R-1", type="EMERGENCY_WORKS"
    )
    assert {
        "name": "Te Awa – ā ē ī ō ū",
        "reference": "R-1",
        "type": "EMERGENCY_WORKS",
        "priority": "HIGH",
        "status": "DRAFT",
        "phase": None,
        "closed_on": None,
        "start_date": "2026-12-01T00:00:00.000Z",
        "is_iwi_created": False,
        "iwi_name": None,
        "can_send": True,
        "can_respond": False,
    }.items() <= made.items()
    assert live.object("GET", f"/projects/{made['id']}") == made


def test_macrons_are_kept_in_the_form_in_which_they_came(live):
    decomposed = "Ma\u0304ori"
    assert live.create(name=decomposed)["name"] == decomposed


def test_every_problem_of_a_body_is_listed(live):
    body = draft_body(
        name=...,
        type="ROAD",
        respond_by_date="2027-01-01",
        longitude=None,
        organisation_id=NOBODY,
        recipient_team_id=NOBODY,
        files=[{"id": NOBODY}],
    )
    said = message(live.post("/projects", body))
    assert [problem.split(" ")[0] for problem in said] == [
        "name",
        "type",
        "respond_by_date",
        "longitude",
        "organisation_id",
        "recipient_team_id",
        "files[0]",
    ]


def test_answers_may_be_due_on_the_last_day(live):
    assert live.create(respond_by_date="2026-12-31")["status"] == "DRAFT"


@pytest.mark.parametrize("field", ["latitude", "longitude"])
def test_degrees_stay_on_the_globe(live, field):
    (said,) = message(live.post("/projects", draft_body(**{field: 181})))
    assert said.startswith(f"{field} must be between")


def test_a_draft_needs_no_place(live):
    made = live.create(address=None, latitude=None, longitude=None)
    assert (made["address"], made["latitude"], made["longitude"]) == ("", 0, 0)


def test_american_spellings_are_accepted(live):
    summary = {"name": "Rōpū", "address": "1 Rd", "latitude": -37, "longitude": 175}
    made = live.create(organization=summary)
    assert made["organisation"]["name"] == "Rōpū"
    again = live.create(organization_id=made["organisation_id"])
    assert again["organisation_id"] == made["organisation_id"]


def test_a_quantity_opens_a_checkout_and_spends_nothing(live):
    before = live.balance()
    made = live.create(quantity=5, draft=False)
    assert made["checkout_url"].startswith(live.address.api_url)
    assert (made["status"], live.balance()) == ("DRAFT", before)


def test_a_quantity_is_one_of_the_packs(live):
    (said,) = message(live.post("/projects", draft_body(quantity=3)))
    assert said == "quantity must be one of 1, 5, 10, 20, 50"


def test_a_project_of_another_team_is_not_found(live, other):
    path = f"/projects/{live.create()['id']}"
    codes = [
        other.get(path).status_code,
        other.put(path, draft_body()).status_code,
        other.put(f"{path}/send", {"message": "x"}).status_code,
        other.post(f"{path}/report").status_code,
        other.get(f"{path}/engagements").status_code,
    ]
    assert codes == [404] * 5
    same = [other.get(at).json()["message"] for at in (path, f"/projects/{NOBODY}")]
    assert same[0] == same[1]


def test_an_update_changes_what_it_names(live):
    made = live.create(reference="before")
    days = {
        "start_date": "2027-01-01",
        "end_date": "2027-01-31",
        "respond_by_date": "2027-01-31",
    }
    body = {**days, "reference": "after", "type": "OTHER", "phase": "LODGED"}
    changed = live.object("PUT", f"/projects/{made['id']}", json=body)
    assert changed["name"] == made["name"]
    assert (changed["reference"], changed["priority"]) == ("after", "LOW")
    assert (changed["phase"], changed["end_date"][:10]) == ("LODGED", "2027-01-31")


def test_an_update_keeps_the_order_of_days(live):
    path = f"/projects/{live.create()['id']}"
    body = draft_body(respond_by_date="2027-01-01")
    assert message(live.put(path, body)) == [
        "respond_by_date must be on or before end_date"
    ]


def test_a_draft_is_invisible_to_iwi_and_a_sent_project_visible(live, iwi):
    made = live.create()
    path = f"/projects/{made['id']}"
    before = iwi.get(path).status_code
    live.send(made["id"])
    assert (before, iwi.get(path).status_code) == (404, 200)


def test_an_iwi_cannot_change_or_send_what_an_organisation_sent(live, iwi):
    made = live.create()
    live.send(made["id"])
    path = f"/projects/{made['id']}"
    codes = [iwi.put(path, draft_body()).status_code, iwi.send(made["id"]).status_code]
    assert codes == [403, 403]


def test_the_thread_begins_with_the_message_of_the_send(live, iwi):
    made = live.create()
    live.send(made["id"], message="Tēnā koutou\ne hoa mā")
    path = f"/projects/{made['id']}/engagements"
    for asker in (live, iwi):
        (entry,) = asker.object("GET", path)["data"]
        assert entry["content"] == "Tēnā koutou\ne hoa mā"
        assert (entry["is_internal"], entry["project_id"]) == (False, made["id"])
