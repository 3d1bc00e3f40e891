"""A service in memory that knows the time, and refuses a second send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from doubles.clock import StillClock
from doubles.service import MemoryService
from kawe.domain.service.service_words import (
    InviteAnswer,
    Page,
    Project,
    ProjectId,
    TeamInvitation,
    TeamRoll,
)
from kawe.domain.service.states import Done, NotDone, Reason, Unknown, Verdict


@dataclass(kw_only=True)
class StrictService(MemoryService):
    """Counts as it does in memory; a second send is refused, unless it is not."""

    clock: StillClock
    refuses_twice: bool = True
    lag_seconds: float = 0.0
    """For how long lists do not show a new project."""
    read_lag_seconds: float = 0.0
    """For how long a project's own page does not show that it was made or sent."""
    sent_at: dict[ProjectId, datetime] = field(default_factory=dict)
    key_works: bool = True
    members: set[str] = field(default_factory=lambda: {"aroha@example.org"})
    invited_at: dict[str, datetime] = field(default_factory=dict)

    async def create_draft(self, body: Mapping[str, Any]) -> Verdict:
        """Create one draft, now."""
        await super().create_draft(body)
        made = replace(self.projects_there[-1], created_at=self.clock.now())
        self.projects_there[-1] = made
        return Done(http_status=201, project=made)

    async def send(self, project: ProjectId, body: Mapping[str, object]) -> Verdict:
        """Send one draft."""
        there = await super().project(project)
        if there is None:
            return NotDone(reason=Reason.NOT_FOUND, http_status=404)
        if there.is_sent and self.refuses_twice:
            return Unknown(detail="it has been sent already", http_status=409)
        return await self.carry_out_send(project, body)

    async def carry_out_send(
        self, project: ProjectId, body: Mapping[str, object]
    ) -> Verdict:
        """Send, whoever asks."""
        verdict = await super().send(project, body)
        if isinstance(verdict, Done):
            self.sent_at[project] = self.clock.now()
        return verdict

    async def project(self, project: ProjectId) -> Project | None:
        """Read one project, as its page showed it a moment ago."""
        there = await super().project(project)
        seen_at = self.clock.now() - timedelta(seconds=self.read_lag_seconds)
        if there is None or there.created_at > seen_at:
            return None
        if there.is_sent and self.sent_at.get(project, seen_at) > seen_at:
            return replace(there, status="DRAFT")
        return there

    async def invite(
        self, people: Sequence[Mapping[str, object]]
    ) -> tuple[Verdict, ...]:
        """Invite people; members and whoever was asked before are skipped."""
        return tuple([self._invite_one(str(each["email"])) for each in people])

    def _invite_one(self, email: str) -> Verdict:
        folded = email.casefold()
        known = folded in self.members or folded in self.invited_at
        if not known:
            self.invited_at[folded] = self.clock.now()
        status = "SKIPPED" if known else "INVITED"
        answer = InviteAnswer(email=email, status=status)
        return Done(http_status=200, invitation=answer)

    async def team(self, team_id: str) -> TeamRoll:  # noqa: ARG002 - there is one
        return TeamRoll(
            members=dict.fromkeys(self.members, ""),
            invitations=tuple(
                TeamInvitation(id=email, email=email, status="PENDING")
                for email in self.invited_at
            ),
        )

    async def projects(
        self, *, page: int, search: str | None = None, status: str | None = None
    ) -> Page[Project]:
        """Read one page, without what was created just now."""
        until = self.clock.now() - timedelta(seconds=self.lag_seconds)
        there = self.projects_there
        self.projects_there = [each for each in there if each.created_at <= until]
        try:
            return await super().projects(page=page, search=search, status=status)
        finally:
            self.projects_there = there
