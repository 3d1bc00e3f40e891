"""What a key may do, found out by questions that change nothing.

The service refuses with 403 before anything runs, so one read for each scope
tells whether the key has it. Scopes that only let things be changed have no such
read, and are not asked for: nothing here creates, sends or uploads.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from kawe.contract.enums import Scope
from kawe.domain.service_words import Account
from kawe.domain.texts import one_line
from kawe.ports import Clock, Halt, Progress
from kawe.service.addresses import Addresses
from kawe.service.answers import Answer
from kawe.service.lookups import HttpLookups, envelope_of
from kawe.service.opening import ServiceOptions
from kawe.service.pacing import Pacer
from kawe.service.wire import Credentials, Wire

_NOBODY: Final = "00000000-0000-4000-8000-000000000000"
_ONE: Final = {"page": 1, "limit": 1}
_WELLINGTON: Final = {"lat": -41.2889, "lon": 174.7772}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A read that a key without a scope is refused."""

    scope: Scope
    operation: str
    id: str | None = None
    """None: the team's own."""
    query: Mapping[str, str | int] | None = None
    body: Mapping[str, object] | None = None


QUESTIONS: Final = (
    Question(scope=Scope.PROJECTS_READ, operation="project_list", query=_ONE),
    # A POST by its method, and a question by what it does.
    Question(scope=Scope.IWI_READ, operation="iwi_count", body=_WELLINGTON),
    Question(scope=Scope.TEAM_READ, operation="team_read"),
    Question(scope=Scope.FILES_READ, operation="download", id=_NOBODY),
    Question(scope=Scope.USERS_INVITE, operation="invitation_read", id=_NOBODY),
    Question(scope=Scope.BILLING_READ, operation="invoice_list", query=_ONE),
    Question(scope=Scope.GROUPS_READ, operation="group_list"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Asks, and asks nothing twice."""

    wire: Wire = field(repr=False)

    async def teams(self) -> tuple[str, ...]:
        """Name the teams of the person behind the key; none for an iwi's.

        Raises:
            ServiceError: There was no usable answer.
        """
        exchange = await self.wire.ask("user_read")
        user = envelope_of(self.wire, "user_read", exchange)["response_object"]
        teams = user.get("teams") if isinstance(user, dict) else None
        names = (
            each.get("name")
            for each in (teams if isinstance(teams, list) else [])
            if isinstance(each, dict)
        )
        return tuple(one_line(name) for name in names if isinstance(name, str))

    async def account(self, *, team_name: str | None) -> Account:
        """Say whom the key speaks for.

        Raises:
            ServiceError: There was no usable answer.
            SettingsError: It is not clear which team is meant.
        """
        return await HttpLookups(wire=self.wire, team_name=team_name).account()

    async def has(self, question: Question, *, team_id: str) -> bool | None:
        """Say whether the key has a scope; None where the answer does not tell."""
        path = {"id": question.id or team_id}
        exchange = await self.wire.ask(
            question.operation, path=path, query=question.query, body=question.body
        )
        if not isinstance(exchange, Answer):
            return None
        status = exchange.http_status
        if status == 403:
            return False
        # Nothing is called so; a key without the scope would not be told even that.
        is_missing = status == 404 and question.id is not None
        return True if exchange.is_success or is_missing else None


@asynccontextmanager
async def open_probe(
    options: ServiceOptions, *, clock: Clock, progress: Progress, halt: Halt
) -> AsyncIterator[Probe]:
    """Open what it takes to ask, one question at a time.

    Raises:
        SettingsError: The settings name an operation that does not exist, or a
            proxy that cannot be used.
    """
    pacer = Pacer(
        clock=clock,
        progress=progress,
        halt=halt,
        # Jitter needs no secrecy.
        chance=random.Random(),  # noqa: S311 - spreads waits, guards nothing
    )
    async with Wire(
        addresses=Addresses(base_url=options.base_url, overrides=options.paths),
        credentials=Credentials(key=options.key),
        pacer=pacer,
        workers=1,
        user_agent=options.user_agent,
    ) as wire:
        yield Probe(wire=wire)
