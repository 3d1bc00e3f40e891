"""Wrong answers, bent lists, and the faults of the storage origin."""

import time

import httpx
import pytest

from twin.asking import fetch, post_file
from twin.failing import ENDED, RESET


@pytest.mark.parametrize("status_code", [200, 502])
def test_a_gateway_answers_with_a_page(house, status_code):
    house.board.set("gateway_page", "project_create", status_code=status_code)
    answer = house.create(reference=f"F-5-{status_code}")
    assert answer.status_code == status_code
    assert answer.headers["content-type"].startswith("text/html")
    assert house.projects(f"F-5-{status_code}") == 1


@pytest.mark.parametrize(
    ("how", "begins"),
    [
        ("cut", '{"success":true'),
        ("empty", ""),
        ("list", "[{"),
        ("no_envelope", '{"id"'),
        ("not_json", "OK, thank you"),
        ("not_success", '{"success": false'),
    ],
)
def test_json_is_wrong_in_every_way_while_the_work_is_done(house, how, begins):
    house.board.set("wrong_json", "project_create", how=how)
    answer = house.create(reference=f"F-6-{how}")
    assert (answer.status_code, answer.text[: len(begins)]) == (200, begins)
    assert answer.headers["content-length"] == str(len(answer.content))
    assert house.projects(f"F-6-{how}") == 1


def test_one_value_of_an_answer_is_altered(house):
    house.board.set("altered", "project_create", path="response_object.status")
    path = "response_object.teams.0.current_credit_balance"
    house.board.set("altered", "user_read", path=path, value=999_999)
    house.board.set("altered", "iwi_search", path="response_object.nowhere.0", value=1)
    made = house.create(reference="F-7").json()["response_object"]
    assert (made["status"], made["reference"]) == (None, "F-7")
    assert house.asker.balance() == 999_999
    assert len(house.asker.object("GET", "/iwi?search=raki")) == 1


@pytest.mark.parametrize("reset", ["seconds", "epoch", "none"])
def test_429_comes_with_seconds_with_an_epoch_or_without_headers(house, reset):
    house.board.set("rate_limited", "project_create", reset=reset, seconds=7)
    answer = house.create(reference=f"F-8-{reset}")
    told = answer.headers.get("ratelimit-reset")
    assert (answer.status_code, answer.json()["status_code"]) == (429, 429)
    assert house.projects(f"F-8-{reset}") == 0
    if reset == "none":
        assert not [name for name in answer.headers if "ratelimit" in name]
    elif reset == "seconds":
        assert told == answer.headers["retry-after"] == "7"
    else:
        assert 0 <= int(told) - time.time() <= 8


def test_402_whatever_the_balance_is(house):
    made = house.create(reference="F-9").json()["response_object"]
    house.board.set("no_tokens", "project_send", nth=1, count=1)
    assert [house.asker.send(made["id"]).status_code for _ in range(2)] == [402, 200]


def test_a_key_is_revoked_at_the_nth_request(house):
    asker = house.further_key()
    house.board.set("revoked_key", "iwi_search", nth=3, count=1)
    codes = [asker.get("/iwi").status_code for _ in range(4)]
    codes.append(asker.get("/user").status_code)
    asker.client.close()
    assert codes == [200, 200, 401, 401, 401]
    assert house.asker.get("/user").status_code == 200


def test_a_lagging_list_shows_a_project_later(house):
    house.board.set("lag", seconds=1.0)
    made = house.create(reference="F-10").json()["response_object"]
    paths = ("/projects?limit=100", "/projects?search=F-10")
    assert [made["id"] in house.listed(path) for path in paths] == [False, False]
    read = house.asker.object("GET", f"/projects/{made['id']}")
    while made["id"] not in house.listed(paths[0]):
        time.sleep(0.02)
    assert (read["reference"], made["id"] in house.listed(paths[1])) == ("F-10", True)


def test_a_lagging_list_counts_as_it_lists(house):
    house.create(reference="F-11")
    house.board.set("lag", seconds=3600)
    listed = house.asker.object("GET", "/projects")
    assert (listed["data"], listed["total"], listed["tab_counts"]["all"]) == ([], 0, 0)


def test_pages_shift_both_ways(house):
    for number in range(5):
        house.create(reference=f"SHIFT-{number}")
    pages = [house.listed(f"/projects?search=SHIFT-&limit=2&page={n}") for n in (1, 2)]
    again = house.board.set("shift", rows=-1)
    repeated = house.listed("/projects?search=SHIFT-&limit=2&page=2")
    house.board.take_away(again)
    house.board.set("shift", rows=1)
    missed = house.listed("/projects?search=SHIFT-&limit=2&page=2")
    assert repeated == [pages[0][1], pages[1][0]]
    assert missed[0] == pages[1][1]
    assert house.listed("/projects?search=SHIFT-&limit=2&page=1") == pages[0]


def test_a_list_hides_drafts(house):
    made = house.create(reference="F-12").json()["response_object"]
    house.board.set("hidden_drafts")
    hidden = house.listed("/projects?search=F-12")
    asked = house.listed("/projects?search=F-12&status=DRAFT")
    house.asker.send(made["id"])
    assert (hidden, asked) == ([], [])
    assert house.listed("/projects?search=F-12") == [made["id"]]


def test_a_grant_is_over_and_a_fresh_one_works(house):
    house.board.set("expired", "storage_post", count=1)
    first = post_file(house.asker.presign(b"abc"), b"abc")
    second = post_file(house.asker.presign(b"abc"), b"abc")
    assert (first.status_code, second.status_code) == (403, 204)
    assert "AccessDenied" in first.text
    entries = house.board.ledger(operation="storage_post")[-2:]
    assert [entry["effect"] for entry in entries] == [False, True]


def test_a_link_is_over(house):
    document_id = house.asker.upload()
    house.board.set("expired", "storage_get", count=1)
    link = house.asker.object("GET", f"/download/{document_id}")["url"]
    assert [fetch(link).status_code for _ in range(2)] == [403, 200]


def test_a_download_is_cut(house):
    document_id = house.asker.upload(b"x" * 100_000)
    link = house.asker.object("GET", f"/download/{document_id}")["url"]
    house.board.set("cut", "storage_get", at_byte=50_000, count=1)
    with pytest.raises(ENDED):
        fetch(link)
    assert len(fetch(link).content) == 100_000


def test_an_upload_is_dropped_after_the_file_was_taken(house):
    grant = house.asker.presign(b"abc")
    house.board.set("drop", "storage_post", count=1)
    with pytest.raises((RESET, httpx.WriteError)):
        post_file(grant, b"abc")
    done = house.asker.post("/upload/complete", {"documentId": grant["documentId"]})
    assert done.json()["response_object"]["size"] == 3


def test_a_redirect_points_elsewhere_and_nothing_is_done(house):
    house.board.set("redirect", "project_create", status_code=308, location="/x")
    answer = house.create(reference="F-13")
    assert (answer.status_code, answer.headers["location"]) == (308, "/x")
    assert house.projects("F-13") == 0


def test_a_small_answer_unpacks_to_a_large_one(house):
    house.board.set("gzip_bomb", "user_read", size_bytes=5_000_000)
    with house.asker.client.stream("GET", "/user") as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert len(raw) < 50_000


@pytest.mark.parametrize("how", ["no_envelope", "not_success", "cut"])
def test_what_is_no_json_can_be_made_wrong_as_well(house, how):
    document_id = house.asker.upload()
    link = house.asker.object("GET", f"/download/{document_id}")["url"]
    house.board.set("wrong_json", "storage_get", how=how)
    assert fetch(link).status_code == 200


def test_what_is_no_json_is_not_altered(house):
    document_id = house.asker.upload(b"as it was")
    link = house.asker.object("GET", f"/download/{document_id}")["url"]
    house.board.set("altered", "storage_get", path="a", value=1)
    assert fetch(link).content == b"as it was"
