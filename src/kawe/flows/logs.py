"""The log of a project at the service: when it was sent, and who responded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from kawe.domain.service.lists import instant_of
from kawe.domain.service.service_words import full_name
from kawe.domain.service.watching import uses_token
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import fold_name, one_line
from kawe.errors import ServiceUnreachable
from kawe.flows.scanning import Scan, scan_list
from kawe.flows.tools import StopSignal
from kawe.ports import Lookups
from kawe_contract.enums import LogAction

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
            (
                at,
                str(item.get("action")),
                one_line(full_name(item.get("created_by")), limit=_NAMES),
            )
            for item in found.items
            if (at := instant_of(item.get("created_on"))) is not None
        ),
    )
    sent = [(at, who) for at, action, who in timed if action == LogAction.SENT]
    sends = tuple(at for at, _ in sent)
    return ProjectLog(
        is_read=True,
        sends=sends,
        sent_by=sent[0][1] if sent else "",
        responses=tuple(
            LoggedResponse(at=at, who=who)
            for at, action, who in timed
            if action == LogAction.RESPONDED and at >= (*sends, at)[0]
        ),
    )


def make_sure(found: Scan[Any], *, stop: StopSignal) -> None:
    """Check that a list was read whole.

    Raises:
        ServiceUnreachable: It kept changing.
    """
    if not found.is_stable and not stop.is_set():
        raise ServiceUnreachable(
            message="A list of the service kept changing while kawe read it, so no "
            "statement can be made.",
            hint=f"{Next.AGAIN} when fewer people are at work.",
        )
