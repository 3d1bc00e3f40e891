"""One round of a watch: what the service shows now, against what was seen before.

A round is a function from one memory to the next. It changes nothing at the service
and writes nothing, so a round that did not finish is simply done again. What is new is
told by ids and by the service's own times: this computer's clock may be wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from kawe.contract.enums import ActiveStatus
from kawe.domain.service.replies import own_names
from kawe.domain.service.service_words import Account, Page, ProjectId, TeamRoll
from kawe.domain.service.watching import News, Response, Watched, WatchMemory
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.errors import PathUnknown, ScopeMissing, ServiceUnreachable
from kawe.flows.scanning import Scan, scan
from kawe.flows.watch import comparing, reading
from kawe.flows.workers import StopSignal, each
from kawe.ports import Clock, Lookups, Progress, WorkingDays

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

    lookups: Lookups
    clock: Clock
    days: WorkingDays
    progress: Progress
    stop: StopSignal
    account: Account
    workers: int
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
    threads: int
    """How many threads were read."""
    remarks: tuple[str, ...] = ()


async def look(
    watcher: Watcher, memory: WatchMemory, *, since: datetime | None = None
) -> Round | None:
    """Do one round; None: it was stopped, and nothing of it counts.

    The first round only learns how things stand; with `since` it reports what is new
    since then.

    Raises:
        ServiceError: Something could not be read; do the round again.
    """
    now = watcher.clock.now()
    today, is_first = day_in_new_zealand(now), memory.looked_at is None
    lists = await _lists(watcher, memory, sweeps=memory.swept_on != today)
    found = lists.found
    if is_first and not lists.is_stable and not watcher.stop.is_set():
        raise ServiceUnreachable(message=_SHIFTED, hint="Run the same command again.")
    if is_first:
        memory = comparing.baseline(found.values(), since=since)
    view = comparing.View(
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
    if watcher.stop.is_set():
        return None
    names = own_names(watcher.account, roll)
    view = replace(view, own_names=names, knows_team=roll is not None)
    kept = {k: v for k, v in memory.projects.items() if k not in lists.gone}
    news: list[News] = []
    for key, project in found.items():
        kept[key], said = view.told(project, threads.get(key))
        news += said
    marks = memory.invitations
    if roll is not None:
        marks, said = view.invitations(roll.invitations, since=since)
        news += said
    swept = lists.is_sweep and lists.is_stable
    return Round(
        news=comparing.in_order(news),
        memory=replace(
            memory,
            looked_at=now,
            swept_on=today if swept else memory.swept_on,
            projects=kept,
            invitations=marks,
        ),
        is_first=is_first,
        projects=len(found),
        threads=len(threads),
        remarks=_remarks(lists, lacks_team=asks_team and roll is None),
    )


def _remarks(lists: _Lists, *, lacks_team: bool) -> tuple[str, ...]:
    return (_SHIFTED,) * (not lists.is_stable) + (_NO_TEAM,) * lacks_team


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
    query = {"active_status": ActiveStatus.ALL if sweeps else ActiveStatus.ACTIVE}
    seen = await scan(
        lambda page: watcher.lookups.listed(
            "project_list", path={}, page=page, query=query
        ),
        identify=_id,
        stop=watcher.stop,
        tries=3 if sweeps else 1,
    )
    return Scan(items=tuple(map(reading.project, seen.items)), is_stable=seen.is_stable)


def _id(value: Mapping[str, object]) -> str:
    return str(value.get("id"))


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
            alone = await watcher.lookups.listed(
                "project_read", path={"id": key}, page=1
            )
        except PathUnknown:
            gone.add(key)
        else:
            shown[key] = reading.project(alone.items[0])

    await each(left, ask, workers=watcher.workers, stop=watcher.stop)
    return found | shown, frozenset(gone)


async def _roll(watcher: Watcher) -> TeamRoll | None:
    try:
        return await watcher.lookups.team(watcher.account.team_id)
    except ScopeMissing:
        return None


async def _threads(
    watcher: Watcher, wanted: list[Watched], *, memory: WatchMemory
) -> Mapping[ProjectId, tuple[Response, ...]]:
    threads: dict[ProjectId, tuple[Response, ...]] = {}
    if wanted:
        watcher.progress.begin("Reading threads", total=len(wanted))

    async def read(project: Watched) -> None:
        seen = memory.projects.get(project.id)
        known = frozenset() if seen is None else seen.responses
        threads[project.id] = await _thread(watcher, project.id, known=known)
        watcher.progress.advance()

    await each(wanted, read, workers=watcher.workers, stop=watcher.stop)
    return threads


async def _thread(
    watcher: Watcher, project: ProjectId, *, known: frozenset[str]
) -> tuple[Response, ...]:
    """Read a thread, the newest first, as far as it may be new."""

    async def page(number: int) -> Page[Mapping[str, object]]:
        return await watcher.lookups.listed(
            "engagement_list", path={"id": project}, page=number
        )

    first = await page(1)
    items = first.items
    if len(items) < first.total and not known & set(map(_id, items)):
        items = (await scan(page, identify=_id, stop=watcher.stop)).items
    return tuple(filter(None, map(reading.response, items)))
