"""The only HTTP client of the API: one request, one exchange, no retries.

Every call has a total deadline, because socket timeouts restart with every byte. A
connection that was idle for four seconds is not used again: if the server has closed
it, an act would be in doubt. The library's client is not used: it doubles the time and
keeps cookies. The key is removed from every answer, in every spelling of JSON and three
encodings: the service's messages go into journal, result and output.
"""

import asyncio
import logging
import re
import ssl
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from dataclasses import replace
from functools import lru_cache
from typing import Final, Self

import httpx
import truststore

from kawe.domain.rows.identity import canonical
from kawe.domain.service.windows import TRAFFIC
from kawe.domain.text.next_steps import Next
from kawe.ports import QueryValue
from kawe.service.transport.addresses import Addresses, ByProxy, proxy_for
from kawe.service.transport.answers import Answer, Exchange, Lost, Packed, Unpacker
from kawe.service.transport.connections import ANSWER_MAX_BYTES, StraightConnection
from kawe.service.transport.pacing import Pacer
from kawe_contract import headers

_log = logging.getLogger(__name__)

TOTAL_SECONDS: Final = 90.0
TIMEOUTS: Final = httpx.Timeout(connect=10, read=60, write=60, pool=60)
_TIMEOUTS: Final = TIMEOUTS.as_dict()
# A draft is read just before its send: a late send reads it again.
_OWN_TIMEOUTS: Final = {"project_send": {**_TIMEOUTS, "connect": 2.0}}
# A ProxyError is a refused tunnel: the service received nothing.
_NEVER_LEFT: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
)
# The HTTP library does not wrap all errors of TLS and addresses.
BROKEN: Final = (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError)
_LIBRARY_LOGGERS: Final = (
    "httpx",
    "httpcore",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.http2",
    "httpcore.proxy",
    "httpcore.socks",
)


def tls() -> ssl.SSLContext:
    """Trust this machine's certificates: councils' proxies add their own roots."""
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def quiet_libraries() -> None:
    """Stop the HTTP library from logging addresses, also at level debug."""
    for name in _LIBRARY_LOGGERS:
        logging.getLogger(name).addFilter(lambda it: it.levelno >= logging.WARNING)


# To parse an address costs as much as to send the request.
parsed = lru_cache(maxsize=1024)(httpx.URL)


class _SentMark:
    """Records when the first byte of a request leaves."""

    def __init__(self) -> None:
        self.sent = False

    async def __call__(self, event: str, info: Mapping[str, object]) -> None:
        if event.endswith("send_request_headers.started"):
            # CONNECT goes to the proxy, not to the service.
            self.sent = getattr(info.get("request"), "method", b"") != b"CONNECT"


class Wire:
    """Several connections behind one method."""

    def __init__(
        self,
        *,
        addresses: Addresses,
        key: str,
        pacer: Pacer,
        workers: int,
        user_agent: str,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        quiet_libraries()
        self.addresses = addresses
        self._pacer = pacer
        self._redactor = Redactor(key)
        self.key_has_mark = headers.LIVE_MARK in key or headers.SANDBOX_MARK in key
        self._always = httpx.Headers(
            {
                headers.AUTHORIZATION: f"{headers.BEARER} {key}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                "User-Agent": user_agent,
            }
        )
        self._with_body = httpx.Headers(self._always)
        self._with_body["Content-Type"] = "application/json"
        connections = max(1, workers)
        self._transports = (
            _transports(addresses.base_url, number=connections)
            if transport is None
            else [transport] * connections
        )
        # Surplus requests wait here; their deadline begins when they leave.
        self._free = asyncio.LifoQueue[httpx.AsyncBaseTransport]()
        for each in self._transports:
            self._free.put_nowait(each)
        self.has_answered = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for transport in self._transports:
            await transport.aclose()

    async def ask(
        self,
        operation: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        body: Mapping[str, object] | None = None,
        total_seconds: float = TOTAL_SECONDS,
    ) -> Exchange:
        """Make one request; every failure is a value."""
        method, url = self.addresses.of(operation, path=path)
        mark = _SentMark()
        try:
            request = httpx.Request(
                method,
                parsed(url),
                params=query,
                headers=self._always if body is None else self._with_body,
                content=None if body is None else canonical(body),
                extensions={
                    "trace": mark,
                    "timeout": _OWN_TIMEOUTS.get(operation, _TIMEOUTS),
                },
            )
        except BROKEN as trouble:
            return Lost(sent=False, detail=_cause(trouble))
        way = await self._free.get()
        try:
            start = self._pacer.leaves()
            TRAFFIC.sent_bytes += len(request.content)
            exchange = await _within(total_seconds, way, request, mark=mark)
        finally:
            self._free.put_nowait(way)
        match exchange:
            case Answer(http_status=status):
                self.has_answered = True
                self._pacer.learn(exchange.headers, http_status=status, start=start)
                _log.debug("%s: %d", operation, status)
                return self._without_key(exchange)
            case Lost(detail=detail):
                self._pacer.lost()
                _log.debug("%s: %s", operation, detail)
                return exchange

    def _without_key(self, answer: Answer) -> Answer:
        body = self._redactor.without_key(answer.body)
        return answer if body is answer.body else replace(answer, body=body)


def _transports(base_url: str, *, number: int) -> list[httpx.AsyncBaseTransport]:
    context, is_straight = tls(), proxy_for(base_url) is None
    way = StraightConnection if is_straight else ByProxy
    return [way(verify=context) for _ in range(number)]


async def _within(
    total_seconds: float,
    transport: httpx.AsyncBaseTransport,
    request: httpx.Request,
    *,
    mark: _SentMark,
) -> Exchange:
    try:
        async with asyncio.timeout(total_seconds):
            response = await transport.handle_async_request(request)
            async with aclosing(response):
                names = dict(response.headers.items())
                body = await _body(response, packing=names.get("content-encoding", ""))
                status = response.status_code
                return Answer(http_status=status, headers=names, body=body)
    except Packed as trouble:
        return Lost(sent=True, detail=str(trouble))
    except TimeoutError:
        return Lost(sent=mark.sent, detail="no answer within the time allowed")
    except _NEVER_LEFT as trouble:
        is_refused = any(isinstance(e, ConnectionRefusedError) for e in causes(trouble))
        return Lost(sent=False, detail=_cause(trouble), nobody_listens=is_refused)
    except BROKEN as trouble:
        return Lost(sent=mark.sent, detail=_cause(trouble))


_TOO_LARGE: Final = "the answer is larger than 10 MiB"


async def _body(response: httpx.Response, *, packing: str) -> bytes:
    """Read a body, at most 10 MiB as it comes and as it is meant; else `Packed`."""
    unpacker = Unpacker(packing)
    body, packed_bytes = bytearray(), 0
    async for chunk in response.aiter_raw():
        packed_bytes += len(chunk)
        TRAFFIC.received_bytes += len(chunk)
        if packed_bytes > ANSWER_MAX_BYTES:
            raise Packed(_TOO_LARGE)
        for piece in unpacker.feed(chunk):
            body += piece
            if len(body) > ANSWER_MAX_BYTES:
                raise Packed(_TOO_LARGE)
    if not unpacker.is_whole:
        raise Packed("the answer was cut")
    return bytes(body)


def causes(trouble: BaseException) -> Iterator[BaseException]:
    """Give an error and what caused it, the latest first."""
    cause: BaseException | None = trouble
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def _cause(trouble: Exception) -> str:
    match trouble:
        case httpx.ConnectTimeout() | httpx.PoolTimeout():
            return "no connection within the time allowed"
        case httpx.ConnectError():
            return "no connection"
        case httpx.ProxyError():
            return f"the proxy let nothing through; {Next.DOCTOR} says why"
        case httpx.ReadTimeout() | httpx.WriteTimeout():
            return "no answer within the time allowed"
        case _:
            return "the connection broke"


_INSTEAD: Final = "[key]"
_WIDE: Final = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


class Redactor:
    """Removes one key."""

    def __init__(self, key: str) -> None:
        self._plain = key.encode()
        # Slow: made and used only for answers with escapes.
        self._escaped = "".join(map(_either, key)).encode()
        self._wide = {form: key.encode(form) for form in _WIDE}

    def without_key(self, body: bytes) -> bytes:
        """Give a body without the key; the same object where it has none."""
        if self._plain in body:
            body = body.replace(self._plain, _INSTEAD.encode())
        if b"\\" in body:
            body = re.sub(self._escaped, _INSTEAD.encode(), body)
        if b"\0" in body:
            for form, spelt in self._wide.items():
                body = body.replace(spelt, _INSTEAD.encode(form))
        return body


def _either(letter: str) -> str:
    """Match one letter of a JSON string, as itself or escaped."""
    digits = "".join(
        f"[{digit}{digit.upper()}]" if digit.isalpha() else digit
        for digit in f"{ord(letter):04x}"
    )
    ways = [re.escape(letter), rf"\\u{digits}"]
    if letter in '"\\/':
        ways.append(rf"\\{re.escape(letter)}")
    return f"(?:{'|'.join(ways)})"
