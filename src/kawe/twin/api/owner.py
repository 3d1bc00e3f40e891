"""The owner's routes below `/_twin`, outside the interface.

With the owner secret: buy tokens, make and revoke keys, accept invitations, read the
counts for tests.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kawe.contract.enums import Scope
from kawe.twin.api.bodies import BODY_MAX_BYTES, decoded
from kawe.twin.api.counting import RequestCounts
from kawe.twin.api.gate import read_body
from kawe.twin.calls.call import Setup
from kawe.twin.rules.invitations import accept_invitation
from kawe.twin.rules.tokens import buy
from kawe.twin.store.accounts import issue_key, revoke_keys
from kawe.twin.store.state import state_of
from kawe.twin.world.answers import Refusal
from kawe.twin.world.keys import ALL_SCOPES

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
        """Give the routes that the API origin serves beside the interface's."""
        return [
            self._route("GET", "/_twin/state", work=self._state),
            self._route("POST", "/_twin/invitations/accept", work=self._accept),
            self._route("POST", "/_twin/tokens", work=self._tokens),
            self._route("POST", "/_twin/keys", work=self._new_key),
            self._route("POST", "/_twin/keys/revoke", work=self._revoke),
        ]

    def _route(self, method: str, path: str, *, work: Work) -> Route:
        async def answer(request: Request) -> Response:
            given = request.headers.get(OWNER_HEADER, "")
            if not hmac.compare_digest(given.encode(), self.secret.encode()):
                said = {"error": "The owner secret is missing or wrong."}
                return JSONResponse(said, status_code=403)
            try:
                raw = await read_body(request, most_bytes=BODY_MAX_BYTES)
                body = decoded(raw) if raw else {}
                return JSONResponse(await work(body if isinstance(body, dict) else {}))
            except Refusal as refusal:
                said = {"error": refusal.message}
                return JSONResponse(said, status_code=refusal.status_code)

        return Route(path, answer, methods=[method])

    async def _state(self, body: Body) -> object:  # noqa: ARG002 - a GET has none
        state = await self.setup.run(state_of)
        return {**state, "requests": self.tally.shown()}

    async def _tokens(self, body: Body) -> object:
        team_id, quantity = body.get("team_id"), body.get("quantity")
        if not isinstance(team_id, str) or type(quantity) is not int:
            said = "team_id and quantity are required"
            raise Refusal(status_code=400, message=said)
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
            raise Refusal(status_code=404, message="There is no such key.")
        self.setup.ring.drop(gone)
        return {"revoked": sorted(gone)}


def _scopes(told: object) -> frozenset[Scope]:
    """Read the scopes of a new key; all of them when none are named."""
    if told is None:
        return ALL_SCOPES
    if isinstance(told, list) and all(scope in list(Scope) for scope in told):
        return frozenset(Scope(scope) for scope in told)
    known = json.dumps(list(Scope))
    raise Refusal(status_code=400, message=f"scopes must be among {known}")
