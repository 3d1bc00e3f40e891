"""A connection that can be cut: at a byte of the answer, or at once.

ASGI has no word for a lost connection: uvicorn answers 500 for an application
that raises. So the protocol hands each request the line it came on.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import struct
from typing import Any, Final, cast

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

_LINE: Final = "kawe.line"
# On, for zero seconds: closing then sends RST and drops what is unsent. The two
# numbers are shorts on Windows and ints elsewhere.
_LINGER_NOT: Final = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)


_DATE: Final = re.compile(rb"(\r\ndate: )[^\r]{29}", re.IGNORECASE)


class Connection:
    """One client's connection, as the server writes to it: a transport but for that."""

    def __init__(self, inner: asyncio.Transport) -> None:
        self._inner = inner
        self._left_bytes: int | None = None
        self._date = b""

    def cut_after(self, size_bytes: int) -> None:
        """Close once this many bytes more were written, headers counted too."""
        self._left_bytes = size_bytes

    def date_as(self, date: str) -> None:
        """Write `date` in the place of the Date that comes next.

        Every HTTP date has the same length, so that a cut stays where it was.
        """
        self._date = date.encode()

    def mend(self) -> None:
        """Cut nothing any more, and leave dates alone."""
        self._left_bytes = None
        self._date = b""

    def reset(self) -> None:
        """Break the connection at once (RST): the client gets no answer."""
        held = self._inner.get_extra_info("socket")
        if held is not None:
            held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
        self._inner.abort()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write, as far as the line is not cut."""
        if self._date:
            data = _DATE.sub(rb"\g<1>" + self._date, bytes(data), count=1)
            self._date = b""
        if self._left_bytes is None:
            self._inner.write(data)
            return
        part = data[: self._left_bytes]
        self._left_bytes -= len(part)
        if part:
            self._inner.write(part)
        if self._left_bytes == 0:
            # Closing still delivers what was written before.
            self._inner.close()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a transport has
        return getattr(self._inner, name)


class CuttableProtocol(H11Protocol):
    """HTTP/1.1 whose requests know their line."""

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
    """Give the line that a request came on."""
    line: Connection = scope[_LINE]
    return line
