"""Reading whole lists while they may shift, and the log of a project.

Paging is by offset, so rows move between pages when others are added. A scan is stable
when it found as many distinct ids as the first and the last page count, and the first
page is still the same.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from kawe.domain.service.lists import instant_of
from kawe.domain.service.service_words import (
    Organisation,
    OrganisationId,
    Page,
    Project,
    Receipt,
    full_name,
)
from kawe.domain.service.watching import uses_token
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import fold_name, one_line
from kawe.errors import ContractBroken, ServiceUnreachable
from kawe.flows.tools import StopSignal
from kawe.ports import NO_QUERY, Lookups, QueryValue
from kawe_contract.enums import LogAction
from kawe_contract.limits import PAGE_MAX

T = TypeVar("T")
_TRIES: Final = 3
_MOST_PAGES: Final = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan(Generic[T]):
    """What a scan saw."""

    items: tuple[T, ...]
    is_stable: bool


async def scan(
    read: Callable[[int], Awaitable[Page[T]]],
    *,
    identify: Callable[[T], str],
    stop: StopSignal | None = None,
    tries: int = _TRIES,
) -> Scan[T]:
    """Read every page until the list is stable, at most `tries` times.

    A stopped run reads no further page; its scan is not stable.

    Raises:
        ContractBroken: The list has no end.
    """
    found: dict[str, T] = {}
    for _ in range(tries):
        found, stable = await _once(read, identify=identify, stop=stop)
        if stable:
            return Scan(items=tuple(found.values()), is_stable=True)
        if stop is not None and stop.is_set():
            break
    return Scan(items=tuple(found.values()), is_stable=False)


async def _once(
    read: Callable[[int], Awaitable[Page[T]]],
    *,
    identify: Callable[[T], str],
    stop: StopSignal | None,
) -> tuple[dict[str, T], bool]:
    first = last = await read(1)
    found = {identify(item): item for item in first.items}
    number = 1
    # A short page is the last one only when everything has been seen.
    while last.items and (len(last.items) >= PAGE_MAX or len(found) < first.total):
        number += 1
        if stop is not None and stop.is_set():
            return found, False
        if number > _MOST_PAGES:
            raise ContractBroken(
                message=f"A list of the service does not end after {_MOST_PAGES} pages."
            )
        last, seen = await read(number), len(found)
        found |= {identify(item): item for item in last.items}
        if last.items and len(found) == seen:
            # The same rows again: the list shifted, or pages are ignored.
            return found, False
    if number == 1:
        return found, len(found) == first.total
    again = await read(1)
    same_start = [identify(i) for i in again.items] == [
        identify(i) for i in first.items
    ]
    whole = len(found) == first.total == last.total
    return found, whole and same_start


async def scan_list(
    lookups: Lookups,
    operation: str,
    *,
    of: str | None = None,
    query: Mapping[str, QueryValue] = NO_QUERY,
    stop: StopSignal | None = None,
    tries: int = _TRIES,
) -> Scan[Mapping[str, object]]:
    """Read any list of the contract; `of` is the id in its path, if it has one."""
    path = {} if of is None else {"id": of}
    return await scan(
        lambda page: lookups.listed(operation, path=path, page=page, query=query),
        identify=lambda item: str(item.get("id")),
        stop=stop,
        tries=tries,
    )


async def scan_projects(
    lookups: Lookups,
    *,
    search: str | None = None,
    status: str | None = None,
    stop: StopSignal | None = None,
) -> Scan[Project]:
    return await scan(
        lambda page: lookups.projects(page=page, search=search, status=status),
        identify=lambda project: project.id,
        stop=stop,
    )


async def scan_organisations(lookups: Lookups) -> dict[str, OrganisationId]:
    """Read the ids of the team's organisations, by folded name."""
    found = await read_organisations(lookups)
    return {name: each.id for name, each in found.items()}


async def read_organisations(lookups: Lookups) -> dict[str, Organisation]:
    """Read the team's organisations, by folded name; the first listed wins.

    Raises as `make_sure`: one could be missed and created again.
    """
    found: Scan[Organisation] = await scan(
        lambda page: lookups.organisations(page=page), identify=lambda each: each.id
    )
    make_sure(found, of="The list of the team's organisations")
    names: dict[str, Organisation] = {}
    for organisation in found.items:
        names.setdefault(fold_name(organisation.name), organisation)
    return names


async def scan_receipts(
    lookups: Lookups, *, team_id: str, stop: StopSignal | None = None
) -> Scan[Receipt]:
    return await scan(
        lambda page: lookups.receipts(team_id, page=page),
        identify=lambda receipt: receipt.id,
        stop=stop,
    )


_NAMES: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedResponse:
    """A response, whoever gave it."""

    at: datetime
    who: str
    """One line; empty where the service names nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectLog:
    """What the log of a project has, the earliest first."""

    is_read: bool = False
    """False: it was not asked for, or the service does not show it."""
    sends: tuple[datetime, ...] = ()
    sent_by: str = ""
    """Who sent it first; empty where the service names nobody."""
    responses: tuple[LoggedResponse, ...] = ()
    """Those after the first send: before it, there is no free reply to use."""

    def paid(self, names: frozenset[str]) -> Iterator[tuple[int, LoggedResponse]]:
        """Give each response of these people that used a token, with its number."""
        own = (each for each in self.responses if fold_name(each.who) in names)
        return (pair for pair in enumerate(own, 1) if uses_token(pair[0]))

    @property
    def paid_at_most(self) -> int:
        """Count the tokens, if every response was the team's own."""
        return sum(uses_token(number + 1) for number in range(len(self.responses)))


NOT_READ: Final = ProjectLog()


async def read_log(lookups: Lookups, project: str, *, stop: StopSignal) -> ProjectLog:
    """Read the log of a project."""
    found = await scan_list(lookups, "project_logs", of=project, stop=stop)
    make_sure(found, stop=stop)
    timed = sorted(
        (
            at,
            str(item.get("action")),
            one_line(full_name(item.get("created_by")), limit=_NAMES),
        )
        for item in found.items
        if (at := instant_of(item.get("created_on"))) is not None
    )
    sent = [(at, who) for at, action, who in timed if action == LogAction.SENT]
    sends = tuple(at for at, _ in sent)
    first = sends[0] if sends else None
    return ProjectLog(
        is_read=True,
        sends=sends,
        sent_by=sent[0][1] if sent else "",
        responses=tuple(
            LoggedResponse(at=at, who=who)
            for at, action, who in timed
            if action == LogAction.RESPONDED and (first is None or at >= first)
        ),
    )


def make_sure(
    found: Scan[Any],
    *,
    of: str = "A list of the service",
    so: str = "",
    stop: StopSignal | None = None,
) -> None:
    """Check that a list was read whole, unless a run was stopped.

    Raises:
        ServiceUnreachable: It kept changing.
    """
    if not found.is_stable and not (stop and stop.is_set()):
        raise ServiceUnreachable(
            message=f"{of} kept changing while kawe read it{so}.",
            hint=f"{Next.AGAIN} when fewer people are at work: nothing is lost.",
        )
