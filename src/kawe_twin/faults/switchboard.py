"""The switchboard's routes: set, list and clear faults, read the ledger.

A fault and its trigger come as JSON.
"""

from __future__ import annotations

import hmac
import types
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kawe_contract.operations import OPERATIONS
from kawe_twin.api.envelope import BODY_MAX_BYTES, decoded
from kawe_twin.api.gate import read_body
from kawe_twin.faults import kinds
from kawe_twin.faults.kinds import Fault
from kawe_twin.faults.ledger import STORAGE_POST, Ledger
from kawe_twin.faults.settings import FaultSettings, SetFault, Trigger
from kawe_twin.faults.wrapping import NAMES, STORAGE_GET
from kawe_twin.world.answers import Refusal

KINDS: Final[Mapping[str, type]] = {
    "altered": kinds.Altered,
    "cut": kinds.Cut,
    "drop": kinds.Drop,
    "expired": kinds.Expired,
    "gateway_page": kinds.GatewayPage,
    "gzip_bomb": kinds.GzipBomb,
    "hidden_drafts": kinds.HiddenDrafts,
    "lag": kinds.Lag,
    "late": kinds.Late,
    "latency": kinds.Latency,
    "no_conflict": kinds.NoConflict,
    "no_tokens": kinds.NoTokens,
    "null_status": kinds.NullStatus,
    "other_reference": kinds.OtherReference,
    "rate_limited": kinds.RateLimited,
    "redirect": kinds.Redirect,
    "reused_id": kinds.ReusedId,
    "revoked_key": kinds.RevokedKey,
    "sent_at_once": kinds.SentAtOnce,
    "server_error": kinds.ServerError,
    "shift": kinds.Shift,
    "slow": kinds.Slow,
    "wrong_date": kinds.WrongDate,
    "wrong_json": kinds.WrongJson,
}
_TRIGGERS: Final = ("operations", "nth", "count", "probability", "seed")
_LISTS: Final = frozenset({"project_list"})
_PAGED: Final = frozenset(
    name for name, operation in OPERATIONS.items() if "page" in operation.query
)
_ONLY: Final[Mapping[str, frozenset[str]]] = {
    "expired": frozenset({STORAGE_GET, STORAGE_POST}),
    "hidden_drafts": _LISTS,
    "lag": _LISTS,
    "no_conflict": frozenset({"project_send"}),
    "null_status": _LISTS | {"project_create", "project_read", "project_send"},
    "other_reference": frozenset({"project_create"}),
    "reused_id": frozenset({"project_create"}),
    "sent_at_once": frozenset({"project_create"}),
    "shift": _PAGED,
}
"""Kinds for these operations alone."""


@dataclass(eq=False, kw_only=True)
class UnreadableFault(Exception):
    """The JSON describes no fault."""

    says: str

    def __str__(self) -> str:
        return self.says


def read_fault(told: object) -> tuple[str, Fault, Trigger]:
    """Read a fault: its kind, what happens, and when.

    Raises:
        UnreadableFault: A field is wrong; the message says its values.
    """
    if not isinstance(told, dict):
        raise UnreadableFault(says="a fault is a JSON object")
    kind = told.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise UnreadableFault(says="kind must be one of " + ", ".join(KINDS))
    rest = {name: value for name, value in told.items() if name != "kind"}
    when = {name: rest.pop(name) for name in _TRIGGERS if name in rest}
    fault: Fault = KINDS[kind](**_checked(rest, of=KINDS[kind]))
    return kind, fault, _trigger(kind, when)


def _trigger(kind: str, told: Mapping[str, Any]) -> Trigger:
    rest = dict(told)
    named = rest.pop("operations", [])
    if not isinstance(named, list) or any(name not in NAMES for name in named):
        raise UnreadableFault(
            says="operations must be names among " + ", ".join(sorted(NAMES))
        )
    only = _ONLY.get(kind, frozenset())
    wanted = frozenset(named) or only
    if only and not wanted <= only:
        says = f"{kind} happens to {', '.join(sorted(only))} alone"
        raise UnreadableFault(says=says)
    made = Trigger(operations=wanted, **_checked(rest, of=Trigger))
    if made.nth < 1 or not 0 <= made.probability <= 1:
        raise UnreadableFault(says="nth is from 1, probability from 0 to 1")
    return made


def _checked(told: Mapping[str, Any], *, of: type) -> dict[str, Any]:
    hints = get_type_hints(of)
    known = {one.name for one in fields(of) if one.default is not MISSING}
    for name, value in told.items():
        if name not in known:
            says = f"{name} is not among {', '.join(sorted(known)) or 'its fields'}"
            raise UnreadableFault(says=says)
        if not _fits(value, hint=hints[name]):
            raise UnreadableFault(says=f"{name} must be {_word(hints[name])}")
    return dict(told)


def _fits(value: object, *, hint: Any) -> bool:  # noqa: ANN401 - a type is not always a class
    if hint is Any:
        return True
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) is types.UnionType:
        return any(_fits(value, hint=one) for one in get_args(hint))
    if hint is types.NoneType:
        return value is None
    if isinstance(value, bool):
        return hint is bool
    return isinstance(value, (int, float) if hint is float else hint)


def _word(hint: Any) -> str:  # noqa: ANN401 - as above
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(get_args(hint))
    return getattr(hint, "__name__", str(hint))


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
