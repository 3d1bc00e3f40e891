"""One round of a watch: what the service shows now, against what was seen before.

A round is a function from one memory to the next. It changes nothing at the service
and writes nothing, so a round that did not finish is simply done again. What is new, in
one project or in the invitations, is told by ids and by the service's own times: this
computer's clock may be wrong.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Final

from kawe.domain.service.service_words import (
    Account,
    ProjectId,
    TeamInvitation,
    TeamRoll,
)
from kawe.domain.service.watching import (
    News,
    NewsKind,
    Response,
    SeenProject,
    Watched,
    WatchMemory,
    next_reply,
    own_names,
)
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import fold_name, one_line
from kawe.errors import PathUnknown, ScopeMissing, ServiceUnreachable
from kawe.flows.scanning import Scan, scan_list
from kawe.flows.tools import Tools, each
from kawe.flows.watch import reading
from kawe.ports import WorkingDays
from kawe_contract.enums import ActiveStatus, InvitationStatus, ProjectStatus

# So many that have left the list of active projects are asked for one by one.
_ALONE: Final = 20
_NO_TEAM: Final = (
    "The key may not read the team (team:read): kawe tells your team's own responses "
    "from those of iwi by the name behind the key alone, and sees no invitations."
)
_SHIFTED: Final = (
    "The list of projects kept changing while kawe read it. What it did not see comes "
    "with the next round."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watcher:
    """What a round works with."""

    tools: Tools
    days: WorkingDays
    account: Account
    near_days: int
    """So many working days before its respond by, a project without an answer is
    reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A finished round."""

    news: tuple[News, ...]
    memory: WatchMemory
    """To be kept once the news are written."""
    is_first: bool
    """Nothing was known before, so nothing is new."""
    projects: int
    """How many are watched, also those that are over and were not read now."""
    threads: int
    """How many threads were read."""
    remarks: tuple[str, ...] = ()


async def look(
    watcher: Watcher, memory: WatchMemory, *, since: datetime | None = None
) -> Round | None:
    """Do one round; None: it was stopped, and nothing of it counts.

    The first round names only who is late or soon will be; with `since` it reports
    what is new since then.

    Raises:
        ServiceError: Something could not be read; do the round again.
    """
    now = watcher.tools.clock.now()
    today, is_first = day_in_new_zealand(now), memory.looked_at is None
    lists = await _lists(watcher, memory, sweeps=memory.swept_on != today)
    found = lists.found
    if is_first and not lists.is_stable and not watcher.tools.stop.is_set():
        raise ServiceUnreachable(message=_SHIFTED, hint=f"{Next.AGAIN}.")
    if is_first:
        memory = baseline(found.values(), since=since)
    view = View(
        memory=memory,
        days=watcher.days,
        today=today,
        now_at=now,
        near_days=watcher.near_days,
        is_quiet=is_first and since is None,
    )
    wanted = [each for each in found.values() if view.wants_thread(each)]
    # Who is in the team matters for threads; invitations, once a day.
    asks_team = bool(wanted) or lists.is_sweep
    roll = await _roll(watcher) if asks_team else None
    threads = await _threads(watcher, wanted, memory=memory)
    if watcher.tools.stop.is_set():
        return None
    view = replace(view, is_iwi=watcher.account.is_iwi, knows_team=roll is not None)
    view = replace(view, own_names=own_names(watcher.account, roll))
    kept = {k: v for k, v in memory.projects.items() if k not in lists.gone}
    news: list[News] = []
    for key, project in found.items():
        kept[key], said = view.told(project, threads.get(key))
        news += said
    marks = memory.invitations
    if roll is not None:
        marks, said = view.invitations(roll.invitations, since=since)
        news += said
    return Round(
        news=in_order(news),
        memory=replace(
            memory,
            looked_at=now,
            swept_on=today if lists.is_sweep and lists.is_stable else memory.swept_on,
            projects=kept,
            invitations=marks,
        ),
        is_first=is_first,
        projects=len(kept),
        threads=len(threads),
        remarks=(_SHIFTED,) * (not lists.is_stable)
        + (_NO_TEAM,) * (asks_team and roll is None),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lists:
    found: Mapping[ProjectId, Watched]
    gone: frozenset[ProjectId]
    """Those that the service does not show to this key any more."""
    is_stable: bool
    is_sweep: bool


async def _lists(watcher: Watcher, memory: WatchMemory, *, sweeps: bool) -> _Lists:
    """Read the projects, also those that have left the list of active ones."""
    seen = await _projects(watcher, sweeps=sweeps)
    found = {project.id: project for project in seen.items}
    gone: frozenset[ProjectId] = frozenset()
    if not sweeps:
        found, gone = await _with_those_that_left(watcher, memory, found)
    elif seen.is_stable:
        gone = frozenset(memory.projects.keys() - found.keys())
    return _Lists(found=found, gone=gone, is_stable=seen.is_stable, is_sweep=sweeps)


async def _projects(watcher: Watcher, *, sweeps: bool) -> Scan[Watched]:
    """Read the active projects once, or all of them until their list is stable.

    Whom one reading of a shifting list misses, the next round sees.
    """
    seen = await scan_list(
        watcher.tools.lookups,
        "project_list",
        query={"active_status": ActiveStatus.ALL if sweeps else ActiveStatus.ACTIVE},
        stop=watcher.tools.stop,
        tries=3 if sweeps else 1,
    )
    return Scan(items=tuple(map(reading.project, seen.items)), is_stable=seen.is_stable)


async def _with_those_that_left(
    watcher: Watcher, memory: WatchMemory, found: dict[ProjectId, Watched]
) -> tuple[dict[ProjectId, Watched], frozenset[ProjectId]]:
    """Add the projects that are not in the list of active ones any more.

    Gives all, and those that the service does not show to this key at all.
    """
    left = [
        key
        for key, seen in memory.projects.items()
        if key not in found and not seen.is_over
    ]
    if len(left) > _ALONE:
        every = await _projects(watcher, sweeps=True)
        return {each.id: each for each in every.items} | found, frozenset()
    shown: dict[ProjectId, Watched] = {}
    gone: set[ProjectId] = set()

    async def ask(key: ProjectId) -> None:
        try:
            alone = await watcher.tools.lookups.listed(
                "project_read", path={"id": key}, page=1
            )
        except PathUnknown:
            gone.add(key)
        else:
            shown[key] = reading.project(alone.items[0])

    await each(left, ask, workers=watcher.tools.workers, stop=watcher.tools.stop)
    return found | shown, frozenset(gone)


async def _roll(watcher: Watcher) -> TeamRoll | None:
    try:
        return await watcher.tools.lookups.team(watcher.account.team_id)
    except ScopeMissing:
        return None


async def _threads(
    watcher: Watcher, wanted: list[Watched], *, memory: WatchMemory
) -> Mapping[ProjectId, tuple[Response, ...]]:
    threads: dict[ProjectId, tuple[Response, ...]] = {}
    if wanted:
        watcher.tools.progress.begin("Reading threads", total=len(wanted))

    async def read(project: Watched) -> None:
        seen = memory.projects.get(project.id)
        known = frozenset() if seen is None else seen.responses
        threads[project.id] = await _thread(watcher, project.id, known=known)
        watcher.tools.progress.advance()

    await each(wanted, read, workers=watcher.tools.workers, stop=watcher.tools.stop)
    return threads


async def _thread(
    watcher: Watcher, project: ProjectId, *, known: frozenset[str]
) -> tuple[Response, ...]:
    """Read a thread, the newest first, as far as it may be new."""
    lookups, operation = watcher.tools.lookups, "engagement_list"
    first = await lookups.listed(operation, path={"id": project}, page=1)
    items = first.items
    if len(items) < first.total and known.isdisjoint(str(e.get("id")) for e in items):
        whole = await scan_list(lookups, operation, of=project, stop=watcher.tools.stop)
        items = whole.items
    return tuple(filter(None, map(reading.response, items)))


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

    def place(one: News) -> tuple[int, datetime, date]:
        at = one.at or datetime.max.replace(tzinfo=UTC)
        return _ORDER.index(one.kind), at, one.respond_by_on or date.max

    return tuple(sorted(news, key=place))


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What was seen before, and whom and what to look for."""

    memory: WatchMemory
    days: WorkingDays
    today: date
    now_at: datetime
    near_days: int
    is_quiet: bool
    """Whether this is the first round, to which only who is late is news."""
    own_names: frozenset[str] = frozenset()
    """Of the team's people, folded."""
    knows_team: bool = False
    is_iwi: bool = False
    """It is for them to answer what others sent."""

    def wants_thread(self, project: Watched) -> bool:
        """Say whether the thread of a project may have something new."""
        if project.is_draft:
            return False
        seen = self.memory.projects.get(project.id)
        if seen is None or seen.updated_at != project.updated_at:
            return True
        return not seen.is_read and self._is_due(project, seen)

    def told(
        self, project: Watched, thread: Sequence[Response] | None
    ) -> tuple[SeenProject, list[News]]:
        """Give what is seen of a project from now on, and what is new in it."""
        seen = self.memory.projects.get(project.id) or SeenProject(
            updated_at=project.updated_at,
            status=project.status,
            is_over=project.is_over,
            since_at=self.memory.since_at,
        )
        now = replace(
            seen,
            updated_at=project.updated_at,
            status=project.status,
            is_over=project.is_over,
            respond_by_on=day_in_new_zealand(project.respond_by_at),
        )
        fresh: list[Response] = []
        if thread is not None:
            now, fresh = self._with_thread(project, seen=now, thread=thread)
        news = self._of_thread(project, fresh, now)
        has_changed = bool(project.status and project.status != seen.status)
        if has_changed and seen.status and self._was_sent(project):
            changed = self._news(NewsKind.STATUS, project, now)
            # What a response changed stands beside it.
            news = news or [replace(changed, at=project.updated_at)]
            news[0] = replace(news[0], before=seen.status)
        if self._is_due(project, now) and not now.is_answered:
            now = replace(now, warned_on=self.today)
            one = self._news(NewsKind.RESPOND_BY, project, now)
            news.append(in_days(one, days=self.days, today=self.today))
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
        # Those of the side that waits for an answer.
        asks = [each for each in unseen if self._is_own(each) is not self.is_iwi]
        read = replace(
            seen,
            is_read=True,
            opens=seen.opens or opens,
            responses=seen.responses | {each.id for each in unseen},
            of_team=seen.of_team + len(asks),
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
        for one in invitations:
            if (kind := self._of_invitation(one)) is None:
                continue
            mark = f"{kind.name} {one.id}"
            marks.add(mark)
            old = since is not None and one.expires_at and one.expires_at < since
            if mark in self.memory.invitations or self.is_quiet or old:
                continue
            who = one_line(one.email)
            news.append(
                News(kind=kind, about=one.name or who, at=one.expires_at, who=who)
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

    def _is_due(self, project: Watched, seen: SeenProject) -> bool:
        if project.is_draft or project.is_over or seen.warned_on == self.today:
            return False
        return self._is_soon(day_in_new_zealand(project.respond_by_at))

    def _is_soon(self, on: date) -> bool:
        if (on - self.today).days > 2 * self.near_days + _LONGEST_BREAK_DAYS:
            return False
        return self.days.until(on, today=self.today) <= self.near_days

    def _is_own(self, response: Response) -> bool:
        return fold_name(response.by) in self.own_names

    def _of_thread(
        self, project: Watched, fresh: Sequence[Response], seen: SeenProject
    ) -> list[News]:
        """Say what is new in a thread; to an iwi, also that it was sent a project."""
        news = [self._response(project, each, seen) for each in fresh]
        is_quiet = self.is_quiet or project.is_draft
        # To a first round, what is wholly new was sent since the day that it was given.
        is_sent = not self.memory.looked_at and 0 < len(fresh) == len(seen.responses)
        is_new = self.is_iwi and (is_sent or project.id not in self.memory.projects)
        if is_new and not is_quiet and not (fresh and self._is_own(fresh[-1])):
            one = news.pop() if news else self._news(NewsKind.RECEIVED, project, seen)
            news.append(replace(one, kind=NewsKind.RECEIVED))
        return news

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
            respond_by_on=day_in_new_zealand(project.respond_by_at),
            reply=next_reply(seen, knows_team=self.knows_team)
            if seen.is_read and not project.is_over and not self.is_iwi
            else None,
        )


def in_days(one: News, *, days: WorkingDays, today: date) -> News:
    """Say of a project without an answer how late it is, or how soon it will be."""
    on = one.respond_by_on or today
    if on < today:
        return replace(one, kind=NewsKind.LATE, days=(today - on).days)
    return replace(one, days=days.until(on, today=today))
