"""Starting a twin on real sockets, and stopping it.

Loopback only. Keys and the owner secret are random at every start; only the returned
address has them.
"""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Final, Self

from kawe.twin.assembly import Assembly, Ports, assemble
from kawe.twin.listening import Listening, listen, loopback_socket, port_of
from kawe.twin.options import TwinAddress, TwinOptions
from kawe.twin.rules.tokens import buy
from kawe.twin.store.state import sends_by_project
from kawe.twin.world.clock import instant_text, system_clock

__all__ = ["RunningTwin", "TwinAddress", "TwinOptions", "serve_twin", "start_twin"]

_WAKE_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningTwin:
    """A running twin; also a context manager."""

    address: TwinAddress
    _assembly: Assembly = field(repr=False)
    _listening: Listening = field(repr=False)

    def buy_tokens(self, quantity: int) -> int:
        """Buy one pack for the live team; give the new balance.

        Raises:
            Refusal: There is no pack of this size.
        """
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


def start_twin(options: TwinOptions) -> RunningTwin:
    """Start a twin; return when both ports accept.

    Raises:
        ValueError: The host is not this machine alone.
        OSError: A port is taken, or the folder cannot be written.
        StoreUnusable: Another twin has the folder, or it is not a twin's.
    """
    with ExitStack() as sockets:

        def bound(port: int) -> socket.socket:
            return sockets.enter_context(loopback_socket(options.host, port=port))

        api, storage = bound(options.port), bound(options.storage_port)
        switchboard = bound(options.switchboard_port) if options.faults else None
        ports = Ports(
            api=port_of(api),
            storage=port_of(storage),
            switchboard=None if switchboard is None else port_of(switchboard),
        )
        assembly = assemble(options, ports=ports, clock=system_clock)
        # From here on the sockets are the servers'.
        sockets.pop_all()
    origins = assembly.origins
    served = [(api, origins.api), (storage, origins.storage)]
    if switchboard is not None and origins.switchboard is not None:
        served.append((switchboard, origins.switchboard))
    listening = listen(
        served, cuttable=options.faults, head_seconds=options.body_seconds
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
