"""Sends that this journal has and the service has no more, as after a restore.

Such a row is called sent no longer: a person must look, and kawe never sends it again.
What was sent less than a settle window before a look may just be late.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.service.states import AFTER_SEND, State
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import counted, some_of
from kawe.errors import ServiceError
from kawe.flows.run import Run
from kawe.flows.scanning import scan_projects
from kawe.ports import Journal, Lookups
from kawe_contract.limits import PAGE_MAX

LOST: Final = "It was sent, and the service does not show it as sent any more."
_NAMED: Final = 20
_NEWEST: Final = 3
_SHORT: Final = 10 * PAGE_MAX


async def sent_before(journal: Journal, until: datetime) -> list[Entry]:
    """Give the rows that were sent before a time, the latest first."""
    rows = await journal.made(lambda entry: entry.state in AFTER_SEND, beside=())
    times = await journal.sent_at([row.key for row in rows])
    old = {row.key: times.get(row.key, row.moved_at) for row in rows}
    sent = [row for row in rows if old[row.key] < until]
    return sorted(sent, key=lambda row: old[row.key], reverse=True)


async def lost_among(
    sent: Sequence[Entry], *, shown: Collection[ProjectId] | None, lookups: Lookups
) -> list[Entry]:
    """Give those of `sent` that the service has no more as sent.

    `shown` are all projects that it shows as sent; None: not known. The first 20 that
    it lacks are read alone; where all are lost, the others count as well.
    """
    lacking = [row for row in sent if row.project_id not in (shown or ())]
    # A backup lacks the newest.
    if shown is None and not await _read(lacking[:_NEWEST], lookups=lookups):
        return []
    lost = await _read(lacking[:_NAMED], lookups=lookups)
    is_sure = shown is not None and len(lost) == _NAMED
    return [*lost, *lacking[_NAMED:]] if is_sure else lost


async def _read(rows: Sequence[Entry], *, lookups: Lookups) -> list[Entry]:
    read = [
        (row, row.project_id and await lookups.project(row.project_id)) for row in rows
    ]
    return [row for row, project in read if not project or project.is_draft]


async def keep_lost(lost: Sequence[Entry], *, journal: Journal, at: datetime) -> None:
    """Write down which sends are lost, for whoever asks the journal alone."""
    keys = [row.key for row in lost if row.state is not State.UNCONFIRMED]
    await journal.move_all(keys, State.UNCONFIRMED, at=at, reason=LOST)


async def note_lost_sends(run: Run) -> None:
    """Look which sends are lost, by the list that the run has read, or a short one.

    What the service does not say now is left to the next run.
    """
    now = run.clock.now()
    begun_at, shown = run.tally.shown_sent or (now, None)
    until = begun_at - timedelta(seconds=run.settle_seconds)
    if not (sent := await sent_before(run.journal, until)) or run.stop.is_set():
        return
    try:
        if shown is None:
            shown = await _short_list(run)
        lost = await lost_among(sent, shown=shown, lookups=run.lookups)
    except ServiceError:
        return
    await keep_lost(lost, journal=run.journal, at=now)
    run.tally.lost_sends += lost


async def _short_list(run: Run) -> Collection[ProjectId] | None:
    if (await run.lookups.projects(page=1)).total > _SHORT:
        return None
    whole = await scan_projects(run.lookups, stop=run.stop)
    return sent_of(whole.items) if whole.is_stable else None


def sent_of(projects: Iterable[Project]) -> frozenset[ProjectId]:
    return frozenset(each.id for each in projects if not each.is_draft)


def lost_words(lost: Sequence[Entry]) -> str:
    """Say in one sentence which sends are lost, and what to do; or nothing."""
    if not lost:
        return ""
    named = some_of(sorted(row.marker for row in lost), shown=_NAMED)
    projects = counted(len(lost), "project that was sent", "projects that were sent")
    return (
        f"The service does not show {projects} as sent any more: {named}. It may "
        "have been restored from a backup. kawe sends nothing again for them: run "
        f"{Next.AUDIT}, and look in the portal."
    )
