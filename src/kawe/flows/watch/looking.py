"""One round of a watch: what the service shows now, against what was seen before.

A round is a function from one memory to the next. It changes nothing at the service
and writes nothing, so a round that did not finish is simply done again. What is new is
told by ids and by the service's own times: this computer's clock may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from kawe.contract.enums import ActiveStatus
from kawe.domain.service.service_words import Account, Page, ProjectId, TeamRoll
from kawe.domain.service.watching import Memory, News, Response, Watched
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.texts import fold_name
from kawe.errors import ScopeMissing, ServiceUnreachable
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
    memory: Memory
    """To be kept once the news are written."""
    is_first: bool
    """Nothing was known before, so nothing is new."""
    projects: int
    threads: int
    """How many threads were read."""
    remarks: tuple[str, ...] = ()


async def look(
    watcher: Watcher, memory: Memory, *, since: datetime | None = None
) -> Round | None:
    """Do one round; None: it was stopped, and nothing of it counts.

    The first round only learns how things stand; with `since` it reports what is new
    since then.

    Raises:
        ServiceError: Something could not be read; do the round again.
    """
    now = watcher.clock.now()
    today, is_first = day_in_new_zealand(now), memory.looked_at is None
    sweeps = memory.swept_on != today
    seen = await _projects(watcher, sweeps=sweeps)
    if is_first and not seen.is_stable and not watcher.stop.is_set():
        raise ServiceUnreachable(message=_SHIFTED, hint="Run the same command again.")
    found = {project.id: project for project in seen.items}
    gone: frozenset[ProjectId] = frozenset()
    if not sweeps:
        found, gone = await _with_those_that_left(watcher, memory, found)
    elif seen.is_stable:
        gone = frozenset(memory.projects.keys() - found.keys())
    if is_first:
        memory = comparing.baseline(found.values(), since=since)
    view = comparing.View(
        memory=memory,
        days=watcher.days,
        today=today,
        now=now,
        near_days=watcher.near_days,
        is_quiet=is_first and since is None,
    )
    wanted = [each for each in found.values() if view.wants_thread(each)]
    # Who is in the team matters for threads; invitations, once a day.
    roll = await _roll(watcher) if sweeps or wanted else None
    threads = await _threads(watcher, wanted, memory=memory)
    if watcher.stop.is_set():
        return None
    person = watcher.account.person
    own = {fold_name(person.name)} if person is not None and person.name else set()
    view = replace(
        view,
        own_names=frozenset(own | (roll.member_names if roll else set())),
        knows_team=roll is not None,
    )
    told = [view.told(found[key], threads.get(key)) for key in found]
    news = [one for _, items in told for one in items]
    kept = {k: v for k, v in memory.projects.items() if k not in gone}
    kept |= {key: seen for key, (seen, _) in zip(found, told, strict=True)}
    marks = memory.invitations
    if roll is not None:
        marks, said = view.invitations(roll.invitations, since=since)
        news += said
    return Round(
        news=comparing.in_order(news),
        memory=replace(
            memory,
            looked_at=now,
            swept_on=today if sweeps and seen.is_stable else memory.swept_on,
            projects=kept,
            invitations=marks,
        ),
        is_first=is_first,
        projects=len(found),
        threads=len(threads),
        remarks=tuple(_remarks(seen, has_roll=roll is not None or not wanted)),
    )


def _remarks(seen: Scan[Watched], *, has_roll: bool) -> Iterable[str]:
    if not seen.is_stable:
        yield _SHIFTED
    if not has_roll:
        yield _NO_TEAM


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
    return Scan(items=tuple(map(reading.listed, seen.items)), is_stable=seen.is_stable)


def _id(value: Mapping[str, object]) -> str:
    return str(value.get("id"))


async def _with_those_that_left(
    watcher: Watcher, memory: Memory, found: dict[ProjectId, Watched]
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
        project = await watcher.lookups.project(key)
        if project is None:
            gone.add(key)
        else:
            shown[key] = reading.alone(project)

    await each(left, ask, workers=watcher.workers, stop=watcher.stop)
    return found | shown, frozenset(gone)


async def _roll(watcher: Watcher) -> TeamRoll | None:
    try:
        return await watcher.lookups.team(watcher.account.team_id)
    except ScopeMissing:
        return None


async def _threads(
    watcher: Watcher, wanted: list[Watched], *, memory: Memory
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
