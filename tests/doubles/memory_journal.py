"""A journal in memory that can die on purpose, and what the next process finds.

`stop_at` names the point before or after one of its writes at which the process
is taken to be gone. Nothing answers from then on; `restarted` is the next process,
with what had been written.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.rows.entries import Entry
from kawe.errors import JournalError
from kawe.journal.journal import StoreJournal
from kawe.journal.store import Record, Value
from kawe.journal.store.sqlite import SqliteStore

T = TypeVar("T")


# What became of a sheet of one row.
ONE_SENT = Counter({Outcome.SENT: 1})
ONE_HELD = Counter({Outcome.HELD: 1})
ONE_DRAFTED = Counter({Outcome.DRAFTED: 1})
ONE_IN_DOUBT = Counter({Outcome.IN_DOUBT: 1})
ONE_UNFINISHED = Counter({Outcome.UNFINISHED: 1})


class Stopped(BaseException):
    """The process is gone, as far as the journal's user can tell.

    Not an `Exception`: nothing may catch it and go on.
    """


class QuickStore(SqliteStore):
    """A store in memory that asks nothing twice until something is written."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._found: dict[tuple[object, ...], list[Record]] = {}

    def rows(self, name: str, *values: Value) -> Iterator[Record]:
        """Give what was found the last time."""
        found = self._found.get((name, *values))
        if found is None:
            found = self._found[name, *values] = list(super().rows(name, *values))
        return iter(found)

    def run(self, name: str, records: Iterable[Record]) -> None:
        """Forget what was found."""
        self._found.clear()
        super().run(name, records)

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[None]:
        """Forget what was found, at the end too: it may be taken back."""
        try:
            with super().transaction(writes=writes):
                yield
        finally:
            self._found.clear()


class MemoryJournal(StoreJournal):
    """A `Journal` in memory.

    Each write passes two points, one just before and one just after it is
    durable; `stop_at` counts them from 1 and None never stops. A write that
    is refused passes only the first.
    """

    def __init__(
        self, *, stop_at: int | None = None, store: SqliteStore | None = None
    ) -> None:
        self.store = QuickStore.in_memory() if store is None else store
        super().__init__(self.store, at_once=True)
        self._stop_at = stop_at
        self._stopped = False
        self._closed = False
        self._points = 0

    @property
    def points(self) -> int:
        """Count the points passed so far, for who wants to stop at each."""
        return self._points

    def restarted(self, *, stop_at: int | None = None) -> MemoryJournal:
        """Give the next process's journal over the same memory.

        This one answers nothing any more.
        """
        self._stopped = True
        return MemoryJournal(stop_at=stop_at, store=self.store)

    def rows(self) -> list[Entry]:
        """Give every row, also of a journal that answers nothing any more."""
        again = MemoryJournal(store=self.store)
        names = [batch.name for batch in at_once(again.batches())]
        return [row for name in names for row in at_once(again.entries(name))]

    async def aclose(self) -> None:
        """Let go of the journal; only `restarted` finds it again."""
        self._closed = True

    async def _ask(self, question: Callable[[], T]) -> T:
        return await super()._ask(lambda: self._answer(question))

    async def _change(self, act: Callable[[], T]) -> T:
        def stopping() -> T:
            self._check_usable()
            self._pass_point()
            return act()

        answer = await super()._change(stopping)
        self._pass_point()
        return answer

    def _answer(self, question: Callable[[], T]) -> T:
        self._check_usable()
        return question()

    def _check_usable(self) -> None:
        if self._stopped:
            raise Stopped
        if self._closed:
            raise JournalError(message="The journal is closed.")

    def _pass_point(self) -> None:
        self._points += 1
        if self._points == self._stop_at:
            self._stopped = True
            raise Stopped


def at_once(answering: Coroutine[Any, Any, T]) -> T:
    """Ask a journal in memory where nothing can be awaited."""
    while True:
        try:
            answering.send(None)
        except StopIteration as ended:
            answer: T = ended.value
            return answer


class Keeping:
    """What a journal in memory has, for whoever runs with it."""

    __slots__ = ()
    journal: MemoryJournal

    def outcomes(self) -> Counter[Outcome]:
        """Count the outcomes of every row of the journal."""
        return Counter(outcome_of(each.state) for each in self.entries())

    def entries(self) -> list[Any]:
        return asyncio.run(self._entries())

    @property
    def entry(self) -> Any:
        """Give the one row of the journal."""
        (only,) = self.entries()
        return only

    async def _entries(self) -> list[Any]:
        return [
            entry
            for batch in await self.journal.batches()
            for entry in await self.journal.entries(batch.name)
        ]
