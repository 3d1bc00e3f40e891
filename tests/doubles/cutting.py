"""A proxy before a service that cuts the connection of an act at a given byte."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import struct
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from kawe.domain.service.states import Step

_CREATE: Final = re.compile(rb"POST \S*/projects HTTP")
_SEND: Final = re.compile(rb"\S+ \S*/projects/(?!0{8}-)[0-9a-f-]{36}/send HTTP")
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_REFERENCE: Final = re.compile(rb'"reference": ?"([^"]+)"')


class Way(Enum):
    """Which way the bytes go that are cut."""

    REQUEST = "request"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Let so many bytes through, then break the connection."""

    way: Way
    at: int
    resets: bool = False
    """False: it is closed, as by a program that ends; True: it is reset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act as it passed by."""

    step: Step
    cut: Cut | None
    request: bytes
    answer: bytes
    """What the service said, whole, or nothing where it was not heard."""

    @property
    def is_whole(self) -> bool:
        """Say whether the whole answer was let through."""
        return self.cut is None or (
            self.cut.way is Way.ANSWER and self.cut.at >= len(self.answer)
        )

    @property
    def about(self) -> str:
        """Name what the act was about: a reference, or the address of a send."""
        if self.step is Step.SEND:
            return self.request.split(b" ", 2)[1].split(b"/")[-2].decode()
        named = _REFERENCE.search(self.request)
        return "" if named is None else named[1].decode()


@dataclass(slots=True, kw_only=True)
class CuttingProxy:
    """Where it listens, what it is to cut, and what passed by."""

    to_port: int
    port: int = 0
    cuts: dict[Step, deque[Cut]] = field(
        default_factory=lambda: {Step.CREATE: deque(), Step.SEND: deque()}
    )
    """For each step, what becomes of its next acts; then nothing is cut."""
    acts: list[Act] = field(default_factory=list)

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Carry one connection, until one side ends it or it is cut."""
        beyond = await asyncio.open_connection("127.0.0.1", self.to_port)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                while await self._exchange(reader, writer, beyond):
                    pass
        finally:
            for each in (writer, beyond[1]):
                each.close()

    async def _exchange(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        beyond: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> bool:
        # The twin answers to its own name alone; both ports have five digits.
        asked = f"Host: 127.0.0.1:{self.port}", f"Host: 127.0.0.1:{self.to_port}"
        here, there = (each.encode() for each in asked)
        request = (await _message(reader)).replace(here, there)
        step = _step(request)
        cut = self.cuts[step].popleft() if step and self.cuts[step] else None
        answer, goes_on = b"", cut is None
        if cut is not None and cut.way is Way.REQUEST:
            await _say(beyond[1], request[: cut.at])
        else:
            await _say(beyond[1], request)
            answer = await _message(beyond[0])
        if step is not None:
            self.acts.append(Act(step=step, cut=cut, request=request, answer=answer))
        if cut is None:
            await _say(writer, answer)
        elif cut.way is Way.ANSWER:
            await _say(writer, answer[: cut.at])
        if cut is not None and cut.resets:
            _reset(writer)
        return goes_on


def _step(request: bytes) -> Step | None:
    if _CREATE.match(request):
        return Step.CREATE
    return Step.SEND if _SEND.match(request) else None


async def _message(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    return head + await reader.readexactly(int(length[1]) if length else 0)


async def _say(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()


def _reset(writer: asyncio.StreamWriter) -> None:
    raw = writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@contextmanager
def cutting_proxy(to_port: int) -> Iterator[CuttingProxy]:
    """Listen on a free port, in a thread, for as long as the block lasts."""
    proxy = CuttingProxy(to_port=to_port)
    loop = asyncio.new_event_loop()
    ready, ended = threading.Event(), asyncio.Event()

    async def listen() -> None:
        server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
        proxy.port = server.sockets[0].getsockname()[1]
        ready.set()
        async with server:
            await ended.wait()
        here = asyncio.current_task()
        others = [each for each in asyncio.all_tasks() if each is not here]
        for each in others:
            each.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    thread = threading.Thread(target=lambda: loop.run_until_complete(listen()))
    thread.start()
    ready.wait()
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()
