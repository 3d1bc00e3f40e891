"""Wraps an application with the faults that are set, and with the ledger.

Each fault has its own random numbers, so that a seed repeats a run.
"""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from starlette.routing import compile_path
from starlette.types import ASGIApp, Receive, Scope, Send

from kawe_contract.operations import OPERATIONS
from kawe_twin.calls.call import Setup
from kawe_twin.faults.connection import connection_of
from kawe_twin.faults.exchange import Exchange
from kawe_twin.faults.kinds import Fault
from kawe_twin.faults.ledger import STORAGE_POST, ExchangeRecorder, Ledger, SeenRequest

Naming: TypeAlias = Callable[[str, str], str | None]
"""From method and path to an operation; None: no faults."""

UNKNOWN: Final = "unknown"
STORAGE_GET: Final = "storage_get"
NAMES: Final = frozenset({*OPERATIONS, STORAGE_POST, STORAGE_GET, UNKNOWN})

_OURS: Final = ("/portal", "/_twin", "/openapi.json")
_PATTERNS: Final = [
    (operation.method, compile_path(operation.path)[0], operation.name)
    for operation in OPERATIONS.values()
]


def api_name(method: str, path: str) -> str | None:
    """Name an operation of the API origin; None for our own pages."""
    if path.startswith(_OURS):
        return None
    named = (
        e for asked, its, e in _PATTERNS if asked == method and its.fullmatch(path)
    )
    return next(named, UNKNOWN)


def storage_name(method: str, path: str) -> str | None:
    """Name an operation of the storage origin."""
    if method == "POST":
        return STORAGE_POST
    return STORAGE_GET if path.startswith("/documents/") else UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """When a fault happens."""

    operations: frozenset[str] = frozenset()
    """Operations, `storage_post`, `storage_get`; empty: all."""
    nth: int = 1
    """The first matching request, counted from one."""
    count: int | None = None
    """Maximum number of times."""
    probability: float = 1.0
    seed: int = 0


@dataclass(slots=True, kw_only=True)
class SetFault:
    """A fault with its counts."""

    id: int
    kind: str
    fault: Fault
    trigger: Trigger
    matched: int = 0
    happened: int = 0
    _chance: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.trigger.seed)  # noqa: S311 - repeatable on purpose

    def draw(self, operation: str) -> bool:
        """Count a request; tell whether the fault happens."""
        wanted = self.trigger.operations
        if wanted and operation not in wanted:
            return False
        self.matched += 1
        count = self.trigger.count
        is_spent = count is not None and self.happened >= count
        if self.matched < self.trigger.nth or is_spent:
            return False
        if self._chance.random() >= self.trigger.probability:
            return False
        self.happened += 1
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Faulted:
    """An application with faults."""

    app: ASGIApp
    naming: Naming
    faults: Sequence[SetFault]
    """The first is the outermost."""
    ledger: Ledger
    reach: Setup

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with its faults."""
        method, path = scope["method"], scope["path"]
        if (operation := self.naming(method, path)) is None:
            await self.app(scope, receive, send)
            return
        entry = self.ledger.begin(
            at=self.reach.now, operation=operation, method=method, path=path
        )
        found = re.match(r"/projects/([^/]+)", path)
        entry.project_id = found[1].lower() if found else None
        recorder = ExchangeRecorder(entry)
        app = recorder.inside(self.app)
        for held in reversed(self.faults):
            app = self._around(app, held=held, entry=entry)
        try:
            await app(scope, recorder.asked(receive), recorder.told(send))
        finally:
            connection_of(scope).mend()

    def _around(self, rest: ASGIApp, *, held: SetFault, entry: SeenRequest) -> ASGIApp:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            # Not drawn when an outer fault stops the request.
            if not held.draw(entry.operation):
                await rest(scope, receive, send)
                return
            entry.faults.append(held.kind)
            exchange = Exchange(
                rest=rest, scope=scope, receive=receive, send=send, reach=self.reach
            )
            await held.fault(exchange)

        return app
