"""Settling a doubt by asking, never by guessing.

A doubt is left alone while the service may still be at work: the settle
window. In it the service is read four times. Absence counts only when every
reading was stable and the window has passed (promises, section 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from kawe.domain.content import ProjectContent
from kawe.domain.entries import Entry
from kawe.domain.likeness import differences
from kawe.domain.service_words import Project
from kawe.domain.settling import MAX_CREATES, MAX_SENDS, read_times
from kawe.domain.states import State
from kawe.domain.verdicts import Attempt, Step
from kawe.errors import ServiceError
from kawe.flows.crew import each
from kawe.flows.run import Run
from kawe.flows.scanning import scan_projects

_LONGEST_ACT = timedelta(seconds=90)
_STEP = {
    State.CREATE_INTENT: Step.CREATE,
    State.CREATE_DOUBT: Step.CREATE,
    State.UPDATE_INTENT: Step.UPDATE,
    State.UPDATE_DOUBT: Step.UPDATE,
    State.SEND_INTENT: Step.SEND,
    State.SEND_DOUBT: Step.SEND,
}


async def reconcile(run: Run, entries: Sequence[Entry], *, wait: bool) -> None:
    """Settle the doubts of projects rows.

    Without `wait`, each doubt is read once and only what is plain is settled;
    with it, doubts are read on their schedule until their window has passed.
    """
    doubtful = [
        (entry, entry.content)
        for entry in entries
        if entry.state in _STEP and isinstance(entry.content, ProjectContent)
    ]
    if not doubtful:
        return
    run.progress.begin("Asking the service about rows in doubt", total=len(doubtful))

    async def work(row: tuple[Entry, ProjectContent]) -> None:
        entry, content = row
        try:
            await _settle(run, entry, content, wait=wait)
        except ServiceError as trouble:
            run.brake.pull(trouble)
        run.progress.advance()

    await each(doubtful, work, workers=run.workers, brake=run.brake)


async def _settle(
    run: Run, entry: Entry, content: ProjectContent, *, wait: bool
) -> None:
    step = _STEP[entry.state]
    doubt = await _doubt(run, entry, step)
    ended_at = _end_of(doubt.attempt, now=run.clock.now())
    schedule = read_times(ended_at, settle_seconds=run.settle_seconds)
    closes_at = schedule[-1]
    for at in schedule if wait else (run.clock.now(),):
        await _until(run, at)
        if run.brake.is_on():
            return
        is_over = run.clock.now() >= closes_at
        if step is Step.CREATE:
            settled = await _ask_create(
                run, entry, doubt, content=content, is_over=is_over
            )
        elif step is Step.UPDATE:
            settled = await _ask_update(run, entry, content, is_over=is_over)
        else:
            settled = await _ask_send(run, entry, doubt, is_over=is_over)
        if settled:
            return


async def _until(run: Run, at: datetime) -> None:
    while (left := (at - run.clock.now()).total_seconds()) > 0:
        if run.brake.is_on():
            return
        await run.clock.sleep(min(left, 1.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """The attempt in doubt, and how often this step was in doubt so far."""

    attempt: Attempt
    times: int


async def _doubt(run: Run, entry: Entry, step: Step) -> Doubt:
    attempts = [
        each
        for each in await run.journal.attempts(entry.key)
        if each.intent.step is step
    ]
    # What was certainly not done, such as a 429, is no reason to give up.
    unclear = [each for each in attempts if each.verdict != "not-done"]
    return Doubt(attempt=attempts[-1], times=len(unclear))


def _end_of(attempt: Attempt, *, now: datetime) -> datetime:
    # An intent without a conclusion ended with its process: at the latest now,
    # and no act outlasts its total deadline.
    if attempt.ended_at is not None:
        return attempt.ended_at
    return min(now, attempt.intent.begun_at + _LONGEST_ACT)


async def _ask_create(
    run: Run, entry: Entry, doubt: Doubt, *, content: ProjectContent, is_over: bool
) -> bool:
    found, is_stable = await _candidates(run, entry, doubt.attempt)
    now = run.clock.now()
    if len(found) > 1:
        ids = ", ".join(each.id for each in found)
        await run.journal.move(
            entry.key,
            State.HELD,
            at=now,
            reason=f"The service has {len(found)} projects with the reference "
            f"{entry.marker}: {ids}.",
        )
        return True
    if found:
        await adopt(run, entry, content, project=found[0])
        return True
    if not is_over or not is_stable:
        return False
    if doubt.times >= MAX_CREATES:
        await run.move(
            entry,
            State.HELD,
            reason=f"Creating it was tried {doubt.times} times without a clear answer.",
        )
        return True
    await run.move(entry, State.FILES_READY)
    return True


async def _candidates(
    run: Run, entry: Entry, attempt: Attempt
) -> tuple[list[Project], bool]:
    """Look by marker and among all drafts: search may lag behind the list."""
    by_marker = await scan_projects(run.lookups, search=entry.marker)
    drafts = await scan_projects(run.lookups, status="DRAFT")
    seen = {each.id: each for each in (*by_marker.items, *drafts.items)}
    found = []
    for project in seen.values():
        if project.reference != entry.marker:
            continue
        if project.id in attempt.intent.known_projects:
            continue
        owner = await run.journal.owner_of(project.id)
        if owner is None or owner == entry.key:
            found.append(project)
    return found, by_marker.is_stable and drafts.is_stable


async def adopt(
    run: Run, entry: Entry, content: ProjectContent, *, project: Project
) -> None:
    """Take a project that carries the row's marker for the row's own.

    Only a draft with equal content is taken; anything else is held.
    """
    differs = differences(content, project)
    if project.is_draft and not differs:
        await run.journal.move(
            entry.key, State.DRAFTED, at=run.clock.now(), project=project.id
        )
        run.tally.adopted += 1
        return
    why = (
        f"differs from the row in {', '.join(differs)}"
        if differs
        else "is no draft any more"
    )
    await run.journal.move(
        entry.key,
        State.HELD,
        at=run.clock.now(),
        reason=f"The service already has a project with the reference {entry.marker} "
        f"that {why}.",
    )


async def _ask_update(
    run: Run, entry: Entry, content: ProjectContent, *, is_over: bool
) -> bool:
    project = (
        None
        if entry.project_id is None
        else await run.lookups.project(entry.project_id)
    )
    if project is None or not project.is_draft:
        reason = "Its draft could not be read back after it was to be changed."
    elif not (differs := differences(content, project)):
        await run.move(entry, State.DRAFTED)
        run.tally.updated += 1
        return True
    elif not is_over:
        return False
    else:
        reason = (
            f"The edit did not reach the draft ({', '.join(differs)}): submit with "
            "--update-drafts to try it again."
        )
    await run.move(entry, State.HELD, reason=reason)
    return True


async def _ask_send(run: Run, entry: Entry, doubt: Doubt, *, is_over: bool) -> bool:
    project = (
        None
        if entry.project_id is None
        else await run.lookups.project(entry.project_id)
    )
    if project is None:
        reason = "The service does not show the project."
        await run.move(entry, State.HELD, reason=reason)
        return True
    if project.is_sent:
        await run.move(entry, State.SENT)
        run.tally.sent += 1
        return True
    if not is_over:
        return False
    if not project.is_draft or doubt.times >= MAX_SENDS:
        await run.move(
            entry,
            State.HELD,
            reason="The service does not say whether it was sent."
            if not project.is_draft
            else f"Sending it was tried {doubt.times} times without a clear answer.",
        )
        return True
    await run.move(entry, State.READY)
    # Proven unsent: it cost nothing.
    run.tally.may_have_sent.discard(entry.key)
    return True
