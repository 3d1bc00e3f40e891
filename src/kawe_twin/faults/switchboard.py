"""The switchboard's routes: set, list and clear faults, read the ledger.

A fault and its trigger come as JSON.
"""

import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from inspect import iscoroutinefunction, signature
from itertools import count
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kawe_contract.operations import OPERATIONS
from kawe_twin.api.envelope import BODY_MAX_BYTES, decoded
from kawe_twin.api.gate import guarded, read_body
from kawe_twin.faults import kinds
from kawe_twin.faults.kinds import Fault
from kawe_twin.faults.ledger import STORAGE_POST, Ledger
from kawe_twin.faults.wrapping import NAMES, STORAGE_GET, SetFault, Trigger
from kawe_twin.world.answers import Refusal

KINDS: Final[Mapping[str, Callable[..., Any]]] = {
    name: kind
    for name, kind in sorted(vars(kinds).items())
    if iscoroutinefunction(kind) and not name.startswith("_")
}
"""Each kind by its name."""
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


def read_fault(told: object) -> tuple[str, Fault, Trigger]:
    """Read a fault: its kind, what happens, and when; 400 says what fits."""
    if not isinstance(told, dict):
        raise Refusal(400, "a fault is a JSON object")
    kind = told.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refusal(400, "kind must be one of " + ", ".join(KINDS))
    rest = {name: value for name, value in told.items() if name != "kind"}
    when = {name: rest.pop(name) for name in _TRIGGERS if name in rest}
    fault = partial(KINDS[kind], **_checked(rest, of=KINDS[kind]))
    return kind, fault, _trigger(kind, when)


def _trigger(kind: str, told: Mapping[str, Any]) -> Trigger:
    rest = dict(told)
    named = rest.pop("operations", [])
    if not isinstance(named, list) or any(name not in NAMES for name in named):
        raise Refusal(400, f"operations must be names among {', '.join(sorted(NAMES))}")
    only = _ONLY.get(kind, frozenset())
    wanted = frozenset(named) or only
    if only and not wanted <= only:
        raise Refusal(400, f"{kind} happens to {', '.join(sorted(only))} alone")
    made = Trigger(**_checked(rest, of=Trigger) | {"operations": wanted})
    if made.nth < 1 or not 0 <= made.probability <= 1:
        raise Refusal(400, "nth is from 1, probability from 0 to 1")
    return made


def _checked(told: Mapping[str, Any], *, of: Callable[..., Any]) -> dict[str, Any]:
    """Give what is told with the defaults of all else; 400 where it does not fit."""
    asked, hints = signature(of).parameters.items(), get_type_hints(of)
    known = {name: one.default for name, one in asked if one.default is not one.empty}
    for name, value in told.items():
        if name not in known:
            says = f"{name} is not among {', '.join(sorted(known)) or 'its fields'}"
            raise Refusal(400, says)
        if not _fits(value, hint=hints[name]):
            raise Refusal(400, f"{name} must be {_word(hints[name])}")
    return {**known, **told}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Switchboard:
    """What the switchboard's routes need."""

    faults: list[SetFault]
    ledger: Ledger
    secret: str = field(repr=False)
    _ids: Iterator[int] = field(default_factory=lambda: count(1))

    def application(self) -> Starlette:
        """Build the ASGI application."""
        keep = partial(
            guarded, header=SWITCHBOARD_HEADER, secret=self.secret, whose="switchboard"
        )
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
                Route(path, keep(endpoint), methods=[method])
                for method, path, endpoint in routes
            ]
        )

    async def _list(self, request: Request) -> Response:  # noqa: ARG002 - the shape of every route
        return JSONResponse([_shown(held) for held in self.faults])

    async def _set(self, request: Request) -> Response:
        raw = await read_body(request, most_bytes=BODY_MAX_BYTES)
        kind, fault, trigger = read_fault(decoded(raw))
        held = SetFault(id=next(self._ids), kind=kind, fault=fault, trigger=trigger)
        self.faults.append(held)
        return JSONResponse(_shown(held), status_code=201)

    async def _clear(self, request: Request) -> Response:  # noqa: ARG002 - as above
        self.faults.clear()
        return JSONResponse({})

    async def _take_away(self, request: Request) -> Response:
        found = [e for e in self.faults if e.id == request.path_params["id"]]
        if not found:
            raise Refusal(404, "There is no such fault.")
        self.faults.remove(found[0])
        return JSONResponse({})

    async def _read(self, request: Request) -> Response:
        after = request.query_params.get("after", "0")
        if not after.isdecimal() or len(after) > 18:
            raise Refusal(400, "after must be a whole number")
        operation = request.query_params.get("operation", "")
        return JSONResponse(self.ledger.shown(operation=operation, after=int(after)))

    async def _forget(self, request: Request) -> Response:  # noqa: ARG002 - as above
        self.ledger.clear()
        return JSONResponse({})


def _shown(held: SetFault) -> dict[str, Any]:
    trigger = asdict(held.trigger)
    return {
        "id": held.id,
        "kind": held.kind,
        **held.fault.keywords,
        **trigger,
        "operations": sorted(trigger["operations"]),
        "matched": held.matched,
        "happened": held.happened,
    }
