"""The activity log and the documents of a project."""

from twin.asking import draft_body, owner_of
from twin.test_threads import respond, sent


def logged(asker, path):
    page = asker.object("GET", f"{path}/logs", params={"limit": 100})
    return [(one["action"], one["property"]) for one in page["data"]][::-1]


def test_every_action_of_a_project_is_logged_in_order(live, iwi):
    made = live.create(draft=False)
    path = f"/projects/{made['id']}"
    live.put(path, draft_body(name="Hou"))
    respond(iwi, path)
    note = live.object(
        "POST", f"{path}/notes", json={"content": "x", "meeting_type": None}
    )
    live.delete(f"{path}/notes/{note['id']}")
    live.put(f"{path}/close", {"all": True})
    live.put(f"{path}/reopen")
    iwi.put(f"{path}/complete", {})
    assert logged(live, path) == [
        ("CREATED", None),
        ("SENT", None),
        ("UPDATED", "name"),
        ("RESPONDED", None),
        ("CREATED", "note"),
        ("DELETED", "note"),
        ("CLOSED", None),
        ("REOPENED", None),
        ("COMPLETED", None),
    ]


def test_an_entry_says_who_did_what_from_what_to_what(live):
    path = sent(live)
    live.put(path, draft_body(name="Ingoa hou"))
    newest = live.object("GET", f"{path}/logs")["data"][0]
    assert {
        "action": "UPDATED",
        "resource": "PROJECT",
        "property": "name",
        "from": "Papa tākaro hou",
        "to": "Ingoa hou",
        "project_id": path.rpartition("/")[2],
        "created_by": {
            "first_name": "Aroha",
            "last_name": "Tauira",
            "profile_picture_url": None,
        },
    }.items() <= newest.items()


def test_what_happened_to_a_draft_is_not_told_to_iwi(live, iwi):
    made = live.create(name="Muna")
    path = f"/projects/{made['id']}"
    live.put(path, draft_body())
    live.send(made["id"])
    assert logged(live, path)[1] == ("UPDATED", "name")
    assert logged(iwi, path) == [("CREATED", None), ("SENT", None)]


def test_logs_and_documents_come_in_pages_of_ten(live):
    path = sent(live)
    for name in ("logs", "documents"):
        page = live.object("GET", f"{path}/{name}", params={"page": 9})
        assert (page["data"], page["limit"], page["page"]) == ([], 10, 9)
        assert page["total"] >= 1


def test_logs_and_documents_are_for_parties_alone(live, other):
    path = sent(live)
    codes = [other.get(f"{path}/{name}").status_code for name in ("logs", "documents")]
    assert codes == [404, 404]


def test_documents_are_those_of_the_project_and_its_thread(live, iwi):
    first, second = live.upload(name="Mahere.pdf"), iwi.upload(name="Utu.pdf")
    path = sent(live, files=[{"id": first}])
    respond(iwi, path, files=[{"id": second}])
    shown = live.object("GET", f"{path}/documents")["data"]
    assert {one["id"] for one in shown} >= {first, second}
    theirs = iwi.object("GET", f"{path}/documents")["data"]
    assert {one["id"] for one in theirs} == {first, second}


def test_a_receipt_is_a_document_of_the_sender_alone(live, iwi):
    path = sent(live)
    (receipt,) = live.object("GET", f"{path}/documents")["data"]
    assert receipt["mime_type"] == "application/pdf"
    assert iwi.object("GET", f"{path}/documents")["total"] == 0


def test_changes_of_a_team_are_logged_with_the_team_as_resource(running, asker):
    path = f"/team/{asker.team()['id']}"
    asker.put(f"{path}/name", {"name": "Hou"})
    asker.post("/groups", {"name": "Rōpū", "colour": "#fff", "memberIds": []})
    with owner_of(running) as owner:
        log = owner.get("/_twin/state").json()["team_log"]
    assert [(one["action"], one["property"], one["after"]) for one in log] == [
        ("UPDATED", "name", "Hou"),
        ("CREATED", "group", "Rōpū"),
    ]
