"""What stands between here and a service, told apart without showing a key."""

import asyncio
import socket
import ssl
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from doubles.clock import StillClock
from kawe.service.probing import Greeting, NoGreeting, Obstacle, greet

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
URL = "https://api.example.nz/consult"


def greeted(answer):
    transport = httpx.MockTransport(answer)
    return asyncio.run(greet(URL, clock=StillClock(NOW), transport=transport))


def caused(trouble, cause):
    def answer(_):
        raise trouble from cause

    return answer


@pytest.mark.parametrize(
    ("answer", "obstacle"),
    [
        (caused(httpx.ConnectError("x"), socket.gaierror(-2, "x")), Obstacle.NAME),
        (caused(httpx.ConnectError("x"), ConnectionRefusedError()), Obstacle.REFUSED),
        (caused(httpx.ConnectError("x"), ssl.SSLError(1, "x")), Obstacle.ENCRYPTION),
        (caused(httpx.ConnectTimeout("x"), None), Obstacle.SILENCE),
        (caused(httpx.ReadTimeout("x"), None), Obstacle.SILENCE),
        (caused(httpx.ProxyError("403"), None), Obstacle.PROXY),
        (caused(httpx.ReadError("x"), None), Obstacle.BROKEN),
        (caused(httpx.RemoteProtocolError("x"), None), Obstacle.BROKEN),
        (caused(ssl.SSLError(1, "x"), None), Obstacle.ENCRYPTION),
    ],
)
def test_each_obstacle_is_told_apart(answer, obstacle):
    assert greeted(answer) == NoGreeting(obstacle=obstacle)


def test_a_certificate_is_refused_with_its_reason():
    refused = ssl.SSLCertVerificationError(1, "x")
    refused.verify_message = "self-signed\x1b certificate"
    assert greeted(caused(httpx.ConnectError("x"), refused)) == NoGreeting(
        obstacle=Obstacle.CERTIFICATE, detail="self-signed certificate"
    )


def said(http_status=401, **headers):
    asked = []

    def answer(request):
        asked.append(request)
        return httpx.Response(
            http_status,
            headers=headers,
            stream=httpx.ByteStream(b'{"error": "no key"}'),
        )

    return answer, asked


def test_no_key_goes_along():
    answer, asked = said(Date="Sat, 21 Nov 2026 09:00:00 GMT")
    greeting = greeted(answer)
    assert (greeting, str(asked[0].url), "Authorization" in asked[0].headers) == (
        Greeting(
            http_status=401,
            speaks_the_interface=True,
            leads_to="",
            clock_off=timedelta(seconds=-0.5),
        ),
        f"{URL}/user",
        False,
    )


@pytest.mark.parametrize(
    ("date", "seconds"),
    [
        ("Sat, 21 Nov 2026 08:58:00 GMT", 119.5),
        ("Sat, 21 Nov 2026 09:02:00 GMT", -120.5),
        ("yesterday", None),
        ("Sat, 21 Nov 2026 09:02:00", None),
        ("", None),
    ],
)
def test_the_clock_is_held_against_the_date(date, seconds):
    off = greeted(said(Date=date)[0]).clock_off
    assert (None if off is None else off.total_seconds()) == seconds


@pytest.mark.parametrize(
    ("location", "leads_to"),
    [
        ("https://else.nz/x?secret=1", "https://else.nz"),
        ("/sign-in?secret=1", "elsewhere"),
    ],
)
def test_where_an_answer_would_lead_is_named_without_what_may_be_secret(
    location, leads_to
):
    assert greeted(said(302, Location=location)[0]).leads_to == leads_to


def test_a_page_is_not_the_service():
    def page(_):
        return httpx.Response(200, stream=httpx.ByteStream(b"<html>" + b"x" * 100_000))

    assert greeted(page).speaks_the_interface is False
