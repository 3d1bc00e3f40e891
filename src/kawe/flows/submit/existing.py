"""Finding projects that carry our markers before anything is created.

A lost journal, or a colleague with another one, must lead to adoption and not to a
second project. A project with a marker of ours that no row here owns is a stranger's,
and its maker may be at work: kawe waits a settle window and reads again. If nothing
changed, it may adopt; otherwise it leaves the rows to the other computer (promises,
section 12).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from kawe.contract.limits import PAGE_MAX
from kawe.domain.rows.entries import Entry, projects_among
from kawe.domain.rows.there import There, ThereAlready, sent_alike, what_is_there
from kawe.domain.service.service_words import Page, Project, ProjectId
from kawe.domain.service.states import State
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.text.texts import one_line
from kawe.errors import ServiceUnreachable
from kawe.flows.run import Run, Snapshot
from kawe.flows.scanning import Scan, scan, scan_projects
from kawe.flows.settle.reconciling import take
from kawe.flows.settle.resolving import RETRIED, decided
from kawe.flows.workers import each

_JUST_NOW_SECONDS: Final = 10.0
_NO_DRAFT_YET = frozenset({State.VALID, State.FILES_READY})


async def take_snapshot(run: Run, rows: Sequence[Entry]) -> Snapshot:
    """Read all projects with the markers of `rows`, once and completely."""
    seen_at = run.clock.elapsed()
    by_marker = await projects_by_marker(run, rows)
    own = {entry.project_id for entry in rows}
    strangers = frozenset(
        [
            project
            for found in by_marker.values()
            for project in found
            if project.id not in own and await run.journal.owner_of(project.id) is None
        ]
    )
    return Snapshot(
        rows=frozenset(entry.key for entry in rows),
        seen_at=seen_at,
        projects_before=run.tally.projects_before,
        by_marker=by_marker,
        strangers=strangers,
    )


async def find_existing(
    run: Run, entries: Sequence[Entry]
) -> dict[str, tuple[ProjectId, ...]]:
    """Adopt or hold rows whose marker the service knows; say what it knew.

    Rows that another computer is at work on go to `Tally.left_to_others`.
    """
    waiting = [entry for entry in entries if entry.state in _NO_DRAFT_YET]
    if not waiting:
        return {}
    run.tally.left_to_others -= {entry.key for entry in waiting}
    seen = _recent_snapshot(run, waiting) or await take_snapshot(run, waiting)
    rows = projects_among(waiting)
    if seen.strangers and not all(sent_alike(c, seen.strangers_of(e)) for e, c in rows):
        run.progress.say(
            "The service has projects with references of this workbook that this "
            "computer's journal does not know. kawe waits whether another computer "
            f"is at work on them; this takes {round(run.settle_seconds)} seconds."
        )
        if not await run.settle():
            return {}
        before, seen = seen, await take_snapshot(run, waiting)
        if before.strangers != seen.strangers:
            await _leave(run, rows, seen)
            return {}
    for entry, content in rows:
        standing = await there_already(run, entry, content, seen=seen)
        if standing is not None:
            await take(run, entry, standing)
    run.tally.known_strangers |= {each.id for each in seen.strangers}
    run.tally.new_markers |= {each.marker for each in waiting if not seen.of(each)}
    return {
        marker: tuple(project.id for project in found)
        for marker, found in seen.by_marker.items()
    }


def _recent_snapshot(run: Run, waiting: Sequence[Entry]) -> Snapshot | None:
    """Give the snapshot from before the run, once, if it has all rows and is recent.

    Drafts that others made since then are seen before the first send.
    """
    seen, run.tally.snapshot = run.tally.snapshot, None
    if seen is None or run.clock.elapsed() - seen.seen_at > _JUST_NOW_SECONDS:
        return None
    if not seen.rows >= {entry.key for entry in waiting}:
        return None
    run.tally.projects_before = seen.projects_before
    return seen


async def _leave(
    run: Run, rows: Sequence[tuple[Entry, ProjectContent]], seen: Snapshot
) -> None:
    """Leave rows to the computer that is at work; note those that it has sent."""
    for entry, content in rows:
        sent = sent_alike(content, seen.strangers_of(entry))
        if sent is None:
            run.tally.left_to_others.add(entry.key)
        else:
            await take(run, entry, ThereAlready(what=There.SENT, project=sent))


async def there_already(
    run: Run, entry: Entry, content: ProjectContent, *, seen: Snapshot
) -> ThereAlready | None:
    """Say what the projects with a row's marker are to it; None: nothing."""
    found, strangers = seen.of(entry), seen.strangers_of(entry)
    if not found:
        return None
    if not strangers and await decided(entry.key, journal=run.journal) == RETRIED:
        return None
    return what_is_there(content, found, strangers=strangers)


async def projects_by_marker(
    run: Run, waiting: Sequence[Entry]
) -> dict[str, list[Project]]:
    """Find every project with a marker of `waiting`, in as few requests as possible."""
    wanted = {entry.marker for entry in waiting}
    found: dict[str, list[Project]] = defaultdict(list)
    first = await run.lookups.projects(page=1)
    whole = Scan(items=first.items, is_stable=_is_whole(run, first))
    if not whole.is_stable and wanted <= run.tally.new_markers:
        whole = await _ours_alone(run, first)
    if not whole.is_stable and first.total / PAGE_MAX < len(waiting):
        whole = await _scan_from(run, first)
    if whole.is_stable:
        if run.tally.projects_before is None:
            run.tally.projects_before = len(whole.items)
        _collect(whole.items, wanted=wanted, found=found)
        return found
    await _search_each(run, wanted, found)
    return found


def _is_whole(run: Run, first: Page[Project]) -> bool:
    """Say whether the first page is all there is.

    A full page is so only if the count is that of before the run and of what it made
    since.
    """
    if len(first.items) < PAGE_MAX:
        return first.total <= len(first.items)
    before = run.tally.projects_before
    return before is not None and first.total == len(first.items) == before + len(
        run.tally.made
    )


async def _ours_alone(run: Run, first: Page[Project]) -> Scan[Project]:
    """Read until all drafts of this run are seen; stable if they are all that is new.

    Projects never vanish and the newest come first, so the other pages need no reading.
    """
    before, page, number = run.tally.projects_before, first, 1
    ours = {each.project_id for each in run.tally.made}
    seen: dict[ProjectId, Project] = {}
    is_all_new = before is not None and first.total == before + len(ours)
    while is_all_new and page.total == first.total and len(seen) < len(ours):
        known = len(seen)
        seen |= {each.id: each for each in page.items if each.id in ours}
        if len(seen) == len(ours):
            return Scan(items=tuple(seen.values()), is_stable=True)
        if len(seen) == known or run.stop.is_set():
            break
        number += 1
        page = await run.lookups.projects(page=number)
    return Scan(items=(), is_stable=False)


async def _scan_from(run: Run, first: Page[Project]) -> Scan[Project]:
    at_hand = [first]

    async def read(number: int) -> Page[Project]:
        if number == 1 and at_hand:
            return at_hand.pop()
        return await run.lookups.projects(page=number)

    return await scan(read, identify=lambda each: each.id, stop=run.stop)


async def _search_each(
    run: Run, wanted: set[str], found: dict[str, list[Project]]
) -> None:
    run.progress.begin("Looking for projects that exist already", total=len(wanted))

    async def work(marker: str) -> None:
        whole = await scan_projects(run.lookups, search=marker, stop=run.stop)
        if not whole.is_stable and not run.stop.is_set():
            raise ServiceUnreachable(
                message="The list of projects kept changing while kawe looked for "
                f"{one_line(marker)}.",
                hint="Nothing was created that may be there already. Run the same "
                "command again.",
            )
        _collect(whole.items, wanted={marker}, found=found)
        run.progress.advance()

    await each(sorted(wanted), work, workers=run.workers, stop=run.stop)


def _collect(
    projects: Sequence[Project], *, wanted: set[str], found: dict[str, list[Project]]
) -> None:
    # Search matches names and addresses too, and R-1 also finds R-10.
    for project in projects:
        if project.reference in wanted:
            found[project.reference].append(project)
