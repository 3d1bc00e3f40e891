"""Buying tokens as part of a submission."""

from functools import partial

import pytest

from kawe_twin.rules.project_send import pay
from kawe_twin.world.answers import Refusal
from twin.asking import AT_SEA, draft_body

NOW = "2026-11-21T00:00:00.000Z"


def pay_checkout(running, url):
    """Do what the portal does when a person pays."""
    work = partial(pay, checkout_id=url.rpartition("/")[2], now=NOW)
    return running._assembly.database.submit(work).result()


def test_paying_buys_the_tokens_and_sends_the_project(fresh_twin, ask_live):
    running = fresh_twin(tokens=0)
    asker = ask_live(running)
    made = asker.create(quantity=5, draft=False)
    before = asker.object("GET", f"/projects/{made['id']}")["status"]
    paid = pay_checkout(running, made["checkout_url"])
    after = asker.object("GET", f"/projects/{made['id']}")
    assert (before, after["status"], paid["project_status"]) == ("DRAFT", "NEW", "NEW")
    assert asker.balance() == 4
    team = asker.team()["id"]
    assert asker.object("GET", f"/team/{team}/invoices")["data"][0]["quantity"] == 5
    assert asker.object("GET", f"/team/{team}/receipts")["total"] == 1


def test_what_was_sent_meanwhile_is_not_sent_again(fresh_twin, ask_live):
    running = fresh_twin(tokens=1)
    asker = ask_live(running)
    made = asker.create(quantity=1, draft=False)
    asker.send(made["id"])
    pay_checkout(running, made["checkout_url"])
    logs = asker.object("GET", f"/projects/{made['id']}/logs")["data"]
    assert [one["action"] for one in logs].count("SENT") == 1
    assert asker.balance() == 1


def test_nothing_is_sold_for_a_project_that_nobody_would_get(live):
    body = draft_body(quantity=1, draft=False, **AT_SEA)
    assert live.post("/projects", body).status_code == 400


def test_an_iwi_is_asked_for_no_payment(iwi):
    made = iwi.create(quantity=1, draft=False)
    assert ("checkout_url" in made, made["status"]) == (False, "NEW")


def test_an_unknown_checkout_is_not_found(fresh_twin):
    with pytest.raises(Refusal, match="Not found"):
        pay_checkout(fresh_twin(), "/portal/checkout/unknown")
