"""One request and its answer, for a fault."""

import json
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kawe_twin.calls.call import Setup
from kawe_twin.faults.connection import connection_of


@dataclass(slots=True, kw_only=True)
class HeldAnswer:
    """An answer held back from the client."""

    status_code: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""

    def response(self, *, body: bytes | None = None) -> Response:
        """Make the answer again, with `body` if given."""
        kept = dict(Headers(raw=self.headers))
        kept.pop("content-length", None)
        content = self.body if body is None else body
        return Response(content, status_code=self.status_code, headers=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request before `rest` handles it."""

    rest: ASGIApp
    scope: Scope
    receive: Receive
    send: Send
    reach: Setup

    async def go_on(
        self, *, send: Send | None = None, receive: Receive | None = None
    ) -> None:
        await self.rest(self.scope, receive or self.receive, send or self.send)

    async def held(self) -> HeldAnswer:
        """Do the work, and hold the answer back."""
        answer, body = HeldAnswer(), bytearray()

        async def keep(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer.status_code = message["status"]
                answer.headers = list(message.get("headers", ()))
            elif message["type"] == "http.response.body":
                body.extend(message.get("body", b""))

        await self.go_on(send=keep)
        answer.body = bytes(body)
        return answer

    async def drain(self) -> bytes:
        """Read the request to its end."""
        body, more = bytearray(), True
        while more:
            message = await self.receive()
            body.extend(message.get("body", b""))
            more = message["type"] == "http.request" and message.get("more_body", False)
        return bytes(body)

    async def go_on_with(self, body: bytes, *, send: Send | None = None) -> None:
        """Do the work on this body."""
        messages: list[Message] = [{"type": "http.request", "body": body}]

        async def told() -> Message:
            return messages.pop() if messages else await self.receive()

        await self.go_on(receive=told, send=send)

    async def tell(self, response: Response) -> None:
        await response(self.scope, self.receive, self.send)

    async def hang_up(self) -> None:
        """Reset the connection; return when the server knows."""
        connection_of(self.scope).reset()
        while (await self.receive())["type"] != "http.disconnect":
            continue


def json_object(body: bytes | bytearray) -> dict[str, Any]:
    """Read a JSON object; anything else is empty."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
