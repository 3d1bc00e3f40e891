"""A live team may have sandbox keys: what they make lies apart and costs nothing."""

import pytest

from twin.asking import TWO_IWI

ORGANISATION = {
    "name": "Rōpū",
    "address": "1 Te Ara",
    "latitude": -36.85,
    "longitude": 174.76,
}


@pytest.fixture
def pair(fresh_twin, ask_live):
    """Give a live key and a sandbox key of one team, which has no tokens."""
    running = fresh_twin(tokens=0)
    return ask_live(running), ask_live(running, key=running.address.test_key)


def names(asker):
    return [one["name"] for one in asker.object("GET", "/projects")["data"]]


def test_switching_the_key_changes_neither_address_nor_team(pair):
    live, test = pair
    assert (test.team(), "_test_" in test.key) == (live.team(), True)
    team = f"/team/{live.team()['id']}"
    assert test.object("GET", team) == live.object("GET", team)


def test_each_key_sees_the_projects_of_its_own_kind(pair):
    live, test = pair
    ours, tried = live.create(name="Ours"), test.create(name="Tried")
    crossed = [
        asker.get(f"/projects/{project['id']}").status_code
        for asker, project in ((live, tried), (test, ours))
    ]
    sent = live.put(f"/projects/{tried['id']}/send", {"message": "Kia ora"})
    assert (names(live), names(test), crossed, sent.status_code) == (
        ["Ours"],
        ["Tried"],
        [404, 404],
        404,
    )


def test_a_sandbox_send_takes_no_token_and_reaches_no_iwi(pair, ask_live):
    live, test = pair
    iwi = ask_live(test, key=test.address.iwi_key)
    codes = [asker.send(asker.create()["id"]).status_code for asker in pair]
    team = f"/team/{live.team()['id']}"
    receipts = [asker.object("GET", f"{team}/receipts")["total"] for asker in pair]
    assert (codes, receipts, live.balance(), names(iwi)) == ([402, 200], [0, 1], 0, [])


def test_files_of_one_kind_go_with_projects_of_that_kind(pair):
    live, test = pair
    document = test.upload(b"abc")
    body = {"files": [{"id": document}]}
    assert (live.post("/upload/complete", {"documentId": document}).status_code) == 404
    assert test.create(**body)["id"]


def test_organisations_and_groups_are_the_teams_own(pair):
    live, test = pair
    made = test.create(organisation=ORGANISATION, **TWO_IWI)
    assert (
        [one["id"] for one in live.object("GET", "/organisations")["data"]],
        live.create(organisation_id=made["organisation_id"])["organisation"]["name"],
        test.object("GET", "/groups"),
    ) == ([made["organisation_id"]], "Rōpū", live.object("GET", "/groups"))


def test_a_sandbox_key_goes_on_after_a_restart(fresh_twin, ask_live):
    running = fresh_twin()
    key = running.address.test_key
    ask_live(running, key=key).create(name="Tried")
    running.stop()
    again = fresh_twin()
    assert (
        names(ask_live(again, key=key)),
        names(ask_live(again, key=again.address.test_key)),
        names(ask_live(again)),
    ) == (["Tried"], ["Tried"], [])


def test_an_owner_makes_keys_of_either_kind_in_the_portal(visitor):
    for kind in ("live", "sandbox"):
        answer = visitor.post(f"{visitor.team}/keys", scope=["iwi:read"], kind=kind)
        shown = visitor.follow(answer).text
        assert f"kawe_{'test' if kind == 'sandbox' else 'live'}_" in shown
    refused = visitor.post(f"{visitor.inbox}/keys", scope=["iwi:read"], kind="sandbox")
    assert refused.status_code == 400


def test_the_portal_shows_the_sandbox_of_a_team(visit, pair):
    _, test = pair
    test.create(name="Whakamātau")
    visitor = visit(test)
    home = visitor.get("/portal/").text
    assert "Sandbox of a live team" in home
    (link,) = {
        part.partition('"')[0]
        for part in home.partition("Sandbox of a live team")[0].split('<a href="')[-1:]
    }
    pages = [visitor.get(link), visitor.get(link.replace("projects", "receipts"))]
    assert ["Whakamātau" in page.text for page in pages] == [True, False]
    assert {page.status_code for page in pages} == {200}
