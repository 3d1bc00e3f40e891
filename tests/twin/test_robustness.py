"""Whatever is thrown at a twin: a clear refusal, no fault, nothing left over."""

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from operator import le
from pathlib import Path

import httpx
import pytest

from kawe_contract.openapi import openapi
from kawe_contract.operations import OPERATIONS
from kawe_twin.serving import TwinOptions, start_twin
from kawe_twin.storage import app as storage
from twin.asking import Asker, draft_body, fetch
from twin.test_owner import served

HANDLES = Path("/proc/self/fd")
NOWHERE = "024fe072-a543-478e-9763-dbb633556da1"


def raw(live, head, *, body=b"", port=None):
    """Send bytes as they are; give everything that comes back."""
    where = ("127.0.0.1", port or int(live.address.api_url.rpartition(":")[2]))
    with socket.create_connection(where, timeout=60) as wire:
        lines = [
            *head,
            f"Host: 127.0.0.1:{where[1]}",
            f"Authorization: Bearer {live.key}",
        ]
        wire.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        said = b""
        while part := wire.recv(65536):
            said += part
        return said


def test_the_contract_is_served_to_everybody(twin):
    answer = fetch(f"{twin.address.api_url}/openapi.json")
    assert (answer.status_code, answer.json()) == (200, openapi())


@pytest.mark.parametrize("path", sorted({one.path for one in OPERATIONS.values()}))
def test_an_unknown_method_is_told_which_ones_there_are(live, path):
    at = path.replace("{id}", NOWHERE).replace("{note_id}", NOWHERE)
    answer = live.ask("PATCH", at)
    known = {one.method for one in OPERATIONS.values() if one.path == path}
    assert answer.status_code == 405
    assert set(answer.headers["Allow"].split(", ")) - {"HEAD"} == known


def test_a_body_that_stops_half_way_gets_408_and_the_line_is_closed(
    fresh_twin, ask_live
):
    asker = ask_live(fresh_twin(body_seconds=0.3))
    head = ["POST /projects HTTP/1.1", "Content-Length: 100"]
    said = raw(asker, head, body=b'{"name":')
    assert said.startswith(b"HTTP/1.1 408")
    assert json.loads(said.partition(b"\r\n\r\n")[2])["status_code"] == 408
    assert b"connection: close" in said.lower()


@pytest.mark.parametrize("begun", [b"", b"GET /user HTTP/1.1\r\nX-Slow: "])
def test_a_connection_whose_head_does_not_come_is_closed(fresh_twin, begun):
    port = int(fresh_twin(body_seconds=0.3).address.api_url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=60) as wire:
        wire.sendall(begun)
        assert wire.recv(1) == b""


def test_a_slow_answer_is_waited_for_longer_than_a_head(fresh_twin, ask_live):
    asker = ask_live(fresh_twin(body_seconds=0.2, latency_ms=600))
    assert [asker.get("/user").status_code for _ in range(2)] == [200, 200]


def test_a_file_that_stops_half_way_is_refused_and_leaves_nothing(
    fresh_twin, ask_live, tmp_path
):
    running = fresh_twin(body_seconds=0.3)
    asker = ask_live(running)
    port = int(running.address.storage_url.rpartition(":")[2])
    head = [
        "POST /uploads HTTP/1.1",
        "Content-Length: 600",
        "Content-Type: multipart/form-data; boundary=b",
    ]
    said = raw(asker, head, body=b"--b\r\n", port=port)
    assert said.startswith(b"HTTP/1.1 400")
    assert b"RequestTimeout" in said
    assert list((tmp_path / "twin" / "unfinished").iterdir()) == []


POSTING = (
    "POST /uploads HTTP/1.1",
    "Content-Length: 600",
    "Content-Type: multipart/form-data; boundary=b",
    "Expect: 100-continue",
)


@contextmanager
def posting(running):
    """Begin to post a file, and give the line once the twin waits for it."""
    port = int(running.address.storage_url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=60) as wire:
        lines = (*POSTING, f"Host: 127.0.0.1:{port}", "", "")
        wire.sendall("\r\n".join(lines).encode())
        yield wire, wire.recv(1000)


def test_a_file_that_trickles_is_refused_although_no_byte_is_late(fresh_twin):
    with posting(fresh_twin(body_seconds=0.3)) as (wire, _):
        said = b""
        wire.settimeout(0.05)
        for byte in b"--b\r\n" + b"x" * 595:
            with suppress(TimeoutError):
                said = wire.recv(1000)
                break
            wire.sendall(bytes([byte]))
        # The words may come after the head, in a piece of their own.
        wire.settimeout(60)
        with suppress(ConnectionResetError):
            while piece := wire.recv(1000):
                said += piece
    assert b"RequestTimeout" in said


def test_only_so_many_files_are_posted_at_once(fresh_twin, monkeypatch):
    monkeypatch.setattr(storage, "_MOST_AT_ONCE", 2)
    running = fresh_twin()
    with (
        posting(running) as (_, one),
        posting(running) as (_, two),
        posting(running) as (_, three),
    ):
        pass
    said = [each.split(b" ")[1] for each in (one, two, three)]
    assert said == [b"100", b"100", b"503"]
    # Those who are gone make room, as soon as the twin has seen them go.
    while b" 503 " in three:
        with posting(running) as (_, three):
            pass


def test_a_body_of_two_hundred_megabytes_gets_413(live):
    def endless():
        for _ in range(200):
            yield b" " * 1_048_576

    answer = live.ask(
        "POST",
        "/projects",
        content=endless(),
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 413
    assert live.get("/user").status_code == 200


def test_a_file_of_two_hundred_megabytes_is_refused_and_leaves_nothing(
    fresh_twin, ask_live, tmp_path
):
    grant = ask_live(fresh_twin()).presign(b"abc")
    fields = "".join(
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in grant["fields"].items()
    )
    begin = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

    def endless():
        yield (fields + begin).encode()
        for _ in range(200):
            yield b"x" * 1_048_576
        yield b"\r\n--b--\r\n"

    answer = httpx.post(
        grant["url"],
        content=endless(),
        headers={"Content-Type": "multipart/form-data; boundary=b"},
        timeout=60,
        verify=False,
    )
    assert (answer.status_code, "EntityTooLarge" in answer.text) == (400, True)
    for part in ("unfinished", "incoming", "documents"):
        assert list((tmp_path / "twin" / part).iterdir()) == []


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "",
        "\x80",
    ],
)
def test_a_body_of_another_content_type_gets_400(live, kind):
    answer = live.ask(
        "POST",
        "/projects",
        content=json.dumps(draft_body()),
        headers={"Content-Type": kind.encode("latin-1")},
    )
    assert answer.status_code == 400
    assert "application/json" in answer.json()["message"]


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b'{"lat": NaN}', b'{"name": "\xff"}'),
        '{"name": "ā"}'.encode("utf-16"),
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"1" * 5_000,
        b'{"name": "\\ud800"}',
        b"null",
        b'"x"',
        b"\xef\xbb\xbf{}",
    ],
)
def test_a_body_that_is_no_good_json_gets_400(live, content):
    answer = live.ask(
        "POST",
        "/projects",
        content=content,
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 400


def test_a_name_of_a_megabyte_is_refused_and_half_of_one_is_kept(live):
    long = "ā" * 250_000
    assert live.create(name=long)["name"] == long
    assert live.post("/projects", draft_body(name="x" * 1_048_576)).status_code == 413


def test_text_with_control_characters_is_kept_as_it_came(live):
    name = "a\0b\x1b[31m\u202ec"
    made = live.create(name=name, reference=name)
    assert (made["name"], made["reference"]) == (name, name)
    assert live.object("GET", "/projects", params={"search": name})["total"] >= 1


@pytest.mark.parametrize(
    "path",
    [
        "/projects/../user",
        "/projects/%2e%2e/user",
        "/./user",
        "//user",
        "/user%00",
        "/user;x",
        "/projects/" + "a" * 10_000,
        "/download/..%2f..%2ftwin.sqlite3",
        "\\user",
    ],
)
def test_a_path_with_a_trick_in_it_is_not_there(live, path):
    said = raw(live, [f"GET {path} HTTP/1.1", "Connection: close"])
    assert said.startswith((b"HTTP/1.1 404", b"HTTP/1.1 400"))


def test_an_encoded_slash_makes_no_other_path(live):
    made = live.create()
    answer = live.put(f"/projects/{made['id']}%2Fsend", {"message": "x"})
    after = live.object("GET", f"/projects/{made['id']}")
    assert (answer.status_code, after["status"]) == (404, "DRAFT")


@pytest.mark.parametrize(
    "path", ["/documents/..%2f..%2ftwin.sqlite3", "/documents/%2e%2e", "/../twin"]
)
def test_the_storage_origin_climbs_nowhere(live, path):
    port = int(live.address.storage_url.rpartition(":")[2])
    said = raw(live, [f"GET {path} HTTP/1.1", "Connection: close"], port=port)
    assert said.startswith((b"HTTP/1.1 403", b"HTTP/1.1 404"))


def test_a_head_that_never_ends_is_refused(live):
    head = ["GET /user HTTP/1.1", "X: " + "a" * 200_000]
    try:
        said = raw(live, head)
    except ConnectionResetError:
        said = b"HTTP/1.1 4 and gone"
    assert said.startswith(b"HTTP/1.1 4")
    assert live.get("/user").status_code == 200


def test_refusals_leave_no_thread_handle_or_file_behind(fresh_twin, ask_live, tmp_path):
    asker = ask_live(fresh_twin())
    asker.post("/projects", {})

    def standing():
        folders = ("unfinished", "incoming", "documents")
        files = [at for one in folders for at in (tmp_path / "twin" / one).iterdir()]
        handles = [*HANDLES.iterdir()] if HANDLES.is_dir() else []
        return threading.active_count(), len(handles), len(files)

    before = standing()
    for number in range(200):
        asker.post("/projects", {"name": number})
        asker.get(f"/projects/{NOWHERE}")
        asker.get(f"/nowhere/{number}")
    # What an earlier test left may go meanwhile.
    assert all(map(le, standing(), before))


def test_a_kill_under_load_loses_nothing_that_was_answered(tmp_path):
    process, url, key = served(tmp_path / "twin")
    told, headers = [], {"Authorization": f"Bearer {key}"}

    def work(number):
        with (
            suppress(httpx.TransportError),
            httpx.Client(base_url=url, headers=headers, verify=False) as client,
        ):
            while True:
                body = draft_body(reference=f"K-{number}")
                made = client.post("/projects", json=body).json()["response_object"]
                told.append(made["id"])
                if len(told) == 60:
                    process.kill()

    with ThreadPoolExecutor(16) as crew:
        list(crew.map(work, range(16)))
    process.communicate()
    with start_twin(TwinOptions(folder=tmp_path / "twin")) as running:
        asker = Asker(running.address, key)
        codes = {asker.get(f"/projects/{one}").status_code for one in told}
        page = asker.object("GET", "/projects")
        asker.client.close()
    assert (len(told) >= 60, codes) == (True, {200})
    # A request whose answer was lost may have been done, one per client at most.
    assert len(told) <= page["total"] <= len(told) + 16
    assert page["tab_counts"]["active"] == page["total"]
