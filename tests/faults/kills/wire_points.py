"""Points on the wire: the first byte, the whole request, the first of an answer.

The real sockets are wrapped: those of the storage where the HTTP library opens
them, those of the service below `HttpProtocol`. A first byte is one byte that has
really left; what it belongs to is learnt from the wire's own methods.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from contextvars import ContextVar
from typing import Any, Final

import httpcore

from faults.kills.clockwork import Clockwork, put_around
from faults.kills.journal_points import SETTLING
from kawe.service.storage import Storage
from kawe.service.transport.answers import Exchange
from kawe.service.transport.connections import HttpProtocol
from kawe.service.transport.wire import Wire

_ASKED: Final[ContextVar[str]] = ContextVar("asked", default="")
_NAMES: Final = {
    "project_create": "create",
    "project_send": "send",
    "user_invite_bulk": "invite",
    "upload_presign": "presign",
    "upload_complete": "complete",
    "project_list": "page",
    "organisation_list": "page",
    "receipt_list": "page",
    "project_read": "read",
    "team_read": "team",
    "download": "link",
}


class MortalStream(httpcore.AsyncNetworkStream):
    """A connection whose every request comes by three points."""

    def __init__(
        self, inner: httpcore.AsyncNetworkStream, *, clockwork: Clockwork
    ) -> None:
        self._inner = inner
        self._clockwork = clockwork
        self._is_asking = False
        self._is_heard = True
        self._name = ""

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - the library's shape
        """Write, and come by the first byte of a request."""
        if buffer and not self._is_asking:
            self._is_asking, self._name = True, _ASKED.get()
            point = f"{self._name}.first-byte"
            if self._clockwork.is_due(point):
                await self._inner.write(buffer[:1], timeout)
            self._clockwork.visit(point)
        await self._inner.write(buffer, timeout)

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - the library's shape
        """Read, and come by the end of a request and the first of its answer."""
        if self._is_asking:
            self._is_asking = self._is_heard = False
            self._clockwork.visit(f"{self._name}.whole-request")
        data = await self._inner.read(max_bytes, timeout)
        if data and not self._is_heard:
            self._is_heard = True
            self._clockwork.visit(f"{self._name}.answer")
        return data

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's shape
    ) -> httpcore.AsyncNetworkStream:
        """Go on under TLS."""
        inner = await self._inner.start_tls(ssl_context, server_hostname, timeout)
        return MortalStream(inner, clockwork=self._clockwork)

    def get_extra_info(self, info: str) -> Any:
        """Tell of the connection below."""
        return self._inner.get_extra_info(info)


class MortalTransport(asyncio.Transport):
    """What a `HttpProtocol` writes to: each write is a whole request."""

    def __init__(self, inner: asyncio.Transport, *, clockwork: Clockwork) -> None:
        super().__init__()
        self._inner = inner
        self._clockwork = clockwork
        self._is_heard = True
        self._name = ""

    def write(self, data: bytes) -> None:  # type: ignore[override]
        """Write, and come by the first byte of a request and by its end."""
        self._is_heard, self._name = False, _ASKED.get()
        point = f"{self._name}.first-byte"
        if self._clockwork.is_due(point):
            self._inner.write(data[:1])
        self._clockwork.visit(point)
        self._inner.write(data)
        self._clockwork.visit(f"{self._name}.whole-request")

    def heard(self) -> None:
        """Come by the first byte of an answer."""
        if not self._is_heard:
            self._is_heard = True
            self._clockwork.visit(f"{self._name}.answer")

    def abort(self) -> None:
        self._inner.abort()


def install_wire_points(clockwork: Clockwork) -> None:
    """Wrap every connection of this process, and learn what is asked on it."""

    def connect(inner: Callable[..., Any]) -> Callable[..., Any]:
        async def connected(*given: Any, **words: Any) -> MortalStream:
            return MortalStream(await inner(*given, **words), clockwork=clockwork)

        return connected

    def made(inner: Callable[..., None]) -> Callable[..., None]:
        def connection_made(line: HttpProtocol, transport: asyncio.Transport) -> None:
            inner(line, MortalTransport(transport, clockwork=clockwork))

        return connection_made

    def heard(inner: Callable[..., None]) -> Callable[..., None]:
        def data_received(line: HttpProtocol, data: bytes) -> None:
            if data and isinstance(line._transport, MortalTransport):
                line._transport.heard()
            inner(line, data)

        return data_received

    put_around(httpcore.AnyIOBackend, "connect_tcp", connect)
    put_around(HttpProtocol, "connection_made", made)
    put_around(HttpProtocol, "data_received", heard)
    put_around(Wire, "ask", lambda inner: _asking(inner, name=_operation))
    put_around(Storage, "post", lambda inner: _asking(inner, name=_post))
    put_around(Storage, "get", lambda inner: _download(inner, clockwork=clockwork))


def _post(*_given: object, **_words: object) -> str:
    return "post"


def _operation(operation: str, **words: Any) -> str:
    body = words.get("body")
    if operation == "project_create" and body is not None and "organisation" in body:
        return "organisation"
    # Without a body, a send only asks whether the key may send.
    is_question = operation == "project_send" and not body
    name = "question" if is_question else _NAMES.get(operation, "question")
    return f"settle.{name}" if SETTLING.get() else name


def _asking(
    inner: Callable[..., Any], *, name: Callable[..., str]
) -> Callable[..., Any]:
    async def asking(it: object, *given: Any, **words: Any) -> Exchange:
        mark = _ASKED.set(name(*given, **words))
        try:
            exchange: Exchange = await inner(it, *given, **words)
            return exchange
        finally:
            _ASKED.reset(mark)

    return asking


def _download(
    inner: Callable[[Storage, str], AsyncGenerator[bytes]], *, clockwork: Clockwork
) -> Callable[[Storage, str], AsyncGenerator[bytes]]:
    async def download(it: Storage, url: str) -> AsyncGenerator[bytes]:
        _ASKED.set("download")
        async with aclosing(inner(it, url)) as pieces:
            async for piece in pieces:
                yield piece
                # Whoever asks for more has written what there was.
                clockwork.visit("download.half-written")

    return download
