"""The look: what the team has at the service, whoever made it, on whichever computer.

A look reads every project once, or searches for each name, reference and address of
the rows, whichever takes fewer requests. The order of a list proves nothing, and
neither does what was kept of an earlier look: that only says which projects to read
again, where the search cannot find them by their words.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from kawe.domain.rows.comparing import (
    KnownWork,
    KnownWorks,
    traits_of,
    traits_of_project,
)
from kawe.domain.service.service_words import Page, Project, ProjectId
from kawe.domain.sheet.content import ProjectSaid
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import counted, one_line
from kawe.errors import ServiceUnreachable
from kawe.flows.scanning import Scan, scan, scan_projects
from kawe.flows.tools import Tools, each
from kawe.ports import Journal
from kawe_contract.limits import PAGE_MAX

_SHORTEST: Final = 3
"""A search for less would find everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamLook:
    """The projects of the team as a look found them."""

    seen_at: float
    """When it began, as `Clock.elapsed` has it."""
    begun_at: datetime
    """The same, by the wall clock: what is newer may be missing."""
    projects: Mapping[ProjectId, Project] = field(repr=False)
    total: int
    """How many there were, as the service counted when it began."""
    is_whole: bool = True
    """False: only what searches found, and what was known from earlier looks."""

    def under(self, markers: Collection[str]) -> dict[str, list[Project]]:
        """Give the projects that carry one of `markers`, by marker."""
        found: dict[str, list[Project]] = {}
        for project in self.projects.values():
            # Search matches names and addresses too, and R-1 also finds R-10.
            if project.reference in markers:
                found.setdefault(project.reference or "", []).append(project)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What a look is for."""

    texts: frozenset[str] = frozenset()
    """References, names and addresses to search for."""
    rows: Sequence[ProjectSaid] = ()
    """What the rows say themselves, for what no search finds."""


def sought_by(rows: Sequence[tuple[str, ProjectSaid]]) -> Sought:
    """Say what to look for: new rows with their markers."""
    texts = {
        text
        for marker, said in rows
        for text in (marker, *map(_to_search, (said.name, said.address)))
        if len(text) >= _SHORTEST or text == marker
    }
    return Sought(texts=frozenset(texts - {""}), rows=[each for _, each in rows])


def _to_search(text: str | None) -> str:
    """Give the beginning of a name or an address, which others write in one way."""
    return (text or "").split("(")[0].split(",")[0].strip()


async def look_at_team(
    tools: Tools, sought: Sought, *, journal: Journal, keeps: bool = True
) -> TeamLook:
    """Read what the team has; the journal keeps it for later looks if it `keeps` it.

    Raises:
        ServiceUnreachable: A list kept changing, so that something may be missing.
    """
    seen_at, begun_at = tools.clock.elapsed(), tools.clock.now()
    first = await tools.lookups.projects(page=1)
    is_shorter = max(1, -(-first.total // PAGE_MAX)) <= max(1, len(sought.texts))
    found = await _scan(tools, first) if is_shorter else None
    if found is None or not found.is_stable:
        projects = await _search(tools, sought, journal=journal)
        tools.progress.say(
            f"The team has {counted(first.total, 'project')}. kawe searched them by "
            "name, reference and address: a project of the same work under another "
            "name and address is not seen so."
        )
    else:
        projects = {each.id: each for each in found.items}
    if keeps:
        await journal.keep_team_projects(projects.values())
    return TeamLook(
        seen_at=seen_at,
        begun_at=begun_at,
        projects=projects,
        total=first.total,
        is_whole=found is not None and found.is_stable,
    )


async def _scan(tools: Tools, first: Page[Project]) -> Scan[Project]:
    at_hand = [first]
    pages = -(-first.total // PAGE_MAX)
    if pages > 1:
        tools.progress.begin("Reading what the team has", total=pages)

    async def read(number: int) -> Page[Project]:
        if number == 1 and at_hand:
            return at_hand.pop()
        page = await tools.lookups.projects(page=number)
        tools.progress.advance()
        return page

    return await scan(read, identify=lambda each: each.id, stop=tools.stop)


async def _search(
    tools: Tools, sought: Sought, *, journal: Journal
) -> dict[ProjectId, Project]:
    found: dict[ProjectId, Project] = {}
    tools.progress.begin(
        "Looking for projects that exist already", total=len(sought.texts)
    )

    async def work(text: str) -> None:
        whole = await scan_projects(tools.lookups, search=text, stop=tools.stop)
        if not whole.is_stable and not tools.stop.is_set():
            raise ServiceUnreachable(
                message="The list of projects kept changing while kawe looked for "
                f"{one_line(text)}.",
                hint=f"Nothing was created that may be there already. {Next.AGAIN}.",
            )
        found.update((each.id, each) for each in whole.items)
        tools.progress.advance()

    await each(sorted(sought.texts), work, workers=tools.workers, stop=tools.stop)
    if not sought.rows:
        return found
    # An earlier look saw some that no search finds: these are read again.
    kept = KnownWorks(
        KnownWork(traits=traits_of_project(project), of=project.id)
        for project in await journal.team_projects()
        if project.id not in found
    )
    wanted = {e.of for said in sought.rows for e, _ in kept.like(traits_of(said))}

    async def read_again(project: ProjectId) -> None:
        if (shown := await tools.lookups.project(project)) is not None:
            found[project] = shown

    await each(sorted(wanted), read_again, workers=tools.workers, stop=tools.stop)
    return found
