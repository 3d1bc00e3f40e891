"""A large journal is looked through while it is read, before it is written."""

import asyncio
import sqlite3
import threading
from contextlib import closing

import pytest

from doubles.journal_values import BATCH, BINDING, NOW, entry, key
from kawe.domain.service.states import State
from kawe.domain.text.next_steps import Given
from kawe.errors import JournalError
from kawe.journal.store.opening import Inspection, OpeningLimits


def _spoil(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute("UPDATE entry SET reason = x'00' WHERE key = 'ref:R-2'")


def _large(disk, **options):
    """Open the journal as one that is too large to be checked first."""
    return disk.opened(limits=OpeningLimits(check_bytes=0), **options)


def test_nothing_is_written_into_a_large_journal_that_is_damaged(disk):
    disk.begin(entry(1), entry(2))
    _spoil(disk.path)
    before = disk.path.read_bytes()

    async def script(journal):
        read = await journal.find([key(1)])
        refused = await asyncio.gather(
            journal.move(key(1), State.HELD, at=NOW),
            journal.bind(BINDING),
            return_exceptions=True,
        )
        late = await asyncio.gather(journal.bind(BINDING), return_exceptions=True)
        return read, [str(each) for each in (*refused, *late)]

    read, (first, second, late) = _large(disk)(script)
    damaged = (
        f"The journal {disk.path} could not be opened: it is damaged. Begin a new one "
        f"with {Given.JOURNAL}: kawe looks at the service first."
    )
    assert (read, first, second, disk.path.read_bytes()) == (
        {key(1): entry(1)},
        damaged,
        damaged,
        before,
    )
    assert "takes nothing more down" in late


def test_a_large_journal_that_is_whole_is_written_as_any_other(disk):
    disk.begin(entry(1))
    assert (_large(disk).walk(1, State.HELD), disk.row(1)) == (
        entry(1, state=State.HELD),
        entry(1, state=State.HELD),
    )


@pytest.mark.parametrize("read_only", [True, False], ids=["reading", "writing"])
def test_a_large_journal_that_is_only_read_is_let_go_at_once(disk, read_only):
    disk.begin(entry(1))
    assert _large(disk, read_only=read_only).ask("entries", BATCH) == (entry(1),)


def test_who_reads_a_large_journal_leaves_its_check_to_who_writes(disk):
    disk.begin(entry(1), entry(2))
    _spoil(disk.path)
    assert _large(disk, read_only=True).row(1) == entry(1)


class _Endless:
    """A connection whose check lasts until it is interrupted."""

    def __init__(self, trouble: str) -> None:
        self._trouble = trouble
        self._interrupted = threading.Event()
        self.is_closed = False

    def execute(self, _statement):
        self._interrupted.wait()
        raise sqlite3.OperationalError(self._trouble)

    def interrupt(self):
        self._interrupted.set()

    def close(self):
        self.is_closed = True


def test_a_check_that_nobody_waits_for_any_more_is_stopped(tmp_path):
    db = _Endless("interrupted")
    Inspection(db, path=tmp_path / "journal.db").stop()
    assert db.is_closed


def test_a_journal_that_cannot_be_looked_through_is_not_written(tmp_path):
    db = _Endless("disk I/O error")
    db.interrupt()
    with pytest.raises(JournalError, match="could not be read: disk I/O error"):
        Inspection(db, path=tmp_path / "journal.db").passed()
