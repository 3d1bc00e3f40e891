"""Assigning a project, and groups that it can be assigned to."""

import uuid

import pytest

from twin.test_threads import sent

NOBODY = str(uuid.uuid4())


def members(asker):
    team = asker.object("GET", f"/team/{asker.team()['id']}")
    return {one["first_name"]: one["id"] for one in team["users"]}


def group(asker, **changes):
    body = {"name": "Kaitiaki", "colour": "#1b5e20", "memberIds": [], **changes}
    return asker.object("POST", "/groups", json=body)


def test_a_sender_assigns_on_its_own_side(live):
    path, wiremu = sent(live), members(live)["Wiremu"]
    after = live.object("PUT", f"{path}/assign", json={"user_id": wiremu.upper()})
    assert after["sender_assigned_to"] == {
        "first_name": "Wiremu",
        "last_name": "Tauira",
        "profile_picture_url": None,
    }
    assert after["assigned_to"] is None


def test_an_iwi_assigns_on_the_recipients_side(live, iwi):
    path, keeper = sent(live), members(iwi)["Kaitiaki"]
    body = {"user_id": keeper, "side": "recipient"}
    assert iwi.put(f"{path}/assign", body).status_code == 200
    shown = live.object("GET", path)
    assert shown["assigned_to"]["first_name"] == "Kaitiaki"
    assert shown["sender_assigned_to"] is None
    log = live.object("GET", f"{path}/logs")["data"][0]
    assert (log["property"], log["to"]) == ("status", "AWAITING_RESPONSE")


def test_nobody_assigns_for_the_other_side(live, iwi):
    path = sent(live)
    codes = [
        live.put(f"{path}/assign", {"user_id": None, "side": "recipient"}).status_code,
        iwi.put(f"{path}/assign", {"user_id": None, "side": "sender"}).status_code,
    ]
    assert codes == [403, 403]


def test_null_unassigns_and_a_group_left_out_stays(live):
    path, made = sent(live), group(live)
    body = {"user_id": members(live)["Wiremu"], "group_id": made["id"]}
    live.put(f"{path}/assign", body)
    after = live.object("PUT", f"{path}/assign", json={"user_id": None})
    shown = {"id": made["id"], "name": "Kaitiaki", "colour": "#1b5e20"}
    assert (after["sender_assigned_to"], after["sender_assigned_to_group"]) == (
        None,
        shown,
    )
    body = {"user_id": None, "group_id": None}
    gone = live.object("PUT", f"{path}/assign", json=body)
    assert gone["sender_assigned_to_group"] is None


def test_only_ones_own_people_and_groups_can_be_assigned(live, iwi):
    body = {"user_id": members(iwi)["Kaitiaki"], "group_id": group(iwi)["id"]}
    answer = live.put(f"{sent(live)}/assign", body)
    assert answer.json()["message"].split("; ") == [
        "user_id must be a member of your team",
        "group_id must be a group of your team",
    ]


def test_a_user_must_be_named_even_if_it_is_nobody(live):
    answer = live.put(f"{sent(live)}/assign", {"side": "boss"})
    assert answer.json()["message"].split("; ") == [
        "user_id is required",
        "side must be one of recipient, sender",
    ]


def test_assigned_projects_are_found_by_their_person(live):
    path, marama = sent(live), members(live)["Mārama"]
    live.put(f"{path}/assign", {"user_id": marama})
    page = live.object("GET", "/projects", params={"assigned_to": marama.upper()})
    assert f"/projects/{page['data'][0]['id']}" == path


def test_an_assignment_is_logged_by_name(live):
    path = sent(live)
    for name in ("Wiremu", "Aroha"):
        live.put(f"{path}/assign", {"user_id": members(live)[name]})
    log = live.object("GET", f"{path}/logs")["data"][0]
    assert (log["action"], log["property"]) == ("UPDATED", "sender_assigned_to")
    assert (log["from"], log["to"]) == ("Wiremu Tauira", "Aroha Tauira")


def test_a_group_is_shown_with_member_ids_and_asked_with_memberids(live):
    people = members(live)
    ids = [people["Aroha"], people["Wiremu"].upper(), people["Aroha"]]
    made = group(live, memberIds=ids, description="Ngā kaitiaki")
    assert set(made["member_ids"]) == {people["Aroha"], people["Wiremu"]}
    assert len(made["member_ids"]) == 2
    assert made["description"] == "Ngā kaitiaki"
    assert made in live.object("GET", "/groups")


def test_a_group_takes_american_spelling_too(live):
    body = {"name": "x", "color": "#fff", "memberIds": []}
    assert live.object("POST", "/groups", json=body)["colour"] == "#fff"


def test_a_group_can_be_changed_and_deleted(live):
    made = group(live, memberIds=[members(live)["Aroha"]])
    path = f"/groups/{made['id']}"
    body = {"name": "Hou", "colour": "#000000", "memberIds": []}
    changed = live.object("PUT", path, json=body)
    assert (changed["name"], changed["member_ids"]) == ("Hou", [])
    assert changed["created_on"] == made["created_on"]
    assert live.object("DELETE", path) is True
    codes = [live.delete(path).status_code, live.put(path, body).status_code]
    assert codes == [404, 404]
    assert made["id"] not in [one["id"] for one in live.object("GET", "/groups")]


def test_a_deleted_group_leaves_its_projects_without_one(live):
    path, made = sent(live), group(live)
    live.put(f"{path}/assign", {"user_id": None, "group_id": made["id"]})
    live.delete(f"/groups/{made['id']}")
    assert live.object("GET", path)["sender_assigned_to_group"] is None


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": ""}, "name must have at least 1 character"),
        ({"name": "ā" * 121}, "name must have at most 120 characters"),
        ({"description": "x" * 501}, "description must have at most 500 characters"),
        ({"colour": "kākāriki"}, "colour must be a colour in hex form, #1b5e20"),
        ({"memberIds": [NOBODY]}, "memberIds[0] must be a member of your team"),
        ({"memberIds": None}, "memberIds must be a list"),
    ],
)
def test_a_group_keeps_its_bounds(live, changes, says):
    body = {"name": "x", "colour": "#fff", "memberIds": [], **changes}
    assert live.post("/groups", body).json()["message"] == says


def test_the_longest_group_is_taken(live):
    made = group(live, name="ā" * 120, description="ō" * 500)
    assert (len(made["name"]), len(made["description"])) == (120, 500)


def test_groups_are_for_the_team_that_made_them(live, other):
    path = f"/groups/{group(live)['id']}"
    body = {"name": "x", "colour": "#fff", "memberIds": []}
    codes = [other.put(path, body).status_code, other.delete(path).status_code]
    assert (codes, other.object("GET", "/groups")) == ([404, 404], [])
