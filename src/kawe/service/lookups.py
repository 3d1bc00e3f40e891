"""The lookups over HTTP, asked again after failures that pass."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from kawe import errors
from kawe.domain.service.service_words import (
    Account,
    IwiAnswer,
    Organisation,
    Page,
    Project,
    ProjectId,
    Receipt,
    TeamRoll,
)
from kawe.domain.text.hosts import twin_words
from kawe.domain.text.next_steps import Next
from kawe.ports import NO_QUERY, QueryValue
from kawe.service import parsing
from kawe.service.retrying import Retries, Transient
from kawe.service.transport.answers import Answer, Exchange, Lost
from kawe.service.transport.wire import Wire
from kawe_contract.headers import LIVE_MARK, SANDBOX_MARK
from kawe_contract.limits import PAGE_MAX
from kawe_places.values import Place

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpLookups:
    """Implements the port `Lookups`; without `retries` it asks once."""

    wire: Wire = field(repr=False)
    team_name: str | None = None
    retries: Retries | None = None

    async def account(self) -> Account:
        read = partial(parsing.parse_account, team_name=self.team_name)
        return await self._read("user_read", read)

    async def iwi_at(self, place: Place) -> IwiAnswer:
        body = {"lat": place.latitude, "lon": place.longitude}
        return await self._read("iwi_count", parsing.parse_iwi_answer, body=body)

    async def project(self, project: ProjectId) -> Project | None:
        path = {"id": project}
        try:
            return await self._read("project_read", parsing.parse_project, path=path)
        except errors.PathUnknown:
            return None

    async def projects(
        self, *, page: int, search: str | None = None, status: str | None = None
    ) -> Page[Project]:
        asked = {"search": search, "status": status}
        query = {name: said for name, said in asked.items() if said is not None}
        return await self._page(
            "project_list", parsing.parse_project, page=page, query=query
        )

    async def organisations(self, *, page: int) -> Page[Organisation]:
        return await self._page(
            "organisation_list", parsing.parse_organisation, page=page
        )

    async def team(self, team_id: str) -> TeamRoll:
        return await self._read("team_read", parsing.parse_team, path={"id": team_id})

    async def receipts(self, team_id: str, *, page: int) -> Page[Receipt]:
        return await self._page(
            "receipt_list", parsing.parse_receipt, page=page, path={"id": team_id}
        )

    async def listed(
        self,
        operation: str,
        *,
        path: Mapping[str, str],
        page: int,
        query: Mapping[str, QueryValue] = NO_QUERY,
    ) -> Page[Mapping[str, object]]:
        asked: dict[str, QueryValue] = {**query}
        if "page" in self.wire.addresses.operation(operation).query:
            asked |= {"page": page, "limit": PAGE_MAX}
        read = partial(parsing.parse_listed, page=page)
        return await self._read(operation, read, path=path, query=asked)

    async def _page(
        self,
        operation: str,
        item: Callable[[object], T],
        *,
        page: int,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, QueryValue] = NO_QUERY,
    ) -> Page[T]:
        asked: dict[str, QueryValue] = {"page": page, "limit": PAGE_MAX, **query}
        read = partial(parsing.parse_page, item=item)
        return await self._read(operation, read, path=path, query=asked)

    async def _read(
        self,
        operation: str,
        parse: Callable[[object], T],
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        body: Mapping[str, object] | None = None,
    ) -> T:
        async def once() -> T:
            exchange = await self.wire.ask(operation, path=path, query=query, body=body)
            envelope = envelope_of(self.wire, operation, exchange)
            try:
                return parse(envelope["response_object"])
            except parsing.Unreadable as trouble:
                raise errors.ContractBroken(
                    message=f"The service answered in an unknown form ({trouble}).",
                    hint="Nothing was changed. Is the base address right?",
                ) from trouble

        return await (once() if self.retries is None else self.retries.call(once))


def envelope_of(wire: Wire, operation: str, exchange: Exchange) -> dict[str, object]:
    """Give the envelope of a successful answer.

    Raises:
        Transient: A retry may succeed.
        KeyRefused: 401.
        ScopeMissing: 403.
        ContractBroken: Any other answer.
    """
    match exchange:
        case Lost():
            raise _lost(wire, exchange)
        case Answer():
            envelope = exchange.envelope()
            if exchange.is_success and envelope is not None:
                return envelope
            raise _refusal(wire, operation, exchange)


def _lost(wire: Wire, lost: Lost) -> errors.ServiceUnreachable:
    """Make the error of no answer; a service that never answered here is not tried."""
    message = f"The service cannot be reached: {lost.detail}."
    hint = twin_words(wire.addresses.base_url) if lost.nobody_listens else ""
    if hint and not wire.has_answered:
        return errors.ServiceUnreachable(message=message, hint=hint)
    return Transient(
        message=message,
        hint=hint
        or "Check the network and the base address, then run again; "
        f"{Next.DOCTOR} looks for the cause.",
    )


def _refusal(wire: Wire, operation: str, answer: Answer) -> errors.KaweError:
    status, words = answer.http_status, answer.message()
    if status == 401:
        return errors.KeyRefused(
            message="The service refused the key (401).",
            hint="It may be mistyped or revoked. Ask an owner of the team for a "
            f"new key, then {Next.AGAIN}."
            if wire.key_has_mark
            else f"Keys have {LIVE_MARK} or {SANDBOX_MARK} in them, and this has not: "
            "look at what the file, the variable or the program of the key gives.",
        )
    if status == 403:
        scopes = ", ".join(wire.addresses.operation(operation).scopes)
        return errors.ScopeMissing(
            message=f"The key may not do this (403): it needs {scopes or 'more rights'}"
            f". The service says: {words}",
            hint="Ask an owner of the team for a key with that scope.",
        )
    if status in {408, 429} or status >= 500:
        return Transient(
            message=f"The service is in trouble ({status}: {words}).",
            hint=f"{Next.AGAIN} in a few minutes.",
            rate_limited=status == 429,
        )
    if answer.is_success or status == 407:
        # A gateway's page with status 200 may be temporary, and a proxy's login.
        return Transient(
            message=f"The answer did not come from the service: {words}.",
            hint="Check the base address and any proxy, then run again.",
        )
    if status == 404:
        return errors.PathUnknown(message=wire.addresses.missing(operation))
    return errors.ContractBroken(
        message=f"The service refused a question ({status}: {words}).",
        hint="Check the base address; if it is right, the service has changed.",
    )
