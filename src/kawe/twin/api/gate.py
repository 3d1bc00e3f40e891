"""Checks before any handler: key (401), rate limit (429), scope (403).

A rejected request changes nothing (interface, Authentication 4 and 6, Errors).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from kawe.contract.enums import Scope
from kawe.contract.headers import (
    AUTHORIZATION,
    RATE_LIMIT,
    RATE_REMAINING,
    RATE_RESET,
    RETRY_AFTER,
)
from kawe.twin.api.counting import Quota, RollingWindows
from kawe.twin.api.envelope import Rejected
from kawe.twin.world.answers import Refusal
from kawe.twin.world.keys import Caller, KeyRing, bearer_of

BODY_SECONDS: Final = 30.0
"""How long a body may take to arrive."""
TOO_MANY: Final = "Too many requests. Back off."

_DRAINED_MAX_BYTES: Final = 256 * 1024 * 1024


@dataclass(slots=True, kw_only=True)
class Gate:
    """The keys and the windows of their requests."""

    ring: KeyRing
    windows: RollingWindows

    def let_in(self, request: Request, *, at: datetime) -> Caller:
        """Identify the caller, and count the call.

        Raises:
            Rejected: 401 without a good key.
            Refusal: 429 beyond the window.
        """
        secret = bearer_of(request.headers.get(AUTHORIZATION, ""))
        caller = self.ring.find(secret) if secret else None
        if caller is None:
            raise Rejected(status_code=401, error="The API key is missing or invalid.")
        allowance = self.windows.take(caller.key_id, at_seconds=at.timestamp())
        request.state.allowance = allowance
        if not allowance.allowed:
            raise Refusal(status_code=429, message=TOO_MANY)
        return caller

    def mark(self, request: Request, response: Response) -> Response:
        """Put the RateLimit headers on an answer (interface, Limits)."""
        held = getattr(request.state, "allowance", None)
        allowance: Quota = held or self.windows.untouched()
        response.headers[RATE_LIMIT] = str(allowance.limit)
        response.headers[RATE_REMAINING] = str(allowance.remaining)
        response.headers[RATE_RESET] = str(allowance.reset_seconds)
        if not allowance.allowed:
            response.headers[RETRY_AFTER] = str(allowance.reset_seconds)
        return response


def demand_scopes(caller: Caller, *, scopes: Iterable[Scope]) -> None:
    """Reject a key that lacks one of `scopes`; they do not nest.

    Raises:
        Rejected: 403, naming what is missing.
    """
    missing = [scope.value for scope in scopes if scope not in caller.scopes]
    if missing:
        said = f"The API key lacks the scope {' and '.join(missing)}."
        raise Rejected(status_code=403, error=said)


async def read_body(
    request: Request, *, most_bytes: int, wait_seconds: float = BODY_SECONDS
) -> bytes:
    """Read a body within limits of size and time.

    A surplus is read and dropped for a while, so that the caller gets the answer.

    Raises:
        Refusal: 413 beyond the bound, 408 when it has not come in time.
    """
    try:
        async with asyncio.timeout(wait_seconds):
            return await _whole_body(request, most_bytes=most_bytes)
    except TimeoutError as late:
        said = "The body did not arrive in time."
        raise Refusal(status_code=408, message=said) from late


async def _whole_body(request: Request, *, most_bytes: int) -> bytes:
    parts: list[bytes] = []
    seen_bytes = 0
    async for part in request.stream():
        seen_bytes += len(part)
        if seen_bytes <= most_bytes:
            parts.append(part)
        else:
            parts.clear()
        if seen_bytes > _DRAINED_MAX_BYTES:
            break
    if seen_bytes > most_bytes:
        said = (
            f"The body is larger than {most_bytes} bytes."
            " Files go through the presigned upload."
        )
        raise Refusal(status_code=413, message=said)
    return b"".join(parts)
