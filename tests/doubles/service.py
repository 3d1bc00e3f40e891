"""A service in memory, as unforgiving as the real one.

It counts and never de-duplicates: whoever creates twice has two projects,
whoever sends twice has spent two tokens. Verdicts can be laid out in advance;
then they are given before the service does anything.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from doubles.clock import StillClock
from kawe.domain.service.service_words import (
    Account,
    InviteAnswer,
    IwiAnswer,
    IwiChoice,
    Organisation,
    OrganisationId,
    Page,
    Project,
    ProjectId,
    Receipt,
    TeamInvitation,
    TeamRoll,
)
from kawe.domain.service.states import (
    Done,
    NotDone,
    Reason,
    Step,
    Unknown,
    Uploaded,
    UploadVerdict,
    Verdict,
)
from kawe.domain.sheet.content import Attachment
from kawe.errors import KaweError, ServiceError
from kawe.ports import NO_QUERY, QueryValue
from kawe_places.values import Place

TEAM_ID = "00000000-0000-4000-8000-000000000001"
AT = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
REFUSALS = {
    **dict.fromkeys((400, 413, 422), Reason.REJECTED),
    401: Reason.KEY_REFUSED,
    402: Reason.NO_TOKENS,
    403: Reason.SCOPE_MISSING,
    429: Reason.RATE_LIMITED,
}
"""Answers that prove that an act was not done, and why."""


def projects_of_others(number: int) -> list[Project]:
    """Give projects that no row of a workbook is about."""
    return [
        Project(
            id=ProjectId(f"10000000-0000-4000-8000-{each:012d}"),
            name="Other",
            reference=f"X-{each}",
            status="NEW",
            created_at=AT,
        )
        for each in range(number)
    ]


@dataclass(slots=True, kw_only=True)
class GivenTurns:
    """Implements the port `Turns`."""

    left_at: float
    waited_seconds: float = 0.0


@dataclass(slots=True, kw_only=True)
class MemoryService:
    """Implements the ports `Acts`, `Lookups`, `Uploads` and `Pace`."""

    tokens: int = 100
    projects_there: list[Project] = field(default_factory=list)
    organisations_there: list[Organisation] = field(default_factory=list)
    invited: Counter[str] = field(default_factory=Counter)
    invited_before: list[TeamInvitation] = field(default_factory=list)
    """Invitations of the past, which keep nobody from being invited."""
    sends: Counter[ProjectId] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    script: dict[str, list[Verdict | KaweError]] = field(default_factory=dict)
    """By call: what comes instead of the service's answer, in order."""
    loses_answers_of: set[str] = field(default_factory=set)
    """Calls whose next answer is lost after the work was done."""
    upload_verdicts: list[UploadVerdict | ServiceError] = field(default_factory=list)
    has_turns: bool = True
    clock: StillClock | None = None
    """Tells how old looks are; without one, they are always fresh."""

    async def turn(self) -> bool:
        return self.has_turns

    @asynccontextmanager
    async def pair(self) -> AsyncIterator[GivenTurns | None]:
        """Give both turns; the look leaves at once."""
        has_turns = await self.turn()
        left_at = math.inf if self.clock is None else self.clock.elapsed()
        yield GivenTurns(left_at=left_at) if has_turns else None

    @property
    def asked(self) -> int:
        """Count the calls."""
        return self.calls.total()

    def forecast(self, requests: int) -> float | None:
        """Say that a request takes half a second."""
        return requests / 2

    async def create_draft(self, body: Mapping[str, Any]) -> Verdict:
        """Create one draft."""
        if (laid_out := self._laid_out("create")) is not None:
            return laid_out
        project = Project(
            id=ProjectId(str(UUID(int=len(self.projects_there) + 1))),
            name=body["name"],
            reference=body["reference"],
            status="DRAFT",
            description=body["description"],
            type=body["type"],
            phase=body.get("phase"),
            created_at=AT,
            start_at=_day(body["start_date"]),
            end_at=_day(body["end_date"]),
            respond_by_at=_day(body["respond_by_date"]),
            place=Place(latitude=body["latitude"], longitude=body["longitude"]),
            organisation_id=self._organisation(body),
        )
        self.projects_there.append(project)
        return self._answer("create", Done(http_status=201, project=project))

    async def update(self, project: ProjectId, body: Mapping[str, Any]) -> Verdict:
        """Change one project, be it a draft or not."""
        if (laid_out := self._laid_out("update")) is not None:
            return laid_out
        changes: dict[str, Any] = {
            "name": body["name"],
            "description": body["description"],
            "type": body["type"],
            "start_at": _day(body["start_date"]),
            "end_at": _day(body["end_date"]),
            "respond_by_at": _day(body["respond_by_date"]),
        }
        if "phase" in body:
            changes["phase"] = body["phase"]
        self.projects_there = [
            replace(each, **changes) if each.id == project else each
            for each in self.projects_there
        ]
        return self._answer("update", Done(http_status=200))

    async def send(self, project: ProjectId, body: Mapping[str, object]) -> Verdict:
        """Send one draft, and again when asked again."""
        if (laid_out := self._laid_out("send")) is not None:
            return laid_out
        if self.tokens < 1 or not body["message"]:
            return NotDone(reason=Reason.NO_TOKENS, http_status=402)
        self.tokens -= 1
        self.sends[project] += 1
        self.projects_there = [
            replace(each, status="NEW") if each.id == project else each
            for each in self.projects_there
        ]
        return self._answer("send", Done(http_status=200))

    async def invite(
        self, people: Sequence[Mapping[str, object]]
    ) -> tuple[Verdict, ...]:
        """Invite people; whoever was asked before is skipped."""
        if (laid_out := self._laid_out("invite")) is not None:
            return (laid_out,) * len(people)
        verdicts = []
        for each in people:
            email = str(each["email"])
            status = "SKIPPED" if self.invited[email] else "INVITED"
            self.invited[email] += 1
            answer = InviteAnswer(email=email, status=status)
            done = Done(http_status=200, invitation=answer)
            verdicts.append(self._answer("invite", done))
        return tuple(verdicts)

    async def upload(self, attachment: Attachment) -> UploadVerdict:
        """Take one file."""
        self.calls["upload"] += 1
        if self.upload_verdicts:
            verdict = self.upload_verdicts.pop(0)
            if isinstance(verdict, ServiceError):
                raise verdict
            return verdict
        return Uploaded(document_id=f"{attachment.name}-{self.calls['upload']}")

    async def account(self) -> Account:
        return Account(
            team_id=TEAM_ID, team_name="Tauira", balance=self.tokens, sandbox=False
        )

    async def iwi_at(self, place: Place) -> IwiAnswer:
        """Say which iwi a place belongs to."""
        self._look("iwi_at")
        return IwiAnswer(
            choices=(IwiChoice(slug=f"iwi-{place.latitude:.0f}", name="Ngāti Tauira"),),
            can_select=False,
        )

    async def project(self, project: ProjectId) -> Project | None:
        """Read one project."""
        self._look("project")
        return next((each for each in self.projects_there if each.id == project), None)

    async def projects(
        self, *, page: int, search: str | None = None, status: str | None = None
    ) -> Page[Project]:
        """Read one page; search finds more than was asked for."""
        self._look("projects")
        found = [
            each
            for each in reversed(self.projects_there)
            if (search is None or search in f"{each.reference} {each.name}")
            and status in {None, each.status}
        ]
        return _page(found, page=page)

    async def organisations(self, *, page: int) -> Page[Organisation]:
        """Read one page of organisations."""
        self._look("organisations")
        return _page(self.organisations_there, page=page)

    async def team(self, team_id: str) -> TeamRoll:
        """Read the team."""
        self._look(f"team {team_id}"[:4])
        return TeamRoll(
            members={"aroha@example.org": "MEMBER"},
            invitations=(
                *self.invited_before,
                *(
                    TeamInvitation(id=email, email=email, status="PENDING")
                    for email in self.invited
                ),
            ),
        )

    async def receipts(self, team_id: str, *, page: int) -> Page[Receipt]:
        """Give no receipts."""
        self._look(f"receipts {team_id}"[:8])
        return _page([], page=page)

    async def act(
        self,
        step: Step,
        operation: str,
        *,
        path: Mapping[str, str],
        body: Mapping[str, object],
    ) -> Verdict:
        """Know no other operation."""
        del path, body
        raise NotImplementedError(f"{operation}, for {step}")

    async def listed(
        self,
        operation: str,
        *,
        path: Mapping[str, str],
        page: int,
        query: Mapping[str, QueryValue] = NO_QUERY,
    ) -> Page[Mapping[str, object]]:
        """Know no other list."""
        del path, page, query
        raise NotImplementedError(operation)

    def _organisation(self, body: Mapping[str, Any]) -> OrganisationId | None:
        if "organisation" not in body:
            return body.get("organisation_id")
        number = len(self.organisations_there) + 1
        made = Organisation(
            id=OrganisationId(str(UUID(int=number))), name=body["organisation"]["name"]
        )
        self.organisations_there.append(made)
        return made.id

    def _laid_out(self, call: str) -> Verdict | None:
        self.calls[call] += 1
        coming = self.script.get(call)
        if not coming:
            return None
        first = coming.pop(0)
        if isinstance(first, KaweError):
            raise first
        return first

    def _look(self, call: str) -> None:
        self._laid_out(call)

    def _answer(self, call: str, verdict: Verdict) -> Verdict:
        if call in self.loses_answers_of:
            self.loses_answers_of.discard(call)
            return Unknown(detail="lost")
        return verdict


def _page(items: Sequence[Any], *, page: int) -> Page[Any]:
    start = (page - 1) * 100
    return Page(items=tuple(items[start : start + 100]), total=len(items), page=page)


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class AfterSending(MemoryService):
    """Shows a project in its own way once it was sent; `gone`: not at all."""

    __slots__ = ("shown",)

    def __init__(self, **shown: Any) -> None:
        super().__init__()
        self.shown = shown

    async def project(self, project: ProjectId) -> Project | None:
        """Read a project."""
        found = await super().project(project)
        if found is None or not self.sends:
            return found
        return None if "gone" in self.shown else replace(found, **self.shown)
