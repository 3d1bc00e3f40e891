"""The switchboard's routes: set, list and clear faults, read the ledger."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Final, TypeAlias

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kawe.twin.api.bodies import BODY_MAX_BYTES, decoded
from kawe.twin.api.gate import read_body
from kawe.twin.faults.ledger import Ledger
from kawe.twin.faults.reading import UnreadableFault, read_fault
from kawe.twin.faults.settings import FaultSettings, SetFault
from kawe.twin.world.answers import Refusal

SWITCHBOARD_HEADER: Final = "X-Switchboard-Secret"

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Switchboard:
    """What the switchboard's routes need."""

    settings: FaultSettings
    ledger: Ledger
    secret: str = field(repr=False)

    def application(self) -> Starlette:
        """Build the ASGI application."""
        routes = (
            ("GET", "/faults", self._list),
            ("POST", "/faults", self._set),
            ("DELETE", "/faults", self._clear),
            ("DELETE", "/faults/{id:int}", self._take_away),
            ("GET", "/ledger", self._read),
            ("DELETE", "/ledger", self._forget),
        )
        return Starlette(
            routes=[
                Route(path, self._guarded(endpoint), methods=[method])
                for method, path, endpoint in routes
            ]
        )

    def _guarded(self, endpoint: Endpoint) -> Endpoint:
        async def answer(request: Request) -> Response:
            given = request.headers.get(SWITCHBOARD_HEADER, "")
            if not hmac.compare_digest(given.encode(), self.secret.encode()):
                return _no(403, "The switchboard secret is missing or wrong.")
            try:
                return await endpoint(request)
            except Refusal as refusal:
                return _no(refusal.status_code, refusal.message)
            except UnreadableFault as wrong:
                return _no(400, wrong.says)

        return answer

    async def _list(self, request: Request) -> Response:  # noqa: ARG002 - the shape of every route
        return JSONResponse([_shown(held) for held in self.settings.all()])

    async def _set(self, request: Request) -> Response:
        raw = await read_body(request, most_bytes=BODY_MAX_BYTES)
        kind, fault, trigger = read_fault(decoded(raw))
        held = self.settings.put(fault, kind=kind, trigger=trigger)
        return JSONResponse(_shown(held), status_code=201)

    async def _clear(self, request: Request) -> Response:  # noqa: ARG002 - as above
        self.settings.clear()
        return JSONResponse({})

    async def _take_away(self, request: Request) -> Response:
        if not self.settings.take_away(request.path_params["id"]):
            return _no(404, "There is no such fault.")
        return JSONResponse({})

    async def _read(self, request: Request) -> Response:
        after = request.query_params.get("after", "0")
        if not after.isdecimal() or len(after) > 18:
            return _no(400, "after must be a whole number")
        operation = request.query_params.get("operation", "")
        return JSONResponse(self.ledger.shown(operation=operation, after=int(after)))

    async def _forget(self, request: Request) -> Response:  # noqa: ARG002 - as above
        self.ledger.clear()
        return JSONResponse({})


def _no(status_code: int, error: str) -> Response:
    return JSONResponse({"error": error}, status_code=status_code)


def _shown(held: SetFault) -> dict[str, Any]:
    trigger = asdict(held.trigger)
    return {
        "id": held.id,
        "kind": held.kind,
        **asdict(held.fault),  # type: ignore[call-overload]
        **trigger,
        "operations": sorted(trigger["operations"]),
        "matched": held.matched,
        "happened": held.happened,
    }
