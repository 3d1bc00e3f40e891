"""Releasing: rows that waited for tokens go on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from zoneinfo import ZoneInfo

from kawe.domain.content import ProjectContent
from kawe.domain.entries import BatchName, Entry
from kawe.domain.states import State
from kawe.domain.tokens import Budget
from kawe.flows.reconciling import reconcile
from kawe.flows.run import Run
from kawe.flows.submitting import send_round

_AUCKLAND = ZoneInfo("Pacific/Auckland")


def waiting(entries: Sequence[Entry]) -> list[Entry]:
    """Give the rows that wait for tokens."""
    return [entry for entry in entries if entry.state is State.WAIT_TOKENS]


async def release(batches: Sequence[BatchName], *, run: Run, budget: Budget) -> None:
    """Send what waits for tokens, as far as `budget` goes.

    Each row is checked again before it leaves: its dates must still make
    sense, and its draft must be as the row says. `run.brake.because` says why
    it stopped early, if it did.

    Raises:
        JournalError: What happened could not be written down.
    """
    entries = [e for name in batches for e in await run.journal.entries(name)]
    await reconcile(run, entries, wait=False)
    today = run.clock.now().astimezone(_AUCKLAND).date()
    going = [
        entry
        for entry in waiting(entries)
        if await _still_makes_sense(run, entry, today=today)
    ]
    if budget.sends(len(going)) == 0:
        return
    # The balance says that tokens are there; one send tells whether it is so.
    await send_round(run, going, budget=budget, probe=True)
    left = [e for name in batches for e in await run.journal.entries(name)]
    await reconcile(run, left, wait=True)


async def _still_makes_sense(run: Run, entry: Entry, *, today: date) -> bool:
    content = entry.content
    if isinstance(content, ProjectContent) and content.respond_by_on >= today:
        return True
    await run.move(
        entry,
        State.HELD,
        reason="Respond by has passed while the row waited for tokens.",
    )
    return False
