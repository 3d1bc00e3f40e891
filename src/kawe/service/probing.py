"""Finds the scopes of a key by questions that change nothing.

The service refuses a missing scope with 403 before anything runs. If only acts need a
scope, the question names a thing that does not exist. The scopes to create a project
and to ask for an upload have no such question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kawe.domain.service.service_words import Account
from kawe.domain.text.texts import one_line
from kawe.service.downloads import link_of
from kawe.service.lookups import HttpLookups, envelope_of
from kawe.service.storage import origin_of
from kawe.service.transport.answers import Answer
from kawe.service.transport.wire import Wire
from kawe_contract.enums import Scope
from kawe_contract.operations import OPERATIONS

_NOBODY: Final = "00000000-0000-4000-8000-000000000000"
_ONE: Final = {"page": 1, "limit": 1}
_WELLINGTON: Final = {"lat": -41.2889, "lon": 174.7772}
# The service looked for the thing, so the key has the scope.
_NOTHING_THERE: Final = frozenset({400, 402, 404, 409, 422})


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request without effect that needs one scope."""

    scope: Scope
    operation: str
    path: Mapping[str, str] | None = None
    """None: the team's own id, or a path without ids."""
    query: Mapping[str, str | int] | None = None
    body: Mapping[str, object] | None = None

    @property
    def is_about_nothing(self) -> bool:
        return self.path is not None or self.body == {}


SENDING: Final = Question(
    scope=Scope.PROJECTS_SEND, operation="project_send", path={"id": _NOBODY}, body={}
)
"""A send without a message of a project that does not exist."""
QUESTIONS: Final = (
    Question(scope=Scope.PROJECTS_READ, operation="project_list", query=_ONE),
    # Deletes a note that does not exist.
    Question(
        scope=Scope.PROJECTS_WRITE,
        operation="note_delete",
        path={"id": _NOBODY, "note_id": _NOBODY},
    ),
    SENDING,
    # A POST that changes nothing.
    Question(scope=Scope.IWI_READ, operation="iwi_count", body=_WELLINGTON),
    Question(scope=Scope.TEAM_READ, operation="team_read"),
    # Finishes the upload of no document.
    Question(scope=Scope.FILES_WRITE, operation="upload_complete", body={}),
    Question(scope=Scope.FILES_READ, operation="download", path={"id": _NOBODY}),
    Question(
        scope=Scope.USERS_INVITE, operation="invitation_read", path={"id": _NOBODY}
    ),
    Question(scope=Scope.BILLING_READ, operation="invoice_list", query=_ONE),
    Question(scope=Scope.GROUPS_READ, operation="group_list"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Asks each question once."""

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

    async def storage(self, *, team_id: str) -> str | None:
        """Give the address of the storage, without a path; None: no receipt tells it.

        Nothing of a signed link is kept.

        Raises:
            ServiceError: There was no usable answer.
            ContractBroken: The link is not safe to use.
        """
        page = await HttpLookups(wire=self.wire).receipts(team_id, page=1)
        for receipt in page.items[:1]:
            link = await link_of(receipt.document_id, wire=self.wire)
            return origin_of(link.url)
        return None

    async def has(self, question: Question, *, team_id: str) -> bool | None:
        """Check for a scope; None: the answer does not tell."""
        exchange = await self.wire.ask(
            question.operation,
            path=question.path or {"id": team_id},
            query=question.query,
            body=question.body,
        )
        if not isinstance(exchange, Answer):
            return None
        status = exchange.http_status
        if status == 403:
            return False
        if status == 404 and not OPERATIONS[question.operation].shown:
            # The path may be wrong.
            return None
        is_missing = question.is_about_nothing and status in _NOTHING_THERE
        return True if exchange.is_success or is_missing else None
