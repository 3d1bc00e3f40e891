"""Notes: for one's own team, changed by their author alone, never unlogged."""

import pytest

from twin.asking import owner_of
from twin.test_threads import sent

NOTE = {"content": "I waea atu ahau", "meeting_type": "PHONE_CALL"}


def note(asker, path, **changes):
    return asker.object("POST", f"{path}/notes", json={**NOTE, **changes})


def test_a_note_is_seen_by_its_team_alone(live, iwi):
    path = sent(live)
    made = note(live, path)
    assert NOTE.items() <= made.items()
    assert made["is_internal"] is True
    assert live.object("GET", f"{path}/engagements")["data"][0] == made
    theirs = iwi.object("GET", f"{path}/engagements")
    assert (theirs["total"], len(theirs["data"])) == (1, 1)


def test_a_note_tells_nobody(live, iwi):
    path = sent(live)
    before = iwi.object("GET", path), iwi.object("GET", f"{path}/logs")
    note(live, path)
    assert (iwi.object("GET", path), iwi.object("GET", f"{path}/logs")) == before


def test_notes_are_free_and_may_be_on_a_draft(fresh_twin, ask_live):
    asker = ask_live(fresh_twin(tokens=0))
    path = f"/projects/{asker.create()['id']}"
    assert note(asker, path, meeting_type=None)["meeting_type"] is None


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({}, "content is required; meeting_type is required"),
        ({**NOTE, "content": ""}, "content must have at least 1 character"),
        (
            {**NOTE, "meeting_type": "HUI"},
            (
                "meeting_type must be one of"
                " PHONE_CALL, VIDEO_CALL, IN_PERSON, EMAIL, OTHER"
            ),
        ),
    ],
)
def test_a_note_needs_content_and_a_meeting_type(live, body, says):
    answer = live.post(f"{sent(live)}/notes", body)
    assert (answer.status_code, answer.json()["message"]) == (400, says)


def test_an_edit_replaces_content_and_meeting_type_and_is_logged(live):
    path = sent(live)
    made = note(live, path)
    body = {"content": "Hou", "meeting_type": "EMAIL"}
    changed = live.object("PUT", f"{path}/notes/{made['id']}", json=body)
    assert body.items() <= changed.items()
    assert changed["created_on"] == made["created_on"]
    log = live.object("GET", f"{path}/logs")["data"][0]
    assert (log["action"], log["property"]) == ("UPDATED", "note")
    assert (log["from"], log["to"]) == (NOTE["content"], "Hou")


def test_a_deleted_note_is_gone_and_its_deletion_stays_in_the_log(live, iwi):
    path = sent(live)
    made = note(live, path)
    at = f"{path}/notes/{made['id']}"
    assert live.object("DELETE", at) is True
    assert [live.delete(at).status_code, live.put(at, NOTE).status_code] == [404, 404]
    assert live.object("GET", f"{path}/engagements")["total"] == 1
    log = live.object("GET", f"{path}/logs")["data"][0]
    assert (log["action"], log["property"]) == ("DELETED", "note")
    assert "DELETED" not in [
        one["action"] for one in iwi.object("GET", f"{path}/logs")["data"]
    ]


def test_only_its_author_may_change_or_remove_a_note(running, asker, ask_live):
    path = sent(asker)
    made = note(asker, path)
    with_other_person = ask_live(running, key=key_of_wiremu(running, asker))
    at = f"{path}/notes/{made['id']}"
    codes = [
        with_other_person.put(at, NOTE).status_code,
        with_other_person.delete(at).status_code,
    ]
    assert codes == [403, 403]
    assert asker.object("GET", f"{path}/engagements")["data"][0] == made


def key_of_wiremu(running, asker):
    """Make Wiremu the team's only owner, and give a key of his."""
    team = asker.object("GET", f"/team/{asker.team()['id']}")
    ids = {one["first_name"]: one["id"] for one in team["users"]}
    path = f"/team/{team['id']}/role"
    for name, role in (("Wiremu", "OWNER"), ("Aroha", "MEMBER")):
        asker.object("PUT", path, json={"user_id": ids[name], "role": role})
    with owner_of(running) as owner:
        made = owner.post("/_twin/keys", json={"account_id": team["id"]})
    return made.json()["key"]


def test_the_other_side_does_not_find_a_note(live, iwi):
    path = sent(live)
    at = f"{path}/notes/{note(live, path)['id']}"
    assert [iwi.put(at, NOTE).status_code, iwi.delete(at).status_code] == [404, 404]


def test_a_response_can_never_be_changed_or_removed(live, iwi):
    path = sent(live)
    (response,) = live.object("GET", f"{path}/engagements")["data"]
    at = f"{path}/notes/{response['id']}"
    codes = [
        asker.ask(method, at, json=NOTE).status_code
        for asker in (live, iwi)
        for method in ("PUT", "DELETE")
    ]
    assert codes == [403] * 4
    assert live.object("GET", f"{path}/engagements")["data"] == [response]


def test_a_note_belongs_to_the_project_of_its_path(live):
    path = sent(live)
    at = f"{sent(live)}/notes/{note(live, path)['id']}"
    assert live.put(at, NOTE).status_code == 404
