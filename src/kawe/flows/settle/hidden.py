"""Drafts that the service does not show: hidden for a while, or gone for good.

However old a draft is, one replica may be behind: it is looked for within a settle
window, and by the next run once more, before a person must look. A person may have it
made again only where nothing of it can come back (promises, section 6).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import Project
from kawe.domain.service.settling import DEFAULT_SETTLE_SECONDS
from kawe.domain.service.states import AFTER_SEND, State, Step
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError
from kawe.flows.run import Run, own_project
from kawe.flows.scanning import Scan, scan_projects
from kawe.flows.tools import each
from kawe.ports import Clock, Journal, Lookups

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


@dataclass(slots=True, kw_only=True)
class GoneDrafts:
    """Says whether drafts are gone for good; the whole list is read once for all."""

    journal: Journal
    lookups: Lookups
    clock: Clock
    settle_seconds: float = DEFAULT_SETTLE_SECONDS
    _listed: Scan[Project] | None = None

    async def give_up(self, entry: Entry, *, reason: str) -> Entry:
        """Let a held row, whose draft was just read in vain, begin anew.

        The first reading in vain is written down; a window later another one counts.

        Raises:
            SettingsError: The draft may come back, or was perhaps sent.
            ServiceError: The service could not be read.
        """
        name, now = one_line(entry.marker), self.clock.now()
        if not entry.reason.startswith(NOT_SHOWN):
            await self._refuse_sent(entry)
            await self.journal.move(entry.key, State.DRAFTED, at=now)
            entry = await self.journal.move(entry.key, State.HELD, at=now, reason=GONE)
        again_at = entry.moved_at + timedelta(seconds=self.settle_seconds)
        if now < again_at:
            raise SettingsError(
                message=f"{GONE} It may be late, and {name} stays held.",
                hint=f"Say the same again after {moment_words(again_at)} (NZ time).",
            )
        self._listed = self._listed or await scan_projects(self.lookups)
        found = await scan_projects(self.lookups, search=entry.marker)
        listed = {each.reference for each in (*self._listed.items, *found.items)}
        is_sure = self._listed.is_stable and found.is_stable
        if entry.marker in listed or not is_sure:
            raise SettingsError(
                message=f"{GONE} Yet a list may have a project with the reference "
                f"{name}, and it stays held.",
                hint=f"Look for it in the portal. If it is there, name it with "
                f"{Given.ADOPT}; if not, say the same again.",
            )
        return await self.journal.move(entry.key, State.VALID, at=now, reason=reason)

    async def _refuse_sent(self, entry: Entry) -> None:
        attempts = await self.journal.attempts(entry.key)
        sends = (at.verdict for at in attempts if at.intent.step is Step.SEND)
        if entry.state in AFTER_SEND or any(each != "not-done" for each in sends):
            raise SettingsError(
                message=f"{GONE} {one_line(entry.marker)} may have been sent: kawe "
                "does not make it again.",
                hint=f"Look in the portal. If it was never sent, choose "
                f"{Given.ABANDON} and give the row a new reference.",
            )
