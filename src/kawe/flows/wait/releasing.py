"""Releasing: rows that waited for tokens go on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from kawe.domain.batch.deadlines import may_leave
from kawe.domain.batch.tokens import Budget
from kawe.domain.batch.waiting import with_days
from kawe.domain.rows.entries import BatchName, Entry
from kawe.domain.service.settling import MAX_SENDS
from kawe.domain.service.states import State
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.flows.run import Run
from kawe.flows.settle.reconciling import reconcile
from kawe.flows.submit.submitting import send_round, tell_of_others
from kawe.flows.wait.queueing import SEND_IN_DOUBT, STANDS_IN_QUEUE, all_waiting
from kawe.ports import Journal

_ROUNDS = MAX_SENDS + 1


async def waiting(batches: Sequence[BatchName], *, journal: Journal) -> list[Entry]:
    """Give the rows that wait for tokens, or were stopped on their way out.

    Those that no workbook has any more are not sent; where a send is in doubt, it
    is asked about all the same.
    """
    return list((await all_waiting(batches, journal=journal)).going)


def needs_asking(entries: Sequence[Entry]) -> bool:
    """Say whether a send is in doubt: it may have its token already."""
    return any(entry.state in SEND_IN_DOUBT for entry in entries)


async def release(batches: Sequence[BatchName], *, run: Run, budget: Budget) -> None:
    """Send what waits for tokens, as far as `budget` goes.

    What an earlier release left on its way goes on too. Each row is checked
    again before it leaves: its dates must still make sense, and its draft must
    be as the row says. `run.brake.because` says why it stopped early, if it
    did.

    Raises:
        JournalError: What happened could not be written down.
    """
    await _release_rounds(batches, run=run, budget=budget)
    await tell_of_others(run)


async def _release_rounds(
    batches: Sequence[BatchName], *, run: Run, budget: Budget
) -> None:
    for _ in range(_ROUNDS):
        await reconcile(run, await _entries(batches, run=run), wait=False)
        if run.brake.is_on():
            return
        await _release_once(run, batches, budget=budget)
        left = await _entries(batches, run=run)
        if run.brake.is_on() or not needs_asking(left):
            return
        # What is proven unsent here goes out in the next round.
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
        # These are told to wait; the others do already.
        going = [entry for entry in going if entry.state is State.READY]
    entries = await _entries(batches, run=run)
    sent = [entry for entry in entries if entry.state is State.SENT]
    # The balance says that tokens are there; one send tells whether it is so.
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
