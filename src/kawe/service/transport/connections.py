"""A straight connection to the service, for one request at a time.

The HTTP library's own takes twice the time: its pool, its locks and its layer over the
event loop serve many cases. As there, h11 says what is written and read.
"""

import asyncio
import socket
import ssl
from typing import Any, Final, cast

import h11
import httpx

# Many servers close an idle connection after five seconds.
IDLE_SECONDS: Final = 4.0
ANSWER_MAX_BYTES: Final = 10 * 1024 * 1024
_HEAD_MAX_BYTES: Final = 100 * 1024
_NEXT_ADDRESS_SECONDS: Final = 0.25


class StraightConnection(httpx.AsyncBaseTransport):
    """Implements the library's transport; opens a connection where it has none.

    It answers with at most 10 MiB and a piece.
    """

    def __init__(self, *, verify: ssl.SSLContext) -> None:
        self._verify = verify
        verify.set_alpn_protocols(["http/1.1"])
        self._protocol: HttpProtocol | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Make one request; after any trouble the connection is closed.

        Raises:
            httpx.TransportError: There was no connection, or no HTTP was spoken.
            OSError: The connection broke; TimeoutError: nothing came for long.
        """
        # What came in the meantime, or the end, is heard two rounds of the loop later.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        protocol = self._protocol
        if protocol is None or not protocol.serves_again:
            await self.aclose()
            protocol = self._protocol = await self._opened(request)
        try:
            return await protocol.exchange(request)
        except h11.ProtocolError as trouble:
            raise httpx.ProtocolError("") from trouble
        finally:
            if not protocol.serves_again:
                await self.aclose()

    async def aclose(self) -> None:
        """Close the connection."""
        if self._protocol is not None:
            self._protocol.end()
            self._protocol = None

    async def _opened(self, request: httpx.Request) -> "HttpProtocol":
        url, loop = request.url, asyncio.get_running_loop()
        host, is_tls = url.raw_host.decode("ascii"), url.scheme == "https"
        port = url.port or (443 if is_tls else 80)
        try:
            async with asyncio.timeout(request.extensions["timeout"]["connect"]):
                found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
                # When a race is cancelled, it loses its socket.
                races = len({family for family, *_ in found}) > 1
                _, protocol = await loop.create_connection(
                    HttpProtocol,
                    host,
                    port,
                    ssl=self._verify if is_tls else None,
                    happy_eyeballs_delay=_NEXT_ADDRESS_SECONDS if races else None,
                )
        except TimeoutError as trouble:
            raise httpx.ConnectTimeout("") from trouble
        except OSError as trouble:
            raise httpx.ConnectError("") from trouble
        return protocol


class HttpProtocol(asyncio.Protocol):
    """The bytes of one connection, and what they mean."""

    def __init__(self) -> None:
        self._now = asyncio.get_running_loop().time
        self._talk = h11.Connection(h11.CLIENT, _HEAD_MAX_BYTES)
        self._came = asyncio.Event()
        self._trouble: OSError | None = None
        self._good_until = 0.0

    @property
    def serves_again(self) -> bool:
        return self._now() < self._good_until

    async def exchange(self, request: httpx.Request) -> httpx.Response:
        """Send a request and read its answer, or raise what went wrong."""
        self._good_until = 0.0
        target, headers = request.url.raw_path, request.headers.raw
        asked = h11.Request(method=request.method, target=target, headers=headers)
        parts = asked, h11.Data(data=request.content), h11.EndOfMessage()
        raw = b"".join(self._talk.send(part) or b"" for part in parts)
        trace = request.extensions["trace"]
        await trace("send_request_headers.started", {"request": request})
        self._transport.write(raw)
        waits = request.extensions["timeout"]["read"]
        while (head := await self._event(waits)).status_code < 200:
            pass
        body = bytearray()
        while isinstance(event := await self._event(waits), h11.Data):
            body += event.data
            if len(body) > ANSWER_MAX_BYTES:
                break
        is_done = self._talk.our_state is self._talk.their_state is h11.DONE
        if is_done and self._talk.trailing_data == (b"", False):
            self._talk.start_next_cycle()
            self._good_until = self._now() + IDLE_SECONDS
        return httpx.Response(
            head.status_code,
            headers=list(head.headers),
            stream=httpx.ByteStream(bytes(body)),
        )

    async def _event(self, seconds: float) -> Any:  # noqa: ANN401 - untyped in h11
        while (event := self._talk.next_event()) is h11.NEED_DATA:
            if self._trouble is not None:
                raise self._trouble
            self._came.clear()
            async with asyncio.timeout(seconds):
                await self._came.wait()
        return event

    def end(self) -> None:
        """Close at once."""
        self._good_until = 0.0
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Take some bytes of an answer, or its end, which has none."""
        if self._good_until:
            # Nobody asked: the next answer would be another's.
            self.end()
            return
        self._talk.receive_data(data)
        self._came.set()

    def eof_received(self) -> None:
        self.data_received(b"")

    def connection_lost(self, exc: Exception | None) -> None:
        """Take what broke it, if anything did."""
        self._good_until = 0.0
        self._trouble = ConnectionResetError() if exc is None else OSError(exc)
        self._came.set()
