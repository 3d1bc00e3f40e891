"""A raw server that answers as nobody should, byte by byte.

Each connection is handed to a script; the server counts connections and keeps
every byte that it was sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True, kw_only=True)
class Caller:
    """One connection, as the server sees it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    heard: bytearray = field(default_factory=bytearray)

    async def request(self) -> bytes:
        """Read one whole request; empty when the caller is gone."""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""
        body = b""
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                body = await self.reader.readexactly(int(value))
        self.heard += head + body
        return head + body

    async def read(self, number: int) -> None:
        """Read so many bytes and no more."""
        if number:
            with contextlib.suppress(asyncio.IncompleteReadError):
                self.heard += await self.reader.readexactly(number)

    async def say(self, data: bytes) -> None:
        """Write."""
        self.writer.write(data)
        with contextlib.suppress(ConnectionError):
            await self.writer.drain()

    async def trickle(
        self, data: bytes | Iterable[bytes], *, every_seconds: float
    ) -> None:
        """Write piece by piece, or byte by byte, for as long as somebody listens."""
        pieces = (
            [data[n : n + 1] for n in range(len(data))]
            if isinstance(data, bytes)
            else data
        )
        for piece in pieces:
            await self.say(piece)
            if self.reader.at_eof() or self.writer.is_closing():
                return
            await asyncio.sleep(every_seconds)

    def reset(self) -> None:
        """Break the connection so that the caller sees a reset."""
        raw = self.writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Script = Callable[[Caller], Awaitable[None]]


@dataclass(slots=True, kw_only=True)
class HostileServer:
    """Where it listens, and what it saw."""

    port: int
    callers: list[Caller] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def heard(self) -> bytes:
        """Give every byte that anybody sent."""
        return b"".join(bytes(each.heard) for each in self.callers)


@asynccontextmanager
async def hostile_server(script: Script) -> AsyncIterator[HostileServer]:
    """Listen on a free port of this machine and run `script` for each caller."""
    scripts: set[asyncio.Task[None]] = set()
    seen = HostileServer(port=0)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        caller = Caller(reader=reader, writer=writer)
        seen.callers.append(caller)
        this = asyncio.current_task()
        if this is not None:
            scripts.add(this)
        try:
            await script(caller)
        except (ConnectionError, EOFError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    seen.port = server.sockets[0].getsockname()[1]
    try:
        yield seen
    finally:
        server.close()
        for each in scripts:
            each.cancel()
        await asyncio.gather(*scripts, return_exceptions=True)
        await server.wait_closed()


def answer(
    status: int = 200,
    body: bytes = b"",
    *,
    headers: dict[str, str] | None = None,
    length: int | None = None,
) -> bytes:
    """Make the bytes of an answer; `length` is what it says of itself."""
    lines = [f"HTTP/1.1 {status} Words"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def envelope(
    value: object, *, status: int = 200, success: bool = True, message: str = ""
) -> bytes:
    """Make the body of the service's envelope."""
    return json.dumps(
        {
            "success": success,
            "message": message,
            "status_code": status,
            "response_object": value,
        }
    ).encode()


def always(data: bytes) -> Script:
    """Answer every request with the same bytes."""

    async def script(caller: Caller) -> None:
        while await caller.request():
            await caller.say(data)

    return script
