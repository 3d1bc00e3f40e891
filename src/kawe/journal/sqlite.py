"""The journal on disk: one SQLite file, one writing process, any readers.

When a method has returned, what it did survives a power cut. Commits are made
in a thread of their own, never on the event loop; see `writer`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from kawe.domain.rows.entries import Binding
from kawe.errors import JournalError
from kawe.journal.calls import JournalCalls
from kawe.journal.claims import same_account
from kawe.journal.inspection import check_standings
from kawe.journal.location import check_location
from kawe.journal.lock import WriterLock
from kawe.journal.opening import (
    CHECKED_AT_ONCE_BYTES,
    inspect,
    is_large,
    make_folder,
    open_for_reading,
    open_for_writing,
)
from kawe.journal.recall import Recall, RecallingShelf
from kawe.journal.shelf import Shelf
from kawe.journal.sqlite_shelf import SqliteShelf
from kawe.journal.writer import CommitHook, Writer

T = TypeVar("T")

DEFAULT_BUSY_SECONDS = 30.0
"""How long a commit waits for readers, and a reader for a commit."""


class SqliteJournal(JournalCalls):
    """A `Journal` in a file. Made by `open`, from any thread."""

    def __init__(
        self, *, writer: Writer, lock: WriterLock | None, recall: Recall | None = None
    ) -> None:
        self._writer = writer
        self._lock = lock
        self._recall = recall

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        read_only: bool = False,
        busy_seconds: float = DEFAULT_BUSY_SECONDS,
        before_commit: CommitHook | None = None,
        check_bytes: int = CHECKED_AT_ONCE_BYTES,
    ) -> SqliteJournal:
        """Open the journal at `path`; a writer begins one where there is none.

        A reader needs no lock, works while a writer runs, and is refused every
        method that writes; its `bind` only makes sure. A journal larger than
        `check_bytes` is looked through while it is read already, and before
        anything is written.

        Raises:
            JournalLocked: Another process writes it.
            JournalNewer: A newer kawe wrote it.
            JournalError: It cannot be kept there, is no journal of kawe's, is
                damaged or altered, or cannot be opened.
        """
        if read_only:
            db = open_for_reading(path, busy_seconds=busy_seconds)
            _check(db, path=path)
            return cls(
                writer=Writer(db, path=path, before_commit=before_commit), lock=None
            )
        check_location(path.absolute())
        make_folder(path.parent)
        lock = WriterLock(path)
        try:
            db = open_for_writing(
                path, busy_seconds=busy_seconds, check_bytes=check_bytes
            )
            inspection = None
            if is_large(path, check_bytes=check_bytes):
                inspection = inspect(path, busy_seconds=busy_seconds)
            else:
                _check(db, path=path)
        except JournalError:
            lock.release()
            raise
        recall = Recall()
        writer = Writer(
            db,
            path=path,
            before_commit=before_commit,
            inspection=inspection,
            rolled_back=recall.forget,
        )
        return cls(writer=writer, lock=lock, recall=recall)

    async def bind(self, binding: Binding) -> None:
        """Bind a fresh journal, or make sure it is this account's.

        A reader only makes sure, and leaves a fresh journal fresh.
        """
        if self._lock is not None:
            await super().bind(binding)
            return
        kept = await self.binding()
        if kept is not None:
            same_account(kept, asked=binding)

    async def close(self) -> None:
        """Write what is queued, then let go of the file and of its lock."""
        await asyncio.to_thread(self._writer.close)
        if self._lock is not None:
            self._lock.release()

    async def _ask(self, question: Callable[[Shelf], T]) -> T:
        return await self._writer.carry_out(
            lambda db: question(self._shelf(db)), writes=False
        )

    async def _change(self, change: Callable[[Shelf], T]) -> T:
        if self._lock is None:
            raise JournalError(
                message="This journal was opened to be read, not to be written."
            )
        return await self._writer.carry_out(
            lambda db: change(self._shelf(db)), writes=True
        )

    def _shelf(self, db: Connection) -> Shelf:
        # Beside a writer, a reader can believe nothing but the file.
        if self._recall is None:
            return SqliteShelf(db)
        return RecallingShelf(db, recall=self._recall)


def _check(db: Connection, *, path: Path) -> None:
    try:
        check_standings(db, path=path)
    except JournalError:
        db.close()
        raise
