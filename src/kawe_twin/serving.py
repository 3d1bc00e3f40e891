"""Starting a twin on real sockets, and stopping it.

Loopback only. Keys and the owner secret are random at every start; only the returned
address has them. The sockets are bound here, so that their ports are known before the
applications are built. uvicorn, which serves them in a thread, has no timeout for a
request's head; idle connections could use up all handles.
"""

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Final, Self

from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from kawe_twin.assembly import Assembly, Origin, assemble
from kawe_twin.faults.connection import CuttableProtocol
from kawe_twin.options import IS_WINDOWS, TwinAddress, TwinOptions
from kawe_twin.rules.tokens import buy
from kawe_twin.store.state import sends_by_project
from kawe_twin.world.clock import Clock, instant_text, system_clock

__all__ = ["RunningTwin", "TwinAddress", "TwinOptions", "serve_twin", "start_twin"]

_WAKE_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningTwin:
    """A running twin; also a context manager."""

    address: TwinAddress
    _assembly: Assembly = field(repr=False)
    _listening: "Listening" = field(repr=False)

    def buy_tokens(self, quantity: int) -> int:
        """Buy one pack for the live team; give the new balance."""
        assembly = self._assembly
        now = instant_text(assembly.clock())
        bought = assembly.database.submit(
            lambda db: buy(
                db, account_id=assembly.live_team_id, quantity=quantity, now=now
            )
        )
        return bought.result()

    def sends_by_project(self) -> list[int]:
        return self._assembly.database.submit(sends_by_project).result()

    def stop(self) -> None:
        """Finish current answers; release ports and folder."""
        self._listening.stop()
        self._assembly.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def start_twin(options: TwinOptions, *, clock: Clock = system_clock) -> RunningTwin:
    """Start a twin; return when both ports accept.

    Raises:
        ValueError: The host is not this machine alone.
        OSError: A port is taken, or the folder cannot be written.
        StoreUnusable: Another twin has the folder, or it is not a twin's.
    """
    wanted: dict[Origin, int] = {"api": options.port, "storage": options.storage_port}
    if options.faults:
        wanted["switchboard"] = options.switchboard_port
    with ExitStack() as sockets:
        bound = {
            origin: sockets.enter_context(loopback_socket(options.host, port=port))
            for origin, port in wanted.items()
        }
        ports = {origin: each.getsockname()[1] for origin, each in bound.items()}
        assembly = assemble(options, ports=ports, clock=clock)
        # From here on the sockets are the servers'.
        sockets.pop_all()
    listening = listen(
        [(bound[origin], app) for origin, app in assembly.origins.items()],
        cuttable=options.faults,
        head_seconds=options.body_seconds,
    )
    return RunningTwin(
        address=assembly.address, _assembly=assembly, _listening=listening
    )


def serve_twin(options: TwinOptions, *, ready: Callable[[TwinAddress], None]) -> None:
    """Serve a twin until SIGINT or SIGTERM; call from the main thread.

    `ready` is told the address once both ports accept.

    Raises:
        ValueError, OSError, StoreUnusable: As `start_twin`.
    """
    ended = threading.Event()
    with _signals_set(ended), start_twin(options) as twin:
        ready(twin.address)
        # Short waits: Windows handles Ctrl+C only between them.
        while not ended.wait(_WAKE_SECONDS):
            pass


@contextmanager
def _signals_set(ended: threading.Event) -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the shape signal calls
        ended.set()

    before = {
        number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)


LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


def loopback_socket(host: str, *, port: int) -> socket.socket:
    """Bind a port of this machine, and of no other; 0 takes a free one."""
    if host not in LOOPBACK:
        raise ValueError(f"{host} is not a loopback address")
    family = socket.AF_INET6 if host == "::1" else socket.AF_INET
    # asyncio disables Nagle's delay (40 ms) only for a socket that names TCP.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if not IS_WINDOWS:
            # A restart can use the port; on Windows two programs could share it.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1" if host == "localhost" else host, port))
        bound.listen(2048)
    except OSError:
        bound.close()
        raise
    return bound


class HeadTimeoutProtocol(H11Protocol):
    """HTTP/1.1 with a timeout for the head of a request."""

    head_seconds = 30.0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Start the timeout."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read; stop the timeout when a head is complete."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        self._forget()
        super().connection_lost(exc)

    def _watch(self) -> None:
        # A cycle begins with a complete head and ends with its response.
        if not getattr(self.cycle, "response_complete", True):
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """Applications served in one thread."""

    thread: threading.Thread
    servers: Sequence[Server]

    def stop(self) -> None:
        """Stop accepting calls, finish current ones, and wait."""
        for server in self.servers:
            server.should_exit = True
        self.thread.join()


def listen(
    apps: Sequence[tuple[socket.socket, ASGIApp]],
    *,
    cuttable: bool = False,
    head_seconds: float = HeadTimeoutProtocol.head_seconds,
) -> Listening:
    """Serve each application at its socket, in one thread.

    `cuttable`: faults can cut connections, and `head_seconds` does not apply.
    """
    timed = type("Timed", (HeadTimeoutProtocol,), {"head_seconds": head_seconds})
    protocol = CuttableProtocol if cuttable else timed
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
    # No access log: its query strings hold signatures.
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
