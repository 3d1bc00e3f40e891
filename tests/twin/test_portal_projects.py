"""Projects and inboxes in the portal."""

import html
import re

import pytest

from twin.asking import AT_SEA, TWO_IWI
from twin.visiting import words

HOSTILE = "<script>alert(1)</script>\"'><b>&amp; \u202egpj.exe\u202c\x1b[31m"


def test_a_projects_page_lists_and_searches(visitor, live):
    live.create(name="Ōtāhuhu kura", reference="PORTAL-1")
    live.create(name="Another thing", reference="PORTAL-2")
    found = words(visitor.get(f"{visitor.team}/projects", params={"search": "otahuhu"}))
    assert "Ōtāhuhu kura" in found
    assert "PORTAL-1" in found
    assert "Another thing" not in found


@pytest.mark.parametrize("query", [{"page": "x"}, {"tab": "nonsense"}, {"page": "0"}])
def test_a_list_that_cannot_be_is_told(visitor, query):
    assert visitor.get(f"{visitor.team}/projects", params=query).status_code == 400


def test_a_page_past_the_end_is_empty(visitor):
    assert (
        visitor.get(f"{visitor.team}/projects", params={"page": "9999"}).status_code
        == 200
    )


def test_hostile_text_is_shown_as_text(visitor, live, iwi):
    made = live.create(
        name=HOSTILE, description=HOSTILE, reference=HOSTILE, address=HOSTILE
    )
    live.send(made["id"], message=HOSTILE)
    paths = [
        f"{visitor.team}/projects",
        f"{visitor.team}/receipts",
        f"/portal/projects/{made['id']}",
        f"/portal/projects/{made['id']}?as={iwi.team()['id']}",
        f"/portal/accounts/{iwi.team()['id']}/projects",
    ]
    for path in paths:
        shown = visitor.get(path).text
        assert "<script>alert" not in shown
        assert html.escape("<script>alert(1)</script>") in shown
        assert not re.search("[\u202a-\u202e\x1b]", shown)


def test_a_search_is_repeated_as_text(visitor):
    shown = visitor.get(
        f"{visitor.team}/projects", params={"search": '"><script>x'}
    ).text
    assert "<script" not in shown


def test_an_iwi_picks_up_responds_and_completes(visitor, live, iwi):
    made = live.create(name="Te Awa", reference="PORTAL-3")
    live.send(made["id"], message="Tēnā koutou")
    project, eyes = f"/portal/projects/{made['id']}", iwi.team()["id"]
    assert "Te Awa" in words(visitor.get(f"{visitor.inbox}/projects"))

    visitor.follow(visitor.post(f"{project}/pick-up", **{"as": eyes}))
    picked_up = iwi.object("GET", f"/projects/{made['id']}")["status"]
    said = "Ka pai.\r\n\r\nWe will visit."
    shown = visitor.follow(
        visitor.post(f"{project}/respond", **{"as": eyes, "message": said})
    )
    responded = live.object("GET", f"/projects/{made['id']}")["status"]
    visitor.follow(visitor.post(f"{project}/complete", **{"as": eyes, "message": ""}))
    completed = live.object("GET", f"/projects/{made['id']}")["status"]

    assert [picked_up, responded, completed] == [
        "AWAITING_RESPONSE",
        "IN_PROGRESS",
        "COMPLETE",
    ]
    assert "Ka pai. We will visit." in words(shown)
    thread = live.object("GET", f"/projects/{made['id']}/engagements")["data"]
    assert "Ka pai.\n\nWe will visit." in [entry["content"] for entry in thread]


def test_a_project_is_picked_up_once_and_by_iwi_only(visitor, live, iwi):
    made = live.create()
    live.send(made["id"])
    path = f"/portal/projects/{made['id']}/pick-up"
    codes = [
        visitor.post(path, **{"as": account}).status_code
        for account in (live.team()["id"], iwi.team()["id"], iwi.team()["id"])
    ]
    assert codes == [403, 303, 409]


def test_a_response_without_words_is_refused(visitor, live, iwi):
    made = live.create()
    live.send(made["id"])
    path = f"/portal/projects/{made['id']}/respond"
    answer = visitor.post(path, **{"as": iwi.team()["id"], "message": " \r\n "})
    assert answer.status_code == 400


def test_a_project_is_shown_to_its_parties_alone(visitor, live, other):
    made = live.create()
    path = f"/portal/projects/{made['id']}"
    assert visitor.get(path).status_code == 200
    assert visitor.get(f"{path}?as={other.team()['id']}").status_code == 404
    acted = visitor.post(f"{path}/send", **{"as": other.team()["id"], "message": "x"})
    assert acted.status_code == 404


def test_a_draft_is_sent_from_its_page(visitor, live):
    made = live.create()
    before = live.balance()
    path = f"/portal/projects/{made['id']}"
    shown = visitor.follow(
        visitor.post(f"{path}/send", **{"as": live.team()["id"], "message": "Kia ora"})
    )
    assert "The project is sent." in words(shown)
    assert live.balance() == before - 1
    again = visitor.post(f"{path}/send", **{"as": live.team()["id"], "message": "x"})
    assert (again.status_code, live.balance()) == (409, before - 1)


def test_the_sender_chooses_where_two_iwi_are_at_home(visitor, live):
    made = live.create(**TWO_IWI)
    path = f"/portal/projects/{made['id']}"
    choices = re.findall(r'name="iwi" value="([^"]+)"', visitor.get(path).text)
    assert choices == ["ngati-tauira-ki-te-upoko", "ngati-tauira-ki-te-whanga"]
    fields = {"as": live.team()["id"], "message": "Kia ora", "iwi": choices[1]}
    visitor.follow(visitor.post(f"{path}/send", **fields))
    sent = live.object("GET", f"/projects/{made['id']}")
    assert sent["iwi_name"] == "Ngāti Tauira ki te Whanga"


def test_where_no_iwi_is_at_home_all_can_be_chosen(visitor, live):
    made = live.create(**AT_SEA)
    shown = visitor.get(f"/portal/projects/{made['id']}").text
    assert len(re.findall('name="iwi" value=', shown)) == 9


def test_without_tokens_a_send_is_refused_and_the_draft_stays(fresh):
    asker, visitor = fresh(tokens=0)
    made = asker.create()
    fields = {"as": asker.team()["id"], "message": "Kia ora"}
    answer = visitor.post(f"/portal/projects/{made['id']}/send", **fields)
    assert answer.status_code == 402
    assert "Tokens must be purchased" in words(answer)
    assert asker.object("GET", f"/projects/{made['id']}")["status"] == "DRAFT"


def test_notes_are_shown_to_their_own_team_only(visitor, live, iwi):
    made = live.create()
    live.send(made["id"])
    note = {"content": "For our eyes", "meeting_type": "PHONE_CALL"}
    assert live.post(f"/projects/{made['id']}/notes", note).status_code == 200
    path = f"/portal/projects/{made['id']}"
    ours = words(visitor.get(path))
    theirs = words(visitor.get(f"{path}?as={iwi.team()['id']}"))
    assert ("For our eyes" in ours, "For our eyes" in theirs) == (True, False)
