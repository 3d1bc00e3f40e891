"""Random lives: everything that a person and the world can do, in any order."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from doubles.memory_journal import Stopped
from doubles.memory_world import MemoryWorld
from doubles.weather import Died, Fate
from doubles.world import Seen, Truth, World
from faults.people.books import number_of
from faults.state_machine import truths
from faults.state_machine.books import Book, People, Shelf
from faults.state_machine.desk import NO_LIMITS, Desk, Drawer, Limits, MemoryDrawer
from faults.state_machine.others import Others
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import marker_of
from kawe.flows.settle.resolving import Decision

TOKENS = 3
SMALL = st.integers(0, 11)
POINTS = st.integers(1, 40)
ACT_FATES = st.sampled_from([Fate.LOST_BEFORE, Fate.LOST_AFTER, Fate.LATE, Fate.PASS])
LIMITS = st.builds(
    Limits,
    drafts_only=st.booleans(),
    update_drafts=st.booleans(),
    takes_out=st.booleans(),
    max_tokens=st.none() | st.integers(0, 3),
    keep_reserve=st.integers(0, 1),
    lies_by=st.sampled_from([0, 0, 2]),
)
WRITING = ("add", "add", "cut", "words", "undo", "send", "who first", "phase", "spoil")
FILING = ("sort", "rename", "copy", "split", "merge", "person")
DEEDS = ("buy", "spend", "edit a draft", "send a draft", "join", "press Ctrl-C")
KEYS = ("revoke the key", "give a key")


@dataclass(slots=True)
class Totals:
    """What all lives together went through."""

    lives: int = 0
    runs: int = 0
    rows: int = 0
    faults: int = 0
    deaths: int = 0
    held: int = 0
    held_for_people: int = 0


TOTALS = Totals()


class Life(RuleBasedStateMachine):
    """One person's months with kawe, in a world that can do anything."""

    has_files = True
    passes = 1
    """How often everything must be run again until all has come to rest."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.world = self.make_world(Path(self.folder.name))
        self.desk = Desk(
            world=self.world, drawer=self.make_drawer(Path(self.folder.name))
        )
        self.others = Others(world=self.world, bought=TOKENS)
        self.shelf = Shelf(has_files=self.has_files)
        self.desk.is_there = self.shelf.has
        self.people = People()
        self.adopted: set[str] = set()
        self.let_go: set[int] = set()
        """Rows that a person let go on though there might be another project."""
        self.asked: set[int] = set()
        """Rows of which people made something that kawe must ask about."""
        self.was_wiped = False
        TOTALS.lives += 1

    def make_world(self, folder: Path) -> World:  # noqa: ARG002 - others need one
        """Make the world of this life."""
        return MemoryWorld(tokens=TOKENS)

    def make_drawer(self, folder: Path) -> Drawer:  # noqa: ARG002 - others need one
        """Make the place of this life's journal."""
        return MemoryDrawer()

    @initialize(rows=st.integers(1, 6))
    def begin(self, rows: int) -> None:
        """Write the first rows."""
        for _ in range(rows):
            self.shelf.write("add", at=0, version=0)

    @rule(what=st.sampled_from(WRITING), at=SMALL, version=SMALL)
    def write(self, what: str, at: int, version: int) -> None:
        self.shelf.write(what, at=at, version=version)

    @rule(what=st.sampled_from(FILING), at=SMALL)
    def file(self, what: str, at: int) -> None:
        """Sort, rename, copy, split or merge workbooks, or write a person down."""
        if what == "person":
            self.people.add()
        else:
            self.shelf.file(what, at=at)

    @rule(book=SMALL)
    def run(self, book: int) -> None:
        """Submit a workbook; if it was submitted before, that resumes it."""
        self._submit(self.shelf.book(book))

    @rule(book=SMALL, limits=LIMITS)
    def run_within_limits(self, book: int, limits: Limits) -> None:
        """Submit a workbook with flags, while the balance may lie."""
        self._submit(self.shelf.book(book), limits=limits)

    @rule(book=SMALL, point=POINTS)
    def run_and_die_at_a_write(self, book: int, point: int) -> None:
        """Submit, and be killed before or after the n-th durable write."""
        self._submit(self.shelf.book(book), stop_at=point)

    @rule(book=SMALL, request=POINTS, after=st.booleans())
    def run_and_die_in_a_request(self, *, book: int, request: int, after: bool) -> None:
        """Submit, and be killed before or after the service did its work."""
        self.world.weather.dies_after_work = after
        self.world.weather.dies_at = request
        self._submit(self.shelf.book(book))
        self.world.weather.dies_at = None

    @rule(request=st.none() | POINTS, max_tokens=st.none() | st.integers(0, 3))
    def release(self, request: int | None, max_tokens: int | None) -> None:
        """Release what waits for tokens, and perhaps be killed."""
        before, was_late = self._truth(), bool(self.world.weather.late)
        wanted = self._may_ask()
        self.world.weather.dies_at = request
        self._go(lambda: self.desk.release(limits=Limits(max_tokens=max_tokens)))
        self.world.weather.dies_at = None
        if not was_late:
            self._was_meant(before, wanted=wanted | self._may_ask())

    @rule(point=st.none() | POINTS)
    def invite(self, point: int | None) -> None:
        """Submit the invitations, and perhaps be killed."""
        if self.people.rows:
            self._go(lambda: self.desk.submit(self.people, stop_at=point))

    @rule(row=SMALL, decision=st.sampled_from(list(Decision)), choice=SMALL)
    def resolve(self, row: int, decision: Decision, choice: int) -> None:
        """Decide about a held row."""
        held = asyncio.run(self.desk.held())
        if not held:
            return
        entry = held[row % len(held)]
        there = [each.id for each in self._truth() if each.reference == entry.marker]
        project = there[choice % len(there)] if there else None
        if decision is Decision.ADOPT:
            self.adopted.add(entry.marker)
        if decision is not Decision.ADOPT or project is not None:
            self.decided(entry, decision)
            self._go(lambda: self.desk.resolve(entry, decision, project=project))

    @rule()
    def lose_journal(self) -> None:
        """Lose the journal."""
        # Without it, kawe knows only what the service shows: a journal that is
        # lost before the lists show what was sent is a loss that it cannot see.
        self.world.clock.pass_by(self.world.lag_seconds)
        self.desk.lose_journal()
        self.was_wiped = True

    @rule(what=st.sampled_from(DEEDS + KEYS), at=SMALL)
    def others_do(self, what: str, at: int) -> None:
        """Have other people do something in the portal."""
        asyncio.run(_awaited(self.others.deeds(at)[what]))

    @rule(what=st.sampled_from(DEEDS + KEYS), at=SMALL, request=POINTS)
    def others_do_meanwhile(self, what: str, at: int, request: int) -> None:
        """Have other people do something just before one of the next requests."""
        weather = self.world.weather
        weather.meanwhile[weather.requests + request] = self.others.deeds(at)[what]

    @rule(fates=st.lists(ACT_FATES, min_size=1, max_size=6))
    def lose_answers(self, fates: list[Fate]) -> None:
        """Have the next acts lose their answers in some way."""
        self.world.weather.losses.extend(fates)

    @rule(storm=st.integers(0, 30), outage=st.integers(0, 6))
    def turn_foul(self, storm: int, outage: int) -> None:
        """Have the service answer 429 for a while, or the network go away."""
        self.world.weather.storm, self.world.weather.outage = storm, outage

    @rule(seconds=st.sampled_from([0, 20, 60]))
    def lists_lag(self, seconds: int) -> None:
        """Have lists show new projects only after a while."""
        self.world.clock.pass_by(seconds)
        self.world.lag_seconds = seconds

    @rule(seconds=st.sampled_from([1, 20, 60, 200, 4000]))
    def time_passes(self, seconds: int) -> None:
        """Let time pass."""
        self.world.clock.pass_by(seconds)
        asyncio.run(self.world.weather.do_what_is_due())

    @invariant()
    def promises_hold(self) -> None:
        """Hold what happened against what kawe says and against its promises."""
        asyncio.run(self._check())

    def teardown(self) -> None:
        """End all trouble: everything comes to rest, and nothing is lost."""
        try:
            # Only a life without a failure so far has an end worth looking at.
            if sys.exc_info()[1] is None:
                asyncio.run(self._come_to_rest())
        finally:
            TOTALS.faults += self.world.weather.struck
            TOTALS.rows += self.shelf.rows_made
            self.world.close()
            self.folder.cleanup()

    def decided(self, entry: Entry, decision: Decision) -> None:
        """Hear what a person decided about a row."""

    def places(self) -> list[tuple[Desk, Shelf]]:
        return [(self.desk, self.shelf)]

    async def _check(self) -> None:
        seen = await self.world.look()
        truths.nothing_is_doubled(seen, by_hand=self.others.by_hand, let_go=self.let_go)
        truths.tokens_add_up(
            seen, bought=self.others.bought, spent_by_others=self.others.spent
        )
        if not self.was_wiped:
            truths.no_organisation_is_made_twice(seen)
        for desk, shelf in self.places():
            needed = desk.needed(shelf.books)
            assert {e for e in needed if number_of(e) not in self.asked} == set()
            await self._check_desk(desk, seen)

    async def _check_desk(self, desk: Desk, seen: Seen) -> None:
        assert desk.unsaid == []
        entries, report = await desk.look()
        truths.nothing_is_claimed(seen, entries)
        if report is not None:
            rows = desk.rows_read
            truths.every_row_has_one_outcome(report, rows=rows, seen=seen)

    async def _come_to_rest(self) -> None:
        self.world.weather.clear()
        self.world.lag_seconds = 0
        await self.world.give_key()
        await self.others.buy(20)
        self.world.let_pages_lag(0)
        for _ in range(self.passes):
            self.world.clock.pass_by(4000)
            await self.world.weather.do_what_is_due()
            await self._run_everything()
        before = self.world.weather.unsafe_calls
        await self._run_everything()
        assert self.world.weather.unsafe_calls == before
        await self._check()
        for desk, shelf in self.places():
            await self._nothing_is_lost(desk, shelf)

    async def _nothing_is_lost(self, desk: Desk, shelf: Shelf) -> None:
        desk.drawer.check()
        entries = {each.key: each for each in await desk.entries()}
        for book in shelf.books:
            seen = await self.world.look()
            held = truths.nothing_is_lost(
                seen, book=book, entries=entries, asked=self.asked
            )
            by_people = sum(map(truths.is_held_for_people, held))
            TOTALS.held_for_people += by_people
            TOTALS.held += len(held) - by_people

    async def _run_everything(self) -> None:
        for desk, shelf in self.places():
            for book in shelf.books:
                await self._run_once_more(desk, book)
        await self._run_once_more(self.desk, self.people)

    async def _run_once_more(self, desk: Desk, book: Book | People) -> None:
        if book.rows:
            run = await desk.submit(book)
            assert run is not None, desk.trouble
            assert run.stop.because is None, run.stop.because

    def _submit(
        self, book: Book, *, limits: Limits = NO_LIMITS, stop_at: int | None = None
    ) -> None:
        if not book.rows:
            return
        before, was_late = self._truth(), bool(self.world.weather.late)
        self._go(lambda: self.desk.submit(book, limits=limits, stop_at=stop_at))
        if not was_late:
            self._was_meant(before, wanted=self.wanted(book))

    def _may_ask(self) -> set[str]:
        asked = [e for desk, _ in self.places() for e in desk.may_ask.values()]
        return {marker for each in asked for marker in each}

    def _was_meant(self, before: Iterable[Truth], *, wanted: set[str]) -> None:
        ours = [e for e in self._truth() if e.id not in self.others.by_hand]
        truths.only_what_was_meant_is_sent(
            before, ours, wanted=wanted, adopted=self.adopted
        )

    def wanted(self, book: Book) -> set[str]:
        """Give the markers of what may be sent while `book` is submitted."""
        return {marker_of(each) for each in book.valid() if each.send}

    def _go(self, command: Callable[[], Awaitable[object]]) -> None:
        TOTALS.runs += 1
        try:
            asyncio.run(_awaited(command))
        except (Died, Stopped):
            TOTALS.deaths += 1

    def _truth(self) -> tuple[Truth, ...]:
        return asyncio.run(self.world.look()).projects


async def _awaited(command: Callable[[], Awaitable[object]]) -> object:
    return await command()
