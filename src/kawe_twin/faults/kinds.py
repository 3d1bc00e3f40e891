"""Faults that lose, slow or replace an answer."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from email.utils import format_datetime
from typing import Any, Final, Literal, Protocol, TypeAlias

from starlette.datastructures import Headers
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.types import Message

from kawe_contract.enums import ProjectStatus
from kawe_contract.headers import (
    AUTHORIZATION,
    RATE_LIMIT,
    RATE_REMAINING,
    RATE_RESET,
    RETRY_AFTER,
)
from kawe_twin.api.envelope import refused
from kawe_twin.api.gate import TOO_MANY
from kawe_twin.faults.connection import connection_of
from kawe_twin.faults.exchange import Exchange, json_object
from kawe_twin.rules.tokens import NO_TOKENS
from kawe_twin.storage.app import as_xml
from kawe_twin.storage.grants import REQUEST_EXPIRED, StorageRefusal
from kawe_twin.store.accounts import revoke_keys
from kawe_twin.store.database import first
from kawe_twin.world.clock import instant_text
from kawe_twin.world.keys import bearer_of

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

    async def happen(self, exchange: Exchange) -> None: ...


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
        await exchange.go_on_with(body, send=_nowhere)


async def _nowhere(message: Message) -> None:
    """Drop an answer."""


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
        connection_of(exchange.scope).left_bytes = self.at_byte
        await exchange.go_on()


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongDate:
    """The work is done, and the answer's Date is wrong."""

    seconds: int = -3600
    """Negative: the service's clock is behind."""

    async def happen(self, exchange: Exchange) -> None:
        at = exchange.reach.clock() + timedelta(seconds=self.seconds)
        connection_of(exchange.scope).date = format_datetime(at, usegmt=True).encode()
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
        return {
            RATE_LIMIT: "1000",
            RATE_REMAINING: "0",
            RATE_RESET: str(self.seconds + (now if self.reset == "epoch" else 0)),
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
        await exchange.tell(as_xml(StorageRefusal("AccessDenied", REQUEST_EXPIRED)))


@dataclass(frozen=True, slots=True, kw_only=True)
class GzipBomb:
    """A small answer that unpacks to a large one; the work is done."""

    size_bytes: int = 64 * 1024 * 1024

    async def happen(self, exchange: Exchange) -> None:
        await exchange.held()
        packed = await asyncio.to_thread(gzip.compress, bytes(self.size_bytes))
        headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
        await exchange.tell(Response(packed, headers=headers))


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongJson:
    """The work is done; the body breaks the interface."""

    how: Literal["cut", "empty", "list", "no_envelope", "not_json", "not_success"] = (
        "not_json"
    )

    async def happen(self, exchange: Exchange) -> None:
        answer = await exchange.held()
        await exchange.tell(answer.response(body=self._wrong(answer.body)))

    def _wrong(self, body: bytes) -> bytes:
        match self.how:
            case "cut":
                return body[: len(body) // 2]
            case "empty":
                return b""
            case "not_json":
                return b"OK, thank you"
            case "list":
                return b"[" + body + b"]"
            case "no_envelope":
                return json.dumps(json_object(body).get("response_object")).encode()
            case "not_success":
                return json.dumps({**json_object(body), "success": False}).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Altered:
    """The work is done; one value of the answer is changed."""

    path: str = "response_object.status"
    """Names and indices, with dots: `response_object.teams.0.name`."""
    value: Any = None

    async def happen(self, exchange: Exchange) -> None:
        async with _altering(exchange) as said:
            _put(said, path=self.path.split("."), value=self.value)


@asynccontextmanager
async def _altering(exchange: Exchange) -> AsyncIterator[dict[str, Any]]:
    """Do the work, and send the answer as changed in the block, if it is JSON."""
    answer = await exchange.held()
    said = json_object(answer.body)
    yield said
    altered = json.dumps(said).encode() if said else answer.body
    await exchange.tell(answer.response(body=altered))


def _put(held: Any, *, path: list[str], value: object) -> None:  # noqa: ANN401 - walks any JSON
    name, *rest = path
    is_list = isinstance(held, list)
    at = int(name) if is_list and name.isdecimal() else name
    if at not in (
        range(len(held)) if is_list else held if isinstance(held, dict) else ()
    ):
        return
    if rest:
        _put(held[at], path=rest, value=value)
    else:
        held[at] = value


@dataclass(frozen=True, slots=True, kw_only=True)
class NullStatus:
    """The work is done, and no project that is shown has a status."""

    async def happen(self, exchange: Exchange) -> None:
        async with _altering(exchange) as said:
            shown = said.get("response_object")
            listed = shown.get("data") if isinstance(shown, dict) else None
            for project in listed if isinstance(listed, list) else [shown]:
                _put(project, path=["status"], value=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReusedId:
    """A project is created, and the answer gives the id of the one before it."""

    async def happen(self, exchange: Exchange) -> None:
        async with _altering(exchange) as said:
            made = said.get("response_object")
            own = made.get("id") if isinstance(made, dict) else None
            before = await exchange.reach.run(
                first, statement=_PROJECT_BEFORE, values=(own,)
            )
            if before is not None:
                _put(made, path=["id"], value=before["id"])


_PROJECT_BEFORE: Final = (
    "SELECT id FROM project WHERE number <"
    " (SELECT number FROM project WHERE id = ?) ORDER BY number DESC LIMIT 1"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoConflict:
    """A project that was sent is sent again, for one more token."""

    async def happen(self, exchange: Exchange) -> None:
        await _asking_otherwise(exchange, changes={"sends_again": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokedKey:
    """The key of this very request is revoked, for good, before it is read."""

    async def happen(self, exchange: Exchange) -> None:
        told = Headers(scope=exchange.scope).get(AUTHORIZATION, "")
        secret, reach = bearer_of(told), exchange.reach
        caller = reach.ring.find(secret) if secret else None
        if caller is not None:
            gone = await reach.run(revoke_keys, name=caller.key_id, now=reach.now)
            reach.ring.drop(gone)
        await exchange.go_on()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lag:
    """Lists and searches do not show what was created just now."""

    seconds: float = 2.0

    async def happen(self, exchange: Exchange) -> None:
        until = exchange.reach.clock() - timedelta(seconds=self.seconds)
        await _asking_otherwise(exchange, changes={"made_until": instant_text(until)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A page begins some rows later, or earlier, than it should."""

    rows: int = -1
    """Below zero, rows of the page before come again; above, rows are missed."""

    async def happen(self, exchange: Exchange) -> None:
        await _asking_otherwise(exchange, changes={"shifted_rows": self.rows})


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenDrafts:
    """Lists leave drafts out."""

    async def happen(self, exchange: Exchange) -> None:
        shown = tuple(status for status in ProjectStatus if status != "DRAFT")
        await _asking_otherwise(exchange, changes={"only_statuses": shown})


async def _asking_otherwise(exchange: Exchange, *, changes: Mapping[str, Any]) -> None:
    state = exchange.scope.setdefault("state", {})
    state["query_changes"] = {**state.get("query_changes", {}), **changes}
    await exchange.go_on()


@dataclass(frozen=True, slots=True, kw_only=True)
class SentAtOnce:
    """A project is submitted to iwi although a draft was asked for."""

    async def happen(self, exchange: Exchange) -> None:
        await _with_body(exchange, {"draft": False})


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherReference:
    """A project is kept with its reference in another spelling."""

    how: Literal["lower", "upper", "cut"] = "lower"

    async def happen(self, exchange: Exchange) -> None:
        body = await exchange.drain()
        reference = str(json_object(body).get("reference", ""))
        ways = {
            "lower": reference.lower(),
            "upper": reference.upper(),
            "cut": reference[:-1],
        }
        await _with_body(exchange, {"reference": ways[self.how]}, body=body)


async def _with_body(
    exchange: Exchange, changes: Mapping[str, Any], *, body: bytes | None = None
) -> None:
    """Let the service do its work on another body."""
    told = {**json_object(await exchange.drain() if body is None else body), **changes}
    await exchange.go_on_with(json.dumps(told).encode())
