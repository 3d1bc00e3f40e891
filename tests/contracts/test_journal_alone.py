"""A journal in memory, one that is looked into, and files that are no journal."""

import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from doubles.journal_values import BINDING, entry, intent, key
from kawe.domain.service.states import State, Step
from kawe.domain.text.next_steps import Given
from kawe.errors import JournalError
from kawe.journal.history import JournalContents, overview
from kawe.journal.journal import StoreJournal
from kawe.journal.store.lock import WriterLock
from kawe.journal.store.sqlite import SqliteStore


def _tamper(path, statement):
    """Write into a journal as a program would that knows nothing of its rules."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute(statement)


async def test_a_journal_in_memory_keeps_what_it_is_told_until_it_is_closed():
    journal = StoreJournal.in_memory()
    await journal.bind(BINDING)
    kept = await journal.binding()
    await journal.aclose()
    with pytest.raises(JournalError):
        await journal.binding()
    assert kept == BINDING


def test_a_look_into_a_journal_says_whose_it_is_and_how_its_rows_stand(disk):
    disk.ask("bind", BINDING)
    disk.drafted(1)
    disk.begin(entry(1), entry(2), entry(3))
    assert overview(disk.path) == JournalContents(
        binding=BINDING, batches=1, states=Counter({State.VALID: 2, State.DRAFTED: 1})
    )


def test_a_reader_counts_attempts_as_the_writer_left_them(disk):
    disk.drafted(1)
    disk.begin(entry(1), entry(2))
    reader = disk.opened(read_only=True)
    made = reader.ask("attempts_made", [key(1), key(2)], step=Step.CREATE)
    assert made == {key(1): 1}


def test_an_intent_of_a_row_that_nobody_counted_is_counted_later(home):
    home.begin(entry(1))
    home.walk(1, State.FILES_READY)

    async def script(journal):
        await journal.note([intent(1, Step.CREATE)])
        return await journal.attempts_made([key(1)], step=Step.CREATE)

    assert home(script) == {key(1): 1}


def test_a_link_into_a_folder_that_is_gone_is_no_journal(tmp_path):
    path = tmp_path / "journal.db"
    path.symlink_to(tmp_path / "gone" / "journal.db")
    with pytest.raises(JournalError) as caught:
        StoreJournal.open(path)
    assert str(caught.value) == (
        f"The journal {path} cannot be opened. Choose a file of your own with "
        f"{Given.JOURNAL}."
    )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET batch = 'nobody'",
        "UPDATE reading SET batch = 'nobody'",
        "UPDATE batch SET read_at = '0001-01-01T00:00:00.000000+00:00'",
    ],
)
def test_a_journal_whose_parts_do_not_fit_is_refused(disk, statement):
    disk.begin(entry(1))
    _tamper(disk.path, statement)
    with pytest.raises(JournalError):
        disk.ask("batches")


def test_a_lock_that_was_let_go_is_let_go_again_in_vain(tmp_path):
    path = tmp_path / "journal.db"
    lock = WriterLock(path)
    lock.close()
    lock.close()
    WriterLock(path).close()


@pytest.mark.parametrize("check", ["check_standings", "check_integrity"])
def test_a_file_that_cannot_be_read_while_it_is_checked_is_said_to(disk, check):
    disk.begin(entry(1))
    store = SqliteStore.for_reading(disk.path)
    store.close()
    with pytest.raises(JournalError, match="could not be read"):
        getattr(store, check)()
