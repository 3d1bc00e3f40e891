"""Places where a journal can be opened again: each call is one process."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing, closing
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest

import kawe.cases.kinds  # noqa: F401 - declares what a journal's rows can be
from doubles.journal_values import NOW, batch, created, entry, intent, key, later
from doubles.loops import awaited
from doubles.memory_journal import MemoryJournal
from kawe.domain.batch.journal_servers import JournalServer
from kawe.domain.rows.entries import Entry, Line
from kawe.domain.service.states import Intent, State, Step, Verdict
from kawe.errors import JournalError
from kawe.journal.journal import StoreJournal
from kawe.ports import Journal

T = TypeVar("T")


def tamper(path: Path, *statements: str) -> None:
    """Change what is never changed, as somebody would who knows the triggers."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        named = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        triggers = db.execute(named).fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        db.execute("PRAGMA ignore_check_constraints = ON")
        for statement in (*statements, *(sql for _, sql in triggers)):
            db.execute(statement)


class Home(ABC):
    """Where a journal lives from one process to the next."""

    @abstractmethod
    def open(self) -> Journal:
        """Open the journal as the next process would."""

    @awaited
    async def __call__(self, script: Callable[[Journal], Awaitable[T]]) -> T:
        """Open the journal, run `script` on it, and close it."""
        async with aclosing(self.open()) as journal:
            return await script(journal)

    def ask(self, name: str, *values: Any, **named: Any) -> Any:
        """Call one method."""
        return self(lambda journal: getattr(journal, name)(*values, **named))

    def begin(self, *rows: Entry, lines: Sequence[Line] = (), **changes: Any) -> None:
        """Open a batch with these rows, and the lines of its sheet."""
        self.ask("open_batch", batch(**changes), lines=lines, entries=rows)

    def walk(self, number: int, *states: State, **last: Any) -> Entry:
        """Move row `number` along `states`; `last` goes with the last move."""

        async def script(journal: Journal) -> Entry:
            for state in states[:-1]:
                await journal.move(key(number), state, at=NOW)
            return await journal.move(key(number), states[-1], **{"at": NOW, **last})

        return self(script)

    def drafted(self, number: int) -> Entry:
        """Bring row `number` to DRAFTED with the project of its number."""
        self.begin(entry(number))
        self.walk(number, State.FILES_READY)
        return self.conclude(intent(number, Step.CREATE), created(number), at=later(1))

    def conclude(self, noted: Intent, verdict: Verdict, *, at: datetime = NOW) -> Entry:
        """Note an intent and what came of it, as one process."""

        async def script(journal: Journal) -> Entry:
            await journal.note([noted])
            return await journal.conclude(noted, verdict, at=at)

        return self(script)

    def row(self, number: int) -> Entry:
        """Give row `number` as it stands."""
        found: Entry = self.ask("find", [key(number)])[key(number)]
        return found

    def refused(self, name: str, *values: Any, **named: Any) -> str:
        """Make sure that a call of one method is refused, and give the words."""
        with pytest.raises(JournalError) as caught:
            self.ask(name, *values, **named)
        return str(caught.value)


class MemoryHome(Home):
    """Where a journal in memory lives."""

    def __init__(self) -> None:
        self._journal = MemoryJournal()

    def open(self) -> Journal:
        """Open what the last process left."""
        self._journal = self._journal.restarted()
        return self._journal


class SqliteHome(Home):
    """Where a journal on disk lives."""

    def __init__(self, path: Path, **options: Any) -> None:
        self.path, self._options = path, options

    def open(self) -> Journal:
        return StoreJournal.open(self.path, **self._options)

    def opened(self, **options: Any) -> SqliteHome:
        """Give the same place, where each process opens the journal so."""
        return SqliteHome(self.path, **options)


class ServerHome(Home):
    """Where a journal on a PostgreSQL server lives."""

    def __init__(self, place: JournalServer) -> None:
        self.place = place

    def open(self) -> Journal:
        return StoreJournal.open(self.place)
