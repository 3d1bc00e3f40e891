"""Renaming a team, roles, and removing members; what only owners may do."""

import uuid

import pytest

from twin.asking import AT_SEA
from twin.test_assigning import members
from twin.test_notes import NOTE, key_of_wiremu, note
from twin.test_people import person
from twin.test_threads import sent


@pytest.fixture
def iwi(running, ask_live):
    return ask_live(running, key=running.address.iwi_key)


@pytest.fixture
def wiremu(running, asker, ask_live):
    """Give a key of Wiremu's, who has become the team's only owner."""
    return ask_live(running, key=key_of_wiremu(running, asker))


@pytest.fixture
def team(asker):
    return f"/team/{asker.team()['id']}"


def test_a_new_name_shows_on_projects_already_sent(asker, team, iwi):
    path = sent(iwi, recipient_team_id=asker.team()["id"], **AT_SEA)
    assert asker.object("PUT", f"{team}/name", json={"name": "Ingoa Hōu"}) is True
    assert asker.team()["name"] == "Ingoa Hōu"
    for one in (asker, iwi):
        assert one.object("GET", path)["recipient_team"]["name"] == "Ingoa Hōu"


def test_a_role_and_its_details_can_be_changed(asker, team):
    body = {
        "user_id": members(asker)["Wiremu"].upper(),
        "role": "OWNER",
        "org_role": "Kaiwhakahaere",
    }
    assert asker.object("PUT", f"{team}/role", json=body) is True
    (shown,) = [
        one
        for one in asker.object("GET", team)["users"]
        if one["first_name"] == "Wiremu"
    ]
    assert (shown["role"], shown["org_role"]) == ("OWNER", "Kaiwhakahaere")
    assert shown["org_department"] is None


def test_a_team_keeps_at_least_one_owner(asker, team):
    aroha = members(asker)["Aroha"]
    codes = [
        asker.put(f"{team}/role", {"user_id": aroha, "role": "MEMBER"}).status_code,
        asker.delete(f"{team}/revoke", json={"user_id": aroha}).status_code,
    ]
    assert (codes, members(asker)["Aroha"]) == ([409, 409], aroha)


def test_what_only_owners_may_do_is_refused_to_members(running, asker, team):
    asker.post("/user/invite", person())
    invitation = asker.object("GET", team)["invitations"][0]["id"]
    key_of_wiremu(running, asker)
    wiremu = members(asker)["Wiremu"]
    codes = [
        asker.put(f"{team}/name", {"name": "x"}).status_code,
        asker.put(f"{team}/role", {"user_id": wiremu, "role": "MEMBER"}).status_code,
        asker.delete(f"{team}/revoke", json={"user_id": wiremu}).status_code,
        asker.post("/user/invite", person()).status_code,
        asker.post("/user/invite/bulk", {"invitations": [person()]}).status_code,
        asker.put(f"/user/invitation/{invitation}/resend").status_code,
        asker.put(f"/user/invitation/{invitation}/expire").status_code,
    ]
    assert codes == [403] * 7
    assert asker.team()["role"] == "MEMBER"


def test_a_member_may_create_send_respond_note_group_and_read(running, asker, team):
    key_of_wiremu(running, asker)
    path = sent(asker)
    body = {"name": "x", "colour": "#fff", "memberIds": []}
    codes = [
        asker.put(f"{path}/respond", {"message": "x", "files": []}).status_code,
        asker.post(f"{path}/notes", NOTE).status_code,
        asker.post("/groups", body).status_code,
        asker.get(f"{team}/receipts").status_code,
        asker.get(f"{team}/reports").status_code,
    ]
    assert codes == [200] * 5


def test_a_removed_member_is_gone_and_what_they_did_stays(asker, team, wiremu):
    path = sent(asker)
    made = note(asker, path)
    aroha = members(asker)["Aroha"]
    assert wiremu.object("DELETE", f"{team}/revoke", json={"user_id": aroha}) is True
    assert "Aroha" not in members(wiremu)
    thread = wiremu.object("GET", f"{path}/engagements")["data"]
    assert thread[0] == made
    assert [one["created_by"]["first_name"] for one in thread] == ["Aroha", "Aroha"]


def test_keys_of_a_removed_member_stay_valid_until_revoked(asker, team, wiremu):
    wiremu.delete(f"{team}/revoke", json={"user_id": members(asker)["Aroha"]})
    codes = [asker.send(asker.create()["id"]).status_code, asker.get(team).status_code]
    assert codes == [200, 200]


def test_a_removed_member_leaves_the_groups(asker, team):
    marama = members(asker)["Mārama"]
    body = {"name": "x", "colour": "#fff", "memberIds": [marama]}
    asker.post("/groups", body)
    asker.delete(f"{team}/revoke", json={"user_id": marama})
    (shown,) = asker.object("GET", "/groups")
    assert shown["member_ids"] == []


def test_somebody_outside_the_team_is_no_member(asker, team):
    nobody = str(uuid.uuid4())
    answers = [
        asker.put(f"{team}/role", {"user_id": nobody, "role": "OWNER"}),
        asker.delete(f"{team}/revoke", json={"user_id": nobody}),
    ]
    assert [one.json()["message"] for one in answers] == [
        "user_id must be a member of your team"
    ] * 2


def test_another_team_is_not_found(asker, iwi):
    team = f"/team/{iwi.team()['id']}"
    keeper = members(iwi)["Kaitiaki"]
    codes = [
        asker.put(f"{team}/name", {"name": "x"}).status_code,
        asker.put(f"{team}/role", {"user_id": keeper, "role": "OWNER"}).status_code,
        asker.delete(f"{team}/revoke", json={"user_id": keeper}).status_code,
    ]
    assert codes == [404] * 3


def test_an_iwi_is_not_renamed(iwi):
    answer = iwi.put(f"/team/{iwi.team()['id']}/name", {"name": "x"})
    assert (answer.status_code, iwi.team()["name"]) == (403, "Ngāti Tauira ki te Raki")
