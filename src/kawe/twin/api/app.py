"""The API origin: every operation of the contract at its path.

Routes come from the contract and rules from the registry, by the operation's name. The
event loop reads and writes; the store's thread runs the rules.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from sqlite3 import Connection
from typing import Any, Final, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route

from kawe.contract.document import document
from kawe.contract.enums import Scope
from kawe.contract.openapi import openapi
from kawe.contract.operations import OPERATIONS, Operation
from kawe.twin.api.bodies import BODY_MAX_BYTES, decoded
from kawe.twin.api.counting import RequestCounts
from kawe.twin.api.envelope import Rejected, bare, enveloped, refused
from kawe.twin.api.gate import BODY_SECONDS, Gate, demand_scopes, read_body
from kawe.twin.api.registry import RULES
from kawe.twin.calls.call import Call, Rule, Setup
from kawe.twin.calls.queries import read_query
from kawe.twin.calls.validation import body_problems, is_uuid
from kawe.twin.world.answers import Refusal, Reply, not_found
from kawe.twin.world.keys import Caller

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

_UNREAD: Final = frozenset({408, 413})
_log: Final = logging.getLogger("kawe.twin")


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
                (Refusal, Rejected, HTTPException, ClientDisconnect, Exception),
                self._tell,
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
            call = await self._call(request, operation=operation)
            reply, changed = await self.setup.database.run(
                partial(_counted, rule, call)
            )
            request.state.changed = changed
            return await self._finish(request, enveloped(reply))

        return answer

    async def _call(self, request: Request, *, operation: Operation) -> Call:
        at = self.setup.clock()
        caller = self.gate.let_in(request, at=at)
        demand_scopes(caller, scopes=operation.scopes)
        body = await _body(request, operation=operation, wait_seconds=self.body_seconds)
        _demand_more(operation, caller=caller, body=body)
        query, problems = read_query(_query_of(request), operation=operation)
        if operation.request is not None:
            problems += body_problems(body, schema_name=operation.request)
        bent = getattr(request.state, "query_changes", {})
        return Call(
            operation=operation,
            caller=caller,
            ids=_ids(request),
            body=body if isinstance(body, Mapping) else {},
            query=replace(query, **bent),
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
    schema = document()["$defs"][operation.request]
    if not raw and not schema["required"]:
        return {}
    kind = request.headers.get("content-type", "application/json")
    media_type = kind.partition(";")[0].strip().lower()
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise Refusal(status_code=400, message="body must be application/json")
    return decoded(raw)


def _demand_more(operation: Operation, *, caller: Caller, body: object) -> None:
    """Demand the second scope of a create that sends at once."""
    sends = isinstance(body, Mapping) and body.get("draft") is False
    if operation.name == "project_create" and sends:
        demand_scopes(caller, scopes=(Scope.PROJECTS_SEND,))


def _methods_at(request: Request) -> list[str]:
    """List the methods that a path knows (RFC 9110, 15.5.6)."""
    known: set[str] = set()
    for route in request.app.routes:
        if isinstance(route, Route) and route.matches(request.scope)[0] != Match.NONE:
            known |= route.methods or set()
    return sorted(known)


def _query_of(request: Request) -> dict[str, list[str]]:
    given = request.query_params
    return {name: given.getlist(name) for name in given}


def _ids(request: Request) -> dict[str, str]:
    """Give the ids of the path; no UUID, or an encoded slash, is a 404."""
    if b"%2f" in request.scope.get("raw_path", b"").lower():
        raise not_found()
    ids = {name: str(value) for name, value in request.path_params.items()}
    if not all(is_uuid(value) for value in ids.values()):
        raise not_found()
    return {name: value.lower() for name, value in ids.items()}
