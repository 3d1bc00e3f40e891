"""What people do with their workbooks between two runs of kawe."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from faults.people.books import (
    Book,
    Press,
    edited,
    following,
    halves,
    merged,
    number_of,
    renumbered,
    slipped,
)
from faults.people.computer import Computer, ends_of
from kawe.domain.sheet.content import ProjectContent

_GAPS = (1.0, 4.0, 20.0, 90.0, 200.0, 400.0)


@dataclass(slots=True, kw_only=True)
class Person:
    """Somebody who works with kawe, and who knows nothing of the others."""

    computer: Computer
    chance: Random
    press: Press
    excused: set[int]
    """Rows of which people made something that kawe must ask about."""
    loses_journals: bool
    sets_clocks: bool
    did: Counter[str] = field(default_factory=Counter)

    async def live(self) -> None:
        """Run the command again and again, while others do the same."""
        chance = self.chance
        await asyncio.sleep(self._arrival())
        for _ in range(chance.randint(1, 5)):
            if chance.random() < 0.3:
                self._do(chance.choice(DEEDS))
            self._perhaps_set_clock()
            await self._run()
            await asyncio.sleep(chance.choice(_GAPS))

    def _arrival(self) -> float:
        kind = self.chance.random()
        if kind < 0.5:
            return self.chance.uniform(0, 12)
        return self.chance.uniform(0, 90 if kind < 0.8 else 600)

    async def _run(self) -> None:
        chance, computer = self.chance, self.computer
        book = chance.choice(computer.books)
        knows_some = computer.journal is not None
        killed = await computer.run(
            None if knows_some and chance.random() < 0.15 else book,
            ends_at=ends_of(chance, len(book.rows)),
            stops_after=chance.uniform(0, 200) if chance.random() < 0.05 else None,
            max_tokens=chance.randint(0, 9) if chance.random() < 0.1 else None,
            drafts_only=chance.random() < 0.05,
            takes_out=chance.random() < 0.5,
        )
        if killed is None and self.loses_journals and chance.random() < 0.6:
            computer.trace.say("journal lost")
            self.did["lost a journal"] += 1
            computer.lose_journal()

    def _perhaps_set_clock(self) -> None:
        """Set the clock now, or while the next run goes on."""
        chance = self.chance
        if not self.sets_clocks or chance.random() < 0.5:
            return
        by = chance.choice((-3600.0, -600.0, -30.0, 30.0, 600.0, 3600.0))

        def jump() -> None:
            self.computer.clock.ahead_seconds += by
            self.computer.trace.say("clock set by", by)

        asyncio.get_running_loop().call_later(chance.choice((0, 5, 40, 150)), jump)
        self.did["set the clock"] += 1

    def _do(self, deed: str) -> None:
        book = self.chance.choice(self.computer.books)
        if not book.rows:
            return
        done = _HOW[deed](self, book)
        if done:
            self.did[deed] += 1
            self.computer.trace.say("  a person", deed, book.path, done)

    def _edit(self, book: Book) -> str:
        row = book.change(self.chance.randrange(len(book.rows)), edited)
        self.excused.add(number_of(row.name))
        return row.name

    def _take_out(self, book: Book) -> str:
        return book.rows.pop(self.chance.randrange(len(book.rows))).name

    def _sort(self, book: Book) -> str:
        self.chance.shuffle(book.rows)
        return "anew"

    def _rename(self, book: Book) -> str:
        book.path = f"renamed {book.path}"
        return "itself"

    def _split(self, book: Book) -> str:
        if len(book.rows) < 2:
            return ""
        self.computer.books.remove(book)
        self.computer.books += halves(book, self.chance)
        return "in two"

    def _merge(self, book: Book) -> str:
        books = self.computer.books
        if len(books) < 2:
            return ""
        books[:] = [merged([book, *(e for e in books if e is not book)], book.path)]
        return "all"

    def _go_on(self, book: Book) -> str:
        # A single row with three other dates, in another workbook, is another project.
        rows = [r for r in book.rows if number_of(r.name) not in self.excused]
        if not rows:
            return ""
        month = f"month {len(self.computer.books)}.xlsx"
        last = Book(path=book.path, rows=rows)
        self.computer.books.append(
            following(last, press=self.press, chance=self.chance, path=month)
        )
        return month

    def _renumber(self, book: Book) -> str:
        return self._make_strange(book, renumbered)

    def _slip(self, book: Book) -> str:
        # Elsewhere, or by itself, a row with three other dates is another project.
        others = {r.name for b in self.computer.books if b is not book for r in b.rows}
        if others.intersection(row.name for row in book.rows):
            return ""
        return self._make_strange(book, slipped)

    def _make_strange(
        self, book: Book, how: Callable[[ProjectContent], ProjectContent]
    ) -> str:
        """Change what rows are known by, where this journal can know them still.

        What only another computer's journal knows, or a lost one, cannot be known
        again.
        """
        if self.loses_journals:
            return ""
        known = [
            at
            for at, row in enumerate(book.rows)
            if (entry := self.computer.entry(row)) is not None
            and entry.project_id is not None
        ]
        if how is renumbered and self.chance.random() < 0.5:
            known = known[:1]
        for at in known:
            self.excused.add(number_of(book.change(at, how).name))
        return f"{len(known)} rows" if known else ""

    def _reuse(self, book: Book) -> str:
        """Give the references of sent rows to other projects, in a new workbook."""
        rows = []
        for row in () if self.loses_journals else book.rows:
            entry = self.computer.entry(row)
            if row.reference is None or entry is None or entry.project_id is None:
                continue
            other = self.press.row()
            self.excused |= {number_of(row.name), number_of(other.name)}
            rows.append(
                replace(
                    other,
                    reference=row.reference,
                    start_on=row.start_on,
                    end_on=row.end_on,
                    respond_by_on=row.respond_by_on,
                )
            )
        if not rows:
            return ""
        path = f"bridges {len(self.computer.books)}.xlsx"
        self.computer.books.append(Book(path=path, rows=rows[:5]))
        return path


_HOW: dict[str, Callable[[Person, Book], str]] = {
    "edits a row": Person._edit,
    "takes a row out": Person._take_out,
    "sorts": Person._sort,
    "renames": Person._rename,
    "splits": Person._split,
    "merges": Person._merge,
    "begins the next month": Person._go_on,
    "renumbers": Person._renumber,
    "lets the programme slip": Person._slip,
    "uses references again": Person._reuse,
}
DEEDS = tuple(_HOW)
