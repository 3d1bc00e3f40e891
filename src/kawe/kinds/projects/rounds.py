"""Projects of a plan, round by round.

Each round settles the doubts that are certain, drafts, sends, and then waits for the
other doubts; a row created or sent again after a doubt needs another round.
"""

from __future__ import annotations

from typing import Final

from kawe.domain.batch.plans import Plan
from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import IN_DOUBT, UNSENT, State
from kawe.errors import ServiceError
from kawe.flows.kinds import Submission
from kawe.flows.run import Run
from kawe.flows.settle.reconciling import reconcile
from kawe.flows.settle.resolving import CHANGED_AFTER_DRAFT
from kawe.flows.submit.existing import find_existing
from kawe.flows.submit.submitting import (
    ROUNDS,
    has_doubts,
    let_rest,
    rows_of,
    send_round,
    take_out_missing,
    unfinished,
)
from kawe.flows.submit.unowned_drafts import find_second_drafts
from kawe.kinds.projects.drafting import Organisations, draft_all
from kawe.kinds.projects.updating import update_drafts

_NOT_PLANNED: Final = "Not tried: the plan leaves it until there are more tokens."


async def submit_projects(submission: Submission) -> None:
    """Make drafts and send them; then look for drafts that no row owns."""
    plan, run = submission.plan, submission.run
    try:
        await _in_rounds(submission)
    except ServiceError as trouble:
        run.stop.set(trouble)
    if not run.stop.is_set():
        batches = {plan.batch.name, *(entry.batch for entry in plan.entries)}
        for name in sorted(batches):
            run.tally.second_drafts += await find_second_drafts(run, name)


async def _in_rounds(submission: Submission) -> None:
    plan, run = submission.plan, submission.run
    organisations = Organisations(known=dict(submission.organisations))
    for _ in range(ROUNDS):
        await reconcile(run, await unfinished(plan, run=run), wait=False)
        if run.stop.is_set():
            return
        # A doubt that was settled may have left a row where it is made again.
        await take_out_missing(plan, run=run)
        existing = await find_existing(run, await unfinished(plan, run=run))
        # The intents note what a person knew of when they let the rows go.
        existing |= {
            entry.marker: (*existing.get(entry.marker, ()), *plan.repeats[entry.key])
            for entry in plan.entries
            if entry.key in plan.repeats
        }
        await draft_all(
            run,
            await _to_draft(plan, run=run),
            organisations=organisations,
            existing=existing,
        )
        if plan.updates_drafts:
            there = await unfinished(plan, run=run)
            await update_drafts(run, there, edited=plan.edited)
        await _hold_changed(plan, run=run)
        await _rest_unwanted(plan, run=run)
        if not submission.drafts_only:
            await send_round(
                run, await _to_send(plan, run=run), budget=submission.budget
            )
        if run.stop.is_set() or not has_doubts(await unfinished(plan, run=run)):
            return
        run.progress.say(
            "Some answers were lost. kawe asks the service what happened before it "
            "goes on; this takes up to "
            f"{round(run.settle_seconds)} seconds."
        )
        await reconcile(run, await unfinished(plan, run=run), wait=True)
        if run.stop.is_set():
            return


async def _to_draft(plan: Plan, *, run: Run) -> list[Entry]:
    left = run.tally.left_to_others
    return [
        entry
        for entry in await rows_of(plan, run=run)
        # One that is left out and in doubt may have made an organisation.
        if entry.key not in left
        and (entry.key not in plan.left_out or entry.state in IN_DOUBT)
    ]


async def _to_send(plan: Plan, *, run: Run) -> list[Entry]:
    entries = await unfinished(plan, run=run)
    if plan.may_send is None:
        return entries
    later = [
        entry
        for entry in entries
        if entry.key not in plan.may_send and entry.wants_send and entry.state in UNSENT
    ]
    resting = [entry for entry in later if entry.state is State.DRAFTED]
    ready = [entry for entry in later if entry.state is State.READY]
    ready += await run.move_all(resting, State.READY)
    await run.move_all(ready, State.WAIT_TOKENS, reason=_NOT_PLANNED)
    put_off = {entry.key for entry in later}
    return [entry for entry in entries if entry.key not in put_off]


async def _hold_changed(plan: Plan, *, run: Run) -> None:
    said = {entry.key: entry.fingerprint for entry in plan.edited}
    for entry in await unfinished(plan, run=run):
        # An edit that was brought to the draft is what the journal has now.
        is_edited = said.get(entry.key, entry.fingerprint) != entry.fingerprint
        if is_edited and entry.state in UNSENT:
            await run.move(entry, State.HELD, reason=CHANGED_AFTER_DRAFT)


async def _rest_unwanted(plan: Plan, *, run: Run) -> None:
    """Let drafts rest whose row is not to be sent any more: no release sends them."""
    for entry in await unfinished(plan, run=run):
        if not entry.wants_send:
            await let_rest(entry, run=run)
