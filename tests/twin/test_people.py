"""Users, teams and invitations."""

import uuid

import pytest

from twin.asking import Asker


def person(**changes):
    email = f"{uuid.uuid4().hex}@tauira.example"
    return {"name": "Anahera", "email": email, "role": "MEMBER", **changes}


def test_an_organisation_key_names_its_team_and_balance(live):
    team = live.team()
    assert (team["name"], team["role"]) == ("Kaunihera o Tauira (twin)", "OWNER")
    assert team["account"]["sandbox"] is False


def test_a_sandbox_key_says_that_it_is_one(sandbox):
    assert sandbox.team()["account"]["sandbox"] is True


def test_an_iwi_key_names_its_iwi_and_no_team(iwi):
    user = iwi.object("GET", "/user")
    assert user["teams"] == []
    assert user["iwi"][0]["slug"] == "ngati-tauira-ki-te-raki"


def test_a_team_shows_members_and_invitations_to_itself_alone(live, other):
    path = f"/team/{live.team()['id']}"
    names = {one["first_name"] for one in live.object("GET", path)["users"]}
    assert names >= {"Aroha", "Mārama", "Wiremu"}
    assert "Hana" not in names
    assert other.get(path).status_code == 404


def test_an_invitation_is_pending_with_its_details(live):
    body = person(name="Hēmi", org_role="Kaiwhakamahere")
    assert live.object("POST", "/user/invite", json=body) is True
    team = live.object("GET", f"/team/{live.team()['id']}")
    (made,) = [one for one in team["invitations"] if one["email"] == body["email"]]
    assert {**body, "status": "PENDING"}.items() <= made.items()
    assert made["expired_on"] > made["created_on"]


def test_inviting_twice_or_a_member_conflicts(live):
    body = person()
    codes = [live.post("/user/invite", body).status_code for _ in range(2)]
    member = live.post("/user/invite", person(email="Wiremu@Tauira.example"))
    assert [*codes, member.status_code] == [200, 409, 409]


@pytest.mark.parametrize("email", ["", "hana", "hana@", "@x.example", "a b@x.example"])
def test_an_address_that_is_none_gets_400(live, email):
    answer = live.post("/user/invite", person(email=email, role="BOSS"))
    assert answer.status_code == 400
    assert "role must be one of" in answer.json()["message"]
    assert "email must be an email address" in answer.json()["message"]


def test_a_bulk_invitation_judges_each_row_by_itself(live):
    new, again = person(), person(email="no address")
    rows = [new, person(email="MARAMA@tauira.example"), again, {**new, "name": "Again"}]
    said = live.object("POST", "/user/invite/bulk", json={"invitations": rows})
    assert [one["status"] for one in said["results"]] == [
        "INVITED",
        "SKIPPED",
        "FAILED",
        "SKIPPED",
    ]
    counts = [said[f"{kind}_count"] for kind in ("invited", "skipped", "failed")]
    assert counts == [1, 2, 1]
    assert [bool(one["invitation_id"]) for one in said["results"]] == [
        True,
        False,
        False,
        False,
    ]


def test_running_a_bulk_invitation_again_is_safe(live):
    rows = {"invitations": [person() for _ in range(5)]}
    first = live.object("POST", "/user/invite/bulk", json=rows)
    second = live.object("POST", "/user/invite/bulk", json=rows)
    assert (first["invited_count"], second["invited_count"]) == (5, 0)
    assert second["skipped_count"] == 5


def test_a_row_without_its_fields_stops_the_whole_bulk_invitation(live):
    answer = live.post("/user/invite/bulk", {"invitations": [person(), {"name": "x"}]})
    assert answer.json()["message"] == (
        "invitations[1].email is required; invitations[1].role is required"
    )


def test_invitations_of_one_team_do_not_stand_in_anothers_way(live, other):
    body = person()
    codes = [asker.post("/user/invite", body).status_code for asker in (live, other)]
    assert codes == [200, 200]


def test_old_keys_work_beside_new_ones_after_a_restart(fresh_twin, ask_live):
    first = fresh_twin()
    first.stop()
    second = fresh_twin()
    old = Asker(second.address, first.address.live_key)
    codes = [old.get("/user").status_code, ask_live(second).get("/user").status_code]
    old.client.close()
    assert codes == [200, 200]
    assert first.address.live_key != second.address.live_key
