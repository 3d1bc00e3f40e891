"""Tampering with a journal is found, and where it is found is named."""

import sqlite3
from contextlib import closing

import pytest

from doubles.journal_homes import tamper
from doubles.journal_values import NOW, SIGNED, entry, key
from kawe.domain.service.states import State
from kawe.errors import JournalError
from kawe.journal.history import verify_journal
from kawe.journal.store.opening import OpeningLimits


def _walked(disk):
    disk.drafted(1)
    disk.begin(entry(1), entry(2, state=State.INVALID), entry(3))
    disk.begin(entry(1), entry(2), entry(3))
    disk.walk(1, State.READY, State.SENT, State.CONFIRMED)
    disk.ask("keep_receipt", key(1), number="RC-1", at=NOW)


def test_a_journal_that_nobody_touched_is_whole(disk):
    _walked(disk)
    found = verify_journal(disk.path)
    assert (found.events, found.rows, found.fault) == (8, 3, None)


def test_signed_approvals_are_verified_with_the_rest(disk):
    disk.begin(entry(1))
    disk.ask("keep_approval", SIGNED, row=key(1))
    disk.begin(entry(1, state=State.INVALID))
    whole = verify_journal(disk.path)
    unsigned = verify_journal(disk.path, proves=lambda _: False)
    tamper(disk.path, "UPDATE approval SET covers = '[]'")
    changed = verify_journal(disk.path)
    tamper(disk.path, "DELETE FROM approval")
    gone = verify_journal(disk.path)
    assert (whole.events, whole.fault) == (2, None)
    assert [each.fault.what for each in (unsigned, changed, gone)] == [
        "The approval of Hēmi Tūhoe has a signature that is wrong.",
        "The approval of Hēmi Tūhoe is not what was written.",
        "The approval that event 1 tells of is not there, or was changed.",
    ]


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        (
            "UPDATE event SET detail = 'Other words.' WHERE seq = 3",
            (3, "Event 3 is not what was written."),
        ),
        (
            "UPDATE event SET at = '2020-01-01T00:00:00.000000+00:00' WHERE seq = 1",
            (1, "Event 1 is not what was written."),
        ),
        ("DELETE FROM event WHERE seq = 4", (4, "Event 4 is missing.")),
        (
            "UPDATE event SET previous_hash = '0' WHERE seq = 5",
            (5, "Event 5 does not follow the one before it."),
        ),
        (
            "UPDATE event SET hash = '0' WHERE seq = 8",
            (8, "Event 8 is not what was written."),
        ),
        (
            "DELETE FROM event WHERE seq = 8",
            (None, "What the journal says of row R-1 is not what its events say."),
        ),
        (
            "UPDATE entry SET state = 'SENT' WHERE key = 'ref:R-3'",
            (None, "What the journal says of row R-3 is not what its events say."),
        ),
        (
            "UPDATE entry SET project_id = 'x' WHERE key = 'ref:R-1'",
            (None, "What the journal says of row R-1 is not what its events say."),
        ),
        (
            "UPDATE entry SET receipt_number = 'x' WHERE key = 'ref:R-1'",
            (None, "What the journal says of row R-1 is not what its events say."),
        ),
        (
            "UPDATE entry SET project_id = 'x' WHERE key = 'ref:R-3'",
            (None, "What the journal says of row R-3 is not what its events say."),
        ),
    ],
)
def test_tampering_is_found_and_its_place_named(disk, statement, found):
    _walked(disk)
    tamper(disk.path, statement)
    fault = verify_journal(disk.path).fault
    assert (fault.event, fault.what) == found


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM entry WHERE key = 'ref:R-1'",
        "UPDATE entry SET state = 'LOST' WHERE key = 'ref:R-3'",
    ],
)
def test_a_journal_without_one_of_its_rows_is_damaged(disk, statement):
    _walked(disk)
    tamper(disk.path, statement)
    with pytest.raises(JournalError, match="it is damaged"):
        verify_journal(disk.path)


def test_an_index_that_misses_rows_is_damage(disk):
    _walked(disk)
    with closing(sqlite3.connect(disk.path, isolation_level=None)) as db:
        index = db.execute(
            "SELECT * FROM sqlite_schema WHERE name = 'entry_project'"
        ).fetchone()
        db.execute("PRAGMA writable_schema = ON")
        db.execute("DELETE FROM sqlite_schema WHERE name = 'entry_project'")
    with closing(sqlite3.connect(disk.path, isolation_level=None)) as db:
        db.execute("UPDATE entry SET project_id = 'x' WHERE project_id IS NOT NULL")
        db.execute("PRAGMA writable_schema = ON")
        db.execute("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", index)
    with pytest.raises(JournalError, match="it is damaged"):
        verify_journal(disk.path)


def test_a_text_that_is_no_text_stops_the_looking(disk):
    _walked(disk)
    tamper(disk.path, "UPDATE entry SET receipt_number = CAST(x'ff' AS TEXT)")
    with pytest.raises(JournalError, match="could not be read: it is damaged"):
        verify_journal(disk.path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET content = replace(content, 'respond_by_on', 'x') WHERE {}",
        "UPDATE entry SET content = '[]' WHERE {}",
        "UPDATE entry SET moved_at = 'yesterday' WHERE {}",
    ],
)
def test_a_row_of_which_a_submit_could_make_nothing_is_named(disk, statement):
    _walked(disk)
    tamper(disk.path, statement.format("key = 'ref:R-1'"))
    fault = verify_journal(disk.path).fault
    assert fault.what == "What it has of row R-1 cannot be read."


def test_a_journal_can_be_verified_while_it_is_written(disk):
    _walked(disk)

    async def script(_journal):
        return verify_journal(disk.path).fault

    assert disk(script) is None


def test_a_journal_that_stays_locked_cannot_be_verified(disk):
    _walked(disk)
    with closing(sqlite3.connect(disk.path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(JournalError, match="another program keeps it locked"):
            verify_journal(disk.path, limits=OpeningLimits(busy_seconds=0.01))
