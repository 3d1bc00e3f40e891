"""Submitting: a plan is carried out, row by row, and can be stopped anywhere.

Running it again resumes it. The kind says which steps its rows take.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.waiting import in_order
from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import (
    BEFORE_CREATE,
    BEGIN_ANEW,
    IN_DOUBT,
    MAX_CREATES,
    SETTLED,
    UNSENT,
    State,
    read_times,
)
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import counted
from kawe.errors import OthersAtWork, ServiceError
from kawe.flows.kinds import Kind, Submission
from kawe.flows.lost_sends import note_lost_sends
from kawe.flows.run import Run
from kawe.flows.settle.reconciling import leave_hidden, look_for
from kawe.flows.settle.resolving import is_held_for_edit
from kawe.flows.submit.confirming import confirm_late, confirm_sent
from kawe.flows.submit.sending import send_all
from kawe.flows.submit.sharing import leave_to_others, take_note_of_sent

T = TypeVar("T")
ROUNDS: Final = MAX_CREATES + 1
_TO_CONFIRM: Final = frozenset({State.SENT, State.UNCONFIRMED})
_NOT_LEFT: Final = frozenset({*SETTLED, *_TO_CONFIRM, State.HELD})


async def begin(plan: Plan, *, run: Run, budget: Budget) -> Plan:
    """Write a plan down; give it without what the journal has from now on."""
    run.tally.sent_elsewhere |= plan.sent_there
    await _begin_anew(plan, run=run, budget=budget)
    await _open(plan, run=run)
    await _let_go_undone(plan, run=run)
    await _hold_back(plan, run=run)
    return plan.as_written()


async def submit(submission: Submission) -> None:
    """Carry out a plan that was begun.

    The journal has what happened; `run.stop.because` says why it stopped early.
    """
    run, kind = submission.run, Kind.of(submission.plan.kind)
    try:
        await kind.submit(submission)
    except ServiceError as trouble:
        run.stop.set(trouble)
    run.tally.made.clear()
    await report_others(run)
    if kind.has_drafts:
        await note_lost_sends(run)


async def _open(plan: Plan, *, run: Run) -> None:
    """Write down what the workbook says, and who agreed; not rows left out."""
    known = await run.journal.known(plan.left_out)
    await run.journal.open_batch(
        plan.batch,
        lines=plan.lines,
        entries=[_as_new(e) for e in plan.entries if e.key not in known],
        in_place_of=plan.in_place_of,
    )
    if run.owner:
        await run.journal.keep_batch_owner(plan.batch.name, run.owner)
    going = (e for e in plan.entries if e.key not in plan.left_out)
    row = next((e.key for e in going if e.state not in SETTLED), None)
    for approval in plan.approvals:
        await run.journal.keep_approval(approval, row=row)


async def _begin_anew(plan: Plan, *, run: Run, budget: Budget) -> None:
    """Let rows begin anew of which a person agreed that their step is taken again."""
    agreed = [entry.key for entry in plan.again if budget.lets_go(entry)]
    done = (await run.journal.find(agreed)).values() if agreed else ()
    if again := [entry for entry in done if entry.state in BEGIN_ANEW]:
        await run.move_all(again, State.VALID, reason="The invitation had expired.")


async def rows_of(plan: Plan, *, run: Run) -> list[Entry]:
    """Give the unfinished rows of a plan, and those in doubt of its batch.

    Other rows of the batch are left alone: nobody agreed to a send that no plan named.
    """
    there = plan.keys
    own = await run.journal.unfinished(plan.batch.name)
    left = (e for e in plan.entries if e.state not in SETTLED)
    others = await run.journal.find(e.key for e in left if e.batch != plan.batch.name)
    return [
        *(each for each in own if each.key in there or each.state in IN_DOUBT),
        *(each for each in others.values() if each.state not in SETTLED),
    ]


async def unfinished(plan: Plan, *, run: Run) -> list[Entry]:
    """Give the rows that may need a call and are not left out of this run."""
    rows = await rows_of(plan, run=run)
    return [entry for entry in rows if entry.key not in plan.left_out]


async def send_round(
    run: Run, entries: Sequence[Entry], *, budget: Budget, probe: bool = False
) -> None:
    """Confirm what was sent before, then send within what is left of `budget`.

    Drafts that the service does not show are sent as soon as it does.
    """
    await confirm_sent(run, [e for e in entries if e.state in _TO_CONFIRM])
    entries = [e for e in entries if e.key not in run.tally.left_hidden]
    sending = _send(run, entries, budget=budget, probe=probe)
    del entries  # None stands in memory twice while rows are sent.
    try:
        await sending
        for at in read_times(run.clock.elapsed(), settle_seconds=run.settle_seconds):
            if not run.tally.hidden or run.stop.is_set():
                break
            await run.wait_until(at)
            rows = await run.journal.find(run.tally.hidden)
            await look_for(run, rows.values())
            shown = [e for e in rows.values() if e.key not in run.tally.hidden]
            await _send(run, shown, budget=budget, probe=probe)
    except ServiceError as trouble:
        run.stop.set(trouble)
    if not run.stop.is_set():
        await leave_hidden(run)
        await confirm_late(run)


async def _send(
    run: Run, entries: Sequence[Entry], *, budget: Budget, probe: bool
) -> None:
    left = budget.less(run.tally.tokens)
    if run.stop.is_set():
        return
    if left.sends(1):
        entries = await leave_to_others(run, entries)
    else:
        await take_note_of_sent(run, entries)
    sending = send_all(run, entries, budget=left, probe=probe)
    del entries
    await sending


async def report_others(run: Run) -> None:
    """Say at the end that rows were left to another computer."""
    left = await run.journal.known(run.tally.left_to_others)
    if rows := sum(each.state not in _NOT_LEFT for each in left.values()):
        run.stop.set(
            OthersAtWork(
                message=f"{counted(rows, 'row is', 'rows are')} with another computer, "
                "which is submitting them, or cannot be seen yet.",
                hint=f"{Next.AGAIN} when it is done: what it sent is "
                "known then, and nothing is sent twice.",
            )
        )


async def in_rounds(
    submission: Submission,
    *,
    settle: Callable[[Sequence[Entry]], Awaitable[T]],
    act: Callable[[Sequence[Entry], T], Awaitable[None]],
) -> None:
    """Take the one step that rows have; what is in doubt is settled first.

    `settle` settles doubts by reading, and gives what it read; `act` takes the step
    for rows of which nothing is done, and may leave doubts to the next round.
    """
    plan, run, budget = submission.plan, submission.run, submission.budget
    steps = {entry.key for entry in plan.own_rows}
    # Whom the check found there was not counted, and is not asked.
    there = [e for e in await unfinished(plan, run=run) if e.key not in steps]
    if budget.agreement is not None:
        there = [entry for entry in there if entry.state is State.VALID]
        await run.move_all(there, State.ALREADY_THERE)
    for _ in range(ROUNDS):
        seen = await settle(await unfinished(plan, run=run))
        if run.stop.is_set():
            return
        await take_out_missing(plan, run=run)
        rows = await unfinished(plan, run=run)
        agreed = budget.agreement
        first = await run.journal.put_first_so_far() if agreed is None else agreed.acts
        await act(in_order(filter(budget.lets_go, rows), first=[*first]), seen)
        if run.stop.is_set() or not has_doubts(await unfinished(plan, run=run)):
            return


def has_doubts(entries: Sequence[Entry]) -> bool:
    return any(entry.state in IN_DOUBT for entry in entries)


def _as_new(entry: Entry) -> Entry:
    """Give a row as new; the journal keeps the state of rows that it knows."""
    if entry.state in SETTLED:
        return entry
    return replace(entry, state=State.VALID, project_id=None, reason="")


async def let_rest(entry: Entry, *, run: Run) -> None:
    """Let a draft rest that waits to be sent."""
    if entry.state is State.WAIT_TOKENS:
        entry = await run.move(entry, State.READY)
    if entry.state is State.READY:
        await run.move(entry, State.DRAFTED)


async def _let_go_undone(plan: Plan, *, run: Run) -> None:
    """Let go drafts that were held for an edit which has been undone."""
    # A row that is not in this workbook may be in another part of it, edited.
    rest = {each.key for each in plan.entries if each.state is State.DRAFTED}
    undone = rest - plan.changed - plan.left_out
    for entry in (await run.journal.find(undone)).values():
        if is_held_for_edit(entry):
            await run.move(entry, State.DRAFTED)


async def _hold_back(plan: Plan, *, run: Run) -> None:
    """Hold the rows of which the plan said so: a person can decide about them."""
    for entry in (await run.journal.find(plan.held_back)).values():
        if entry.state in BEFORE_CREATE | UNSENT:
            await run.move(entry, State.HELD, reason=plan.held_back[entry.key])


async def take_out_missing(plan: Plan, *, run: Run) -> None:
    """Let rows leave that no workbook has any more, as a person agreed to.

    A row without a project is withdrawn; a draft that waits comes to rest.
    """
    gone = [entry.key for entry in plan.missing] if plan.takes_out else ()
    for entry in (await run.journal.find(gone)).values() if gone else ():
        if entry.state is not State.WITHDRAWN and entry.state in BEFORE_CREATE:
            await run.move(
                entry, State.WITHDRAWN, reason="The row is no longer in the workbook."
            )
        await let_rest(entry, run=run)
