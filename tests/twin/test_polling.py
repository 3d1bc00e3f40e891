"""Following projects without webhooks, and what clients may count on."""

import re

from twin.asking import draft_body
from twin.test_threads import respond, sent


def test_a_poller_sees_which_active_projects_changed(running, ask_live):
    live = ask_live(running)
    iwi = ask_live(running, key=running.address.iwi_key)
    quiet, busy, over = sent(live), sent(live), sent(live)

    def seen():
        page = live.object("GET", "/projects", params={"active_status": "active"})
        return {f"/projects/{one['id']}": one["updated_on"] for one in page["data"]}

    before = seen()
    respond(iwi, busy)
    live.put(f"{over}/close", {"all": True})
    after = seen()
    assert set(after) == {quiet, busy}
    assert (after[quiet], after[busy] > before[busy]) == (before[quiet], True)


def test_every_instant_is_utc_with_milliseconds(live):
    path = sent(live)
    shown = [
        live.object("GET", path),
        live.object("GET", f"{path}/engagements")["data"][0],
        live.object("GET", f"{path}/logs")["data"][0],
        live.object("GET", f"{path}/documents")["data"][0],
    ]
    instants = [
        value
        for one in shown
        for name, value in one.items()
        if name.endswith(("_on", "_date")) and value is not None
    ]
    assert len(instants) >= 9
    pattern = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
    assert [value for value in instants if not pattern.fullmatch(value)] == []


def test_fields_that_the_interface_does_not_know_are_ignored(live):
    made = live.object("POST", "/projects", json=draft_body(unheard_of={"x": [1]}))
    assert "unheard_of" not in made


def test_every_field_of_a_create_is_kept(live):
    summary = {"name": "Rōpū", "address": "1 Te Ara", "latitude": -37, "longitude": 175}
    contact = {"name": "Hēmi", "role": "x", "phone": "1", "email": "h@x.example"}
    given = {
        "phase": "LODGED",
        "reference": "R-77",
        "iwi": ["ngati-tauira-ki-te-raki"],
        "organisation": summary,
        "contact": contact,
    }
    made = live.create(**given)
    kept = live.object("GET", f"/organisations/{made['organisation_id']}")
    assert (made["phase"], made["reference"]) == ("LODGED", "R-77")
    assert contact.items() <= kept["contacts"][0].items()
    assert made["organisation"]["name"] == "Rōpū"


def test_only_what_the_service_wants_is_required_of_a_project(live):
    required = (
        "name",
        "description",
        "type",
        "start_date",
        "end_date",
        "respond_by_date",
        "files",
        "draft",
    )
    answer = live.post("/projects", {})
    assert answer.json()["message"].split("; ") == [
        f"{name} is required" for name in required
    ]
    bare = {name: draft_body()[name] for name in required}
    assert live.post("/projects", bare).status_code == 200
