"""Looking at a journal while somebody else writes it."""

import asyncio
import sqlite3
from contextlib import aclosing, closing
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

    async def script():
        limits = OpeningLimits(busy_seconds=0.01)
        reader = StoreJournal.open(disk.path, read_only=True, limits=limits)
        with closing(sqlite3.connect(disk.path)) as writer:
            writer.execute("BEGIN EXCLUSIVE")
            with pytest.raises(JournalError, match="could not be read: another"):
                await reader.batches()
            writer.rollback()
        found = await reader.batches()
        await reader.aclose()
        return found

    assert asyncio.run(script()) == (batch(),)


def test_a_reader_cannot_write(disk):
    disk.begin(entry(1))

    async def script():
        reader = StoreJournal.open(disk.path, read_only=True)
        with pytest.raises(JournalError, match="opened to be read"):
            await reader.move(key(1), State.HELD, at=NOW)
        await reader.aclose()

    asyncio.run(script())
    assert disk.row(1) == entry(1)


@pytest.mark.parametrize("bound", [True, False])
def test_a_reader_makes_sure_of_the_account_and_binds_nothing(disk, bound):
    disk.begin(entry(1))
    if bound:
        disk.ask("bind", BINDING)

    async def script():
        async with aclosing(StoreJournal.open(disk.path, read_only=True)) as reader:
            await reader.bind(BINDING)
            return await reader.binding()

    assert asyncio.run(script()) == (BINDING if bound else None)


def test_a_reader_with_another_key_is_refused(disk):
    disk.ask("bind", BINDING)

    async def script():
        async with aclosing(StoreJournal.open(disk.path, read_only=True)) as reader:
            await reader.bind(replace(BINDING, team_id="another"))

    with pytest.raises(JournalForeign, match="another team of the same name"):
        asyncio.run(script())
