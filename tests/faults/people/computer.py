"""A person at a computer: runs kawe, is interrupted, and goes on later."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from doubles.machine import AskedToStop
from doubles.memory_journal import MemoryJournal, Stopped, at_once
from faults.leaving import Standing, standing_of
from faults.people.books import Book, number_of
from faults.people.command import Command, Manner, Told
from faults.people.machine import OwnTrace, WallClock, WatchedNetwork
from faults.simulation.life import POINTS, Life, SimulatedJournal
from faults.simulation.network import Question
from faults.simulation.service import SimulatedService
from faults.simulation.weather import MOST_LATE_SECONDS, Weather
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import project_key
from kawe.domain.service.states import AFTER_SEND, RowKey
from kawe.domain.sheet.content import ProjectContent
from kawe.errors import KaweError

LONGEST_RUN_SECONDS: Final = 2_400.0
WINDOW_SECONDS: Final = 965.0
"""No run may take longer: nothing in a world gives a reason to."""


@dataclass(slots=True, kw_only=True)
class Computer:
    """A computer, its person, its journal and its workbooks."""

    name: str
    service: SimulatedService
    weather: Weather
    trace: OwnTrace
    chance: Random
    clock: WallClock
    manner: Manner
    books: list[Book]
    excused: set[int] | None
    """Rows of which people made something that kawe must ask about; None: the numbers
    in their names say nothing."""
    journal: MemoryJournal | None = None
    meets: Callable[[int, Question], None] | None = None
    """Who is told of each request of a run."""
    runs: int = 0
    acts: int = 0
    """How many unsafe calls the last run made."""
    most_creates: int = 0
    """How many creates left in one run, at most."""
    longest: float = 0.0
    ends: Counter[str] = field(default_factory=Counter)
    unsaid: int = 0
    claimed: int = 0
    broken: list[str] = field(default_factory=list)
    _waited: dict[RowKey, Entry] = field(default_factory=dict)
    """The rows that waited before the last command that had words."""
    _heard: list[str] = field(default_factory=list)
    """What was said since by processes that were killed."""
    _cut_short: set[str] = field(default_factory=set)
    """Workbooks whose last run was killed before it could say how rows stand."""
    _read: dict[str, frozenset[str]] = field(default_factory=dict)
    """By workbook, the names of its rows when it was submitted last."""

    async def run(
        self,
        book: Book | None,
        *,
        ends_at: tuple[str, int] | None = None,
        stops_after: float | None = None,
        max_tokens: int | None = None,
        drafts_only: bool = False,
        takes_out: bool = False,
        accepts: bool = False,
        more: Sequence[Book] = (),
    ) -> Told | None:
        """Run kawe once; None when the process was killed."""
        self.runs += 1
        life = Life(trace=self.trace, ends_at=ends_at)
        network = WatchedNetwork(
            service=self.service,
            weather=self.weather,
            life=life,
            trace=self.trace,
            chance=Random(self.chance.random()),
            meets=self.meets,
        )
        journal = SimulatedJournal(life=life, before=self.journal)
        command = Command(
            journal=journal,
            network=network,
            halt=AskedToStop(),
            clock=self.clock,
            manner=self.manner,
            chance=Random(self.chance.random()),
            book=None if book is None else book.copy(),
            max_tokens=max_tokens,
            drafts_only=drafts_only,
            is_there=lambda at: any(e.path == at.workbook for e in self.books),
            takes_out=takes_out,
            accepts=accepts,
            more=[each.copy() for each in more],
        )
        self._waited |= (await self._standing()).waiting
        what = "release" if book is None else f"submit {book.path}"
        self.trace.say("run", self.runs, what)
        begun = asyncio.get_running_loop().time()
        told = await self._awaited(command, stops_after=stops_after)
        self.journal = journal
        self._count(network, seconds=asyncio.get_running_loop().time() - begun)
        if told is None:
            assert life.ends_at is not None
            self.ends[life.ends_at[0]] += 1
            now = asyncio.get_running_loop().time()
            self.service.hurry(now + MOST_LATE_SECONDS, of=life)
            self._heard += [*command.quiet.said]
            self._cut_short |= {book.path} if book is not None else set()
        else:
            self._cut_short -= {book.path} if book is not None else self._cut_short
            if book is not None:
                self._read[book.path] = frozenset(row.name for row in book.rows)
            self.trace.say("ended", told.words.replace("\n", " | "))
            await self._judge(told)
        return told

    async def _awaited(
        self, command: Command, *, stops_after: float | None
    ) -> Told | None:
        loop = asyncio.get_running_loop()
        halt = command.halt
        if stops_after is not None:
            loop.call_later(stops_after, lambda: setattr(halt, "asked", True))
        try:
            return await command.run()
        except Stopped:
            return None
        except KaweError as trouble:
            self._breaks(f"{type(trouble).__name__}: {trouble.message}")
            return Told(words=str(trouble))

    def _count(self, network: WatchedNetwork, *, seconds: float) -> None:
        self.acts = network.acts
        self.most_creates = max(self.most_creates, network.creates)
        self.longest = max(self.longest, seconds)
        for each in network.stale:
            self._breaks(each)
        # A 429 that does not say for how long is waited for as long as a window.
        if seconds > LONGEST_RUN_SECONDS + network.limited * WINDOW_SECONDS:
            self._breaks(f"run {self.runs} took {seconds:.0f} s")

    def _breaks(self, what: str) -> None:
        self.broken.append(f"{self.name}: {what}")

    def entries(self) -> list[Entry]:
        """Give every row that its journal knows."""
        return [] if self.journal is None else self.journal.rows()

    def entry(self, row: ProjectContent) -> Entry | None:
        """Give what its journal knows of a row of a workbook."""
        key = project_key(row)
        if self.journal is None or key is None:
            return None
        return at_once(MemoryJournal(store=self.journal.store).find([key])).get(key)

    def lose_journal(self) -> None:
        """Lose the journal."""
        self.journal = None
        self.lose_waiting()

    def lose_waiting(self) -> None:
        """Forget what waited: the journal was changed in another way than by a run."""
        self._waited = {}

    async def _standing(self) -> Standing:
        store = None if self.journal is None else self.journal.store
        return await standing_of(MemoryJournal(store=store))

    async def _judge(self, told: Told) -> None:
        """Hold what it said against what it left."""
        after = await self._standing()
        waited, self._waited = self._waited, {}
        heard, self._heard = self._heard, []
        if self._cut_short:
            self._heard = heard
        for each in after.unsaid(waited, "\n".join([*heard, told.words])):
            if self._cut_short:
                # What a killed run had to say is said when its workbook is run again.
                self._waited[each.key] = each
                continue
            self.unsaid += 1
            now = after.entries.get(each.key)
            state = "gone" if now is None else now.state.value
            self._breaks(f"{each.content.name} left unsaid: {state}")
        if self.excused is None:
            return
        strange = {name for name in told.superfluous if number_of(name) in self.excused}
        for name in sorted((told.superfluous & self._wanted()) - strange):
            self.unsaid += 1
            self._breaks(f"the draft of {name} is called superfluous")
        self._judge_claims(told, after.entries.values())

    def _wanted(self) -> set[str]:
        """Name the rows that ask to be sent in workbooks that kawe has read so."""
        return {
            row.name
            for book in self.books
            for row in book.rows
            if row.send and row.name in self._read.get(book.path, ())
        }

    def _judge_claims(self, told: Told, entries: Iterable[Entry]) -> None:
        """Hold what is reported as sent against the service's own ledger."""
        sent = {
            number_of(each.shown["name"])
            for each in self.service.shelves.projects
            if each.is_sent
        }
        rows = (each for each in told.rows if each.outcome is Outcome.SENT)
        claimed = [each.raw[0] if each.raw else each.name for each in rows]
        claimed += [e.content.name for e in entries if e.state in AFTER_SEND]
        false = {str(name) for name in claimed if number_of(str(name)) not in sent}
        self.claimed += len(false)
        for name in sorted(false):
            self._breaks(f"{name} is reported sent and is not")


def ends_of(chance: Random, size: int) -> tuple[str, int] | None:
    """Say where a process ends; most do not."""
    if chance.random() < 0.7:
        return None
    return chance.choice(POINTS), round((2 * size) ** chance.random())
