"""The one thread that uses the connection, and how calls become commits.

While a commit is on its way to the disk, calls queue up; when it has arrived,
all that queued becomes the next commit. Nobody waits for a timer, and nobody
waits for a disk of their own. A call hears of its end only after the commit
that it is part of.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from sqlite3 import Connection
from threading import Lock, Thread
from typing import Any, Final, Generic, TypeAlias, TypeVar

from kawe.errors import JournalError
from kawe.journal.faults import in_words, shown_path
from kawe.journal.inspection import Inspection

T = TypeVar("T")

CommitHook: TypeAlias = Callable[[int], None]
"""Called in the thread just before each commit that writes, with its calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call(Generic[T]):
    work: Callable[[Connection], T]
    writes: bool
    loop: asyncio.AbstractEventLoop
    waiting: asyncio.Future[T]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    value: Any = None
    error: BaseException | None = None


class Writer:
    """Carries calls out, in the order of their arrival, in as few commits."""

    def __init__(
        self,
        db: Connection,
        *,
        path: Path,
        before_commit: CommitHook | None,
        inspection: Inspection | None = None,
        rolled_back: Callable[[], None] | None = None,
    ) -> None:
        """Begin to carry out; the first commit that writes waits for `inspection`.

        `rolled_back` is called in the thread when something is taken back.
        """
        self._db: Final = db
        self._inspection = inspection
        self._path: Final = path
        self._before_commit: Final = before_commit
        self._rolled_back: Final = rolled_back
        self._queue: Final[SimpleQueue[_Call[Any] | None]] = SimpleQueue()
        self._gate: Final = Lock()
        self._closed = False
        self._broken = False
        # A daemon: a process that forgets to close the journal can still end,
        # and what was answered is on the disk.
        self._thread: Final = Thread(target=self._run, name="kawe-journal", daemon=True)
        self._thread.start()

    async def carry_out(self, work: Callable[[Connection], T], *, writes: bool) -> T:
        """Do `work`, and return after the commit that it is part of.

        It is done even when its caller is cancelled meanwhile: what an answer
        of the service taught us is written down though nobody waits any more.

        Raises:
            JournalError: The journal is closed, or the commit failed.
        """
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[T] = loop.create_future()
        call = _Call(work=work, writes=writes, loop=loop, waiting=waiting)
        with self._gate:
            if self._closed:
                raise JournalError(message="The journal is closed.")
            self._queue.put(call)
        return await waiting

    def close(self) -> None:
        """Carry out what is queued, then let go of the file; waits for both."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        more = True
        while more:
            group, more = self._next_group()
            self._settle(group)
        if self._inspection is not None:
            self._inspection.stop()
        self._db.close()

    def _next_group(self) -> tuple[list[_Call[Any]], bool]:
        group: list[_Call[Any]] = []
        call = self._queue.get()
        with suppress(Empty):
            while call is not None:
                group.append(call)
                call = self._queue.get_nowait()
        return group, call is not None

    def _settle(self, group: list[_Call[Any]]) -> None:
        if self._broken:
            late = [call for call in group if call.writes]
            _tell(late, [_Answer(error=self._refusal()) for _ in late])
            group = [call for call in group if not call.writes]
        try:
            answers = self._commit(group)
        except BaseException as fault:  # noqa: BLE001 - nobody may wait for ever
            answers = self._give_up(group, fault=fault)
        _tell(group, answers)

    def _commit(self, group: list[_Call[Any]]) -> list[_Answer]:
        writes = any(call.writes for call in group)
        if writes and self._inspection is not None:
            self._inspection.passed()
            self._inspection = None
        answers = self._perform_all(group, writes=writes)
        if writes and self._before_commit is not None:
            self._before_commit(len(group))
        self._db.execute("COMMIT")
        return answers

    def _perform_all(self, group: list[_Call[Any]], *, writes: bool) -> list[_Answer]:
        begin = "BEGIN IMMEDIATE" if writes else "BEGIN"
        self._db.execute(begin)
        try:
            return [_Answer(value=call.work(self._db)) for call in group]
        except BaseException as fault:  # noqa: BLE001 - told to its caller below
            _told(fault)
        # A call was refused, which is rare: all are carried out once more, each
        # by itself. Nothing of the first time was kept.
        self._forget()
        self._db.execute("ROLLBACK")
        self._db.execute(begin)
        return [self._perform(call) for call in group]

    def _perform(self, call: _Call[Any]) -> _Answer:
        # Its own savepoint: a call that is refused does not take the others
        # of its commit with it.
        self._db.execute("SAVEPOINT one_call")
        try:
            answer = _Answer(value=call.work(self._db))
        except BaseException as fault:  # noqa: BLE001 - the caller's, who waits elsewhere
            answer = _Answer(error=_told(fault))
        if answer.error is not None:
            self._forget()
            self._db.execute("ROLLBACK TO one_call")
        self._db.execute("RELEASE one_call")
        return answer

    def _forget(self) -> None:
        if self._rolled_back is not None:
            self._rolled_back()

    def _give_up(
        self, group: list[_Call[Any]], *, fault: BaseException
    ) -> list[_Answer]:
        # A write that failed may be on the disk or not: it is never tried
        # again here. The next opening finds out what is there.
        writes = any(call.writes for call in group)
        self._broken = self._broken or writes
        self._forget()
        with suppress(sqlite3.Error):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        doing = "written" if writes else "read"
        return [_Answer(error=self._said(fault, doing=doing)) for _ in group]

    def _said(self, fault: BaseException, *, doing: str) -> JournalError:
        # Each who waits gets an error of their own: a traceback is kept in it.
        if isinstance(fault, JournalError):
            return _caused(JournalError(message=fault.message, hint=fault.hint), fault)
        return _caused(in_words(fault, path=self._path, doing=doing), fault)

    def _refusal(self) -> JournalError:
        return JournalError(
            message=(
                f"The journal {shown_path(self._path)} takes nothing more down, "
                "because a write has failed."
            ),
            hint="Run the same command again: nothing is sent twice.",
        )


def _told(fault: BaseException) -> BaseException:
    """Give what the caller of a refused call is told.

    Raises:
        sqlite3.Error: It concerns the file, and so everybody.
    """
    if isinstance(fault, sqlite3.IntegrityError):
        return _misfit(fault)
    if isinstance(fault, sqlite3.Error):
        raise fault
    return fault


def _misfit(fault: sqlite3.IntegrityError) -> JournalError:
    error = JournalError(
        message="The journal refused what does not fit the rest of it."
    )
    return _caused(error, fault)


def _caused(error: JournalError, fault: BaseException) -> JournalError:
    error.__cause__ = fault
    return error


def _tell(calls: Sequence[_Call[Any]], answers: Sequence[_Answer]) -> None:
    # Each loop is woken once for a whole commit: waking is a system call.
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Call[Any], _Answer]]] = {}
    for call, answer in zip(calls, answers, strict=True):
        by_loop.setdefault(call.loop, []).append((call, answer))
    for loop, told in by_loop.items():
        # A loop that was closed meanwhile has nobody left who waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_end_waiting, told)


def _end_waiting(told: Sequence[tuple[_Call[Any], _Answer]]) -> None:
    for call, answer in told:
        if call.waiting.done():
            continue
        if answer.error is None:
            call.waiting.set_result(answer.value)
        else:
            call.waiting.set_exception(answer.error)
