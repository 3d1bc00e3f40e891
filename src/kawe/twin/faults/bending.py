"""Faults that change requests or answers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal

from starlette.datastructures import Headers
from starlette.types import Message

from kawe.contract.enums import ProjectStatus
from kawe.contract.headers import AUTHORIZATION
from kawe.twin.faults.exchange import Exchange
from kawe.twin.store.accounts import revoke_keys
from kawe.twin.store.rows import first
from kawe.twin.world.clock import instant_text
from kawe.twin.world.keys import bearer_of


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
                return json.dumps(_said(body).get("response_object")).encode()
            case "not_success":
                return json.dumps({**_said(body), "success": False}).encode()


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
    said = _said(answer.body)
    yield said
    altered = json.dumps(said).encode() if said else answer.body
    await exchange.tell(answer.response(body=altered))


def _said(body: bytes) -> dict[str, Any]:
    """Read a JSON object; anything else is empty."""
    try:
        said = json.loads(body)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _put(held: Any, *, path: list[str], value: object) -> None:  # noqa: ANN401 - walks any JSON
    name, *rest = path
    if isinstance(held, list) and name.isdecimal() and int(name) < len(held):
        if rest:
            _put(held[int(name)], path=rest, value=value)
        else:
            held[int(name)] = value
    elif isinstance(held, dict) and name in held:
        if rest:
            _put(held[name], path=rest, value=value)
        else:
            held[name] = value


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
        reference = str(_said(body).get("reference", ""))
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
    told = {**_said(await exchange.drain() if body is None else body), **changes}
    messages: list[Message] = [
        {"type": "http.request", "body": json.dumps(told).encode()}
    ]

    async def changed() -> Message:
        return messages.pop() if messages else await exchange.receive()

    await exchange.go_on(receive=changed)
