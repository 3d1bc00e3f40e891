"""Kinds of accounts: organisations and iwi; and what flags a key sees."""

from twin.asking import AT_SEA
from twin.test_threads import sent


def flags(asker, path):
    shown = asker.object("GET", path)
    return {name for name, on in shown.items() if name.startswith("can_") and on}


def test_an_iwi_can_write_to_an_organisation(iwi, live, other):
    team = live.team()
    made = iwi.create(recipient_team_id=team["id"], **AT_SEA)
    path = f"/projects/{made['id']}"
    before = live.get(path).status_code
    iwi.send(made["id"])
    shown = live.object("GET", path)
    assert (before, other.get(path).status_code) == (404, 404)
    assert shown["is_iwi_created"] is True
    assert shown["creator_iwi"]["name"] == "Ngāti Tauira ki te Raki"
    assert shown["recipient_team"] == {"id": team["id"], "name": team["name"]}
    receipts = iwi.object("GET", f"/team/{iwi.team()['id']}/receipts")
    assert receipts["data"][0]["project_name"] == made["name"]


def test_an_organisation_may_tell_another_team_beside_the_iwi(live, other, iwi):
    path = sent(live, recipient_team_id=other.team()["id"])
    assert [other.get(path).status_code, iwi.get(path).status_code] == [200, 200]


def test_nobody_hears_of_a_sandbox_project(sandbox, other, iwi):
    path = sent(sandbox, recipient_team_id=other.team()["id"])
    assert [other.get(path).status_code, iwi.get(path).status_code] == [404, 404]
    assert sandbox.object("GET", path)["status"] == "NEW"


def test_flags_follow_the_state_and_the_side(live, iwi):
    draft = f"/projects/{live.create()['id']}"
    running = sent(live)
    assert flags(live, draft) == {
        "can_edit",
        "can_send",
        "can_assign_sender",
        "can_add_notes",
    }
    assert flags(live, running) == {
        "can_respond",
        "can_assign_sender",
        "can_close",
        "can_download_receipt",
        "can_add_notes",
    }
    assert flags(iwi, running) == {
        "can_respond",
        "can_assign",
        "can_close",
        "can_add_notes",
    }


def test_flags_follow_what_the_key_may_do(live, key_with):
    draft, running = f"/projects/{live.create()['id']}", sent(live)
    reader = key_with("projects:read")
    assert [flags(reader, path) for path in (draft, running)] == [set(), set()]
    sender = key_with("projects:read", "projects:send", "files:read")
    assert flags(sender, draft) == {"can_send"}
    assert flags(sender, running) == {"can_download_receipt"}


def test_most_flags_are_not_enforced(live):
    path = sent(live)
    shown = live.object("GET", path)
    days = ("start_date", "end_date", "respond_by_date")
    body = {"name": "Hou", **{day: shown[day][:10] for day in days}}
    changed = live.object("PUT", path, json=body)
    assert (shown["can_edit"], changed["name"]) == (False, "Hou")
