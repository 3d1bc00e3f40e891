"""One request and its answer, as a fault gets hold of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kawe.twin.calls.call import Setup
from kawe.twin.faults.connection import connection_of


@dataclass(slots=True, kw_only=True)
class HeldAnswer:
    """An answer held back from the client."""

    status_code: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""

    def response(self, *, body: bytes | None = None) -> Response:
        """Make it an answer again, with another body if one is given."""
        kept = {
            name: value
            for name, value in Headers(raw=self.headers).items()
            if name != "content-length"
        }
        content = self.body if body is None else body
        return Response(content, status_code=self.status_code, headers=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request on its way in, before `rest` has seen it."""

    rest: ASGIApp
    scope: Scope
    receive: Receive
    send: Send
    reach: Setup

    async def go_on(
        self, *, send: Send | None = None, receive: Receive | None = None
    ) -> None:
        """Let the request be answered as it would be."""
        await self.rest(self.scope, receive or self.receive, send or self.send)

    async def held(self) -> HeldAnswer:
        """Let the service do its work, and hold its answer back."""
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
        """Read the request to its end, so that its client is done writing."""
        body, more = bytearray(), True
        while more:
            message = await self.receive()
            body.extend(message.get("body", b""))
            more = message["type"] == "http.request" and message.get("more_body", False)
        return bytes(body)

    async def go_on_unheard(self, body: bytes) -> None:
        """Let the service do its work on a body already read; nobody listens."""
        messages: list[Message] = [{"type": "http.request", "body": body}]

        async def again() -> Message:
            return messages.pop() if messages else {"type": "http.disconnect"}

        async def nowhere(message: Message) -> None:
            """Drop what would have been said."""

        await self.go_on(receive=again, send=nowhere)

    async def tell(self, response: Response) -> None:
        """Answer with something else."""
        await response(self.scope, self.receive, self.send)

    async def hang_up(self) -> None:
        """Break the connection, and return once the server knows."""
        connection_of(self.scope).reset()
        while (await self.receive())["type"] != "http.disconnect":
            continue
