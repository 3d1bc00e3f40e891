"""What survives kill -9, and how processes keep out of each other's way."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from doubles.journal_values import BATCH, entry, intent, key
from kawe.domain.service.states import Attempt, State, Step
from kawe.errors import JournalError, JournalLocked
from kawe.journal.history import Verification, verify_journal
from kawe.journal.journal import StoreJournal
from kawe.journal.store.lock import Holder

TESTS = Path(__file__).parents[1]


@contextmanager
def _process(what, path, count=0):
    command = [sys.executable, "-m", "doubles.journal_process", what, path, str(count)]
    process = subprocess.Popen(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def _kill_after(process, word):
    for line in process.stdout:
        if line.strip() == word:
            break
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_an_intent_survives_kill_9_and_is_open_for_the_next_process(disk):
    with _process("note", disk.path, 1) as process:
        _kill_after(process, "ready")
    assert ((disk.row(1).state, disk.ask("attempts", key(1)))) == (
        State.CREATE_INTENT,
        (Attempt(intent=intent(1, Step.CREATE)),),
    )


@pytest.mark.parametrize("told", [1, 7, 20])
def test_all_that_was_told_survives_kill_9_at_any_time(disk, told):
    with _process("note", disk.path, 40) as process:
        _kill_after(process, str(told))
    rows = disk.ask("entries", BATCH)
    assert all(row.state is State.CREATE_INTENT for row in rows[:told])
    assert verify_journal(disk.path).fault is None


def test_what_a_killed_process_left_half_written_is_undone_by_a_reader(disk):
    disk.begin(entry(1))
    with _process("spill", disk.path) as process:
        process.wait()
    assert disk.path.with_name("journal.db-journal").exists()
    assert verify_journal(disk.path) == Verification(events=0, rows=1)
    assert disk.ask("entries", BATCH) == (entry(1),)


def test_a_second_writer_is_told_who_has_the_journal(disk):
    with _process("hold", disk.path) as process:
        process.stdout.readline()
        with pytest.raises(JournalLocked) as caught:
            StoreJournal.open(disk.path)
    words = str(caught.value)
    assert words.partition(". ")[0].endswith(f", NZ time (process {process.pid})")
    assert "Wait until it has finished, or close the other kawe." in words


def test_the_lock_dies_with_its_process(disk):
    with _process("hold", disk.path) as process:
        _kill_after(process, "ready")
    assert disk.ask("batches") == ()


def test_one_process_cannot_write_a_journal_twice_at_a_time(disk):
    async def script(_journal):
        with pytest.raises(JournalLocked, match=rf"\(process {os.getpid()}\)"):
            StoreJournal.open(disk.path)

    disk(script)


def test_since_when_a_journal_is_in_use_is_told_in_new_zealand_time(disk):
    signed = '{"pid": 7, "host": "desk", "since": "2026-11-21T14:12:00+00:00"}'

    async def script(_journal):
        disk.path.with_name("journal.db.holder").write_text(signed)
        with pytest.raises(JournalLocked) as caught:
            StoreJournal.open(disk.path)
        assert caught.value.message.endswith(
            " on desk, since 03:12 on 22 November 2026, NZ time (process 7)."
        )

    disk(script)


@pytest.mark.parametrize(
    "signed",
    [
        "",
        "{}",
        "[1]",
        '{"pid": "x"}',
        '{"pid": 1, "host": 2, "since": 3}',
        '{"pid": 1, "host": "h", "since": "0001-01-01T00:00:00+14:00"}',
        "[" * 4096,
        None,
    ],
)
def test_whatever_stands_beside_the_lock_the_lock_counts(disk, signed):
    async def script(_journal):
        holder = disk.path.with_name("journal.db.holder")
        holder.unlink()
        if signed is not None:
            holder.write_text(signed)
        with pytest.raises(JournalLocked, match=r"in use by another kawe\."):
            StoreJournal.open(disk.path)

    disk(script)


def test_who_holds_the_journal_is_shown_without_anything_active(disk):
    async def script(_journal):
        disk.path.with_name("journal.db.holder").write_text(
            '{"pid": 7, "host": "a\\u001b[31mb", "since": "2026-11-21T09:00:00+00:00"}'
        )
        with pytest.raises(JournalLocked, match=r"kawe on a\[31mb, since"):
            StoreJournal.open(disk.path)

    disk(script)


def test_the_process_is_told_apart_from_a_machine_that_is_called_like_one():
    signed = '{"pid": 7, "host": "pc (process 2", "since": "2026-11-21T14:12:00+00:00"}'
    holder = Holder.of(signed)
    assert (holder.process, holder.place.partition(", since")[0]) == (
        7,
        "another kawe on pc (process 2",
    )


def test_a_lock_that_cannot_be_made_is_named(disk):
    disk.path.with_name("journal.db.lock").mkdir(parents=True)
    with pytest.raises(JournalError, match="cannot be locked there"):
        StoreJournal.open(disk.path)


def test_a_closed_journal_leaves_no_holder_behind(disk):
    disk.ask("batches")
    assert sorted(each.name for each in disk.path.parent.iterdir()) == [
        "journal.db",
        "journal.db.lock",
    ]


def test_a_name_beside_the_lock_that_cannot_be_removed_keeps_nobody_out(disk):
    async def script(_journal):
        holder = disk.path.with_name("journal.db.holder")
        holder.unlink()
        holder.mkdir()

    disk(script)
    assert disk.ask("batches") == ()
