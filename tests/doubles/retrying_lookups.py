"""Lookups in memory that are asked again, as those over HTTP are."""

from __future__ import annotations

from collections.abc import Mapping

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
from kawe.ports import NO_QUERY, Lookups, QueryValue
from kawe.service.retrying import Retries
from kawe_places.values import Place


class RetryingLookups:
    """Implements the port `Lookups` over another."""

    def __init__(self, inner: Lookups, *, retries: Retries) -> None:
        self._inner = inner
        self._again = retries.call

    async def account(self) -> Account:
        return await self._again(self._inner.account)

    async def iwi_at(self, place: Place) -> IwiAnswer:
        return await self._again(lambda: self._inner.iwi_at(place))

    async def project(self, project: ProjectId) -> Project | None:
        return await self._again(lambda: self._inner.project(project))

    async def projects(
        self, *, page: int, search: str | None = None, status: str | None = None
    ) -> Page[Project]:
        return await self._again(
            lambda: self._inner.projects(page=page, search=search, status=status)
        )

    async def organisations(self, *, page: int) -> Page[Organisation]:
        return await self._again(lambda: self._inner.organisations(page=page))

    async def team(self, team_id: str) -> TeamRoll:
        return await self._again(lambda: self._inner.team(team_id))

    async def receipts(self, team_id: str, *, page: int) -> Page[Receipt]:
        return await self._again(lambda: self._inner.receipts(team_id, page=page))

    async def listed(
        self,
        operation: str,
        *,
        path: Mapping[str, str],
        page: int,
        query: Mapping[str, QueryValue] = NO_QUERY,
    ) -> Page[Mapping[str, object]]:
        return await self._again(
            lambda: self._inner.listed(operation, path=path, page=page, query=query)
        )
