"""What people do in the portal, page by page."""

from __future__ import annotations

import html
import re

import pytest

from twin.asking import AT_SEA, TWO_IWI, Asker, draft_body, fetch
from twin.visiting import Visitor, words

HOSTILE = "<script>alert(1)</script>\"'><b>&amp; \u202egpj.exe\u202c\x1b[31m"


@pytest.fixture
def visit():
    """Give a function that signs in at a twin."""
    made = []

    def sign_in(running):
        made.append(Visitor(running))
        made[-1].sign_in()
        return made[-1]

    yield sign_in
    for visitor in made:
        visitor.client.close()


@pytest.fixture
def visitor(visit, live, iwi):
    made = visit(live)
    made.team = f"/portal/accounts/{live.team()['id']}"
    made.inbox = f"/portal/accounts/{iwi.team()['id']}"
    return made


@pytest.fixture
def fresh(fresh_twin, ask_live, visit):
    """Give a function that starts a twin, with a key and a visitor of it."""

    def start(**options):
        running = fresh_twin(**options)
        return ask_live(running), visit(running)

    return start


def account_ids(visitor):
    return dict.fromkeys(
        re.findall(r"/portal/accounts/([0-9a-f-]{36})", visitor.get("/portal/").text)
    )


def test_the_first_page_names_every_account_with_macrons(visitor):
    shown = words(visitor.get("/portal/"))
    for name in ("Kaunihera o Tauira (twin)", "Te Rōpū Tauira Tuarua", "ki te Rāwhiti"):
        assert name in shown
    assert len(account_ids(visitor)) == 12


def test_tokens_are_bought_and_the_invoice_is_shown(fresh):
    asker, visitor = fresh(tokens=2)
    team = f"/portal/accounts/{asker.team()['id']}"
    invoice = visitor.follow(visitor.post(f"{team}/tokens", quantity="10"))
    shown = words(invoice)
    assert "Bought 10 tokens. The balance is now 12 tokens." in shown
    assert "Invoice KI-000001" in shown
    assert "$1,150.00 NZD" in shown
    assert asker.balance() == 12
    assert "KI-000001" in visitor.get(team).text


@pytest.mark.parametrize("quantity", ["", "3", "-5", "5.0", "²", "9" * 30, "10; DROP"])
def test_only_the_packs_of_the_interface_are_sold(visitor, live, quantity):
    before = live.balance()
    answer = visitor.post(f"{visitor.team}/tokens", quantity=quantity)
    assert (answer.status_code, live.balance()) == (400, before)


def test_iwi_are_sold_no_tokens(visitor):
    assert visitor.post(f"{visitor.inbox}/tokens", quantity="5").status_code == 404
    assert "Buy" not in words(visitor.get(visitor.inbox))


def test_a_key_is_made_with_the_scopes_ticked_and_shown_once(twin, visitor):
    answer = visitor.post(f"{visitor.team}/keys", scope=["iwi:read", "projects:read"])
    (secret,) = set(
        re.findall(r"kawe_live_[A-Za-z0-9]{32}", visitor.follow(answer).text)
    )
    asker = Asker(twin.address, secret)
    codes = [
        asker.get("/projects").status_code,
        asker.get("/organisations").status_code,
    ]
    refused = asker.post("/projects", draft_body()).status_code
    asker.client.close()
    assert (codes, refused) == ([200, 200], 403)
    assert secret not in visitor.get(f"{visitor.team}/keys").text


def test_a_key_is_revoked_at_once(twin, visitor):
    made = visitor.follow(visitor.post(f"{visitor.team}/keys", scope=["iwi:read"])).text
    secret = re.search(r"kawe_live_[A-Za-z0-9]{32}", made)[0]
    begins = secret[:16]
    key_id = re.search(
        rf'value="([0-9a-f-]{{36}})">\s*<button[^>]*>Revoke<[^>]*> the key {begins}',
        made,
    )[1]
    asker = Asker(twin.address, secret)
    before = asker.get("/user").status_code
    shown = words(
        visitor.follow(visitor.post(f"{visitor.team}/keys/revoke", key=key_id))
    )
    after = asker.get("/user").status_code
    asker.client.close()
    assert (before, after) == (200, 401)
    assert "The key is revoked." in shown
    assert visitor.post(f"{visitor.team}/keys/revoke", key=key_id).status_code == 404


def test_a_key_is_revoked_at_its_own_account_only(visitor):
    made = visitor.follow(visitor.post(f"{visitor.team}/keys", scope=["iwi:read"])).text
    key_id = re.search(r'name="key" value="([0-9a-f-]{36})"', made)[1]
    assert visitor.post(f"{visitor.inbox}/keys/revoke", key=key_id).status_code == 404


@pytest.mark.parametrize("scopes", [[], ["everything"], ["iwi:read", "<b>"]])
def test_a_key_without_scopes_or_with_unknown_ones_is_refused(visitor, scopes):
    assert visitor.post(f"{visitor.team}/keys", scope=scopes).status_code == 400


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


def test_an_organisation_cannot_complete(visitor, live):
    made = live.create()
    live.send(made["id"])
    path = f"/portal/projects/{made['id']}/complete"
    answer = visitor.post(path, **{"as": live.team()["id"]})
    assert answer.status_code == 403


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


def test_receipts_are_listed_and_fetched(visitor, live):
    made = live.create(name="Te Puna")
    live.send(made["id"])
    page = visitor.get(f"{visitor.team}/receipts")
    assert "Te Puna" in words(page)
    link = visitor.get(re.search(rf'"({visitor.team}/documents/[^"]+)"', page.text)[1])
    assert link.status_code == 303
    assert fetch(link.headers["location"]).content.startswith(b"%PDF")


def test_a_document_of_another_account_is_not_found(visitor, live, other):
    document_id = live.upload()
    path = f"/portal/accounts/{other.team()['id']}/documents/{document_id}"
    assert visitor.get(path).status_code == 404


@pytest.mark.parametrize(("draft", "status"), [(True, "DRAFT"), (False, "NEW")])
def test_a_checkout_is_paid_once_and_then_submits(fresh, draft, status):
    asker, visitor = fresh(tokens=0)
    body = draft_body(quantity=5, draft=draft)
    made = asker.object("POST", "/projects", json=body)
    path = made["checkout_url"].removeprefix(asker.address.api_url)
    assert "5 tokens" in words(visitor.get(path))
    shown = words(visitor.follow(visitor.post(path)))
    assert "This is paid." in shown
    assert visitor.post(path).status_code == 409
    assert asker.balance() == (5 if draft else 4)
    assert asker.object("GET", f"/projects/{made['id']}")["status"] == status
