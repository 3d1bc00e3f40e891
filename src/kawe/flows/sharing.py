"""Several machines without a shared journal: one send for each row all the same.

Where the settings say that other machines may submit the same rows, a draft
is as old as the settle window before it is sent. By then every machine sees
the drafts of all: the one that was made first wins, and the others leave the
row to whoever made it (promises, section 9).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from kawe.domain.content import ProjectContent
from kawe.domain.counts import counted
from kawe.domain.entries import Entry
from kawe.domain.likeness import differences
from kawe.domain.outcomes import Orphan
from kawe.domain.service_words import Project
from kawe.domain.states import UNSENT, State
from kawe.flows.existing import SENT_ELSEWHERE, is_young, projects_by_marker
from kawe.flows.run import Run


async def leave_to_others(run: Run, entries: Sequence[Entry]) -> list[Entry]:
    """Wait until all drafts are old enough; give the rows that may be sent here.

    Raises:
        ServiceError: The service could not be read.
        JournalError: What happened could not be written down.
    """
    leaving = [entry for entry in entries if _is_leaving(entry)]
    if run.is_alone or not leaving:
        return list(entries)
    await _come_of_age(run, leaving)
    if run.brake.is_on():
        return []
    by_marker = await projects_by_marker(run, leaving)
    going = [entry for entry in entries if not _is_leaving(entry)]
    left = 0
    for entry in leaving:
        found = by_marker.get(entry.marker, ())
        mine = await _goes_here(run, entry, found)
        if mine is None:
            left += 1
        else:
            going.append(mine)
    if left:
        run.progress.say(
            f"{counted(left, 'row is', 'rows are')} with another computer, or cannot "
            "be seen yet: run the same command again later."
        )
    return going


async def _come_of_age(run: Run, leaving: Sequence[Entry]) -> None:
    """Wait once for all: the youngest draft decides."""
    youngest = max(entry.moved_at for entry in leaving)
    ready_at = youngest + timedelta(seconds=run.settle_seconds)
    if run.clock.now() < ready_at:
        run.progress.say(
            "Other computers may submit the same rows: kawe waits up to "
            f"{round(run.settle_seconds)} seconds and looks for their drafts."
        )
    while (left := (ready_at - run.clock.now()).total_seconds()) > 0:
        if run.brake.is_on():
            return
        await run.clock.sleep(min(left, 1.0))


async def _goes_here(run: Run, entry: Entry, found: Sequence[Project]) -> Entry | None:
    content = entry.content
    mine = [each for each in found if each.id == entry.project_id]
    if not mine or not isinstance(content, ProjectContent):
        # What hides this row's own draft may hide another one as well.
        await _rest(run, entry)
        return None
    sent = [each for each in found if each.is_sent]
    first = min(sent or found, key=lambda project: (project.created_at, project.id))
    if first.id == entry.project_id:
        return entry
    differs = differences(content, first)
    if differs:
        await run.move(
            entry,
            State.HELD,
            reason=f"Another computer made a project with the reference {entry.marker} "
            f"that differs from the row in {', '.join(differs)}.",
        )
        return None
    if not first.is_sent and is_young(run, first):
        await _rest(run, entry)
        return None
    return await _take(run, entry, first)


async def _take(run: Run, entry: Entry, first: Project) -> Entry | None:
    """Go on with the draft that was made first; the row's own is left alone."""
    resting = await _rest(run, entry)
    taken = await run.journal.move(
        resting.key, State.DRAFTED, at=run.clock.now(), project=first.id
    )
    run.tally.second_drafts += (
        Orphan(
            reference=entry.marker,
            name=entry.content.name,
            project_id=entry.project_id or "",
            why="another computer's was made first",
        ),
    )
    if not first.is_sent:
        return taken
    await run.move(await _rest(run, taken), State.SENT, reason=SENT_ELSEWHERE)
    return None


async def _rest(run: Run, entry: Entry) -> Entry:
    """Let a row be unfinished: neither a draft to keep nor one that waits."""
    if entry.state is State.READY:
        return entry
    return await run.move(entry, State.READY)


def _is_leaving(entry: Entry) -> bool:
    content = entry.content
    wants_send = isinstance(content, ProjectContent) and content.send
    return wants_send and entry.state in UNSENT and entry.project_id is not None
