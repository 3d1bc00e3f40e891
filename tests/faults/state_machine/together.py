"""Lives of several people, each at a computer of their own, with one service."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from faults.people.books import number_of, renumbered, slipped
from faults.state_machine.books import Book, Shelf
from faults.state_machine.desk import Desk
from faults.state_machine.life import POINTS, SMALL, Life
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import project_key
from kawe.domain.service.states import RowKey
from kawe.flows.settle.resolving import Decision

COMPUTERS = 3
ELSEWHERE = st.integers(0, COMPUTERS - 1)
STRANGE = {"renumber": renumbered, "slip": slipped}


class LifeTogether(Life):
    """A life in which copies of workbooks are submitted elsewhere as well.

    One person at a time does what a person can do; while their kawe runs, that of
    another may run as well.
    """

    passes = 3

    def __init__(self) -> None:
        super().__init__()
        self.desks = [self.desk]
        self.shelves = [self.shelf]
        for number in range(1, COMPUTERS):
            folder = Path(self.folder.name) / str(number)
            folder.mkdir()
            drawer = self.make_drawer(folder)
            shelf = Shelf(has_files=self.has_files, numbers=self.shelf.numbers)
            desk = Desk(world=self.world, drawer=drawer, is_there=shelf.has)
            self.desks.append(desk)
            self.shelves.append(shelf)

    def places(self) -> list[tuple[Desk, Shelf]]:
        """Give every desk with its workbooks."""
        return list(zip(self.desks, self.shelves, strict=True))

    def wanted(self, book: Book) -> set[str]:
        """Give what may be sent: others may run meanwhile."""
        books = [book, *(each for shelf in self.shelves for each in shelf.books)]
        return {marker for each in books for marker in Life.wanted(self, each)}

    @initialize(rows=st.integers(1, 6))
    def begin(self, rows: int) -> None:
        """Write the first rows; everybody has a copy."""
        for _ in range(rows):
            self.shelf.write("add", at=0, version=0)
        for shelf in self.shelves[1:]:
            shelf.take(self.shelf.book(0).copy())

    @rule(computer=ELSEWHERE)
    def sit_down_at(self, computer: int) -> None:
        """Let the next things happen at another computer."""
        self.desk, self.shelf = self.desks[computer], self.shelves[computer]

    @rule(book=SMALL, computer=ELSEWHERE)
    def give_a_copy(self, book: int, computer: int) -> None:
        """Give somebody a copy of a workbook."""
        if self.shelves[computer] is not self.shelf:
            self.shelves[computer].take(self._plain(self.shelf.book(book)))

    @rule(book=SMALL, computer=ELSEWHERE, request=POINTS)
    def run_elsewhere_meanwhile(self, book: int, computer: int, request: int) -> None:
        """Have another computer submit its workbook during one of the next requests."""
        desk, shelf = self.places()[computer]
        weather = self.world.weather
        weather.meanwhile[weather.requests + request] = _submits(desk, shelf, book)
        # Each made the organisation that neither could know of.
        self.was_wiped = True

    @rule(book=SMALL, row=SMALL)
    def begin_the_next_month(self, book: int, row: int) -> None:
        """Make another workbook, into which a row is carried over."""
        last = self._plain(self.shelf.book(book))
        if not last.rows:
            return
        month = Book(name="next month.xlsx")
        month.rows = [last.rows[row % len(last.rows)], self.shelf.new_row()]
        self.shelf.take(month)

    @rule(what=st.sampled_from(sorted(STRANGE)), book=SMALL, row=SMALL)
    def make_strange(self, what: str, book: int, row: int) -> None:
        """Change what a row is known by, where this journal knows its project."""
        rows = self.shelf.book(book).rows
        if not rows:
            return
        at = row % len(rows)
        if project_key(rows[at]) in self._with_projects():
            self.asked.add(number_of(rows[at].name))
            rows[at] = STRANGE[what](rows[at])

    @rule(minutes=st.sampled_from([-60, -10, -1, 1, 10, 60]))
    def set_the_clock(self, minutes: int) -> None:
        """Set this computer's clock."""
        self.desk.ahead += timedelta(minutes=minutes)

    @rule(minutes=st.sampled_from([-60, 10, 60]), request=POINTS)
    def set_the_clock_meanwhile(self, minutes: int, request: int) -> None:
        """Set this computer's clock during one of the next requests."""
        desk, weather = self.desk, self.world.weather

        async def jump() -> None:
            desk.ahead += timedelta(minutes=minutes)

        weather.meanwhile[weather.requests + request] = jump

    @rule(seconds=st.sampled_from([0, 2, 5]))
    def pages_lag(self, seconds: int) -> None:
        """Have the pages of projects show what is new only after a moment."""
        self.world.let_pages_lag(seconds)

    @rule(at=SMALL)
    def colleague_holds(self, at: int) -> None:
        """Have a colleague put a draft on hold in the portal."""
        self.others_do("edit a draft", 3 * at + 1)

    @rule()
    def lose_journal(self) -> None:
        """Lose the journal, unless nothing else could know a row again."""
        if not self.asked:
            Life.lose_journal(self)

    def _plain(self, book: Book) -> Book:
        """Copy a workbook without the rows that this journal alone knows again."""
        copy = book.copy()
        copy.rows = [e for e in copy.rows if number_of(e.name) not in self.asked]
        return copy

    def decided(self, entry: Entry, decision: Decision) -> None:
        """Remember which rows a person let go on, whatever others have made."""
        if decision is not Decision.ABANDON:
            self.let_go.add(number_of(entry.content.name))

    def _with_projects(self) -> set[RowKey]:
        entries = asyncio.run(self.desk.entries())
        return {entry.key for entry in entries if entry.project_id is not None}


def _submits(desk: Desk, shelf: Shelf, book: int) -> Callable[[], Awaitable[None]]:
    async def submit() -> None:
        # Another process with the same journal would be refused.
        if not desk.is_busy and shelf.book(book).rows:
            await desk.submit(shelf.book(book))

    return submit
