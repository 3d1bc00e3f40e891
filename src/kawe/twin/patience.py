"""A connection on which the head of a request has to come in time.

uvicorn waits for ever for a head that trickles, or never begins; a few
thousand such connections would leave no handle for anybody else.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle


class PatientProtocol(H11Protocol):
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


def patient(head_seconds: float) -> type[PatientProtocol]:
    """Give the protocol with another patience."""
    return type("PatientProtocol", (PatientProtocol,), {"head_seconds": head_seconds})
