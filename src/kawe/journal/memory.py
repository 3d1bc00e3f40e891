"""A journal that lasts as long as the process: for rehearsals and tests.

It is as strict as the one on disk, and it can die on purpose: `stop_at` names
the point before or after one of its writes at which the process is taken to
be gone. Nothing answers from then on; `restarted` is the next process, with
what had been written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from kawe.errors import JournalError
from kawe.journal.calls import JournalCalls
from kawe.journal.memory_shelf import MemoryShelf
from kawe.journal.shelf import Shelf

T = TypeVar("T")


class Stopped(BaseException):
    """The process is gone, as far as the journal's user can tell.

    Not an `Exception`: nothing may catch it and go on.
    """


class MemoryJournal(JournalCalls):
    """A `Journal` in memory.

    Each write passes two points, one just before and one just after it is
    durable; `stop_at` counts them from 1 and None never stops. A write that
    is refused passes only the first.
    """

    def __init__(self, *, stop_at: int | None = None) -> None:
        self._shelf = MemoryShelf()
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
        again = MemoryJournal(stop_at=stop_at)
        again._shelf = self._shelf
        return again

    async def close(self) -> None:
        """Let go of the journal; only `restarted` finds it again."""
        self._closed = True

    async def _ask(self, question: Callable[[Shelf], T]) -> T:
        # A journal on disk lets others go on meanwhile, so this one does too.
        await asyncio.sleep(0)
        self._check_usable()
        return question(self._shelf)

    async def _change(self, change: Callable[[Shelf], T]) -> T:
        await asyncio.sleep(0)
        self._check_usable()
        self._pass_point()
        answer = change(self._shelf)
        self._pass_point()
        return answer

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
