"""Looking for projects that carry our markers before anything is created.

A lost journal, or a colleague with another one, must lead to adoption and not
to a second project. What shows that there was one is a project with a marker
of a new batch: requests that it made may still be under way, so all is left
alone for a settle window from the batch's first opening, and looked at again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from kawe.contract.limits import PAGE_MAX
from kawe.domain.content import ProjectContent
from kawe.domain.entries import Entry
from kawe.domain.likeness import differences
from kawe.domain.naming_projects import with_projects
from kawe.domain.service_words import Project, ProjectId
from kawe.domain.states import State
from kawe.domain.texts import one_line
from kawe.errors import ServiceUnreachable
from kawe.flows.crew import each
from kawe.flows.reconciling import adopt
from kawe.flows.resolving import RETRIED
from kawe.flows.run import Run
from kawe.flows.scanning import scan_projects

SENT_ELSEWHERE: Final = "Another computer sent it."
_AT_WORK: Final = timedelta(hours=1)
"""No run leaves a draft lying for so long, unless tokens are short."""
_NO_DRAFT_YET = frozenset({State.VALID, State.FILES_READY})


async def find_existing(
    run: Run, entries: Sequence[Entry]
) -> dict[str, tuple[ProjectId, ...]]:
    """Adopt or hold rows whose marker the service knows; say what it knew.

    All projects are paged once when that takes fewer calls than a search for
    each row. Where another journal seems to have been at work, this waits.

    Raises:
        ServiceError: The service could not be read.
    """
    waiting = [entry for entry in entries if entry.state in _NO_DRAFT_YET]
    if not waiting:
        return {}
    run.tally.left_to_others.clear()
    looked_at = run.clock.now()
    by_marker = await projects_by_marker(run, waiting)
    if await _came_to_rest(run, waiting, by_marker.values(), looked_at=looked_at):
        by_marker = await projects_by_marker(run, waiting)
    if run.brake.is_on():
        return {}
    for entry in waiting:
        found = by_marker.get(entry.marker, ())
        if found and isinstance(entry.content, ProjectContent):
            await _meet(run, entry, entry.content, found=found)
    return {
        marker: tuple(project.id for project in found)
        for marker, found in by_marker.items()
    }


def is_young(run: Run, project: Project) -> bool:
    """Say whether whoever made a draft may still be about to send it."""
    return run.clock.now() - project.created_at < _AT_WORK


async def _meet(
    run: Run, entry: Entry, content: ProjectContent, *, found: Sequence[Project]
) -> None:
    """Take the one project that carries a row's marker, or hold the row.

    One that another row has stays with it: a person wrote the reference that kawe
    gave to that row, or gave it the project; or the journal was altered.
    """
    if len(found) > 1:
        has = f"{len(found)} projects with the reference {entry.marker}"
    elif await run.journal.owner_of(found[0].id) is not None:
        if await run.journal.let_go(entry.key) == RETRIED:
            return
        has = (
            f"a project with the reference {entry.marker}, which was made for "
            "another row"
        )
    else:
        await _take(run, entry, content, project=found[0])
        return
    reason = with_projects(f"The service already has {has}", found)
    await run.move(entry, State.HELD, reason=reason)


async def _take(
    run: Run, entry: Entry, content: ProjectContent, *, project: Project
) -> None:
    """Take what is there for the row's own; with other machines, not too soon."""
    if run.is_alone or differences(content, project) or project.status is None:
        await adopt(run, entry, content, project=project)
    elif project.is_sent:
        drafted = await run.journal.move(
            entry.key, State.DRAFTED, at=run.clock.now(), project=project.id
        )
        ready = await run.move(drafted, State.READY)
        await run.move(ready, State.SENT, reason=SENT_ELSEWHERE)
    elif is_young(run, project):
        run.tally.left_to_others.add(entry.key)
    else:
        await adopt(run, entry, content, project=project)


async def _came_to_rest(
    run: Run,
    waiting: Sequence[Entry],
    found: Iterable[Sequence[Project]],
    *,
    looked_at: datetime,
) -> bool:
    """Wait where another journal may still have something under way.

    Say whether to look again. A look at many rows may take longer than the settle
    window: what counts is when it began.
    """
    rests_at = await _rests_at(run, waiting)
    if looked_at >= rests_at or not await _has_strangers(run, found):
        return False
    if run.clock.now() < rests_at:
        run.progress.say(
            "The service has projects with references of this workbook that this "
            "computer's journal does not know. kawe waits until whoever made them "
            "must be done, and looks again; this takes up to "
            f"{round(run.settle_seconds)} seconds."
        )
    while run.clock.now() < rests_at and not run.brake.is_on():
        await run.clock.sleep(1.0)
    return True


async def _rests_at(run: Run, waiting: Sequence[Entry]) -> datetime:
    """Say from when on nothing of an earlier journal can be under way."""
    names = {entry.batch for entry in waiting}
    opened = [
        batch.opened_at for batch in await run.journal.batches() if batch.name in names
    ]
    return max(opened) + timedelta(seconds=run.settle_seconds)


async def _has_strangers(run: Run, found: Iterable[Sequence[Project]]) -> bool:
    for projects in found:
        for project in projects:
            if await run.journal.owner_of(project.id) is None:
                return True
    return False


async def projects_by_marker(
    run: Run, waiting: Sequence[Entry]
) -> dict[str, list[Project]]:
    """Find every project that carries the marker of one of `waiting`.

    Raises:
        ServiceError: The service could not be read, or does not hold still.
    """
    wanted = {entry.marker for entry in waiting}
    found: dict[str, list[Project]] = defaultdict(list)
    first = await run.lookups.projects(page=1)
    # A full page is believed to be the whole list by nobody but its total.
    if first.total <= len(first.items) < PAGE_MAX:
        _collect(first.items, wanted=wanted, found=found)
        return found
    if first.total / PAGE_MAX < len(waiting):
        whole = await scan_projects(run.lookups, brake=run.brake)
        if whole.is_stable:
            _collect(whole.items, wanted=wanted, found=found)
            return found
    await _search_each(run, wanted, found)
    return found


async def _search_each(
    run: Run, wanted: set[str], found: dict[str, list[Project]]
) -> None:
    run.progress.begin("Looking for projects that exist already", total=len(wanted))

    async def work(marker: str) -> None:
        whole = await scan_projects(run.lookups, search=marker, brake=run.brake)
        if not whole.is_stable and not run.brake.is_on():
            raise ServiceUnreachable(
                message="The list of projects kept changing while kawe looked for "
                f"{one_line(marker)}.",
                hint="Nothing was created that may be there already. Run the same "
                "command again.",
            )
        _collect(whole.items, wanted={marker}, found=found)
        run.progress.advance()

    await each(sorted(wanted), work, workers=run.workers, brake=run.brake)


def _collect(
    projects: Sequence[Project], *, wanted: set[str], found: dict[str, list[Project]]
) -> None:
    # Search matches names and addresses too, and R-1 also finds R-10.
    for project in projects:
        if project.reference in wanted:
            found[project.reference].append(project)
