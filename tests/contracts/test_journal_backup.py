"""A journal's copies: whole, verified, and in nobody's way."""

import os
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from doubles.journal_homes import SqliteHome, tamper
from doubles.journal_values import NOW, entry, key
from kawe.domain.service.states import State
from kawe.errors import JournalError, JournalLocked
from kawe.journal.copies import (
    JournalCopy,
    back_up_journal,
    move_journal,
    restore_journal,
)
from kawe.journal.history import verify_journal
from kawe.journal.store import opening
from kawe.journal.store.opening import OpeningLimits, open_as_kept

AT = datetime(2026, 11, 22, 20, 41, 12, tzinfo=UTC)
DATED = "journal.db.2026-11-22-204112.old"


@pytest.fixture
def backup(tmp_path):
    return tmp_path / "backup.db"


def _names(folder):
    return sorted(each.name for each in folder.iterdir())


def _alter(path, statement="UPDATE event SET detail = 'Other words.' WHERE seq = 1"):
    tamper(path, statement)


def _refused(act, *values, **named):
    with pytest.raises(JournalError) as caught:
        act(*values, **named)
    return str(caught.value)


def test_a_backup_has_every_event_and_only_its_owner_can_read_it(disk, backup):
    disk.drafted(1)
    assert (
        back_up_journal(disk.path, backup),
        verify_journal(backup),
        stat.S_IMODE(backup.stat().st_mode),
        SqliteHome(backup).row(1),
        _names(backup.parent),
    ) == (
        JournalCopy(path=backup, events=3, rows=1),
        verify_journal(disk.path),
        0o600,
        disk.row(1),
        ["backup.db", "backup.db.lock", "kawe"],
    )


def test_a_backup_beside_an_open_writer_takes_what_it_has_told(disk, backup):
    async def script(journal):
        await journal.move(key(1), State.READY, at=NOW)
        made = back_up_journal(disk.path, backup)
        await journal.move(key(1), State.WAIT_TOKENS, at=NOW)
        return made.events

    disk.drafted(1)
    assert (disk(script), SqliteHome(backup).row(1).state, disk.row(1).state) == (
        4,
        State.READY,
        State.WAIT_TOKENS,
    )


def test_a_backup_never_replaces_a_file(disk, backup):
    disk.drafted(1)
    backup.write_bytes(b"mine")
    assert (_refused(back_up_journal, disk.path, backup), backup.read_bytes()) == (
        f"{backup} is there already. Name a new file: kawe replaces no backup.",
        b"mine",
    )


def test_an_altered_journal_gets_no_backup(disk, backup):
    disk.drafted(1)
    _alter(disk.path)
    assert _refused(back_up_journal, disk.path, backup) == (
        f"The journal {disk.path} is not as kawe left it. Event 1 is not what was "
        "written. Nothing was changed. Keep a copy of it, and find out why first."
    )
    assert _names(backup.parent) == ["kawe"]


def test_a_folder_that_is_not_there_is_named(disk, tmp_path):
    disk.drafted(1)
    target = tmp_path / "nowhere" / "backup.db"
    assert _refused(back_up_journal, disk.path, target) == (
        f"{target} cannot be written: no such file or directory. Choose a folder that "
        "is there, and that you may write to."
    )


def test_a_backup_of_an_earlier_time_is_refused_and_says_what_would_be_lost(
    disk, backup
):
    disk.drafted(1)
    back_up_journal(disk.path, backup)
    disk.walk(1, State.READY, State.SENT)
    before = disk.path.read_bytes()
    said = _refused(restore_journal, backup, disk.path, at=AT)
    assert said.partition("; the last event: ")[0] == (
        f"The journal {disk.path} has 2 newer events of 1 row, which would be lost; "
        "rows that were sent in them: 1"
    )
    assert disk.path.read_bytes() == before


def test_a_journal_of_other_events_is_refused(disk, backup, tmp_path):
    disk.drafted(1)
    other = SqliteHome(tmp_path / "other.db")
    other.drafted(2)
    back_up_journal(other.path, backup)
    said = _refused(restore_journal, backup, disk.path, at=AT)
    assert "has 3 other events of 1 row, which would be lost" in said


def test_aside_keeps_the_journal_that_was_there(disk, backup):
    disk.drafted(1)
    back_up_journal(disk.path, backup)
    disk.walk(1, State.READY, State.SENT)
    made = restore_journal(backup, disk.path, at=AT, moves_aside=True)
    kept = disk.path.with_name(DATED)
    assert (made, disk.row(1).state, SqliteHome(kept).row(1).state) == (
        JournalCopy(path=disk.path, events=3, rows=1, kept=kept),
        State.DRAFTED,
        State.SENT,
    )


def test_a_journal_that_knows_no_more_is_replaced_and_kept(disk, backup):
    disk.drafted(1)
    before = disk.path.read_bytes()
    back_up_journal(disk.path, backup)
    restore_journal(backup, disk.path, at=AT)
    assert disk.path.with_name(DATED).read_bytes() == before


def test_a_lost_journal_comes_back(disk, backup):
    disk.drafted(1)
    row = disk.row(1)
    back_up_journal(disk.path, backup)
    disk.path.unlink()
    assert (restore_journal(backup, disk.path, at=AT).kept, disk.row(1)) == (None, row)


def test_a_damaged_journal_is_replaced_only_aside(disk, backup):
    disk.drafted(1)
    back_up_journal(disk.path, backup)
    disk.path.write_bytes(b"rubbish" * 1000)
    said = _refused(restore_journal, backup, disk.path, at=AT)
    made = restore_journal(backup, disk.path, at=AT, moves_aside=True)
    assert (
        said.startswith("kawe cannot say what would be lost. The journal"),
        made.events,
        made.kept.read_bytes()[:7],
    ) == (True, 3, b"rubbish")


def test_half_a_commit_of_the_old_journal_does_not_reach_the_restored_one(disk, backup):
    disk.drafted(1)
    row = disk.row(1)
    back_up_journal(disk.path, backup)
    disk.path.unlink()
    disk.path.with_name("journal.db-journal").write_bytes(b"of another journal")
    restore_journal(backup, disk.path, at=AT)
    beside = disk.path.with_name(f"{DATED}-journal")
    assert (disk.row(1), beside.read_bytes()) == (row, b"of another journal")


def test_an_altered_backup_is_refused(disk, backup):
    disk.drafted(1)
    back_up_journal(disk.path, backup)
    _alter(backup)
    before = disk.path.read_bytes()
    said = _refused(restore_journal, backup, disk.path, at=AT, moves_aside=True)
    assert ("Event 1 is not what was written." in said, disk.path.read_bytes()) == (
        True,
        before,
    )


@pytest.mark.parametrize("content", [b"", b"rubbish" * 1000])
def test_what_is_no_journal_is_not_restored(disk, backup, content):
    disk.drafted(1)
    before = disk.path.read_bytes()
    backup.write_bytes(content)
    _refused(restore_journal, backup, disk.path, at=AT, moves_aside=True)
    assert disk.path.read_bytes() == before


def test_a_journal_is_not_restored_from_itself(disk):
    disk.drafted(1)
    assert _refused(restore_journal, disk.path, disk.path, at=AT) == (
        f"{disk.path} is the journal itself. Name the backup to restore."
    )


def test_nothing_is_restored_or_moved_while_a_run_holds_the_journal(disk, backup):
    disk.drafted(1)
    back_up_journal(disk.path, backup)

    async def script(_journal):
        with pytest.raises(JournalLocked):
            move_journal(disk.path, backup.parent)
        with pytest.raises(JournalLocked):
            restore_journal(backup, disk.path, at=AT)

    disk(script)
    assert disk.row(1).state is State.DRAFTED


def test_a_journal_moves_with_what_lies_beside_it(disk, tmp_path):
    disk.drafted(1)
    row, new = disk.row(1), tmp_path / "new" / "journal.db"
    answers = disk.path.with_name("journal.db.answers")
    answers.write_bytes(b"{}")
    assert (
        move_journal(disk.path, new.parent, companions=[answers]),
        _names(new.parent),
        _names(disk.path.parent),
        stat.S_IMODE(new.stat().st_mode),
        SqliteHome(new).row(1),
    ) == (
        JournalCopy(path=new, events=3, rows=1),
        ["journal.db", "journal.db.answers", "journal.db.lock"],
        ["journal.db.lock"],
        0o600,
        row,
    )


def test_a_journal_does_not_move_onto_one_that_knows_more(disk, tmp_path):
    disk.drafted(1)
    other = SqliteHome(tmp_path / "new" / "journal.db")
    other.drafted(2)
    said = _refused(move_journal, disk.path, other.path.parent)
    assert (said.endswith("Name another folder."), disk.row(1), other.row(2).key) == (
        True,
        disk.row(1),
        key(2),
    )


def test_a_journal_does_not_move_into_a_synced_folder(disk, tmp_path):
    disk.drafted(1)
    said = _refused(move_journal, disk.path, tmp_path / "OneDrive - Council")
    assert ("OneDrive copies that folder" in said, disk.path.exists()) == (True, True)


def test_there_must_be_a_journal_to_move_and_another_folder(disk, tmp_path):
    missing = _refused(move_journal, disk.path, tmp_path)
    disk.drafted(1)
    assert (missing, _refused(move_journal, disk.path, disk.path.parent)) == (
        f"There is no journal at {disk.path}.",
        (f"The journal {disk.path} lies in that folder already. Name another folder."),
    )


def test_a_journal_moves_without_a_companion_that_is_not_there(disk, tmp_path):
    disk.drafted(1)
    answers = disk.path.with_name("journal.db.answers")
    move_journal(disk.path, tmp_path / "new", companions=[answers])
    assert _names(tmp_path / "new") == ["journal.db", "journal.db.lock"]


def test_a_state_that_kawe_does_not_know_gets_no_backup(disk, backup):
    disk.drafted(1)
    _alter(disk.path, "UPDATE entry SET state = 'ELSEWHERE'")
    said = _refused(back_up_journal, disk.path, backup)
    assert (str(disk.path) in said, ".tmp" in said, backup.exists()) == (
        True,
        False,
        False,
    )


def test_a_journal_whose_events_cannot_be_read_is_replaced_only_aside(disk, backup):
    disk.drafted(1)
    back_up_journal(disk.path, backup)
    _alter(disk.path, "UPDATE event SET at = 'never' WHERE seq = 1")
    said = _refused(restore_journal, backup, disk.path, at=AT)
    assert said.startswith("kawe cannot say what would be lost. The journal")


def test_a_lock_that_stays_ends_a_backup(disk, backup):
    disk.drafted(1)
    opened, _ = open_as_kept(disk.path, OpeningLimits(busy_seconds=0.0))
    with closing(sqlite3.connect(disk.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with closing(opened):
            said = _refused(
                opening.copy_open, opened, backup, path=disk.path, called=backup
            )
    assert "could not be read: another program keeps it locked." in said


def test_a_copy_that_cannot_be_written_is_named_as_a_person_named_it(disk, tmp_path):
    disk.drafted(1)
    said = _refused(
        opening.copy_file,
        *(disk.path, tmp_path),
        called=tmp_path / "backup.db",
    )
    assert said.startswith(f"The journal {tmp_path / 'backup.db'} could not be written")


def _killed_at(step, act):
    """Do `act` in a process that dies before its sync, rename or removal `step`."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            left = [step]

            def count(real):
                def called(*values, **named):
                    left[0] -= 1
                    if left[0] == 0:
                        os._exit(9)
                    return real(*values, **named)

                return called

            os.fsync = count(os.fsync)
            Path.replace = count(Path.replace)
            Path.unlink = count(Path.unlink)
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked to be killed")
def test_a_restore_that_is_killed_leaves_the_old_journal_or_the_new(tmp_path):
    seen = set()
    for step in range(1, 40):
        disk = SqliteHome(tmp_path / str(step) / "journal.db")
        backup = tmp_path / f"{step}.db"
        disk.drafted(1)
        back_up_journal(disk.path, backup)
        disk.walk(1, State.READY, State.SENT)
        code = _killed_at(
            step,
            lambda one=backup, two=disk.path: restore_journal(
                one, two, at=AT, moves_aside=True
            ),
        )
        assert verify_journal(disk.path).fault is None
        seen.add((code, disk.row(1).state))
        if code == 0:
            break
    assert seen == {(9, State.SENT), (9, State.DRAFTED), (0, State.DRAFTED)}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked to be killed")
def test_a_move_that_is_killed_leaves_a_whole_journal_and_can_be_ended(tmp_path):
    codes = set()
    for step in range(1, 40):
        disk = SqliteHome(tmp_path / str(step) / "old" / "journal.db")
        new = tmp_path / str(step) / "new" / "journal.db"
        disk.drafted(1)
        code = _killed_at(
            step, lambda one=disk.path, two=new.parent: move_journal(one, two)
        )
        codes.add(code)
        if disk.path.exists():
            move_journal(disk.path, new.parent)
        assert (SqliteHome(new).row(1).state, disk.path.exists()) == (
            State.DRAFTED,
            False,
        )
        if code == 0:
            break
    assert codes == {9, 0}


def test_a_journal_that_moved_goes_on_in_its_new_place(disk, tmp_path):
    disk.begin(entry(1))
    home = SqliteHome(move_journal(disk.path, tmp_path / "new").path)
    home.walk(1, State.FILES_READY)
    assert home.row(1).state is State.FILES_READY
