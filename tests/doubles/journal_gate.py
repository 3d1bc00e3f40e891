"""Commits that can be held back, so that what queues behind them is known."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import kawe.cases.kinds  # noqa: F401 - declares what a journal's rows can be
from doubles.journal_homes import SqliteHome
from doubles.journal_values import BINDING
from kawe.journal.journal import StoreJournal
from kawe.journal.store import Store
from kawe.journal.store.sqlite import SqliteStore

T = TypeVar("T")


CommitHook: TypeAlias = Callable[[int], None]
"""Called in the journal's thread just before each commit, with how many calls write."""


class HookedJournal(StoreJournal):
    """A journal on disk that calls a hook before each commit that writes."""

    def __init__(self, store: Store, **how: Any) -> None:
        assert isinstance(store, SqliteStore)
        self.calls = 0
        self.before_commit: CommitHook = lambda _calls: None
        super().__init__(_HookedStore(store, journal=self), **how)

    async def _change(self, act: Callable[[], T]) -> T:
        def counted() -> T:
            self.calls += 1
            return act()

        return await super()._change(counted)


class _HookedStore(SqliteStore):
    def __init__(self, store: SqliteStore, *, journal: HookedJournal) -> None:
        super().__init__(store._db, path=store.path, lock=store._lock)
        self._inspection = store._inspection
        self._journal = journal

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[None]:
        with super().transaction(writes=writes):
            self._journal.calls = 0
            yield
            if writes:
                self._journal.before_commit(self._journal.calls)


def open_hooked(path: Path, before_commit: CommitHook, **options: Any) -> HookedJournal:
    """Open the journal at `path`, and call `before_commit` from then on."""
    journal = HookedJournal.open(path, **options)
    journal.before_commit = before_commit
    return journal


class Gate:
    """Counts the calls of each commit, and holds commits back while it is shut."""

    def __init__(self) -> None:
        self.calls: list[int] = []
        self._open = threading.Event()
        self._open.set()
        self._reached = threading.Event()

    def __call__(self, calls: int) -> None:
        """Let a commit of so many calls through, once the gate is open."""
        self.calls.append(calls)
        self._reached.set()
        self._open.wait()

    async def reached(self) -> None:
        """Wait until a commit has come to the gate."""
        await asyncio.to_thread(self._reached.wait)

    @contextmanager
    def shut(self) -> Iterator[None]:
        """Hold commits back inside."""
        self._open.clear()
        try:
            yield
        finally:
            self._open.set()


def with_gate(
    disk: SqliteHome,
    script: Callable[[StoreJournal, Gate], Awaitable[T]],
    **options: Any,
) -> tuple[T, Gate]:
    """Run `script` on the journal at `disk` as one process would."""
    gate = Gate()

    async def run() -> T:
        async with aclosing(open_hooked(disk.path, gate, **options)) as journal:
            return await script(journal, gate)

    return asyncio.run(run()), gate


async def queued(*calls: Coroutine[Any, Any, Any]) -> list[asyncio.Task[Any]]:
    """Start calls as tasks and let each of them reach the queue."""
    tasks = [asyncio.create_task(call) for call in calls]
    await asyncio.sleep(0)
    return tasks


async def in_one_commit(
    journal: StoreJournal, gate: Gate, *calls: Coroutine[Any, Any, Any]
) -> list[Any]:
    """Let `calls` queue behind a commit that is held back, and give their ends."""
    with gate.shut():
        before = await queued(journal.bind(BINDING))
        await gate.reached()
        tasks = await queued(*calls)
    await asyncio.gather(*before)
    return await asyncio.gather(*tasks, return_exceptions=True)
