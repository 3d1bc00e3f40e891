"""A connection that a fault can cut, at a byte of the answer or at once.

ASGI cannot reset a connection, so the protocol gives each request its connection.
"""

import asyncio
import re
import socket
import struct
from typing import Any, Final, cast

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from kawe_twin.options import IS_WINDOWS

_LINE: Final = "kawe.line"
# Linger for zero seconds: close sends RST. The numbers are shorts on Windows.
_LINGER_NOT: Final = struct.pack("hh" if IS_WINDOWS else "ii", 1, 0)


_DATE: Final = re.compile(rb"(\r\ndate: )[^\r]{29}", re.IGNORECASE)


class Connection:
    """The transport of one client, which can be cut."""

    def __init__(self, inner: asyncio.Transport) -> None:
        self._inner = inner
        self.left_bytes: int | None = None
        """How many more it sends, headers included, before it closes."""
        self.date = b""
        """What the next Date header says instead, in the same length."""

    def mend(self) -> None:
        """End all faults of this connection."""
        self.left_bytes = None
        self.date = b""

    def reset(self) -> None:
        """Reset the connection at once (RST)."""
        if (held := self._inner.get_extra_info("socket")) is not None:
            held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
        self._inner.abort()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write up to the cut."""
        if self.date:
            data = _DATE.sub(rb"\g<1>" + self.date, bytes(data), count=1)
            self.date = b""
        if self.left_bytes is None:
            self._inner.write(data)
            return
        part = data[: self.left_bytes]
        self.left_bytes -= len(part)
        if part:
            self._inner.write(part)
        if self.left_bytes == 0:
            # close() still sends what was written.
            self._inner.close()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a transport has
        return getattr(self._inner, name)


class CuttableProtocol(H11Protocol):
    """HTTP/1.1 that gives each request its connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin a connection."""
        line = Connection(transport)
        super().connection_made(cast("asyncio.Transport", line))
        self.app = _knowing(line, app=self.app)


def _knowing(line: Connection, *, app: ASGIApp) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        scope[_LINE] = line
        await app(scope, receive, send)

    return answer


def connection_of(scope: Scope) -> Connection:
    """Give the connection of a request."""
    line: Connection = scope[_LINE]
    return line
