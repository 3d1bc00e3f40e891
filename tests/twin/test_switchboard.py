"""How faults are set and counted, and what the ledger says."""

import httpx
import pytest

from kawe_twin.faults.switchboard import KINDS
from twin.asking import fetch
from twin.failing import RESET


def test_chance_is_repeated_by_its_seed(house):
    def run(seed):
        fault_id = house.board.set(
            "server_error", "user_read", probability=0.5, seed=seed
        )
        codes = [house.request("GET", "/user").status_code for _ in range(30)]
        happened = house.board.happened(fault_id)
        house.board.clear()
        assert codes.count(500) == happened
        return codes

    first, other = run(7), run(8)
    assert run(7) == first
    assert other != first
    assert 5 < first.count(500) < 25


def test_what_an_outer_fault_keeps_away_is_not_counted(house):
    house.board.set("drop", "user_read", when="before", count=1)
    inner = house.board.set("server_error", "user_read", count=1)
    with pytest.raises(RESET):
        house.request("GET", "/user")
    before = house.board.happened(inner)
    assert (before, house.request("GET", "/user").status_code) == (0, 500)


def test_faults_of_several_kinds_happen_to_one_request(house):
    house.board.set("latency", "project_create", seconds=0.01)
    house.board.set("server_error", "project_create", when="after")
    answer = house.create(reference="F-14")
    assert (answer.status_code, house.projects("F-14")) == (500, 1)
    assert house.line()[4] == ["latency", "server_error"]


def test_the_ledger_tells_effects_projects_and_references(house):
    before = house.board.ledger()[-1]["number"] if house.board.ledger() else 0
    made = house.asker.create(reference="F-15")
    house.asker.get(f"/projects/{made['id']}")
    house.asker.send(made["id"])
    house.asker.send(made["id"])
    house.asker.post("/iwi/count", {"lat": -36.85, "lon": 174.76})
    house.asker.get("/nowhere")
    names = ("operation", "status_code", "effect", "project_id", "reference")
    assert [
        tuple(line[name] for name in names) for line in house.board.ledger(after=before)
    ] == [
        ("project_create", 200, True, made["id"], "F-15"),
        ("project_read", 200, False, made["id"], "F-15"),
        ("project_send", 200, True, made["id"], "F-15"),
        ("project_send", 409, False, made["id"], None),
        ("iwi_count", 200, False, None, None),
        ("unknown", 404, False, None, None),
    ]


def test_the_ledger_is_forgotten_and_counts_on(house):
    house.asker.get("/user")
    last = house.board.ledger()[-1]["number"]
    house.board.forget()
    assert house.board.ledger() == []
    house.asker.get("/user")
    assert [line["number"] for line in house.board.ledger()] == [last + 1]


def test_the_ledger_holds_no_key_and_no_signature(house):
    document_id = house.asker.upload()
    fetch(house.asker.object("GET", f"/download/{document_id}")["url"])
    shown = repr(house.board.ledger())
    assert house.address.live_key not in shown
    assert "signature" not in shown


def test_the_portal_and_the_owner_are_left_alone(house):
    house.board.set("drop")
    url = house.address.api_url
    assert fetch(f"{url}/portal/sign-in").status_code == 200
    assert house.owner.get("/_twin/state").status_code == 200


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_has_defaults_that_are_told(house, kind):
    house.board.set(kind)
    (shown,) = house.board.faults()
    assert (shown["kind"], shown["matched"]) == (kind, 0)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ([], "JSON object"),
        ({"kind": "nonsense"}, "kind must be one of"),
        ({"kind": "drop", "when": "never"}, "when must be one of before, after"),
        ({"kind": "drop", "wen": "after"}, "wen is not among"),
        ({"kind": "latency", "seconds": "1"}, "seconds must be float"),
        ({"kind": "cut", "at_byte": True}, "at_byte must be int"),
        ({"kind": "drop", "operations": ["project_delete"]}, "operations must be"),
        ({"kind": "drop", "operations": "project_send"}, "operations must be"),
        ({"kind": "drop", "probability": 2}, "probability from 0 to 1"),
        ({"kind": "drop", "nth": 0}, "nth is from 1"),
        ({"kind": "lag", "operations": ["user_read"]}, "project_list alone"),
    ],
)
def test_what_is_no_fault_is_refused_in_words(house, body, says):
    answer = httpx.post(
        f"{house.address.switchboard_url}/faults",
        json=body,
        headers={"X-Switchboard-Secret": house.address.switchboard_secret},
        verify=False,
    )
    assert answer.status_code == 400
    assert says in answer.json()["error"]
    assert house.board.faults() == []


@pytest.mark.parametrize("secret", ["", "wrong", "ā"])
@pytest.mark.parametrize("path", ["/faults", "/ledger"])
def test_the_switchboard_has_a_secret_and_a_host_of_its_own(house, secret, path):
    url = house.address.switchboard_url + path
    headers = {"X-Switchboard-Secret": secret.encode()}
    wrong_secret = fetch(url, headers=headers).status_code
    right = {"X-Switchboard-Secret": house.address.switchboard_secret}
    wrong_host = fetch(url, headers={**right, "Host": "x.example"}).status_code
    other_secret = {"X-Switchboard-Secret": house.address.owner_secret}
    owners = fetch(url, headers=other_secret).status_code
    assert [wrong_secret, wrong_host, owners] == [403, 403, 403]


def test_a_twin_has_no_switchboard_unless_it_is_asked_for(twin):
    assert twin.address.switchboard_url is None
    assert twin.address.switchboard_secret == ""


def test_the_switchboard_secret_is_not_shown(house):
    assert house.address.switchboard_secret not in repr(house.address)
