"""Drafts in the service that no row owns any more, or never did.

A project cannot be deleted through the interface: kawe names them and never sends one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from kawe.domain.batch.outcomes import UnownedDraft
from kawe.domain.rows.entries import BatchName, Entry
from kawe.domain.service.service_words import projects_in
from kawe.domain.service.states import RowKey, State
from kawe.errors import ServiceError
from kawe.flows.run import Run
from kawe.flows.scanning import scan_projects
from kawe.flows.tools import each


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
    doubted = await run.journal.doubted_creates(batch)
    if not doubted:
        return ()
    # A person may adopt the projects that a row is held for.
    held = {
        project
        for entry in await run.journal.unfinished(batch)
        if entry.state is State.HELD
        for _, project in projects_in(entry.reason)
    }
    entries = (await run.journal.find(doubted)).values()
    found: list[UnownedDraft] = []

    async def work(entry: Entry) -> None:
        seconds = await _second_drafts(run, entry)
        found.extend(each for each in seconds if each.project_id not in held)

    try:
        await each(entries, work, workers=run.workers, stop=run.stop)
    except ServiceError:
        run.progress.say(
            "kawe could not look whether there are second drafts of rows that were in "
            "doubt; the next run looks again."
        )
    return tuple(sorted(found, key=lambda orphan: (orphan.reference, orphan.why)))


async def _second_drafts(run: Run, entry: Entry) -> Sequence[UnownedDraft]:
    seen = await scan_projects(run.lookups, search=entry.marker, stop=run.stop)
    return [
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
