"""Projects that carry our markers and that no row here owns.

A lost journal, or a colleague with another one, must lead to adoption and not to a
second project. A project with a marker of ours that no row here owns is a stranger's,
and its maker may be at work: kawe waits a settle window and reads again. If nothing
changed, it may adopt; otherwise it leaves the rows to the other computer (promises,
section 12). Of drafts that no row owns any more, or never did, kawe sends none: they
cannot be deleted through the interface, and are named.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from kawe.domain.batch.outcomes import UnownedDraft
from kawe.domain.rows.edits import There, ThereAlready, sent_alike, what_is_there
from kawe.domain.rows.entries import BatchName, Entry, projects_among
from kawe.domain.service.service_words import Project, ProjectId, projects_in
from kawe.domain.service.states import RowKey, State
from kawe.domain.sheet.content import ProjectContent
from kawe.errors import ServiceError
from kawe.flows.look import TeamLook, look_at_team, sought_by
from kawe.flows.lost_sends import sent_of
from kawe.flows.run import Run, Snapshot
from kawe.flows.scanning import scan_projects
from kawe.flows.settle.reconciling import take
from kawe.flows.settle.resolving import RETRIED, decided
from kawe.flows.tools import each
from kawe_contract.limits import PAGE_MAX

_JUST_NOW_SECONDS: Final = 10.0
_NO_DRAFT_YET = frozenset({State.VALID, State.FILES_READY})


async def take_snapshot(
    run: Run, rows: Sequence[Entry], *, seen: TeamLook | None = None
) -> Snapshot:
    """Read all projects with the markers of `rows`, unless a look has `seen` them."""
    look = await _look(run, rows) if seen is None else seen
    if run.tally.look is None:
        run.tally.look = look
    if look.is_whole:
        run.tally.shown_sent = look.begun_at, sent_of(look.projects.values())
    by_marker = look.under({entry.marker for entry in rows})
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
        look=look,
        by_marker=by_marker,
        strangers=strangers,
    )


async def _look(run: Run, rows: Sequence[Entry]) -> TeamLook:
    """Read what the team has now, in as few requests as possible."""
    is_new = {entry.marker for entry in rows} <= run.tally.new_markers
    if is_new and (again := await _ours_alone(run)) is not None:
        return again
    said = projects_among(rows)
    sought = sought_by([(entry.marker, content) for entry, content in said])
    return await look_at_team(run, sought, journal=run.journal)


async def _ours_alone(run: Run) -> TeamLook | None:
    """Read all drafts of this run; None unless they are all that is new.

    Projects never vanish, so that the count says whether somebody made another one.
    """
    before, seen_at = run.tally.look, run.clock.elapsed()
    ours = {each.project_id for each in run.tally.made}
    if before is None:
        return None
    seen: dict[ProjectId, Project] = {}
    totals: set[int] = set()

    async def read(number: int) -> None:
        page = await run.lookups.projects(page=number)
        totals.add(page.total)
        seen.update((each.id, each.bare()) for each in page.items if each.id in ours)

    # What is new stands first.
    last = max(1, -(-len(ours) // PAGE_MAX))
    await each(range(1, last + 1), read, workers=run.workers, stop=run.stop)
    if len(seen) < len(ours) or totals != {before.total + len(ours)}:
        return None
    return replace(before, seen_at=seen_at, projects={**before.projects, **seen})


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
            f"is at work on them, for {round(run.settle_seconds)} s."
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
    if seen is None or not is_recent(run, seen.look):
        return None
    if not seen.rows >= {entry.key for entry in waiting}:
        return None
    run.tally.look = seen.look
    return seen


def is_recent(run: Run, look: TeamLook) -> bool:
    return run.clock.elapsed() - look.seen_at <= _JUST_NOW_SECONDS


async def _leave(
    run: Run, rows: Sequence[tuple[Entry, ProjectContent]], seen: Snapshot
) -> None:
    """Leave rows to the computer that is at work; note those that it has sent."""
    for entry, content in rows:
        if (sent := sent_alike(content, seen.strangers_of(entry))) is None:
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


def left_behind(
    entries: Iterable[Entry], *, gone: Collection[RowKey]
) -> tuple[UnownedDraft, ...]:
    """Name the drafts that rest and no workbook asks for, or that were given up.

    `gone` are the rows that no workbook has. A draft that waits is not superfluous.
    """
    orphans = []
    for entry in entries:
        if entry.project_id is None:
            continue
        if entry.state is State.ABANDONED:
            why = "its row was given up"
        elif entry.key in gone and entry.state is State.DRAFTED:
            why = "its row is no longer in the workbook"
        else:
            continue
        orphans.append(
            UnownedDraft(
                reference=entry.marker,
                name=entry.content.name,
                project_id=entry.project_id,
                why=why,
            )
        )
    return tuple(orphans)


async def find_second_drafts(run: Run, batch: BatchName) -> tuple[UnownedDraft, ...]:
    """Search for second drafts of rows whose create was ever in doubt.

    The run says which drafts could not be read.
    """
    if not (doubted := await run.journal.doubted_creates(batch)):
        return ()
    # A person may adopt the projects that a row is held for.
    held = {
        project
        for entry in await run.journal.unfinished(batch, states={State.HELD})
        for _, project in projects_in(entry.reason)
    }
    entries = (await run.journal.find(doubted)).values()
    found: list[UnownedDraft] = []

    async def work(entry: Entry) -> None:
        seen = await scan_projects(run.lookups, search=entry.marker, stop=run.stop)
        seconds = [
            UnownedDraft(
                reference=entry.marker,
                name=project.name,
                project_id=project.id,
                why=f"a second one, made on {project.created_at:%Y-%m-%d at %H:%M} UTC",
            )
            for project in seen.items
            if project.reference == entry.marker
            and not project.is_sent
            and await run.journal.owner_of(project.id) is None
        ]
        found.extend(each for each in seconds if each.project_id not in held)

    try:
        await each(entries, work, workers=run.workers, stop=run.stop)
    except ServiceError:
        run.progress.say(
            "kawe could not look whether there are second drafts of rows that were in "
            "doubt; the next run looks again."
        )
    return tuple(sorted(found, key=lambda orphan: (orphan.reference, orphan.why)))
