"""What is new in one project, or in the invitations, against what was seen before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Final

from kawe.contract.enums import InvitationStatus, ProjectStatus
from kawe.domain.service.service_words import TeamInvitation
from kawe.domain.service.watching import (
    News,
    NewsKind,
    Response,
    SeenProject,
    Watched,
    WatchMemory,
    next_reply,
)
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.texts import fold_name, one_line
from kawe.ports import WorkingDays

_ORDER: Final = tuple(NewsKind)
# The summer break and its weekends: no day after it is nearer than so many days.
_LONGEST_BREAK_DAYS: Final = 30


def baseline(projects: Iterable[Watched], *, since: datetime | None) -> WatchMemory:
    """Take how things stand as seen; with `since`, as they stood then.

    The status that a project had then is not known: it is taken as it is now.
    """
    seen = {
        each.id: SeenProject(
            updated_at=min(since or each.updated_at, each.updated_at),
            status=each.status,
            is_over=each.is_over,
            since_at=since or each.updated_at,
        )
        for each in projects
    }
    latest = max((each.updated_at for each in seen.values()), default=None)
    return WatchMemory(projects=seen, since_at=since or latest)


def in_order(news: Iterable[News]) -> tuple[News, ...]:
    """Put what is new into the order in which people read it."""
    no_time = datetime.max.replace(tzinfo=UTC)
    return tuple(
        sorted(news, key=lambda one: (_ORDER.index(one.kind), one.at or no_time))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What was seen before, and whom and what to look for."""

    memory: WatchMemory
    days: WorkingDays
    today: date
    now_at: datetime
    near_days: int
    is_quiet: bool
    """Whether this is the first round, which reports nothing."""
    own_names: frozenset[str] = frozenset()
    """Of the team's people, folded."""
    knows_team: bool = False

    def wants_thread(self, project: Watched) -> bool:
        """Say whether the thread of a project may have something new."""
        if self.is_quiet or project.is_draft:
            return False
        seen = self.memory.projects.get(project.id)
        if seen is None or seen.updated_at != project.updated_at:
            return True
        return not seen.is_read and self._is_near(project, seen)

    def told(
        self, project: Watched, thread: Sequence[Response] | None
    ) -> tuple[SeenProject, list[News]]:
        """Give what is seen of a project from now on, and what is new in it."""
        seen = self._before(project)
        now = replace(
            seen,
            updated_at=project.updated_at,
            status=project.status,
            is_over=project.is_over,
        )
        fresh: list[Response] = []
        if thread is not None:
            now, fresh = self._with_thread(project, seen=now, thread=thread)
        news = [self._response(project, each, now) for each in fresh]
        has_changed = bool(project.status and project.status != seen.status)
        if has_changed and seen.status and self._was_sent(project):
            changed = self._news(NewsKind.STATUS, project, now)
            # What a response changed stands beside it.
            news = news or [replace(changed, at=project.updated_at)]
            news[0] = replace(news[0], before=seen.status)
        if not self.is_quiet and self._is_near(project, now) and not now.is_answered:
            now = replace(now, warned_on=_respond_by(project))
            news.append(self._news(NewsKind.RESPOND_BY, project, now))
        return now, news

    def _with_thread(
        self, project: Watched, *, seen: SeenProject, thread: Sequence[Response]
    ) -> tuple[SeenProject, list[Response]]:
        """Give what is seen with a thread that was read, and the new responses."""
        unseen = [each for each in thread if each.id not in seen.responses]
        fresh = [
            each for each in unseen if seen.since_at is None or each.at > seen.since_at
        ]
        oldest = min(unseen, key=lambda each: each.at, default=None)
        opens = False
        if oldest is not None and not seen.is_read and self._is_own(oldest):
            is_old, was_sent = oldest not in fresh, self._was_sent(project)
            opens = is_old or not was_sent
            if opens and not is_old:
                fresh.remove(oldest)
        read = replace(
            seen,
            is_read=True,
            opens=seen.opens or opens,
            responses=seen.responses | {each.id for each in unseen},
            of_team=seen.of_team + sum(map(self._is_own, unseen)),
        )
        return read, fresh

    def _was_sent(self, project: Watched) -> bool:
        """Say whether an earlier round saw that iwi have the project."""
        before = self.memory.projects.get(project.id)
        return before is not None and before.status != ProjectStatus.DRAFT

    def invitations(
        self, invitations: Iterable[TeamInvitation], *, since: datetime | None
    ) -> tuple[frozenset[str], list[News]]:
        """Give what was said of invitations by now, and what is to be said."""
        marks, news = set(), []
        for each in invitations:
            kind = self._of_invitation(each)
            if kind is None:
                continue
            mark = f"{kind.name} {each.id}"
            marks.add(mark)
            old = since is not None and each.expires_at and each.expires_at < since
            if mark in self.memory.invitations or self.is_quiet or old:
                continue
            who = one_line(each.email)
            news.append(
                News(kind=kind, about=each.name or who, at=each.expires_at, who=who)
            )
        return frozenset(marks), news

    def _of_invitation(self, invitation: TeamInvitation) -> NewsKind | None:
        ends_at = invitation.expires_at
        if invitation.status == InvitationStatus.EXPIRED:
            return NewsKind.INVITATION_OVER
        if not invitation.is_pending or ends_at is None:
            return None
        if ends_at <= self.now_at:
            return NewsKind.INVITATION_OVER
        is_soon = not self.is_quiet and self._is_soon(day_in_new_zealand(ends_at))
        return NewsKind.INVITATION_SOON if is_soon else None

    def _before(self, project: Watched) -> SeenProject:
        return self.memory.projects.get(project.id) or SeenProject(
            updated_at=project.updated_at,
            status=project.status,
            is_over=project.is_over,
            since_at=self.memory.since_at,
        )

    def _is_near(self, project: Watched, seen: SeenProject) -> bool:
        on = _respond_by(project)
        if project.is_draft or project.is_over or seen.warned_on == on:
            return False
        # One that passed since the last round was never said to be near.
        looked_at = self.memory.looked_at
        first = self.today if looked_at is None else day_in_new_zealand(looked_at)
        return on >= min(first, self.today) and self._is_soon(on)

    def _is_soon(self, on: date) -> bool:
        if (on - self.today).days > 2 * self.near_days + _LONGEST_BREAK_DAYS:
            return False
        return self.days.until(on, today=self.today) <= self.near_days

    def _is_own(self, response: Response) -> bool:
        return fold_name(response.by) in self.own_names

    def _response(
        self, project: Watched, response: Response, seen: SeenProject
    ) -> News:
        own = self._is_own(response)
        return replace(
            self._news(
                NewsKind.OWN_RESPONSE if own else NewsKind.RESPONSE, project, seen
            ),
            at=response.at,
            who=response.by,
            words=response.words,
            documents=response.documents,
        )

    def _news(self, kind: NewsKind, project: Watched, seen: SeenProject) -> News:
        return News(
            kind=kind,
            about=project.name,
            project=project.id,
            reference=project.reference,
            iwi=project.iwi,
            status=project.status,
            respond_by_on=_respond_by(project),
            reply=next_reply(seen, knows_team=self.knows_team)
            if seen.is_read and not project.is_over
            else None,
        )


def _respond_by(project: Watched) -> date:
    return day_in_new_zealand(project.respond_by_at)
