"""A journal whose rows do not stand where its events left them is not worked with."""

import sqlite3
from contextlib import closing

import pytest

from doubles.journal_values import NOW, entry, key
from kawe.domain.service.states import State
from kawe.errors import JournalError
from kawe.journal.journal import StoreJournal
from kawe.journal.store.opening import OpeningLimits

STATEMENTS = [
    "UPDATE entry SET state = 'SENT' WHERE key = 'ref:R-1'",
    "UPDATE entry SET state = 'CONFIRMED' WHERE key = 'ref:R-3'",
    "UPDATE entry SET state = 'LOST' WHERE key = 'ref:R-3'",
    "UPDATE entry SET state = 'READY' WHERE key = 'ref:R-2'",
    "UPDATE entry SET project_id = 'x' WHERE key = 'ref:R-1'",
    "UPDATE entry SET project_id = NULL WHERE key = 'ref:R-2'",
    "UPDATE entry SET project_id = 'x' WHERE key = 'ref:R-3'",
    "UPDATE entry SET receipt_number = 'x' WHERE key = 'ref:R-1'",
    "UPDATE entry SET receipt_number = NULL WHERE key = 'ref:R-2'",
]


def walked(disk):
    """Bring a row to a draft, one to its receipt, and leave one as it was read."""
    disk.drafted(1)
    disk.drafted(2)
    disk.begin(entry(1), entry(2), entry(3))
    disk.walk(2, State.READY, State.SENT, State.CONFIRMED)
    disk.ask("keep_receipt", key(2), number="RC-2", at=NOW)


def alter(path, statement):
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        assert db.execute(statement).rowcount == 1


@pytest.mark.parametrize("read_only", [True, False], ids=["reading", "writing"])
@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_row_that_is_not_where_its_events_left_it_is_named_at_the_opening(
    disk, statement, read_only
):
    walked(disk)
    alter(disk.path, statement)
    with pytest.raises(JournalError) as caught:
        StoreJournal.open(disk.path, read_only=read_only)
    said = str(caught.value)
    row = statement.split("'ref:")[1].rstrip("'")
    assert (f"row {row} is not what its events say" in said, "verify" in said) == (
        True,
        True,
    )


@pytest.mark.parametrize("statement", STATEMENTS)
def test_in_a_large_journal_it_is_found_before_anything_is_written(disk, statement):
    walked(disk)
    alter(disk.path, statement)
    large = disk.opened(limits=OpeningLimits(check_bytes=0))
    with pytest.raises(JournalError, match="is not what its events say"):
        large.walk(3, State.FILES_READY)


@pytest.mark.parametrize("check_bytes", [0, 2**24])
@pytest.mark.parametrize("read_only", [True, False], ids=["reading", "writing"])
def test_a_journal_as_kawe_left_it_is_opened(disk, read_only, check_bytes):
    walked(disk)
    limits = OpeningLimits(check_bytes=check_bytes)
    opened = disk.opened(read_only=read_only, limits=limits)
    assert opened.row(2).receipt_number == "RC-2"
