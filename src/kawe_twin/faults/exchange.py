"""One request and its answer, for a fault."""

from __future__ import annotations

from dataclasses import dataclass, field

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
        kept = {
            name: value
            for name, value in Headers(raw=self.headers).items()
            if name != "content-length"
        }
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
        """Answer the request as usual."""
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

    async def go_on_unheard(self, body: bytes) -> None:
        """Do the work on a read body; drop the answer."""
        messages: list[Message] = [{"type": "http.request", "body": body}]

        async def again() -> Message:
            return messages.pop() if messages else {"type": "http.disconnect"}

        async def nowhere(message: Message) -> None:
            """Drop the answer."""

        await self.go_on(receive=again, send=nowhere)

    async def tell(self, response: Response) -> None:
        """Answer with something else."""
        await response(self.scope, self.receive, self.send)

    async def hang_up(self) -> None:
        """Reset the connection; return when the server knows."""
        connection_of(self.scope).reset()
        while (await self.receive())["type"] != "http.disconnect":
            continue
