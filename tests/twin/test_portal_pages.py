"""Balances, keys, receipts and checkouts in the portal."""

import re

import pytest

from twin.asking import Asker, draft_body, fetch
from twin.visiting import words

HOSTILE = "<script>alert(1)</script>"


def account_ids(visitor):
    return dict.fromkeys(
        re.findall(r"/portal/accounts/([0-9a-f-]{36})", visitor.get("/portal/").text)
    )


def test_the_first_page_names_every_account_with_macrons(visitor):
    shown = words(visitor.get("/portal/"))
    for name in ("Kaunihera o Tauira (twin)", "Te Rōpū Tauira Tuarua", "ki te Rāwhiti"):
        assert name in shown
    # Twelve accounts, and the sandbox of the live team.
    assert len(account_ids(visitor)) == 13


def test_tokens_are_bought_and_the_invoice_is_shown(fresh):
    asker, visitor = fresh(tokens=2)
    team = f"/portal/accounts/{asker.team()['id']}"
    shown = words(visitor.follow(visitor.post(f"{team}/tokens", quantity="10")))
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


def test_receipts_are_listed_and_fetched(visitor, live):
    live.send(live.create(name="Te Puna")["id"])
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
    made = asker.object("POST", "/projects", json=draft_body(quantity=5, draft=draft))
    path = made["checkout_url"].removeprefix(asker.address.api_url)
    assert "5 tokens" in words(visitor.get(path))
    assert "This is paid." in words(visitor.follow(visitor.post(path)))
    assert visitor.post(path).status_code == 409
    assert asker.balance() == (5 if draft else 4)
    assert asker.object("GET", f"/projects/{made['id']}")["status"] == status


def test_an_invitation_is_accepted_in_somebodys_stead(visitor, live):
    body = {"name": HOSTILE, "email": "hine@tauira.example", "role": "MEMBER"}
    assert live.post("/user/invite", body).status_code == 200
    page = visitor.get(f"{visitor.team}/people").text
    invitation_id = re.search(r'name="invitation" value="([^"]+)"', page)[1]
    elsewhere = visitor.post(f"{visitor.inbox}/people", invitation=invitation_id)
    accepted = visitor.post(f"{visitor.team}/people", invitation=invitation_id)
    again = visitor.post(f"{visitor.team}/people", invitation=invitation_id)
    codes = [answer.status_code for answer in (elsewhere, accepted, again)]
    team = live.object("GET", f"/team/{live.team()['id']}")
    assert "<script" not in page
    assert codes == [404, 303, 409]
    assert "hine@tauira.example" in [one["email"] for one in team["users"]]
