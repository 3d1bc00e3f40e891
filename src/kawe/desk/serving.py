"""Serves the desk on this machine alone, until it is stopped."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from uvicorn import Config, Server

from kawe.desk.app import Desk
from kawe.desk.gate import Visitor
from kawe.desk.runs import Around, PageRuns
from kawe.system import is_windows

_HOST: Final = "127.0.0.1"
_WAKE_SECONDS: Final = 0.3


def serve_desk(around: Around, *, port: int, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; call from the main thread.

    `port` 0 takes a free one. `ready` is told the address that opens the desk, which
    works once. At a signal the run that goes on finishes what is in flight; at a second
    one nothing is waited for.

    Raises:
        OSError: The port is taken.
        KeyboardInterrupt: There was a second signal.
    """
    ended = threading.Event()
    with _signals_set(ended), _listening(port) as bound:
        visitor = Visitor(port=int(bound.getsockname()[1]))
        runs = PageRuns(around)
        desk = Desk(visitor=visitor, runs=runs, around=around)
        server = Server(_config(desk))
        # Without its thread, uvicorn would take the signals.
        thread = threading.Thread(
            target=server.run, args=([bound],), name="kawe-desk", daemon=True
        )
        thread.start()
        ready(visitor.address)
        # Short waits: Windows handles Ctrl+C only between them.
        while not ended.wait(_WAKE_SECONDS):
            pass
        runs.ask_to_stop()
        while runs.running is not None:
            runs.wait(_WAKE_SECONDS)
        server.should_exit = True
        thread.join()


@contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as bound:
        if not is_windows():
            # A restart can use the port; on Windows two programs could share it.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((_HOST, port))
        bound.listen()
        yield bound


@contextmanager
def _signals_set(ended: threading.Event) -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        del number, frame
        if ended.is_set():
            # Intents are on disk: stopping now loses nothing.
            raise KeyboardInterrupt
        ended.set()

    before = {
        number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)


def _config(desk: Desk) -> Config:
    return Config(
        desk.application(),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
