"""The ledger: what really happened, one line for each request, in memory.

A line exists when its request begins, and has the effect before the answer is sent.
"""

from collections import deque
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kawe_twin.faults.exchange import json_object

STORAGE_POST: Final = "storage_post"

_LINES_MAX: Final = 200_000
_KEPT_BYTES: Final = 1_048_576


@dataclass(slots=True, kw_only=True)
class SeenRequest:
    """One request."""

    number: int
    at: str
    operation: str
    method: str
    path: str
    faults: list[str] = field(default_factory=list)
    status_code: int | None = None
    """The service's status; None: it did not get the request."""
    told_status_code: int | None = None
    """The client's status; None: it got no answer."""
    effect: bool = False
    """Whether the request changed data."""
    project_id: str | None = None
    reference: str | None = None


@dataclass(slots=True)
class Ledger:
    """The latest lines, oldest first."""

    _lines: deque[SeenRequest] = field(default_factory=lambda: deque(maxlen=_LINES_MAX))
    _last_number: int = 0

    def begin(self, *, at: str, operation: str, method: str, path: str) -> SeenRequest:
        """Add the line of a request."""
        self._last_number += 1
        entry = SeenRequest(
            number=self._last_number,
            at=at,
            operation=operation,
            method=method,
            path=path,
        )
        self._lines.append(entry)
        return entry

    def shown(self, *, operation: str, after: int) -> list[dict[str, Any]]:
        return [
            asdict(line)
            for line in self._lines
            if line.number > after and operation in {"", line.operation}
        ]

    def clear(self) -> None:
        """Remove every line; the numbers continue."""
        self._lines.clear()


@dataclass(slots=True)
class ExchangeRecorder:
    """Records the answer and a project's reference and id in the ledger."""

    entry: SeenRequest
    _asked: bytearray = field(default_factory=bytearray)
    _answered: bytearray = field(default_factory=bytearray)

    def asked(self, receive: Receive) -> Receive:
        """Wrap `receive` to record the request."""

        async def passed() -> Message:
            message = await receive()
            if self.entry.operation != STORAGE_POST:
                more = message.get("more_body", False)
                self._hear(message.get("body", b""), more=more)
            return message

        return passed

    def told(self, send: Send) -> Send:
        """Wrap `send` to record the client's answer."""

        async def passed(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.entry.told_status_code = message["status"]
            await send(message)

        return passed

    def inside(self, app: ASGIApp) -> ASGIApp:
        """Wrap the service to record its answer."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            async def passed(message: Message) -> None:
                self._note(message, scope=scope)
                await send(message)

            await app(scope, receive, passed)

        return watched

    def _note(self, message: Message, *, scope: Scope) -> None:
        if message["type"] != "http.response.start":
            self._see(message.get("body", b""), more=message.get("more_body", False))
            return
        self.entry.status_code = message["status"]
        stored = self.entry.operation == STORAGE_POST and message["status"] == 204
        self.entry.effect = stored or scope.get("state", {}).get("changed", False)

    def _hear(self, part: bytes, *, more: bool) -> None:
        """Record a part of the request; the last one completes it."""
        self._asked += part[: _KEPT_BYTES - len(self._asked)]
        named = {} if more else json_object(self._asked)
        if isinstance(named.get("reference"), str):
            self.entry.reference = named["reference"]

    def _see(self, part: bytes, *, more: bool) -> None:
        """Record a part of the answer; the last one completes it."""
        if not self.entry.operation.startswith("project_"):
            return
        self._answered += part[: _KEPT_BYTES - len(self._answered)]
        shown = None if more else json_object(self._answered).get("response_object")
        if not isinstance(shown, dict) or not isinstance(shown.get("id"), str):
            return
        self.entry.project_id = shown["id"]
        if isinstance(shown.get("reference"), str):
            self.entry.reference = shown["reference"]
