"""Checks before any handler: key (401), rate limit (429), scope (403).

A rejected request changes nothing (interface, Authentication 4 and 6, Errors). An
accepted one counts for one window of the rate limit, a refused one never (Limits).
"""

import asyncio
import math
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from kawe_contract import headers
from kawe_contract.enums import Scope
from kawe_twin.api.envelope import Rejected, bare
from kawe_twin.world.answers import Refusal
from kawe_twin.world.keys import Caller, KeyRing, bearer_of, is_same_secret

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

BODY_SECONDS: Final = 30.0
"""How long a body may take to arrive."""
TOO_MANY: Final = "Too many requests. Back off."

_DRAINED_MAX_BYTES: Final = 256 * 1024 * 1024


@dataclass(slots=True, kw_only=True)
class Gate:
    """The keys and the windows of their requests."""

    ring: KeyRing
    windows: "RollingWindows"

    def let_in(self, request: Request, *, at: datetime) -> Caller:
        """Identify the caller, and count the call; 401, or 429 beyond the window."""
        secret = bearer_of(request.headers.get(headers.AUTHORIZATION, ""))
        caller = self.ring.find(secret) if secret else None
        if caller is None:
            raise Rejected(401, "The API key is missing or invalid.")
        allowance = self.windows.take(caller.key_id, at_seconds=at.timestamp())
        request.state.allowance = allowance
        if not allowance.allowed:
            raise Refusal(429, TOO_MANY)
        return caller

    def mark(self, request: Request, response: Response) -> Response:
        """Put the RateLimit headers on an answer (interface, Limits)."""
        held = getattr(request.state, "allowance", None)
        allowance: Quota = held or self.windows.untouched()
        response.headers[headers.RATE_LIMIT] = str(allowance.limit)
        response.headers[headers.RATE_REMAINING] = str(allowance.remaining)
        response.headers[headers.RATE_RESET] = str(allowance.reset_seconds)
        if not allowance.allowed:
            response.headers[headers.RETRY_AFTER] = str(allowance.reset_seconds)
        return response


def demand_scopes(caller: Caller, *, scopes: Iterable[Scope]) -> None:
    """Reject a key that lacks one of `scopes`, with 403; they do not nest."""
    if missing := [scope.value for scope in scopes if scope not in caller.scopes]:
        raise Rejected(403, f"The API key lacks the scope {' and '.join(missing)}.")


async def read_body(
    request: Request, *, most_bytes: int, wait_seconds: float = BODY_SECONDS
) -> bytes:
    """Read a body within limits: 413 beyond the size, 408 beyond the time.

    A surplus is read and dropped for a while, so that the caller gets the answer.
    """
    try:
        async with asyncio.timeout(wait_seconds):
            return await _whole_body(request, most_bytes=most_bytes)
    except TimeoutError as late:
        raise Refusal(408, "The body did not arrive in time.") from late


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
        raise Refusal(413, said)
    return b"".join(parts)


def guarded(endpoint: Endpoint, *, header: str, secret: str, whose: str) -> Endpoint:
    """Answer those who show a secret; a refusal is a bare object with one `error`."""

    async def answer(request: Request) -> Response:
        if not is_same_secret(request.headers.get(header, ""), secret):
            return bare(Refusal(403, f"The {whose} secret is missing or wrong."))
        try:
            return await endpoint(request)
        except Refusal as refusal:
            return bare(refusal)

    return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """The values of the RateLimit headers."""

    allowed: bool
    limit: int
    remaining: int
    reset_seconds: int
    """Whole seconds until one more request is accepted."""


@dataclass(slots=True, kw_only=True)
class RollingWindows:
    """One rolling window per key. Used from one thread only."""

    limit: int
    window_seconds: int
    _let_in: defaultdict[str, deque[float]] = field(
        default_factory=lambda: defaultdict(deque)
    )

    def take(self, key_id: str, *, at_seconds: float) -> Quota:
        """Accept a request of `key_id`, if its window has room."""
        let_in = self._let_in[key_id]
        while let_in and let_in[0] <= at_seconds - self.window_seconds:
            let_in.popleft()
        allowed = len(let_in) < self.limit
        if allowed:
            let_in.append(at_seconds)
        oldest = let_in[0] if let_in else at_seconds
        return Quota(
            allowed=allowed,
            limit=self.limit,
            remaining=self.limit - len(let_in),
            reset_seconds=math.ceil(oldest + self.window_seconds - at_seconds),
        )

    def untouched(self) -> Quota:
        """Give the full window, for answers without a key."""
        return Quota(
            allowed=True,
            limit=self.limit,
            remaining=self.limit,
            reset_seconds=self.window_seconds,
        )


@dataclass(slots=True)
class RequestCounts:
    """Requests since the twin started. Used from one thread only."""

    _counts: defaultdict[str, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )

    def count(self, name: str, *, status_code: int) -> None:
        self._counts[name][str(status_code)] += 1

    def shown(self) -> dict[str, dict[str, int]]:
        return {name: dict(counts) for name, counts in sorted(self._counts.items())}
