"""The one thread that uses the store, and how calls become commits.

While a commit is written to the disk, calls queue up; all of them become the next
commit. A call returns only after its commit; the log has it after that.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, Generic, TypeVar

from kawe.domain.batch.runs import LogRecord, RowActed, RowMoved
from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import RowKey, State
from kawe.domain.sheet.findings import RowRef
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError, StoreFault
from kawe.journal.events import EventKind, name_after
from kawe.journal.rules import Change
from kawe.journal.store import Store

T = TypeVar("T")


class AtOnce:
    """Runs each call at once, in a transaction of its own."""

    def __init__(self, store: Store, *, rolled_back: Callable[[], None]) -> None:
        self._store: Final = store
        self._rolled_back: Final = rolled_back
        self._closed = False

    async def carry_out(self, work: Callable[[], T], *, writes: bool) -> T:
        """Do `work`; a refused call leaves nothing behind."""
        # A journal on disk lets others go on meanwhile, so this one does too.
        await asyncio.sleep(0)
        if self._closed:
            raise _closed()
        if not writes:
            # Nobody else writes meanwhile: it needs no transaction.
            return work()
        try:
            with self._store.transaction(writes=True):
                return work()
        except BaseException:
            self._rolled_back()
            raise

    def close(self) -> None:
        """Refuse further calls, and close the store."""
        self._closed = True
        self._store.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call(Generic[T]):
    work: Callable[[], T]
    writes: bool
    loop: asyncio.AbstractEventLoop
    waiting: asyncio.Future[T]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    value: Any = None
    error: BaseException | None = None


class Writer:
    """Runs calls in the order of their arrival, in few commits."""

    def __init__(self, store: Store, *, rolled_back: Callable[[], None]) -> None:
        """Begin; the thread calls `rolled_back` after a rollback."""
        self._store: Final = store
        self._rolled_back: Final = rolled_back
        self._queue: Final[SimpleQueue[_Call[Any] | None]] = SimpleQueue()
        self._gate: Final = Lock()
        self._closed = False
        self._broken = False
        # A daemon: a process that does not close the journal can still end.
        self._thread: Final = Thread(target=self._run, name="kawe-journal", daemon=True)
        self._thread.start()

    async def carry_out(self, work: Callable[[], T], *, writes: bool) -> T:
        """Do `work`, and return after the commit that it is part of.

        It is done even when its caller is cancelled meanwhile: a verdict is written
        down although nobody waits for it any more.
        """
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[T] = loop.create_future()
        call = _Call(work=work, writes=writes, loop=loop, waiting=waiting)
        with self._gate:
            if self._closed:
                raise _closed()
            self._queue.put(call)
        return await waiting

    def close(self) -> None:
        """Run what is queued, then close the file; wait for both."""
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
        self._store.close()

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
        answers: list[_Answer] = []
        try:
            with self._store.transaction(writes=writes):
                answers = [_Answer(value=call.work()) for call in group]
        except StoreFault:
            raise
        except BaseException:
            if answers:  # It is the commit that failed.
                raise
            # A call was refused and all rolled back: each runs again by itself.
            self._rolled_back()
        else:
            return answers
        with self._store.transaction(writes=writes):
            return [self._perform(call) for call in group]

    def _perform(self, call: _Call[Any]) -> _Answer:
        # A savepoint: a refused call does not roll back the others.
        try:
            with self._store.part():
                return _Answer(value=call.work())
        except StoreFault:
            raise
        except BaseException as fault:  # noqa: BLE001 - the caller's, who waits elsewhere
            self._rolled_back()
            return _Answer(error=fault)

    def _give_up(
        self, group: list[_Call[Any]], *, fault: BaseException
    ) -> list[_Answer]:
        # A write that failed may be on the disk, so it is never repeated here.
        writes = any(call.writes for call in group)
        self._broken = self._broken or writes
        self._rolled_back()
        doing = "written" if writes else "read"
        return [_Answer(error=self._said(fault, doing=doing)) for _ in group]

    def _said(self, fault: BaseException, *, doing: str) -> JournalError:
        # Each who waits gets an error of their own: a traceback is kept in it.
        if isinstance(fault, JournalError):
            error = JournalError(message=fault.message, hint=fault.hint)
        else:
            why = f"could not be {doing}: {one_line(str(fault))}"
            error = JournalError(message=f"The journal {self._store.place} {why}.")
        error.__cause__ = fault
        return error

    def _refusal(self) -> JournalError:
        return JournalError(
            message=f"The journal {self._store.place} takes nothing more down, "
            "because a write has failed.",
            hint=f"{Next.AGAIN}: nothing is sent twice.",
        )


def _closed() -> JournalError:
    return JournalError(message="The journal is closed.")


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


_log: Final = logging.getLogger(__name__)
# Each row that is right goes these ways by itself, between its acts.
_USUAL: Final = frozenset({(State.DRAFTED, State.READY), (State.SENT, State.CONFIRMED)})
_PREPARED: Final = (State.VALID, State.FILES_READY)


class RowLog:
    """Logs what one process did for rows, after the commit of each change."""

    def __init__(self) -> None:
        self._acted: Final[set[RowKey]] = set()

    def change(self, change: Change, *, place: RowRef | None) -> None:
        """Log an act that has ended, or a move that does not follow from one."""
        event, of_row = change.event, _of_row(change.entry, place)
        if event.kind is EventKind.CONCLUSION:
            self._acted.add(event.row)
            act = RowActed(
                **of_row,
                step=str(event.step),
                attempt=event.attempt,
                outcome=event.verdict or "",
                http_status=event.http_status,
            )
            _tell_log(act)
            return
        way = event.came_from, event.went_to
        # Without an act before it, it shows what a killed process had done.
        if way != _PREPARED and not (way in _USUAL and event.row in self._acted):
            _tell_log(RowMoved(**of_row, came_from=event.came_from.value))

    def upload(self, entry: Entry, *, place: RowRef | None) -> None:
        """Log that a file of a row is at the service."""
        self._acted.add(entry.key)
        _tell_log(
            RowActed(
                **_of_row(entry, place),
                step="upload",
                attempt=None,
                outcome="done",
                http_status=None,
            )
        )


def _of_row(entry: Entry, place: RowRef | None) -> dict[str, Any]:
    return {
        "batch": entry.batch,
        "row": name_after(entry.key),
        "sheet": None if place is None else place.sheet,
        "sheet_row": None if place is None else place.row,
        "state": entry.state.value,
    }


def _tell_log(record: LogRecord) -> None:
    _log.info(record.WHAT, extra=record.extra())
