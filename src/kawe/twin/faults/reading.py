"""Reads a fault and its trigger from JSON."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from kawe.contract.operations import OPERATIONS
from kawe.twin.faults import bending, kinds
from kawe.twin.faults.kinds import Fault
from kawe.twin.faults.ledger import STORAGE_POST
from kawe.twin.faults.settings import Trigger
from kawe.twin.faults.wrapping import NAMES, STORAGE_GET

KINDS: Final[Mapping[str, type]] = {
    "altered": bending.Altered,
    "cut": kinds.Cut,
    "drop": kinds.Drop,
    "expired": kinds.Expired,
    "gateway_page": kinds.GatewayPage,
    "gzip_bomb": kinds.GzipBomb,
    "hidden_drafts": bending.HiddenDrafts,
    "lag": bending.Lag,
    "late": kinds.Late,
    "latency": kinds.Latency,
    "no_conflict": bending.NoConflict,
    "no_tokens": kinds.NoTokens,
    "null_status": bending.NullStatus,
    "other_reference": bending.OtherReference,
    "rate_limited": kinds.RateLimited,
    "redirect": kinds.Redirect,
    "reused_id": bending.ReusedId,
    "revoked_key": bending.RevokedKey,
    "sent_at_once": bending.SentAtOnce,
    "server_error": kinds.ServerError,
    "shift": bending.Shift,
    "slow": kinds.Slow,
    "wrong_date": kinds.WrongDate,
    "wrong_json": bending.WrongJson,
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
