"""Submitting: a plan is carried out, row by row, and can be stopped anywhere.

Running it again is the resume. Each round settles what is in doubt and plain,
drafts what has no draft, sends what may be sent, and then waits out the
doubts that are left; a row created or sent again after a doubt needs another
round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, assert_never

from kawe.domain.batch.plans import Plan
from kawe.domain.batch.tokens import Budget
from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import OrganisationId
from kawe.domain.service.settling import MAX_CREATES
from kawe.domain.service.states import BEFORE_CREATE, IN_DOUBT, SETTLED, UNSENT, State
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.counts import counted
from kawe.errors import OthersAtWork, ServiceError
from kawe.flows.run import Run
from kawe.flows.settle.reconciling import reconcile
from kawe.flows.settle.resolving import CHANGED_AFTER_DRAFT, is_held_for_edit
from kawe.flows.submit.confirming import confirm_late, confirm_sent
from kawe.flows.submit.drafting import Organisations, draft_all
from kawe.flows.submit.existing import find_existing
from kawe.flows.submit.inviting import invite_all, reconcile_invitations
from kawe.flows.submit.sending import send_all
from kawe.flows.submit.sharing import leave_to_others, take_note_of_sent
from kawe.flows.submit.unowned_drafts import find_second_drafts
from kawe.flows.submit.updating import update_drafts

_ROUNDS: Final = MAX_CREATES + 1
_NOT_PLANNED: Final = "Not tried: the plan leaves it until there are more tokens."
_TO_CONFIRM: Final = frozenset({State.SENT, State.UNCONFIRMED})
_NOT_LEFT: Final = frozenset({*SETTLED, *_TO_CONFIRM, State.HELD})


async def submit(
    plan: Plan,
    *,
    run: Run,
    budget: Budget,
    organisations: Mapping[str, OrganisationId],
    drafts_only: bool = False,
) -> None:
    """Carry a plan out.

    What happened is in the journal; `run.brake.because` says why it stopped
    early, if it did.

    Raises:
        JournalError: What happened could not be written down; rows whose
            intent is open are in doubt and settled by the next run.
    """
    run.tally.sent_elsewhere |= plan.sent_there
    await _open(plan, run=run)
    await _let_go_undone(plan, run=run)
    try:
        match plan.kind:
            case SheetKind.INVITATIONS:
                await _invite(plan, run=run)
                return
            case SheetKind.PROJECTS:
                await _project_rounds(
                    plan,
                    run=run,
                    budget=budget,
                    organisations=Organisations(known=dict(organisations)),
                    drafts_only=drafts_only,
                )
            case _:
                assert_never(plan.kind)
    except ServiceError as trouble:
        run.brake.pull(trouble)
    if not run.brake.is_on():
        batches = {plan.batch.name, *(entry.batch for entry in plan.entries)}
        for name in sorted(batches):
            run.tally.second_drafts += await find_second_drafts(run, name)
    await tell_of_others(run)


async def _open(plan: Plan, *, run: Run) -> None:
    """Write down what the workbook says, and who agreed to the run.

    A row that is left out and known stays as the journal has it.
    """
    known = await run.journal.known(plan.left_out)
    await run.journal.open_batch(
        plan.batch,
        lines=plan.lines,
        entries=[_as_new(e) for e in plan.entries if e.key not in known],
        in_place_of=plan.in_place_of,
    )
    if run.owner:
        await run.journal.keep_batch_owner(plan.batch.name, run.owner)
    if plan.approval is not None:
        await run.journal.keep_approval(plan.approval)


async def _rows(plan: Plan, *, run: Run) -> list[Entry]:
    """Give the unfinished rows of a plan, and those in doubt of its batch.

    A row of the plan may be another batch's, and is done here all the same.
    Rows of the batch that the workbook does not have are left alone: nobody
    agreed to a send that no plan named.
    """
    there = {entry.key for entry in plan.entries}
    own = await run.journal.unfinished(plan.batch.name)
    others = await run.journal.find(
        entry.key
        for entry in plan.entries
        if entry.batch != plan.batch.name and entry.state not in SETTLED
    )
    return [
        *(each for each in own if each.key in there or each.state in IN_DOUBT),
        *(each for each in others.values() if each.state not in SETTLED),
    ]


async def _unfinished(plan: Plan, *, run: Run) -> list[Entry]:
    """Give the rows that may need a call and are not left out of this run."""
    rows = await _rows(plan, run=run)
    return [entry for entry in rows if entry.key not in plan.left_out]


async def _project_rounds(
    plan: Plan,
    *,
    run: Run,
    budget: Budget,
    organisations: Organisations,
    drafts_only: bool,
) -> None:
    for _ in range(_ROUNDS):
        await reconcile(run, await _unfinished(plan, run=run), wait=False)
        if run.brake.is_on():
            return
        # A doubt that was settled may have left a row where it is made again.
        await _take_out_missing(plan, run=run)
        existing = await find_existing(run, await _unfinished(plan, run=run))
        await draft_all(
            run,
            await _to_draft(plan, run=run),
            organisations=organisations,
            existing=existing,
        )
        if plan.updates_drafts:
            there = await _unfinished(plan, run=run)
            await update_drafts(run, there, edited=plan.edited)
        await _hold_changed(plan, run=run)
        await _rest_unwanted(plan, run=run)
        if not drafts_only:
            await send_round(run, await _to_send(plan, run=run), budget=budget)
        if run.brake.is_on() or not _doubts(await _unfinished(plan, run=run)):
            return
        run.progress.say(
            "Some answers were lost. kawe asks the service what happened before it "
            "goes on; this takes up to "
            f"{round(run.settle_seconds)} seconds."
        )
        await reconcile(run, await _unfinished(plan, run=run), wait=True)
        if run.brake.is_on():
            return


async def _to_draft(plan: Plan, *, run: Run) -> list[Entry]:
    left = run.tally.left_to_others
    return [
        entry
        for entry in await _rows(plan, run=run)
        # One that is left out and in doubt may have made an organisation.
        if entry.key not in left
        and (entry.key not in plan.left_out or entry.state in IN_DOUBT)
    ]


async def _to_send(plan: Plan, *, run: Run) -> list[Entry]:
    """Give the rows that may be sent; what a saved plan sends later waits."""
    entries = await _unfinished(plan, run=run)
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


async def send_round(
    run: Run, entries: Sequence[Entry], *, budget: Budget, probe: bool = False
) -> None:
    """Confirm what was sent before, then send within what is left of `budget`."""
    await confirm_sent(run, [e for e in entries if e.state in _TO_CONFIRM])
    left = budget.less(len(run.tally.may_have_sent))
    if run.brake.is_on():
        return
    try:
        if left.sends(1):
            entries = await leave_to_others(run, entries)
        else:
            await take_note_of_sent(run, entries)
    except ServiceError as trouble:
        run.brake.pull(trouble)
        return
    await send_all(run, entries, budget=left, probe=probe)
    await confirm_late(run)


async def tell_of_others(run: Run) -> None:
    """End the run with a word where rows were left to another computer."""
    left = await run.journal.known(run.tally.left_to_others)
    rows = sum(each.state not in _NOT_LEFT for each in left.values())
    if rows:
        run.brake.pull(
            OthersAtWork(
                message=f"{counted(rows, 'row is', 'rows are')} with another computer, "
                "which is submitting them, or cannot be seen yet.",
                hint="Run the same command again when it is done: what it sent is "
                "known then, and nothing is sent twice.",
            )
        )


async def _invite(plan: Plan, *, run: Run) -> None:
    for _ in range(_ROUNDS):
        roll = await reconcile_invitations(run, await _unfinished(plan, run=run))
        if run.brake.is_on():
            return
        await _take_out_missing(plan, run=run)
        await invite_all(run, await _unfinished(plan, run=run), roll=roll)
        if run.brake.is_on() or not _doubts(await _unfinished(plan, run=run)):
            return


def _doubts(entries: Sequence[Entry]) -> bool:
    return any(entry.state in IN_DOUBT for entry in entries)


def _as_new(entry: Entry) -> Entry:
    """Offer a row to the journal, which keeps the state of those it knows."""
    if entry.state in SETTLED:
        return entry
    return replace(entry, state=State.VALID, project_id=None, reason="")


async def _hold_changed(plan: Plan, *, run: Run) -> None:
    """Hold drafts whose row says something else by now."""
    said = {entry.key: entry.fingerprint for entry in plan.edited}
    for entry in await _unfinished(plan, run=run):
        # An edit that was brought to the draft is what the journal has now.
        is_edited = said.get(entry.key, entry.fingerprint) != entry.fingerprint
        if is_edited and entry.state in UNSENT:
            await run.move(entry, State.HELD, reason=CHANGED_AFTER_DRAFT)


async def _rest_unwanted(plan: Plan, *, run: Run) -> None:
    """Let drafts rest whose row is not to be sent any more.

    They wait for no tokens then, so that a release leaves them alone.
    """
    for entry in await _unfinished(plan, run=run):
        if not entry.wants_send:
            await _let_rest(entry, run=run)


async def _let_rest(entry: Entry, *, run: Run) -> None:
    if entry.state is State.WAIT_TOKENS:
        entry = await run.move(entry, State.READY)
    if entry.state is State.READY:
        await run.move(entry, State.DRAFTED)


async def _let_go_undone(plan: Plan, *, run: Run) -> None:
    """Let go drafts that were held for an edit which has been undone."""
    # A row that is not in this workbook may be in another part of it, edited.
    undone = {entry.key for entry in plan.entries} - plan.changed
    for entry in await _unfinished(plan, run=run):
        if is_held_for_edit(entry) and entry.key in undone:
            await run.move(entry, State.DRAFTED)


async def _take_out_missing(plan: Plan, *, run: Run) -> None:
    """Let rows leave that no workbook has any more, as a person agreed to.

    Of which nothing was made, it is withdrawn; a draft that waits comes to rest.
    """
    gone = [entry.key for entry in plan.missing] if plan.takes_out else ()
    for entry in (await run.journal.find(gone)).values() if gone else ():
        if entry.state is not State.WITHDRAWN and entry.state in BEFORE_CREATE:
            await run.move(
                entry, State.WITHDRAWN, reason="The row is no longer in the workbook."
            )
        await _let_rest(entry, run=run)
