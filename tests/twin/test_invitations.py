"""One invitation: read, sent again, ended, accepted."""

from twin.asking import owner_of
from twin.test_people import person


def invited(asker, **changes):
    asker.post("/user/invite", person(**changes))
    return newest(asker)


def newest(asker):
    return asker.object("GET", f"/team/{asker.team()['id']}")["invitations"][0]


def accept(running, invitation):
    with owner_of(running) as owner:
        body = {"invitation_id": invitation["id"]}
        return owner.post("/_twin/invitations/accept", json=body)


def test_an_invitation_names_its_team_and_role(asker):
    made = invited(asker, role="OWNER")
    team = asker.team()
    assert asker.object("GET", f"/user/invitation/{made['id']}") == {
        "team": {"id": team["id"], "name": team["name"]},
        "iwi": None,
        "role": "OWNER",
    }


def test_an_invitation_of_an_iwi_names_the_iwi(running, ask_live):
    iwi = ask_live(running, key=running.address.iwi_key)
    shown = iwi.object("GET", f"/user/invitation/{invited(iwi)['id']}")
    assert (shown["team"], shown["iwi"]["name"]) == (None, "Ngāti Tauira ki te Raki")


def test_an_expired_invitation_frees_its_address(asker):
    made = invited(asker)
    path = f"/user/invitation/{made['id']}"
    said = [asker.object("PUT", f"{path}/expire") for _ in range(2)]
    assert (said, newest(asker)["status"]) == ([True, True], "EXPIRED")
    assert asker.post("/user/invite", person(email=made["email"])).status_code == 200


def test_a_resent_invitation_is_pending_for_longer(asker):
    made = invited(asker)
    path = f"/user/invitation/{made['id']}"
    asker.put(f"{path}/expire")
    assert asker.object("PUT", f"{path}/resend") is True
    again = newest(asker)
    assert (again["id"], again["status"]) == (made["id"], "PENDING")
    assert again["expired_on"] > made["expired_on"]


def test_an_expired_invitation_is_not_resent_beside_a_pending_one(asker):
    made = invited(asker)
    asker.put(f"/user/invitation/{made['id']}/expire")
    invited(asker, email=made["email"])
    assert asker.put(f"/user/invitation/{made['id']}/resend").status_code == 409


def test_an_accepted_invitation_conflicts_with_being_resent_or_expired(running, asker):
    made = invited(asker, name="Hēmi Tauira", org_role="Kaimahi")
    accepted = accept(running, made)
    path = f"/user/invitation/{made['id']}"
    codes = [asker.put(f"{path}/{act}").status_code for act in ("resend", "expire")]
    team = asker.object("GET", f"/team/{asker.team()['id']}")
    (joined,) = [one for one in team["users"] if one["email"] == made["email"]]
    assert (codes, newest(asker)["status"]) == ([409, 409], "ACCEPTED")
    assert joined["id"] == accepted.json()["user_id"]
    assert (joined["first_name"], joined["last_name"]) == ("Hēmi", "Tauira")
    assert (joined["role"], joined["org_role"]) == ("MEMBER", "Kaimahi")
    assert asker.post("/user/invite", person(email=made["email"])).status_code == 409


def test_an_invitation_is_accepted_once_and_not_after_its_end(running, asker):
    made, ended = invited(asker), invited(asker)
    asker.put(f"/user/invitation/{ended['id']}/expire")
    codes = [accept(running, one).status_code for one in (made, made, ended)]
    assert [*codes, accept(running, {"id": "x"}).status_code] == [200, 409, 409, 404]


def test_invitations_are_for_the_team_that_made_them(live, other):
    made = invited(live)
    path = f"/user/invitation/{made['id']}"
    codes = [
        other.get(path).status_code,
        other.put(f"{path}/resend").status_code,
        other.put(f"{path}/expire").status_code,
    ]
    assert codes == [404] * 3
