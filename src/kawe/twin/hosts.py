"""Only our own names are answered.

A web page in somebody's browser can make the browser call this machine; the
Host header then carries the page's name, not ours (DNS rebinding).
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send


def own_names(port: int) -> frozenset[str]:
    """Give every Host header under which a loopback port may be called."""
    return frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))


@dataclass(frozen=True, slots=True, kw_only=True)
class HostGuarded:
    """An application that answers to its own names only."""

    app: ASGIApp
    names: frozenset[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or turn it away with 403."""
        if Request(scope).headers.get("host", "").lower() in self.names:
            await self.app(scope, receive, send)
            return
        answer = JSONResponse({"error": "Unknown host."}, status_code=403)
        await answer(scope, receive, send)
