"""Releasing: rows that waited for tokens go on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.waiting import may_leave, with_days
from kawe.domain.rows.entries import BatchName, Entry
from kawe.domain.service.settling import MAX_SENDS
from kawe.domain.service.states import State
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.flows.kinds import Kind
from kawe.flows.lost_sends import note_lost_sends
from kawe.flows.run import Run
from kawe.flows.settle.reconciling import reconcile
from kawe.flows.submit.submitting import report_others, send_round
from kawe.flows.wait.queueing import SEND_IN_DOUBT, STANDS_IN_QUEUE, all_waiting
from kawe.ports import Journal

_ROUNDS = MAX_SENDS + 1


async def waiting(batches: Sequence[BatchName], *, journal: Journal) -> list[Entry]:
    return list((await all_waiting(batches, journal=journal)).going)


def sends_in_doubt(entries: Sequence[Entry]) -> int:
    """Count the sends in doubt: they may have their token already."""
    return sum(entry.state in SEND_IN_DOUBT for entry in entries)


async def release(batches: Sequence[BatchName], *, run: Run, budget: Budget) -> None:
    """Send what waits for tokens, as far as `budget` goes.

    Rows of an interrupted release go on too. Each row's dates and draft are checked
    again. `run.stop.because` says why it stopped early.
    """
    await _release_rounds(batches, run=run, budget=budget)
    await _release_acts(batches, run=run, budget=budget)
    await report_others(run)
    await note_lost_sends(run)


async def _release_acts(
    batches: Sequence[BatchName], *, run: Run, budget: Budget
) -> None:
    """Take the steps that cost a token each, and that no draft waits for."""
    going = await waiting(batches, journal=run.journal)
    queued = [e for e in going if e.state is State.QUEUED and budget.lets_go(e)]
    rows = queued[: budget.less(len(run.tally.may_have_sent)).sends(len(queued))]
    for kind in {each.kind: None for each in rows}:
        if not run.stop.is_set():
            of_kind = [each for each in rows if each.kind is kind]
            await Kind.of(kind).release(run, of_kind)


async def _release_rounds(
    batches: Sequence[BatchName], *, run: Run, budget: Budget
) -> None:
    for _ in range(_ROUNDS):
        await reconcile(run, await _entries(batches, run=run), wait=False)
        if run.stop.is_set():
            return
        await _release_once(run, batches, budget=budget)
        left = await _entries(batches, run=run)
        if run.stop.is_set() or not sends_in_doubt(left):
            return
        # What is proven unsent here is sent in the next round.
        await reconcile(run, left, wait=True)


async def _release_once(
    run: Run, batches: Sequence[BatchName], *, budget: Budget
) -> None:
    today = day_in_new_zealand(run.clock.now())
    going = [
        entry
        for entry, on in with_days(await waiting(batches, journal=run.journal))
        if entry.state in STANDS_IN_QUEUE
        and await _still_makes_sense(run, entry, on, today=today)
    ]
    if budget.sends(len(going)) == 0:
        # The others wait already.
        going = [entry for entry in going if entry.state is State.READY]
    entries = await _entries(batches, run=run)
    sent = [entry for entry in entries if entry.state is State.SENT]
    # The balance may be old: one send shows whether there are tokens.
    await send_round(run, [*sent, *going], budget=budget, probe=True)


async def _entries(batches: Sequence[BatchName], *, run: Run) -> list[Entry]:
    return [each for name in batches for each in await run.journal.unfinished(name)]


async def _still_makes_sense(
    run: Run, entry: Entry, respond_by_on: date, *, today: date
) -> bool:
    if may_leave(respond_by_on, today=today):
        return True
    await run.move(
        entry,
        State.HELD,
        reason="Respond by has passed while the row waited for tokens.",
    )
    return False
