"""Faults that lose, slow or replace an answer: each public function is one kind."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from datetime import timedelta
from email.utils import format_datetime
from functools import partial
from typing import Any, Final, Literal, TypeAlias

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
Fault: TypeAlias = partial[Awaitable[None]]
"""What goes wrong with one request: a kind that was told all but the exchange."""

# On every answer of the service (interface, Limits), not of a gateway.
_UNTOUCHED: Final = {RATE_LIMIT: "1000", RATE_REMAINING: "999", RATE_RESET: "900"}
_GATEWAY_PAGE: Final = (
    "<html><head><title>{code}</title></head>"
    "<body><h1>{code}</h1><hr>gateway</body></html>"
)


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


async def latency(
    exchange: Exchange, *, seconds: float = 1.0, when: When = "before"
) -> None:
    """Wait before or after the work."""
    if when == "before":
        await asyncio.sleep(seconds)
        await exchange.go_on()
        return
    answer = await exchange.held()
    await asyncio.sleep(seconds)
    await exchange.tell(answer.response())


async def drop(exchange: Exchange, *, when: When = "after") -> None:
    """Break the connection without an answer."""
    await _reached(exchange, when=when)
    await exchange.hang_up()


async def late(
    exchange: Exchange,
    *,
    seconds: float = 1.0,
    told: Literal["drop", "server_error"] = "drop",
) -> None:
    """Tell the client of a failure, and do the work later."""
    body = await exchange.drain()
    if told == "drop":
        await exchange.hang_up()
    else:
        await exchange.tell(_refusal(504, says="Timed out."))
    await asyncio.sleep(seconds)
    await exchange.go_on_with(body, send=_nowhere)


async def _nowhere(message: Message) -> None:
    """Drop an answer."""


async def server_error(
    exchange: Exchange, *, status_code: int = 500, when: When = "after"
) -> None:
    """Answer a 5xx in the envelope."""
    await _reached(exchange, when=when)
    said = "Something went wrong at our end."
    await exchange.tell(_refusal(status_code, says=said))


async def gateway_page(
    exchange: Exchange, *, status_code: int = 502, when: When = "after"
) -> None:
    """Answer a gateway's web page instead of JSON."""
    await _reached(exchange, when=when)
    page = _GATEWAY_PAGE.format(code=status_code)
    await exchange.tell(HTMLResponse(page, status_code=status_code))


async def redirect(
    exchange: Exchange,
    *,
    status_code: int = 307,
    location: str = "http://127.0.0.1:9/elsewhere",
) -> None:
    """Answer a 3xx before anything is done."""
    await exchange.drain()
    await exchange.tell(RedirectResponse(location, status_code=status_code))


async def slow(
    exchange: Exchange, *, chunk_bytes: int = 16, seconds: float = 0.05
) -> None:
    """Do the work, and answer in chunks with a wait between two of them."""

    async def trickle(message: Message) -> None:
        body = message.get("body", b"")
        if message["type"] != "http.response.body" or not body:
            await exchange.send(message)
            return
        for begin in range(0, len(body), chunk_bytes):
            part = body[begin : begin + chunk_bytes]
            await exchange.send({**message, "body": part, "more_body": True})
            await asyncio.sleep(seconds)
        if not message.get("more_body", False):
            await exchange.send({"type": "http.response.body"})

    await exchange.go_on(send=trickle)


async def cut(exchange: Exchange, *, at_byte: int = 0) -> None:
    """Do the work, and end the answer after so many bytes; 0 sends nothing.

    They count status line and headers.
    """
    if at_byte == 0:
        await exchange.held()
        await exchange.hang_up()
        return
    connection_of(exchange.scope).left_bytes = at_byte
    await exchange.go_on()


async def wrong_date(exchange: Exchange, *, seconds: int = -3600) -> None:
    """Do the work with a wrong Date; negative: the service's clock is behind."""
    at = exchange.reach.clock() + timedelta(seconds=seconds)
    connection_of(exchange.scope).date = format_datetime(at, usegmt=True).encode()
    await exchange.go_on()


async def rate_limited(
    exchange: Exchange,
    *,
    seconds: int = 1,
    reset: Literal["seconds", "epoch", "none"] = "seconds",
    body: Literal["envelope", "bare", "text"] = "envelope",
) -> None:
    """Answer 429 before anything is done."""
    await exchange.drain()
    answers: dict[str, Response] = {
        "envelope": refused(status_code=429, message=TOO_MANY),
        "bare": JSONResponse({"error": TOO_MANY}, status_code=429),
        "text": PlainTextResponse(TOO_MANY, status_code=429),
    }
    answer = answers[body]
    if reset != "none":
        now = int(exchange.reach.clock().timestamp())
        until = seconds + (now if reset == "epoch" else 0)
        answer.headers.update(
            {
                RATE_LIMIT: "1000",
                RATE_REMAINING: "0",
                RATE_RESET: str(until),
                RETRY_AFTER: str(seconds),
            }
        )
    await exchange.tell(answer)


async def no_tokens(exchange: Exchange) -> None:
    """Answer 402 before anything is done, whatever the balance is."""
    await exchange.drain()
    await exchange.tell(_refusal(402, says=NO_TOKENS))


async def expired(exchange: Exchange) -> None:
    """Refuse an expired grant or link of the storage origin."""
    await exchange.drain()
    await exchange.tell(as_xml(StorageRefusal("AccessDenied", REQUEST_EXPIRED)))


async def gzip_bomb(exchange: Exchange, *, size_bytes: int = 64 * 1024 * 1024) -> None:
    """Do the work; answer little that unpacks to much."""
    await exchange.held()
    packed = await asyncio.to_thread(gzip.compress, bytes(size_bytes))
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    await exchange.tell(Response(packed, headers=headers))


async def wrong_json(
    exchange: Exchange,
    *,
    how: Literal[
        "cut", "empty", "list", "no_envelope", "not_json", "not_success"
    ] = "not_json",
) -> None:
    """Do the work; the body breaks the interface."""
    answer = await exchange.held()
    body, said = answer.body, json_object(answer.body)
    wrong = {
        "cut": body[: len(body) // 2],
        "empty": b"",
        "list": b"[" + body + b"]",
        "no_envelope": json.dumps(said.get("response_object")).encode(),
        "not_json": b"OK, thank you",
        "not_success": json.dumps({**said, "success": False}).encode(),
    }
    await exchange.tell(answer.response(body=wrong[how]))


async def altered(
    exchange: Exchange,
    *,
    path: str = "response_object.status",
    value: Any = None,  # noqa: ANN401 - any JSON
) -> None:
    """Do the work; one value of the answer is changed.

    `path` has names and indices, with dots: `response_object.teams.0.name`.
    """
    async with _altering(exchange) as said:
        _put(said, path=path.split("."), value=value)


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


async def null_status(exchange: Exchange) -> None:
    """Do the work, and show no status of any project."""
    async with _altering(exchange) as said:
        shown = said.get("response_object")
        listed = shown.get("data") if isinstance(shown, dict) else None
        for project in listed if isinstance(listed, list) else [shown]:
            _put(project, path=["status"], value=None)


async def reused_id(exchange: Exchange) -> None:
    """Create a project, and answer with the id of the one before it."""
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


async def no_conflict(exchange: Exchange) -> None:
    """Send a project that was sent again, for one more token."""
    await _asking_otherwise(exchange, sends_again=True)


async def revoked_key(exchange: Exchange) -> None:
    """Revoke the key of this very request, for good, before it is read."""
    told = Headers(scope=exchange.scope).get(AUTHORIZATION, "")
    secret, reach = bearer_of(told), exchange.reach
    caller = reach.ring.find(secret) if secret else None
    if caller is not None:
        gone = await reach.run(revoke_keys, name=caller.key_id, now=reach.now)
        reach.ring.drop(gone)
    await exchange.go_on()


async def lag(exchange: Exchange, *, seconds: float = 2.0) -> None:
    """Leave out of lists and searches what was created just now."""
    until = exchange.reach.clock() - timedelta(seconds=seconds)
    await _asking_otherwise(exchange, made_until=instant_text(until))


async def shift(exchange: Exchange, *, rows: int = -1) -> None:
    """Begin a page some rows later than it should.

    Below zero, rows of the page before come again; above, rows are missed.
    """
    await _asking_otherwise(exchange, shifted_rows=rows)


async def hidden_drafts(exchange: Exchange) -> None:
    """Leave drafts out of lists."""
    shown = tuple(status for status in ProjectStatus if status != "DRAFT")
    await _asking_otherwise(exchange, only_statuses=shown)


async def _asking_otherwise(exchange: Exchange, **changes: object) -> None:
    state = exchange.scope.setdefault("state", {})
    state["query_changes"] = {**state.get("query_changes", {}), **changes}
    await exchange.go_on()


async def sent_at_once(exchange: Exchange) -> None:
    """Submit a project to iwi although a draft was asked for."""
    await _with_body(exchange, await exchange.drain(), draft=False)


async def other_reference(
    exchange: Exchange, *, how: Literal["lower", "upper", "cut"] = "lower"
) -> None:
    """Keep a project with its reference in another spelling."""
    body = await exchange.drain()
    reference = str(json_object(body).get("reference", ""))
    ways = {
        "lower": reference.lower(),
        "upper": reference.upper(),
        "cut": reference[:-1],
    }
    await _with_body(exchange, body, reference=ways[how])


async def _with_body(exchange: Exchange, body: bytes, **changes: object) -> None:
    """Let the service do its work on another body."""
    await exchange.go_on_with(json.dumps({**json_object(body), **changes}).encode())
