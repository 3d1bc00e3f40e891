"""Faults of a service that breaks its own rules."""

from email.utils import parsedate_to_datetime

import pytest

from twin.asking import draft_body


def test_a_sent_project_is_sent_again_for_one_more_token(house):
    made = house.asker.create(reference="H-1")
    house.asker.send(made["id"])
    before = house.asker.balance()
    refused = house.asker.send(made["id"]).status_code
    house.board.set("no_conflict")
    again = house.asker.send(made["id"]).status_code
    state = house.owner.get("/_twin/state").json()
    (sends,) = [e["sends"] for e in state["projects"] if e["id"] == made["id"]]
    assert (refused, again, before - house.asker.balance(), sends) == (409, 200, 1, 2)


def test_a_draft_is_sent_once_where_nothing_is_refused(house):
    made = house.asker.create(reference="H-2")
    before = house.asker.balance()
    house.board.set("no_conflict")
    house.asker.send(made["id"])
    assert before - house.asker.balance() == 1


def test_no_project_has_a_status_alone_or_in_a_list(house):
    made = house.asker.create(reference="H-3")
    house.board.set("null_status")
    paths = [f"/projects/{made['id']}", "/projects?search=H-3"]
    alone, listed = [
        house.request("GET", path).json()["response_object"] for path in paths
    ]
    assert (alone["status"], [each["status"] for each in listed["data"]]) == (
        None,
        [None],
    )
    assert (alone["reference"], listed["total"]) == ("H-3", 1)


def test_a_refusal_has_no_status_to_lose(house):
    house.board.set("null_status")
    path = "/projects/024fe072-a543-478e-9763-dbb633556da1"
    assert house.request("GET", path).status_code == 404


def test_a_create_answers_with_the_id_of_the_project_before(house):
    first = house.asker.create(reference="H-4")
    house.board.set("reused_id")
    answer = house.create(reference="H-5").json()["response_object"]
    assert (answer["id"], answer["reference"]) == (first["id"], "H-5")
    assert house.projects("H-5") == 1


def test_a_refused_create_gives_no_id(house):
    house.board.set("reused_id")
    answer = house.request("POST", "/projects", json=draft_body(type="NONE"))
    assert answer.status_code == 400


@pytest.mark.parametrize("seconds", [-3600, 86_400])
def test_the_date_of_an_answer_is_another_hour(house, seconds):
    right = parsedate_to_datetime(house.request("GET", "/user").headers["date"])
    house.board.set("wrong_date", seconds=seconds)
    answer = house.request("GET", "/user")
    off = parsedate_to_datetime(answer.headers["date"]) - right
    assert answer.status_code == 200
    assert abs(off.total_seconds() - seconds) < 60


def test_429_comes_bare(house):
    house.board.set("rate_limited", "project_create", body="bare")
    answer = house.create(reference="H-7")
    assert (answer.status_code, answer.json()) == (
        429,
        {"error": "Too many requests. Back off."},
    )


def test_429_comes_as_plain_text(house):
    house.board.set("rate_limited", "project_create", body="text")
    answer = house.create(reference="H-6")
    assert answer.headers["content-type"].startswith("text/plain")
    assert (answer.status_code, answer.text, house.projects("H-6")) == (
        429,
        "Too many requests. Back off.",
        0,
    )


def test_a_draft_that_is_sent_at_once_costs_a_token_and_says_that_it_is_new(house):
    before = house.asker.balance()
    house.board.set("sent_at_once")
    made = house.create(reference="H-20").json()["response_object"]
    state = house.owner.get("/_twin/state").json()
    (sends,) = [e["sends"] for e in state["projects"] if e["id"] == made["id"]]
    assert (made["status"], sends, before - house.asker.balance()) == ("NEW", 1, 1)


@pytest.mark.parametrize(
    ("how", "kept"), [("lower", "h-ā21"), ("upper", "H-Ā21"), ("cut", "H-ā2")]
)
def test_a_reference_is_kept_and_shown_in_another_spelling(house, how, kept):
    house.board.set("other_reference", how=how)
    made = house.create(reference="H-ā21").json()["response_object"]
    house.board.clear()
    read = house.request("GET", f"/projects/{made['id']}").json()["response_object"]
    assert (made["reference"], read["reference"]) == (kept, kept)
