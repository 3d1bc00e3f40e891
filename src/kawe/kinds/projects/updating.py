"""Updating: edits of the workbook are applied to drafts.

Only if a person asks for it, and only while the draft says what it said when it was
made. An update is an act like a create: noted first, made once, and settled by reading.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kawe.domain.rows.bodies import update_body
from kawe.domain.rows.edits import beyond_update, differences
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import sha256_of
from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.service.settling import read_times
from kawe.domain.service.states import UNSENT, State
from kawe.domain.service.verdicts import Done, Step
from kawe.domain.sheet.content import ProjectContent
from kawe.flows.run import Run
from kawe.flows.settle.hidden import GONE
from kawe.flows.settle.resolving import beyond_words, is_held_for_edit, unlike_draft
from kawe.flows.submit.confirming import read_back
from kawe.flows.submit.safe_retry import SafeRetry
from kawe.flows.workers import each

_SENT_MEANWHILE: Final = (
    "It had been sent in the portal before the edit reached it: the edit is not "
    "applied."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edit:
    """A row with a draft, and what the row says by now."""

    entry: Entry
    before: ProjectContent
    after: ProjectContent
    fingerprint_of: Entry
    project_id: ProjectId


async def update_drafts(
    run: Run, entries: Sequence[Entry], *, edited: Sequence[Entry]
) -> None:
    """Apply the edits of rows that are not sent yet to their drafts.

    `edited` are the rows as the workbook has them now. A row whose earlier update was
    refused or did not arrive is tried again.
    """
    now = {entry.key: entry for entry in edited}
    edits = [
        edit
        for entry in entries
        if (edit := await _edit_of(run, entry, now.get(entry.key))) is not None
    ]
    if not edits:
        return
    await run.look_up_attempts([edit.entry for edit in edits], Step.UPDATE)
    run.progress.begin("Changing drafts", total=len(edits))

    async def work(edit: _Edit) -> None:
        await _update(run, edit)
        run.progress.advance()

    await each(edits, work, workers=run.workers, stop=run.stop)


async def _edit_of(run: Run, entry: Entry, after: Entry | None) -> _Edit | None:
    wanted = after
    if entry.key in run.tally.update_tried:
        return None
    if entry.state is State.HELD:
        if await _was_not_updated(run, entry):
            # Since then the journal has what the row said at that time.
            wanted = after or entry
        elif not is_held_for_edit(entry):
            return None
    elif entry.state not in UNSENT:
        return None
    if wanted is None or entry.project_id is None:
        return None
    before, now = entry.content.project, wanted.content.project
    if before is None or now is None:
        return None
    return _Edit(
        entry=entry,
        before=before,
        after=now,
        fingerprint_of=wanted,
        project_id=entry.project_id,
    )


async def _was_not_updated(run: Run, entry: Entry) -> bool:
    attempts = await run.journal.attempts(entry.key)
    return (
        bool(attempts)
        and attempts[-1].intent.step is Step.UPDATE
        and attempts[-1].verdict != "done"
    )


async def _update(run: Run, edit: _Edit) -> None:
    beyond = beyond_update(edit.before, edit.after)
    if beyond:
        await _hold(run, edit.entry, reason=beyond_words(beyond))
        return
    project = None
    async for project in _readings(run, edit.project_id):
        if project is not None:
            break
    if run.stop.is_set():
        return
    if await _may_be_changed(run, edit, project):
        await _ask(run, edit)


async def _may_be_changed(run: Run, edit: _Edit, project: Project | None) -> bool:
    """Read the draft first: a colleague may have edited or sent it."""
    entry = edit.entry
    if project is not None and project.is_sent:
        if entry.state is not State.READY:
            entry = await run.move(entry, State.READY)
        await run.move(entry, State.SENT, reason=_SENT_MEANWHILE)
        return False
    if project is None or not project.is_draft:
        unsure = "The service does not say whether it was sent."
        reason = GONE if project is None else unsure
        await _hold(run, entry, reason=reason)
        return False
    theirs = await unlike_draft(entry, edit.before, project, journal=run.journal)
    if theirs and differences(edit.after, project) and edit.before != edit.after:
        await _hold(
            run,
            entry,
            reason="The draft was changed in the portal as well "
            f"({', '.join(theirs)}): kawe does not write over that.",
        )
        return False
    return True


async def _ask(run: Run, edit: _Edit) -> None:
    body = update_body(edit.after)
    retry = SafeRetry(run=run)
    revised = replace(
        edit.entry,
        content=edit.after,
        fingerprint=edit.fingerprint_of.fingerprint,
    )
    run.tally.update_tried.add(edit.entry.key)
    while await run.pace.turn() and not run.stop.is_set():
        intent = await run.intend(edit.entry, Step.UPDATE, body_sha256=sha256_of(body))
        await run.journal.note([intent], revised=[revised])
        verdict = await run.acts.update(edit.project_id, body)
        moved = await run.conclude(intent, verdict)
        if await retry.may_retry(verdict):
            continue
        if isinstance(verdict, Done):
            run.tally.updated += 1
            await _read_back(run, moved, edit)
        return


async def _readings(run: Run, project: ProjectId) -> AsyncIterator[Project | None]:
    """Read a project now and on the schedule of doubts, until the run stops."""
    now = run.clock.elapsed()
    for at in (now, *read_times(now, settle_seconds=run.settle_seconds)):
        await run.wait_until(at)
        shown = None if run.stop.is_set() else await read_back(run, project)
        if run.stop.is_set():
            return
        yield shown


async def _read_back(run: Run, entry: Entry, edit: _Edit) -> None:
    """Compare what the service shows, which may be late; a send compares again."""
    differs: tuple[str, ...] = ()
    async for project in _readings(run, edit.project_id):
        if project is None:
            differs = ("the draft",)
            continue
        differs = await unlike_draft(entry, edit.after, project, journal=run.journal)
        if not differs or differences(edit.before, project):
            break
    if differs and not run.stop.is_set():
        await run.move(
            entry,
            State.HELD,
            reason="The service accepted the edit and shows something else: "
            f"{', '.join(differs)}.",
        )


async def _hold(run: Run, entry: Entry, *, reason: str) -> None:
    if entry.state is State.HELD:
        # Only from elsewhere can it be held anew, with what is known now.
        entry = await run.move(entry, State.DRAFTED)
    await run.move(entry, State.HELD, reason=reason)
