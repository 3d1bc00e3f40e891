"""Looking at a journal while somebody else writes it."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from doubles.journal_gate import queued, with_gate
from doubles.journal_values import BINDING, NOW, batch, entry, key
from kawe.domain.service.states import State
from kawe.errors import JournalError, JournalForeign
from kawe.journal.journal import StoreJournal
from kawe.journal.store.opening import OpeningLimits


def test_a_reader_sees_what_was_committed_while_a_writer_is_at_work(disk):
    disk.begin(entry(1))

    async def script(journal, gate):
        reader = StoreJournal.open(disk.path, read_only=True)
        with gate.shut():
            (move,) = await queued(journal.move(key(1), State.HELD, at=NOW))
            before = await reader.find([key(1)])
        await move
        after = await reader.find([key(1)])
        await reader.aclose()
        return before[key(1)].state, after[key(1)].state

    assert with_gate(disk, script)[0] == (State.VALID, State.HELD)


def test_a_reader_that_waits_too_long_can_ask_again(disk):
    disk.begin(entry(1))

    async def script(reader):
        with closing(sqlite3.connect(disk.path)) as writer:
            writer.execute("BEGIN EXCLUSIVE")
            with pytest.raises(JournalError, match="could not be read: another"):
                await reader.batches()
            writer.rollback()
        return await reader.batches()

    limits = OpeningLimits(busy_seconds=0.01)
    assert disk.opened(read_only=True, limits=limits)(script) == (batch(),)


def test_a_reader_cannot_write(disk):
    disk.begin(entry(1))
    with pytest.raises(JournalError, match="opened to be read"):
        disk.opened(read_only=True).walk(1, State.HELD)
    assert disk.row(1) == entry(1)


@pytest.mark.parametrize("bound", [True, False])
def test_a_reader_makes_sure_of_the_account_and_binds_nothing(disk, bound):
    disk.begin(entry(1))
    if bound:
        disk.ask("bind", BINDING)

    async def script(reader):
        await reader.bind(BINDING)
        return await reader.binding()

    assert disk.opened(read_only=True)(script) == (BINDING if bound else None)


def test_a_reader_with_another_key_is_refused(disk):
    disk.ask("bind", BINDING)
    with pytest.raises(JournalForeign, match="another team of the same name"):
        disk.opened(read_only=True).ask("bind", replace(BINDING, team_id="another"))
