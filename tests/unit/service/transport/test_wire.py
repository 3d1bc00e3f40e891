"""What the HTTP library can raise, and what kawe makes of it."""

import asyncio
import logging
import ssl

import httpx
import pytest

from doubles.loops import awaited
from doubles.opened import CANARY, wire_to
from kawe.domain.text.next_steps import Next
from kawe.service.opening import ServiceSetup
from kawe.service.transport.answers import Answer, Lost


class Raising(httpx.AsyncBaseTransport):
    """Raises after or before the first byte went out."""

    def __init__(self, trouble, *, sent, method=b"PUT"):
        self.trouble, self.sent, self.method = trouble, sent, method

    async def handle_async_request(self, request):
        if self.sent:
            trace = request.extensions["trace"]
            asked = type("Asked", (), {"method": self.method})
            await trace("http11.send_request_headers.started", {"request": asked})
        raise self.trouble


@awaited
async def exchange(transport, **options):
    async with wire_to(
        "https://api.example.nz", workers=1, transport=transport
    ) as wire:
        return await wire.ask("user_read", **options)


@pytest.mark.parametrize(
    ("trouble", "detail"),
    [
        (httpx.ConnectError("x"), "no connection"),
        (httpx.ConnectTimeout("x"), "no connection within the time allowed"),
        (httpx.PoolTimeout("x"), "no connection within the time allowed"),
        (
            httpx.ProxyError("407"),
            f"the proxy let nothing through; {Next.DOCTOR} says why",
        ),
    ],
    ids=repr,
)
def test_what_cannot_have_reached_the_service_never_left(trouble, detail):
    assert exchange(Raising(trouble, sent=True)) == Lost(sent=False, detail=detail)


@pytest.mark.parametrize("sent", [True, False])
@pytest.mark.parametrize(
    ("trouble", "detail"),
    [
        (httpx.ReadTimeout("x"), "no answer within the time allowed"),
        (httpx.WriteTimeout("x"), "no answer within the time allowed"),
        (httpx.ReadError("x"), "the connection broke"),
        (httpx.WriteError("x"), "the connection broke"),
        (httpx.CloseError("x"), "the connection broke"),
        (httpx.RemoteProtocolError("x"), "the connection broke"),
        (httpx.LocalProtocolError("x"), "the connection broke"),
        (httpx.DecodingError("x"), "the connection broke"),
        (httpx.InvalidURL("x"), "the connection broke"),
        (httpx.UnsupportedProtocol("x"), "the connection broke"),
        (ssl.SSLError(1, "bad record mac"), "the connection broke"),
        (ConnectionResetError("x"), "the connection broke"),
        (TimeoutError("x"), "no answer within the time allowed"),
    ],
    ids=repr,
)
def test_anything_else_is_judged_by_the_first_byte(trouble, detail, sent):
    assert exchange(Raising(trouble, sent=sent)) == Lost(sent=sent, detail=detail)


def test_what_a_proxy_was_asked_never_reached_the_service():
    transport = Raising(httpx.ReadError("x"), sent=True, method=b"CONNECT")
    assert exchange(transport).sent is False


def test_a_cancelled_call_stays_cancelled():
    with pytest.raises(asyncio.CancelledError):
        exchange(Raising(asyncio.CancelledError(), sent=True))


class Hanging(httpx.AsyncBaseTransport):
    async def handle_async_request(self, request):
        await request.extensions["trace"]("http11.send_request_headers.started", {})
        await asyncio.Event().wait()


def test_the_total_deadline_is_after_the_first_byte():
    lost = Lost(sent=True, detail="no answer within the time allowed")
    assert exchange(Hanging(), total_seconds=0.01) == lost


def test_every_spelling_of_the_key_is_taken_out_of_an_answer():
    body = f'{{"a": "{CANARY}", "b": "{CANARY}!"}}'.encode()
    transport = httpx.MockTransport(
        lambda _: httpx.Response(200, stream=httpx.ByteStream(body))
    )
    answer = exchange(transport)
    assert (type(answer), answer.body) == (Answer, b'{"a": "[key]", "b": "[key]!"}')


def test_a_key_is_in_no_printed_form():
    setup = ServiceSetup(base_url="https://service.test", key=CANARY)
    assert CANARY not in repr(setup) + str(setup)


@pytest.mark.parametrize("name", ["httpx", "httpcore.http11", "httpcore.connection"])
def test_libraries_say_nothing_below_a_warning(name, caplog):
    asyncio.run(_opened_once())
    caplog.set_level(logging.DEBUG, logger=name)
    logging.getLogger(name).info("https://storage.example/?signature=x")
    logging.getLogger(name).warning("heard")
    assert [record.message for record in caplog.records] == ["heard"]


async def _opened_once():
    async with wire_to("https://api.example.nz"):
        pass
