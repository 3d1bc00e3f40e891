"""The desk opens once, for one browser, and takes forms of its own pages alone."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from doubles.browser import Browser, in_a_browser
from doubles.desk import Desk, read


@pytest.fixture(scope="module")
def closed(person):
    """Give a desk that no browser has opened yet."""
    with Desk(person, opens=False) as desk:
        yield desk


def bare(desk, path="/", **headers):
    place = str(desk.client.base_url.join(path))
    return httpx.get(place, headers=headers, trust_env=False, verify=False)


def test_the_address_opens_the_desk_for_one_browser_and_once(closed):
    def press(origin):
        return httpx.post(
            closed.address, headers={"Origin": origin}, trust_env=False, verify=False
        )

    origin = closed.base.removesuffix(closed.door)
    looks = [bare(closed, closed.address) for _ in range(2)]
    foreign = press("http://evil.example")
    first, again = press(origin), press(origin)
    # A program that only looks at the address does not use it up.
    assert [each.status_code for each in looks] == [200, 200]
    assert (foreign.status_code, "set-cookie" in foreign.headers) == (403, False)
    assert (first.status_code, first.headers["location"]) == (303, f"{closed.door}/")
    cookie = first.headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=strict", f"Path={closed.door}"} <= set(cookie)
    assert (again.status_code, "set-cookie" in again.headers) == (403, False)
    assert "it works once" in read(again.text)


@pytest.mark.parametrize("path", ["/", "/works", "/works/x", "/open/", "/open/é%00x"])
@pytest.mark.parametrize("has_door", [False, True])
def test_who_was_not_let_in_sees_nothing(desk, path, has_door):
    seen = bare(desk, f"{desk.door}{path}" if has_door else path)
    assert (desk.door in seen.text, seen.headers["connection"]) == (False, "close")
    assert (seen.status_code, "Workbooks" in seen.text) == (403, False)


def test_a_page_that_was_left_open_over_night_says_that_its_time_is_over(desk):
    place, own = str(desk.client.base_url.join(f"{desk.door}/works")), desk.base
    head = {"Origin": own.removesuffix(desk.door)}
    pressed = httpx.post(place, headers=head, trust_env=False, verify=False)
    for answer in (pressed, bare(desk, f"{desk.door}/queue")):
        assert answer.status_code == 403
        assert "more than 12 hours ago" in read(answer.text)


@pytest.mark.parametrize("host", ["evil.example", "localhost", "127.0.0.1"])
def test_another_name_of_this_computer_is_refused(desk, host):
    assert desk.client.get("/", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_of_another_page_is_refused(desk, headers):
    form = {"form_token": desk.form_token()}
    sent = desk.client.post("/works", data=form, headers=headers)
    assert (sent.status_code, "did not come from" in read(sent.text)) == (403, True)


def test_a_form_without_its_token_or_its_end_is_refused(desk):
    sent = desk.client.post("/works", data={"form_token": "é"})
    assert (sent.status_code, "out of date" in read(sent.text)) == (403, True)
    kind = {"Content-Type": "multipart/form-data; boundary=aa"}
    sent = desk.client.post("/works", content=b"x", headers=kind)
    assert (sent.status_code, "did not arrive whole" in read(sent.text)) == (400, True)


def test_a_body_that_is_too_long_is_refused_before_it_is_read(desk):
    base = desk.client.base_url
    request = http.client.HTTPConnection(base.host, base.port, timeout=60)
    request.putrequest("POST", f"{desk.door}/works")
    cookie = "; ".join(f"{name}={value}" for name, value in desk.client.cookies.items())
    for name, value in (
        ("Cookie", cookie),
        ("Origin", desk.base.removesuffix(desk.door)),
        ("Content-Length", str(10**12)),
    ):
        request.putheader(name, value)
    request.endheaders()
    answer = request.getresponse()
    said = read(answer.read().decode())
    request.close()
    assert (answer.status, "larger than 300 MB" in said) == (413, True)


def test_every_answer_is_kept_by_nobody_and_loads_nothing_of_others(desk):
    answers = [
        desk.client.get("/"),
        bare(desk, "/desk.css"),
        desk.client.get("/none"),
        bare(desk),
        desk.client.get("/", headers={"Host": "evil.example"}),
    ]
    assert [each.status_code for each in answers] == [200, 200, 404, 403, 421]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'")
        assert "frame-ancestors 'none'" in policy
        assert {
            name: answer.headers[name]
            for name in ("cache-control", "referrer-policy", "x-frame-options")
        } == {
            "cache-control": "no-store",
            "referrer-policy": "same-origin",
            "x-frame-options": "DENY",
        }


@in_a_browser
def test_another_server_of_this_machine_sees_no_cookie(person, tmp_path):
    seen = []

    class Neighbour(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.headers["Cookie"])
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<title>Neighbour</title>")

        def log_message(self, *_): ...

    server = HTTPServer(("127.0.0.1", 0), Neighbour)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Desk(person, opens=False) as desk, Browser(tmp_path / "profile") as browser:
        desk.open_in(browser)
        for _ in range(2):
            browser.open(f"http://127.0.0.1:{server.server_port}/")
        browser.open(f"{desk.base}/batches")
        assert browser.text("h1") == "Batches"
    server.shutdown()
    server.server_close()
    assert {*seen} == {None}
