"""What is decided before any handler runs, and the envelope around it."""

import httpx
import pytest

from kawe_contract.operations import OPERATIONS
from kawe_twin.api.registry import RULES
from twin.asking import Asker, draft_body, fetch


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Basic abc", "Bearer kawe_live_unknown", "Bearer nonsense"],
)
def test_a_missing_malformed_or_unknown_key_gets_a_bare_401(twin, header):
    headers = {} if header is None else {"Authorization": header}
    answer = fetch(f"{twin.address.api_url}/user", headers=headers)
    assert (answer.status_code, list(answer.json())) == (401, ["error"])


def test_a_key_in_the_query_string_is_no_key(twin):
    url = f"{twin.address.api_url}/user?api_key={twin.address.live_key}"
    assert fetch(url).status_code == 401


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_key_without_the_scope_gets_a_bare_403_before_anything_runs(name, key_with):
    operation = OPERATIONS[name]
    path = operation.path.replace("{id}", "024fe072-a543-478e-9763-dbb633556da1")
    answer = key_with().ask(operation.method, path, json={"draft": True})
    if operation.scopes:
        assert (answer.status_code, list(answer.json())) == (403, ["error"])
        assert operation.scopes[0].value in answer.json()["error"]
    else:
        assert answer.status_code == 200


def test_creating_and_sending_at_once_needs_both_scopes(key_with, owner):
    before = owner.get("/_twin/state").json()["projects"]
    answer = key_with("projects:write").post("/projects", draft_body(draft=False))
    assert (answer.status_code, list(answer.json())) == (403, ["error"])
    assert owner.get("/_twin/state").json()["projects"] == before


def test_a_revoked_key_gets_401_and_other_keys_go_on(twin, live, owner):
    made = owner.post("/_twin/keys", json={"account_id": live.team()["id"]}).json()
    doomed = Asker(twin.address, made["key"])
    before = doomed.get("/user").status_code
    owner.post("/_twin/keys/revoke", json={"key": made["prefix"]})
    after = [asker.get("/user").status_code for asker in (doomed, live)]
    doomed.client.close()
    assert [before, *after] == [200, 401, 200]


@pytest.mark.parametrize(
    "path", ["/nowhere", "/projects/not-a-uuid", "/%00", "/user/", "//"]
)
def test_what_is_not_there_gets_404_in_the_envelope(live, path):
    assert live.get(path).status_code == 404


def test_a_body_beyond_the_bound_gets_413(live):
    answer = live.post("/projects", draft_body(name="x" * 2_000_000))
    assert answer.status_code == 413
    assert "presigned upload" in answer.json()["message"]


@pytest.mark.parametrize("host", ["kawe.example", "127.0.0.1", "localhost:1", ""])
def test_another_host_is_not_answered_by_either_origin(twin, host):
    urls = (f"{twin.address.api_url}/user", f"{twin.address.storage_url}/uploads")
    answers = [fetch(url, headers={"Host": host}).status_code for url in urls]
    assert answers == [403, 403]


def test_no_page_of_another_origin_may_read_an_answer(twin):
    answer = httpx.options(
        f"{twin.address.api_url}/user",
        headers={"Origin": "https://x.example", "Access-Control-Request-Method": "GET"},
    )
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_rate_limit_headers_count_down_and_429_is_in_the_envelope(fresh_twin, ask_live):
    asker = ask_live(fresh_twin(rate_limit=3, rate_window_seconds=60))
    answers = [asker.get("/user") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    remaining = [answer.headers["RateLimit-Remaining"] for answer in answers]
    assert remaining == ["2", "1", "0", "0"]
    assert {answer.headers["RateLimit-Limit"] for answer in answers} == {"3"}
    assert 1 <= int(answers[-1].headers["RateLimit-Reset"]) <= 60
    assert answers[-1].json() == {
        "success": False,
        "message": "Too many requests. Back off.",
        "status_code": 429,
        "response_object": None,
    }


def test_each_key_has_a_window_of_its_own(fresh_twin, ask_live):
    running = fresh_twin(rate_limit=1)
    live = ask_live(running)
    live.get("/user")
    sandbox = Asker(running.address, running.address.sandbox_key)
    codes = [live.get("/user").status_code, sandbox.get("/user").status_code]
    sandbox.client.close()
    assert codes == [429, 200]
