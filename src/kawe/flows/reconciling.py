"""Settling a doubt by asking, never by guessing.

A doubt is left alone while the service may still be at work: the settle
window. In it the service is read four times. Doubts are parked side by side,
so that none waits for another (promises, section 6).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from kawe.domain.content import ProjectContent
from kawe.domain.counts import counted
from kawe.domain.entries import Entry
from kawe.domain.likeness import differences
from kawe.domain.naming_projects import with_projects
from kawe.domain.service_words import Project
from kawe.domain.settling import MAX_CREATES, MAX_SENDS, read_times
from kawe.domain.states import State
from kawe.domain.verdicts import Attempt, Step
from kawe.errors import ServiceError
from kawe.flows.absence import Drafts, is_absent, look_for, next_look_at, remember
from kawe.flows.crew import each
from kawe.flows.run import Run

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
    They wait side by side, and as many ask at a time as the run has workers.
    """
    doubtful = [
        (entry, entry.content)
        for entry in entries
        if entry.state in _STEP and isinstance(entry.content, ProjectContent)
    ]
    if not doubtful:
        return
    run.progress.begin("Asking the service about rows in doubt", total=len(doubtful))
    asking = _Asking(
        run=run, drafts=Drafts(run=run), gate=asyncio.Semaphore(max(1, run.workers))
    )

    async def work(row: tuple[Entry, ProjectContent]) -> None:
        entry, content = row
        try:
            await _settle(asking, await _doubt(run, entry, content), wait=wait)
        except ServiceError as trouble:
            run.brake.pull(trouble)
        run.progress.advance()

    await each(doubtful, work, workers=len(doubtful), brake=run.brake)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    run: Run
    drafts: Drafts
    gate: asyncio.Semaphore


@dataclass(frozen=True, slots=True, kw_only=True)
class _Doubt:
    """A row in doubt, its attempt, and how often this step was in doubt so far."""

    entry: Entry
    content: ProjectContent
    attempt: Attempt
    ended_at: datetime
    times: int


async def _settle(asking: _Asking, doubt: _Doubt, *, wait: bool) -> None:
    run = asking.run
    schedule = read_times(doubt.ended_at, settle_seconds=run.settle_seconds)
    now = run.clock.now()
    times = [at for at in schedule if at > now] if wait else []
    for at in times or [now]:
        if await _ask_at(asking, doubt, at=at, closes_at=schedule[-1]):
            return
    again_at = next_look_at(run, doubt.attempt)
    if wait and again_at is not None:
        await _ask_at(asking, doubt, at=again_at, closes_at=schedule[-1])


async def _ask_at(
    asking: _Asking, doubt: _Doubt, *, at: datetime, closes_at: datetime
) -> bool:
    """Say whether the doubt is settled, or nothing more may be asked."""
    run = asking.run
    await _until(run, at)
    if run.brake.is_on():
        return True
    async with asking.gate:
        is_over = run.clock.now() >= closes_at
        match doubt.attempt.intent.step:
            case Step.CREATE:
                return await _ask_create(asking, doubt, at=at, is_over=is_over)
            case Step.UPDATE:
                return await _ask_update(run, doubt, is_over=is_over)
            case _:
                return await _ask_send(run, doubt, is_over=is_over)


async def _until(run: Run, at: datetime) -> None:
    while (left := (at - run.clock.now()).total_seconds()) > 0:
        if run.brake.is_on():
            return
        await run.clock.sleep(min(left, 1.0))


async def _doubt(run: Run, entry: Entry, content: ProjectContent) -> _Doubt:
    step = _STEP[entry.state]
    attempts = [
        each
        for each in await run.journal.attempts(entry.key)
        if each.intent.step is step
    ]
    # What was certainly not done, such as a 429, is no reason to give up.
    unclear = [each for each in attempts if each.verdict != "not-done"]
    return _Doubt(
        entry=entry,
        content=content,
        attempt=attempts[-1],
        ended_at=_end_of(attempts[-1], now=run.clock.now()),
        times=len(unclear),
    )


def _end_of(attempt: Attempt, *, now: datetime) -> datetime:
    # An intent without a conclusion ended with its process: at the latest now,
    # and no act outlasts its total deadline.
    if attempt.ended_at is not None:
        return attempt.ended_at
    return min(now, attempt.intent.begun_at + _LONGEST_ACT)


async def _ask_create(
    asking: _Asking, doubt: _Doubt, *, at: datetime, is_over: bool
) -> bool:
    run, entry, attempt = asking.run, doubt.entry, doubt.attempt
    look = await look_for(run, entry, attempt, drafts=asking.drafts, since=at)
    if len(look.found) > 1:
        await run.move(
            entry,
            State.HELD,
            reason=with_projects(
                f"The service has {len(look.found)} projects with the reference "
                f"{entry.marker}",
                look.found,
            ),
        )
        return True
    if look.found:
        await adopt(run, entry, doubt.content, project=look.found[0])
        return True
    remember(run, attempt, look)
    if not is_over or not await is_absent(run, attempt, look, after=doubt.ended_at):
        return False
    if doubt.times >= MAX_CREATES:
        await run.move(
            entry,
            State.HELD,
            reason=f"Creating it was tried {counted(doubt.times, 'time')} without a "
            "clear answer.",
        )
        return True
    await run.move(entry, State.FILES_READY)
    return True


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
    if differs:
        why = f"that differs from the row in {', '.join(differs)}"
    elif project.is_sent:
        why = "that is no draft any more"
    else:
        why = "and does not say whether it was sent"
    await run.journal.move(
        entry.key,
        State.HELD,
        at=run.clock.now(),
        reason=with_projects(
            f"The service already has a project with the reference {entry.marker} "
            f"{why}",
            [project],
        ),
    )


async def _ask_update(run: Run, doubt: _Doubt, *, is_over: bool) -> bool:
    entry = doubt.entry
    project = (
        None
        if entry.project_id is None
        else await run.lookups.project(entry.project_id)
    )
    if project is None or not project.is_draft:
        reason = "Its draft could not be read back after it was to be changed."
    elif not (differs := differences(doubt.content, project)):
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


async def _ask_send(run: Run, doubt: _Doubt, *, is_over: bool) -> bool:
    entry = doubt.entry
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
            else f"Sending it was tried {counted(doubt.times, 'time')} without a clear "
            "answer.",
        )
        return True
    await run.move(entry, State.READY)
    # Proven unsent: it cost nothing.
    run.tally.may_have_sent.discard(entry.key)
    return True
