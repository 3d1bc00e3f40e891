"""Drafts that the service does not show: hidden for a while, or gone for good.

However old a draft is, one replica may be behind: it is looked for within a settle
window, and by the next run once more, before a person must look. A person may have it
made again only where nothing of it can come back (promises, section 6).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import State
from kawe.flows.run import Run, own_project
from kawe.flows.tools import each

NOT_SHOWN: Final = "The service does not show the draft"
"""How the reasons begin of rows whose draft was looked for in vain."""
NOT_SHOWN_YET: Final = f"{NOT_SHOWN}; the next run looks for it again."
GONE: Final = f"{NOT_SHOWN} any more."


async def look_for(run: Run, entries: Iterable[Entry]) -> None:
    """Read the drafts of rows; note which are hidden, and which no longer are."""

    async def read(entry: Entry) -> None:
        shown = await own_project(run.lookups, entry)
        note = run.tally.hidden.discard if shown else run.tally.hidden.add
        note(entry.key)

    await each(entries, read, workers=run.workers, stop=run.stop)


async def leave_hidden(run: Run) -> None:
    """Leave hidden drafts to the next run; hold those that an earlier one left."""
    for entry in (await run.journal.find(run.tally.hidden)).values():
        if entry.reason.startswith(NOT_SHOWN):
            await run.move(entry, State.HELD, reason=GONE)
            continue
        if entry.state is State.READY:
            await run.move(entry, State.DRAFTED)
        await run.move(entry, State.READY, reason=NOT_SHOWN_YET)
    run.tally.left_hidden |= run.tally.hidden
    run.tally.hidden.clear()
