"""The owner's routes, and what a folder keeps."""

import os
import signal
import stat
import subprocess
import sys

import httpx
import pytest

from kawe_twin.serving import TwinOptions, start_twin
from kawe_twin.store.database import StoreUnusable
from twin.asking import Asker, draft_body, fetch, owner_of


@pytest.mark.parametrize(
    "route",
    [
        ("GET", "/_twin/state"),
        ("POST", "/_twin/tokens"),
        ("POST", "/_twin/keys"),
        ("POST", "/_twin/keys/revoke"),
    ],
)
@pytest.mark.parametrize("secret", ["", "wrong", "ā"])
def test_without_the_owner_secret_nothing_opens(twin, route, secret):
    answer = httpx.request(
        route[0],
        twin.address.api_url + route[1],
        headers={"X-Twin-Secret": secret.encode()},
        verify=False,
    )
    assert (answer.status_code, list(answer.json())) == (403, ["error"])


def test_a_key_is_made_in_the_name_of_the_owner_who_makes_it(twin, ask_live):
    team_id = ask_live(twin).team()["id"]
    with owner_of(twin) as owner:
        answers = [
            owner.post("/_twin/keys", json={"account_id": team_id, "owner": email})
            for email in ("Aroha@tauira.example", "wiremu@tauira.example", "x")
        ]
    assert [answer.status_code for answer in answers] == [200, 400, 400]
    assert answers[1].json() == {"error": "Only an owner of the account makes keys."}
    bearer = {"Authorization": f"Bearer {answers[0].json()['key']}"}
    user = httpx.get(
        f"{twin.address.api_url}/user", headers=bearer, verify=False
    ).json()
    assert user["response_object"]["email"] == "aroha@tauira.example"


def test_tokens_are_bought_in_packs_only(fresh_twin, ask_live):
    running = fresh_twin(tokens=1)
    team_id = ask_live(running).team()["id"]
    with owner_of(running) as owner:
        answers = [
            owner.post("/_twin/tokens", json={"team_id": team_id, "quantity": quantity})
            for quantity in (10, 3, "5", True)
        ]
    assert answers[0].json() == {"team_id": team_id, "balance": 11}
    assert [answer.status_code for answer in answers] == [200, 400, 400, 400]


def test_tokens_are_for_teams_that_exist(owner, iwi):
    body = {"team_id": iwi.team()["id"], "quantity": 5}
    assert owner.post("/_twin/tokens", json=body).status_code == 404


def test_a_key_is_made_with_the_scopes_asked_for_and_shown_once(owner, live):
    body = {"account_id": live.team()["id"], "scopes": ["iwi:read"]}
    made = owner.post("/_twin/keys", json=body).json()
    state = owner.get("/_twin/state")
    (kept,) = [one for one in state.json()["keys"] if one["id"] == made["id"]]
    assert (kept["scopes"], kept["prefix"]) == ("iwi:read", made["key"][:16])
    assert made["key"] not in state.text


@pytest.mark.parametrize(
    ("body", "status_code"),
    [({"account_id": "x"}, 404), ({"scopes": ["all"]}, 400), ({"scopes": "x"}, 400)],
)
def test_a_key_for_nobody_or_with_unknown_scopes_is_refused(owner, body, status_code):
    assert owner.post("/_twin/keys", json=body).status_code == status_code


def test_revoking_an_unknown_key_is_told(owner):
    assert owner.post("/_twin/keys/revoke", json={"key": "nothing"}).status_code == 404


def test_the_state_counts_what_really_happened(running, asker):
    made = asker.create(reference="K-1")
    asker.send(made["id"])
    asker.send(made["id"])
    with owner_of(running) as owner:
        state = owner.get("/_twin/state").json()
    (project,) = state["projects"]
    counted = ("sends", "tokens_spent", "receipts", "recipients")
    assert [project[name] for name in counted] == [1, 1, 1, 1]
    assert state["projects_by_reference"] == {"K-1": [made["id"]]}
    assert state["requests"]["project_send"] == {"200": 1, "409": 1}
    assert "balance" in state["accounts"][0]


def test_a_restart_keeps_everything(fresh_twin, ask_live):
    first = fresh_twin()
    asker = ask_live(first)
    document_id = asker.upload(b"kept")
    made = asker.create(files=[{"id": document_id}])
    sent = asker.send(made["id"]).json()["response_object"]
    first.stop()
    again = ask_live(fresh_twin())
    assert again.object("GET", f"/projects/{made['id']}") == sent
    assert again.balance() == 19
    link = again.object("GET", f"/download/{document_id}")["url"]
    assert fetch(link).content == b"kept"


SERVE = """
import pathlib, sys
from kawe_twin.serving import TwinOptions, serve_twin
def ready(address):
    print(address.api_url, address.live_key, flush=True)
serve_twin(TwinOptions(folder=pathlib.Path(sys.argv[1])), ready=ready)
print("ended", flush=True)
"""


def served(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(folder)], stdout=subprocess.PIPE, text=True
    )
    url, key = process.stdout.readline().split()
    return process, url, key


def test_what_was_answered_survives_a_kill(tmp_path):
    process, url, key = served(tmp_path / "twin")
    with httpx.Client(
        base_url=url, headers={"Authorization": f"Bearer {key}"}, verify=False
    ) as at:
        made = at.post("/projects", json=draft_body()).json()["response_object"]
        at.put(f"/projects/{made['id']}/send", json={"message": "Kia ora"})
        process.send_signal(signal.SIGKILL)
    process.communicate()
    with start_twin(TwinOptions(folder=tmp_path / "twin")) as running:
        asker = Asker(running.address, key)
        status = asker.object("GET", f"/projects/{made['id']}")["status"]
        balance = asker.balance()
        asker.client.close()
    assert (status, balance) == ("NEW", 19)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_served_twin_ends_when_asked(tmp_path, number):
    process, _, _ = served(tmp_path / "twin")
    process.send_signal(number)
    said, _ = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, "ended\n")


def test_a_folder_has_one_twin_at_a_time(fresh_twin):
    fresh_twin()
    with pytest.raises(StoreUnusable):
        fresh_twin()


def test_a_file_that_is_no_database_is_left_alone(tmp_path):
    path = tmp_path / "twin.sqlite3"
    path.write_bytes(b"not a database, " * 100)
    with pytest.raises(StoreUnusable):
        start_twin(TwinOptions(folder=tmp_path))
    assert path.read_bytes() == b"not a database, " * 100


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_nobody_else_can_read_the_folder(asker, tmp_path):
    asker.upload()
    asker.send(asker.create()["id"])
    for path in [tmp_path / "twin", *(tmp_path / "twin").rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_no_key_is_written_anywhere_in_the_folder(running, asker, tmp_path):
    asker.send(asker.create()["id"])
    running.stop()
    address = running.address
    secrets = (
        *(address.live_key, address.test_key),
        *(address.sandbox_key, address.iwi_key),
    )
    for path in (tmp_path / "twin").rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not any(secret.encode() in content for secret in secrets)


def test_the_address_does_not_show_its_secrets(twin):
    shown = repr(twin.address) + repr(twin)
    address = twin.address
    for secret in (address.live_key, address.test_key, address.owner_secret):
        assert secret not in shown


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "kawe.example"])
def test_a_twin_listens_on_this_machine_alone(tmp_path, host):
    with pytest.raises(ValueError, match="loopback"):
        start_twin(TwinOptions(folder=tmp_path, host=host))


def test_a_taken_port_is_told(twin, tmp_path):
    taken = int(twin.address.api_url.rpartition(":")[2])
    with pytest.raises(OSError, match="in use"):
        start_twin(TwinOptions(folder=tmp_path, port=taken))


def test_stopping_twice_does_nothing(running):
    running.stop()
    running.stop()
