"""Sockets, and the thread that serves them with uvicorn.

The sockets are bound by us, so that their ports are known before the
applications are built and nobody else can take them in between. uvicorn waits
for ever for a head that trickles, or never begins; a few thousand such
connections would leave no handle for anybody else.
"""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from kawe.twin.faults.connection import CuttableProtocol

LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


def loopback_socket(host: str, *, port: int) -> socket.socket:
    """Bind a port of this machine; 0 takes a free one.

    Raises:
        ValueError: The host is not this machine alone.
        OSError: The port is taken.
    """
    if host not in LOOPBACK:
        raise ValueError(f"{host} is not a loopback address")
    family = socket.AF_INET6 if host == "::1" else socket.AF_INET
    # The protocol is named because asyncio turns Nagle's delay off only where
    # it reads TCP there; otherwise each answer waits 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            # A port just left is free at once after a restart. On Windows the
            # same option would let two programs share it.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1" if host == "localhost" else host, port))
        # A client that is quicker than the server's thread waits here.
        bound.listen(2048)
    except OSError:
        bound.close()
        raise
    return bound


def port_of(bound: socket.socket) -> int:
    """Tell which port a socket has."""
    return int(bound.getsockname()[1])


class HeadTimeoutProtocol(H11Protocol):
    """HTTP/1.1 that closes a connection whose next head does not come."""

    head_seconds = 30.0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read on; wait no more once a head is whole."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the wait together with the connection."""
        self._forget()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if _is_answering(self.cycle):
            self._forget()
        elif self._timer is None:
            self._timer = self.loop.call_later(self.head_seconds, self._give_up)

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()


def _is_answering(cycle: RequestResponseCycle | None) -> bool:
    # A new cycle stands for a whole head, a complete one for the head before;
    # there is none before the first.
    return cycle is not None and not cycle.response_complete


def with_head_timeout(head_seconds: float) -> type[HeadTimeoutProtocol]:
    """Give the protocol with another patience."""
    return type(
        "HeadTimeoutProtocol", (HeadTimeoutProtocol,), {"head_seconds": head_seconds}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """Applications being served, each at its socket, in one thread."""

    thread: threading.Thread
    servers: Sequence[Server]

    def stop(self) -> None:
        """Stop taking calls, finish those under way, and wait for the end."""
        for server in self.servers:
            server.should_exit = True
        self.thread.join()


def listen(
    apps: Sequence[tuple[socket.socket, ASGIApp]],
    *,
    cuttable: bool = False,
    head_seconds: float = HeadTimeoutProtocol.head_seconds,
) -> Listening:
    """Serve each application at its socket, from one thread of its own.

    `cuttable` serves them over lines that faults can cut; those wait for ever,
    others `head_seconds` for the head of a request.
    """
    protocol = CuttableProtocol if cuttable else with_head_timeout(head_seconds)
    servers = [Server(_config(app, protocol=protocol)) for _, app in apps]

    async def serve() -> None:
        await asyncio.gather(
            *(
                server.serve(sockets=[bound])
                for server, (bound, _) in zip(servers, apps, strict=True)
            )
        )

    thread = threading.Thread(
        target=asyncio.run, args=(serve(),), name="kawe-twin", daemon=True
    )
    thread.start()
    return Listening(thread=thread, servers=servers)


def _config(app: ASGIApp, *, protocol: type[H11Protocol]) -> Config:
    # No access log: its lines carry query strings, and with them signatures.
    return Config(
        app,
        http=protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
