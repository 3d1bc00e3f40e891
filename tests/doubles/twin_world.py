"""A world around the twin, in this process: its rules, our wire, no socket.

Requests go through the HTTP client into the twin's application, so everything
but the bytes on the line is as it is for a person; time is the clock's.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
from starlette.types import ASGIApp, Receive, Scope, Send

from doubles.bodies import project_body
from doubles.machine import Quiet
from doubles.weather import Died, Fate, Weather
from doubles.world import NO_WAIT, Doors, Seen, Truth, World
from kawe.domain.service.service_words import ProjectId
from kawe.service.opening import ServiceSetup, open_service
from kawe_contract.enums import ProjectStatus
from kawe_twin.assembly import assemble
from kawe_twin.faults.wrapping import UNKNOWN, api_name
from kawe_twin.options import TwinOptions
from kawe_twin.store.state import state_of
from kawe_twin.world.clock import instant_after

_OWNER: Final = "X-Twin-Secret"
_RESET_SECONDS: Final = "20"


class WeatheredTransport(httpx.AsyncBaseTransport):
    """Carries requests into an application, as far as the weather lets them."""

    def __init__(self, app: ASGIApp, *, weather: Weather) -> None:
        self._inner = httpx.ASGITransport(app)
        self._weather = weather

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Carry one request."""
        name = api_name(request.method, request.url.path) or UNKNOWN
        fate = await self._weather.fate(name)
        if fate is Fate.UNREACHED:
            raise httpx.ConnectError("no connection")
        await request.extensions["trace"]("http11.send_request_headers.started", {})
        match fate:
            case Fate.LOST_BEFORE:
                raise httpx.ReadError("reset")
            case Fate.LATE:
                self._weather.do_later(
                    lambda: self._inner.handle_async_request(request)
                )
                raise httpx.ReadTimeout("no answer")
            case Fate.LIMITED:
                return httpx.Response(
                    429,
                    headers={"Retry-After": _RESET_SECONDS},
                    stream=httpx.ByteStream(b'{"error": "Too many requests."}'),
                )
            case Fate.PASS | Fate.LOST_AFTER | Fate.LAST:
                pass
        answer = await self._inner.handle_async_request(request)
        if fate is Fate.LAST:
            raise Died
        if fate is Fate.LOST_AFTER:
            raise httpx.ReadError("reset")
        return answer


class TwinWorld(World):
    """The twin, and who uses it."""

    def __init__(self, folder: Path, *, tokens: int) -> None:
        super().__init__()
        self._twin = assemble(
            TwinOptions(folder=folder, tokens=tokens, rate_limit=1_000_000),
            ports={"api": 8750, "storage": 8751},
            clock=self.clock.now,
        )
        self._lag_seconds = 0.0
        self._key = self._twin.address.live_key
        self._colleagues_key = ""
        self._key_works = True

    @property
    def lag_seconds(self) -> float:
        """Say for how long lists do not show what was just created."""
        return self._lag_seconds

    @lag_seconds.setter
    def lag_seconds(self, seconds: float) -> None:
        self._lag_seconds = seconds

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Doors]:
        """Open the service, stacked as a command has it."""
        url = self._twin.address.api_url
        options = ServiceSetup(base_url=url, key=self._key, workers=1, policy=NO_WAIT)
        async with open_service(
            options,
            clock=self.clock,
            progress=Quiet(),
            halt=self.halt,
            chance=Random(1),
            transport=WeatheredTransport(self._lagging, weather=self.weather),
        ) as service:
            yield Doors(
                acts=service.acts,
                lookups=service.lookups,
                uploads=service.uploads,
                pace=service.pace,
            )

    async def _lagging(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._lag_seconds and scope["path"] == "/projects":
            until = instant_after(self.clock.now(), seconds=-self._lag_seconds)
            scope.setdefault("state", {})["query_changes"] = {"made_until": until}
        await self._twin.origins["api"](scope, receive, send)

    async def look(self) -> Seen:
        """Ask the twin what really happened."""
        state: dict[str, Any] = await self._twin.database.run(state_of)
        words = await self._twin.database.run(
            lambda db: {
                row["id"]: (row["name"], row["description"])
                for row in db.execute("SELECT id, name, description FROM project")
            }
        )
        team = self._twin.live_team_id
        (balance,) = [
            each["balance"] for each in state["accounts"] if each["id"] == team
        ]
        members = await self._twin.database.run(
            lambda db: [
                row["email_folded"]
                for row in db.execute(
                    "SELECT email_folded FROM membership JOIN person"
                    " ON person.id = person_id WHERE account_id = ?",
                    (team,),
                )
            ]
        )
        return Seen(
            projects=tuple(
                Truth(
                    id=ProjectId(each["id"]),
                    name=words[each["id"]][0],
                    reference=each["reference"] or "",
                    description=words[each["id"]][1],
                    is_sent=each["status"] != ProjectStatus.DRAFT,
                    sends=each["sends"],
                )
                for each in state["projects"]
            ),
            balance=balance,
            people=frozenset(
                [*members, *(each["email"].casefold() for each in state["invitations"])]
            ),
            organisations=tuple(each["name"] for each in state["organisations"]),
        )

    async def edit(self, project: ProjectId, words: str) -> None:
        """Change a description, as a colleague."""
        shown = await self._ask("GET", f"/projects/{project}")
        body = {
            name: shown["response_object"][name]
            for name in ("name", "start_date", "end_date", "respond_by_date")
        }
        days = {name: text[:10] for name, text in body.items() if name != "name"}
        changed = {**body, **days, "description": words}
        await self._ask("PUT", f"/projects/{project}", changed)

    async def send(self, project: ProjectId) -> bool:
        """Send a draft by hand, as a colleague."""
        sent = await self._ask("PUT", f"/projects/{project}/send", {"message": "Mine."})
        return bool(sent["success"])

    async def spend(self) -> bool:
        """Create and send something else, as a colleague."""
        body = project_body(
            "A colleague's own",
            description="Not of any workbook.",
            longitude=175.76,
            draft=False,
        )
        sent = await self._ask("POST", "/projects", body)
        return bool(sent["success"])

    async def buy(self, tokens: int) -> None:
        """Buy packs of one."""
        bought = {"team_id": self._twin.live_team_id, "quantity": tokens}
        await self._owner("/_twin/tokens", bought)

    async def revoke_key(self) -> None:
        """Revoke kawe's key."""
        if self._key_works:
            await self._owner("/_twin/keys/revoke", {"key": self._key})
            self._key_works = False

    async def give_key(self) -> None:
        """Make another key for kawe."""
        if not self._key_works:
            self._key, self._key_works = await self._new_key(), True

    async def ask_to_join(self, email: str) -> None:
        """Invite a person and let them accept."""
        roll = await self._ask("GET", f"/team/{self._twin.live_team_id}")
        waiting = _invitation_of(email, roll)
        if waiting is None:
            person = {"name": email, "email": email, "role": "MEMBER"}
            await self._ask("POST", "/user/invite/bulk", {"invitations": [person]})
            roll = await self._ask("GET", f"/team/{self._twin.live_team_id}")
            waiting = _invitation_of(email, roll)
        if waiting is not None:
            accepted = {"invitation_id": waiting}
            await self._owner("/_twin/invitations/accept", accepted)

    def close(self) -> None:
        self._twin.database.close()

    async def _new_key(self) -> str:
        made = await self._owner("/_twin/keys", {"account_id": self._twin.live_team_id})
        return str(made["key"])

    async def _owner(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        secret = {_OWNER: self._twin.address.owner_secret}
        return await self._request("POST", path, body=body, headers=secret)

    async def _ask(
        self, method: str, path: str, body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        if not self._colleagues_key:
            self._colleagues_key = await self._new_key()
        bearer = {"Authorization": f"Bearer {self._colleagues_key}"}
        return await self._request(method, path, body=body, headers=bearer)

    async def _request(
        self,
        method: str,
        path: str,
        *,
        body: dict[str, Any] | None,
        headers: dict[str, str],
    ) -> dict[str, Any]:
        transport = httpx.ASGITransport(self._twin.origins["api"])
        url = self._twin.address.api_url
        async with httpx.AsyncClient(transport=transport, base_url=url) as client:
            answer = await client.request(method, path, json=body, headers=headers)
        told: dict[str, Any] = answer.json()
        return told


def _invitation_of(email: str, roll: dict[str, Any]) -> str | None:
    for each in roll["response_object"]["invitations"]:
        if each["email"] == email and each["status"] == "PENDING":
            return str(each["id"])
    return None
