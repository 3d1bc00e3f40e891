"""The API origin: every operation of the contract at its path.

Routes come from the contract and rules from the registry, by the operation's name. The
event loop reads and writes; the store's thread runs the rules.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from sqlite3 import Connection
from typing import Any, Final, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route

from kawe_contract.document import document
from kawe_contract.enums import Scope
from kawe_contract.openapi import openapi
from kawe_contract.operations import OPERATIONS, Operation
from kawe_twin.api.envelope import (
    BODY_MAX_BYTES,
    Rejected,
    bare,
    decoded,
    enveloped,
    refused,
)
from kawe_twin.api.gate import (
    BODY_SECONDS,
    Endpoint,
    Gate,
    RequestCounts,
    demand_scopes,
    guarded,
    read_body,
)
from kawe_twin.api.registry import RULES
from kawe_twin.calls.call import Call, Rule, Setup, read_query
from kawe_twin.calls.validation import body_problems, is_uuid
from kawe_twin.rules.invitations import accept_invitation
from kawe_twin.rules.tokens import buy
from kawe_twin.store.accounts import issue_key, revoke_keys
from kawe_twin.store.state import state_of
from kawe_twin.world.answers import Refusal, Reply, not_found
from kawe_twin.world.keys import ALL_SCOPES

_UNREAD: Final = frozenset({408, 413})
_log: Final = logging.getLogger("kawe_twin")


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """What the API origin needs to answer."""

    gate: Gate
    setup: Setup
    tally: RequestCounts
    latency_seconds: float = 0.0
    body_seconds: float = BODY_SECONDS

    def application(self, *, more_routes: Sequence[BaseRoute]) -> Starlette:
        """Build the ASGI application."""
        application = Starlette(
            routes=[*self._routes(), *more_routes],
            exception_handlers=dict.fromkeys(
                (Refusal, HTTPException, ClientDisconnect, Exception), self._tell
            ),
        )
        # The interface redirects nobody.
        application.router.redirect_slashes = False
        return application

    def _routes(self) -> list[Route]:
        return [
            Route(
                OPERATIONS[name].path,
                self._endpoint(OPERATIONS[name], rule=rule),
                methods=[OPERATIONS[name].method],
            )
            for name, rule in RULES.items()
        ] + [Route("/openapi.json", self._published, methods=["GET"])]

    async def _published(self, request: Request) -> Response:
        """Give the contract as a document; it is for everybody."""
        request.state.operation = "openapi"
        return await self._finish(request, JSONResponse(openapi()))

    def _endpoint(self, operation: Operation, *, rule: Rule) -> Endpoint:
        async def answer(request: Request) -> Response:
            request.state.operation = operation.name
            reply, changed = await self.setup.database.run(
                partial(_counted, rule, await self._call(request, operation=operation))
            )
            request.state.changed = changed
            return await self._finish(request, enveloped(reply))

        return answer

    async def _call(self, request: Request, *, operation: Operation) -> Call:
        at = self.setup.clock()
        caller = self.gate.let_in(request, at=at)
        demand_scopes(caller, scopes=operation.scopes)
        body = await _body(request, operation=operation, wait_seconds=self.body_seconds)
        sends = isinstance(body, Mapping) and body.get("draft") is False
        if operation.name == "project_create" and sends:
            demand_scopes(caller, scopes=(Scope.PROJECTS_SEND,))
        given = request.query_params
        lists = {name: given.getlist(name) for name in given}
        query, problems = read_query(lists, operation=operation)
        if operation.request is not None:
            problems += body_problems(body, schema_name=operation.request)
        return Call(
            operation=operation,
            caller=caller,
            ids=_ids(request),
            body=body if isinstance(body, Mapping) else {},
            query=replace(query, **getattr(request.state, "query_changes", {})),
            problems=tuple(problems),
            at=at,
            setup=self.setup,
        )

    async def _finish(self, request: Request, response: Response) -> Response:
        name = getattr(request.state, "operation", "unknown")
        self.tally.count(name, status_code=response.status_code)
        if self.latency_seconds:
            await asyncio.sleep(self.latency_seconds)
        return self.gate.mark(request, response)

    async def _tell(self, request: Request, fault: Exception) -> Response:
        return await self._finish(request, _answer_to(fault, request=request))


def _answer_to(fault: Exception, *, request: Request) -> Response:
    match fault:
        case Rejected():
            return bare(fault)
        case Refusal():
            answer = refused(status_code=fault.status_code, message=fault.message)
            if fault.status_code in _UNREAD:
                # Nobody will read the rest of the body.
                answer.headers["Connection"] = "close"
            return answer
        case HTTPException():
            answer = refused(status_code=fault.status_code, message=f"{fault.detail}.")
            if fault.status_code == 405:
                answer.headers["Allow"] = ", ".join(_methods_at(request))
            return answer
        case ClientDisconnect():
            # Nobody is left to read this answer.
            return refused(status_code=400, message=str(fault))
        case _:
            # The log has the error; the caller gets a 500.
            name = getattr(request.state, "operation", request.method)
            _log.error("A fault in %s", name, exc_info=fault)
            return refused(status_code=500, message="Something went wrong at our end.")


def _counted(rule: Rule, call: Call, db: Connection) -> tuple[Reply, bool]:
    """Perform a rule; tell whether it wrote anything."""
    before = db.total_changes
    return rule.perform(call, db), db.total_changes > before


async def _body(request: Request, *, operation: Operation, wait_seconds: float) -> Any:  # noqa: ANN401 - JSON is whatever the caller sent
    if operation.request is None:
        return {}
    raw = await read_body(request, most_bytes=BODY_MAX_BYTES, wait_seconds=wait_seconds)
    if not raw and not document()["$defs"][operation.request]["required"]:
        return {}
    kind = request.headers.get("content-type", "application/json")
    media_type = kind.partition(";")[0].strip().lower()
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise Refusal(400, "body must be application/json")
    return decoded(raw)


def _methods_at(request: Request) -> list[str]:
    """List the methods that a path knows (RFC 9110, 15.5.6)."""
    known: set[str] = set()
    for route in request.app.routes:
        if isinstance(route, Route) and route.matches(request.scope)[0] != Match.NONE:
            known |= route.methods or set()
    return sorted(known)


def _ids(request: Request) -> dict[str, str]:
    """Give the ids of the path; no UUID, or an encoded slash, is a 404."""
    if b"%2f" in request.scope.get("raw_path", b"").lower():
        raise not_found()
    ids = {name: str(value) for name, value in request.path_params.items()}
    if not all(is_uuid(value) for value in ids.values()):
        raise not_found()
    return {name: value.lower() for name, value in ids.items()}


OWNER_HEADER: Final = "X-Twin-Secret"

Body: TypeAlias = Mapping[str, Any]
Work: TypeAlias = Callable[[Body], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The owner's routes."""

    setup: Setup
    tally: RequestCounts
    secret: str = field(repr=False)

    def routes(self) -> list[Route]:
        return [
            self._route("GET", "/_twin/state", work=self._state),
            self._route("POST", "/_twin/invitations/accept", work=self._accept),
            self._route("POST", "/_twin/tokens", work=self._tokens),
            self._route("POST", "/_twin/keys", work=self._new_key),
            self._route("POST", "/_twin/keys/revoke", work=self._revoke),
        ]

    def _route(self, method: str, path: str, *, work: Work) -> Route:
        async def answer(request: Request) -> Response:
            raw = await read_body(request, most_bytes=BODY_MAX_BYTES)
            body = decoded(raw) if raw else {}
            return JSONResponse(await work(body if isinstance(body, dict) else {}))

        kept = guarded(answer, header=OWNER_HEADER, secret=self.secret, whose="owner")
        return Route(path, kept, methods=[method])

    async def _state(self, body: Body) -> object:  # noqa: ARG002 - a GET has none
        return {**await self.setup.run(state_of), "requests": self.tally.shown()}

    async def _tokens(self, body: Body) -> object:
        team_id, quantity = body.get("team_id"), body.get("quantity")
        if not isinstance(team_id, str) or type(quantity) is not int:
            raise Refusal(400, "team_id and quantity are required")
        balance = await self.setup.run(
            buy, account_id=team_id, quantity=quantity, now=self.setup.now
        )
        return {"team_id": team_id, "balance": balance}

    async def _accept(self, body: Body) -> object:
        """Accept an invitation as the invited person does."""
        person_id = await self.setup.run(
            accept_invitation,
            invitation_id=str(body.get("invitation_id", "")),
            now=self.setup.now,
        )
        return {"user_id": person_id}

    async def _new_key(self, body: Body) -> object:
        key, caller = await self.setup.run(
            issue_key,
            account_id=str(body.get("account_id") or body.get("team_id")),
            scopes=_scopes(body.get("scopes")),
            now=self.setup.now,
            sandbox=body.get("sandbox") is True,
            owner=None if body.get("owner") is None else str(body["owner"]),
        )
        self.setup.ring.add(caller, key_hash=key.hash)
        return {"id": caller.key_id, "prefix": key.prefix, "key": key.secret}

    async def _revoke(self, body: Body) -> object:
        name = str(body.get("key", ""))
        gone = await self.setup.run(revoke_keys, name=name, now=self.setup.now)
        if not gone:
            raise Refusal(404, "There is no such key.")
        self.setup.ring.drop(gone)
        return {"revoked": sorted(gone)}


def _scopes(told: object) -> frozenset[Scope]:
    """Read the scopes of a new key; all of them when none are named."""
    if told is None:
        return ALL_SCOPES
    if isinstance(told, list) and all(scope in list(Scope) for scope in told):
        return frozenset(Scope(scope) for scope in told)
    known = json.dumps(list(Scope))
    raise Refusal(400, f"scopes must be among {known}")
