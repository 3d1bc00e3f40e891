"""Faults that lose, slow or replace an answer."""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import dataclass
from datetime import timedelta
from email.utils import format_datetime
from typing import Final, Literal, Protocol, TypeAlias

from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.types import Message

from kawe.contract.headers import RATE_LIMIT, RATE_REMAINING, RATE_RESET, RETRY_AFTER
from kawe.twin.api.envelope import refused
from kawe.twin.api.gate import TOO_MANY
from kawe.twin.faults.connection import connection_of
from kawe.twin.faults.exchange import Exchange
from kawe.twin.rules.tokens import NO_TOKENS

When: TypeAlias = Literal["before", "after"]
"""Before or after the work."""

# On every answer of the service (interface, Limits), not of a gateway.
_UNTOUCHED: Final = {RATE_LIMIT: "1000", RATE_REMAINING: "999", RATE_RESET: "900"}
_GATEWAY_PAGE: Final = (
    "<html><head><title>{code}</title></head>"
    "<body><h1>{code}</h1><hr>gateway</body></html>"
)


class Fault(Protocol):
    """Something that goes wrong with one request."""

    async def happen(self, exchange: Exchange) -> None:
        """Go wrong."""
        ...


async def _reached(exchange: Exchange, *, when: When) -> None:
    """Do the work if the fault happens after it."""
    if when == "after":
        await exchange.held()
    else:
        await exchange.drain()


def _refusal(status_code: int, *, says: str) -> Response:
    answer = refused(status_code=status_code, message=says)
    answer.headers.update(_UNTOUCHED)
    return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """A wait before or after the work."""

    seconds: float = 1.0
    when: When = "before"

    async def happen(self, exchange: Exchange) -> None:
        if self.when == "before":
            await asyncio.sleep(self.seconds)
            await exchange.go_on()
            return
        answer = await exchange.held()
        await asyncio.sleep(self.seconds)
        await exchange.tell(answer.response())


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """The connection breaks without an answer."""

    when: When = "after"

    async def happen(self, exchange: Exchange) -> None:
        await _reached(exchange, when=self.when)
        await exchange.hang_up()


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """The client gets a failure, and the work is done later."""

    seconds: float = 1.0
    told: Literal["drop", "server_error"] = "drop"

    async def happen(self, exchange: Exchange) -> None:
        body = await exchange.drain()
        if self.told == "drop":
            await exchange.hang_up()
        else:
            await exchange.tell(_refusal(504, says="Timed out."))
        await asyncio.sleep(self.seconds)
        await exchange.go_on_unheard(body)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerError:
    """A 5xx in the envelope."""

    status_code: int = 500
    when: When = "after"

    async def happen(self, exchange: Exchange) -> None:
        await _reached(exchange, when=self.when)
        said = "Something went wrong at our end."
        await exchange.tell(_refusal(self.status_code, says=said))


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayPage:
    """A gateway's web page instead of JSON."""

    status_code: int = 502
    when: When = "after"

    async def happen(self, exchange: Exchange) -> None:
        await _reached(exchange, when=self.when)
        page = _GATEWAY_PAGE.format(code=self.status_code)
        await exchange.tell(HTMLResponse(page, status_code=self.status_code))


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """A 3xx before anything is done."""

    status_code: int = 307
    location: str = "http://127.0.0.1:9/elsewhere"

    async def happen(self, exchange: Exchange) -> None:
        await exchange.drain()
        answer = RedirectResponse(self.location, status_code=self.status_code)
        await exchange.tell(answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slow:
    """The work is done, and the answer is slow."""

    chunk_bytes: int = 16
    seconds: float = 0.05
    """Wait between two chunks."""

    async def happen(self, exchange: Exchange) -> None:
        async def trickle(message: Message) -> None:
            body = message.get("body", b"")
            if message["type"] != "http.response.body" or not body:
                await exchange.send(message)
                return
            for begin in range(0, len(body), self.chunk_bytes):
                part = body[begin : begin + self.chunk_bytes]
                await exchange.send({**message, "body": part, "more_body": True})
                await asyncio.sleep(self.seconds)
            if not message.get("more_body", False):
                await exchange.send({"type": "http.response.body"})

        await exchange.go_on(send=trickle)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The work is done, and the answer ends after so many bytes."""

    at_byte: int = 0
    """Counts status line and headers; 0 sends nothing."""

    async def happen(self, exchange: Exchange) -> None:
        if self.at_byte == 0:
            await exchange.held()
            await exchange.hang_up()
            return
        connection_of(exchange.scope).cut_after(self.at_byte)
        await exchange.go_on()


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongDate:
    """The work is done, and the answer's Date is wrong."""

    seconds: int = -3600
    """Negative: the service's clock is behind."""

    async def happen(self, exchange: Exchange) -> None:
        at = exchange.reach.clock() + timedelta(seconds=self.seconds)
        connection_of(exchange.scope).date_as(format_datetime(at, usegmt=True))
        await exchange.go_on()


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimited:
    """429 before anything is done."""

    seconds: int = 1
    reset: Literal["seconds", "epoch", "none"] = "seconds"
    body: Literal["envelope", "bare", "text"] = "envelope"

    async def happen(self, exchange: Exchange) -> None:
        await exchange.drain()
        answer = self._answer()
        if self.reset != "none":
            answer.headers.update(self._headers(exchange))
        await exchange.tell(answer)

    def _answer(self) -> Response:
        match self.body:
            case "envelope":
                return refused(status_code=429, message=TOO_MANY)
            case "bare":
                return JSONResponse({"error": TOO_MANY}, status_code=429)
            case "text":
                return PlainTextResponse(TOO_MANY, status_code=429)

    def _headers(self, exchange: Exchange) -> dict[str, str]:
        now = int(exchange.reach.clock().timestamp())
        reset = self.seconds + (now if self.reset == "epoch" else 0)
        return {
            RATE_LIMIT: "1000",
            RATE_REMAINING: "0",
            RATE_RESET: str(reset),
            RETRY_AFTER: str(self.seconds),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class NoTokens:
    """402 before anything is done, whatever the balance is."""

    async def happen(self, exchange: Exchange) -> None:
        await exchange.drain()
        await exchange.tell(_refusal(402, says=NO_TOKENS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Expired:
    """An expired grant or link of the storage origin."""

    async def happen(self, exchange: Exchange) -> None:
        await exchange.drain()
        said = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code>'
            "<Message>Request has expired.</Message></Error>"
        )
        await exchange.tell(
            Response(said, status_code=403, media_type="application/xml")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GzipBomb:
    """A small answer that unpacks to a large one; the work is done."""

    size_bytes: int = 64 * 1024 * 1024

    async def happen(self, exchange: Exchange) -> None:
        await exchange.held()
        packed = await asyncio.to_thread(gzip.compress, bytes(self.size_bytes))
        headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
        await exchange.tell(Response(packed, headers=headers))
