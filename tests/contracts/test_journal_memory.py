"""The journal in memory dies at any point, and the next process finds the rest."""

import asyncio

import pytest

from doubles.journal_values import BINDING, NOW, batch, entry, key
from doubles.memory_journal import MemoryJournal, Stopped
from kawe.domain.service.states import State
from kawe.errors import JournalError


async def _three_writes(journal):
    await journal.bind(BINDING)
    await journal.open_batch(batch(), lines=(), entries=[entry(1)])
    await journal.find([key(1)])
    await journal.move(key(1), State.HELD, at=NOW)


async def _found(journal):
    rows = await journal.entries(batch().name)
    return await journal.binding(), [row.state for row in rows]


def test_each_write_passes_two_points_and_a_question_none():
    journal = MemoryJournal()
    asyncio.run(_three_writes(journal))
    assert journal.points == 6


@pytest.mark.parametrize(
    ("point", "left"),
    [
        (1, (None, [])),
        (2, (BINDING, [])),
        (3, (BINDING, [])),
        (4, (BINDING, [State.VALID])),
        (5, (BINDING, [State.VALID])),
        (6, (BINDING, [State.HELD])),
    ],
)
def test_it_stops_before_or_after_a_write_and_keeps_what_was_written(point, left):
    journal = MemoryJournal(stop_at=point)
    with pytest.raises(Stopped):
        asyncio.run(_three_writes(journal))
    assert asyncio.run(_found(journal.restarted())) == left


async def test_nothing_answers_after_the_stop():
    journal = MemoryJournal(stop_at=1)
    for _ in range(2):
        with pytest.raises(Stopped):
            await journal.bind(BINDING)
    with pytest.raises(Stopped):
        await journal.binding()


def test_a_restarted_journal_can_be_stopped_too():
    journal = MemoryJournal().restarted(stop_at=2)
    with pytest.raises(Stopped):
        asyncio.run(_three_writes(journal))
    assert asyncio.run(_found(journal.restarted())) == (BINDING, [])


def test_the_process_before_answers_nothing_once_there_is_another():
    journal = MemoryJournal()
    journal.restarted()
    with pytest.raises(Stopped):
        asyncio.run(journal.batches())


def test_a_refused_write_passes_only_its_first_point():
    journal = MemoryJournal()
    with pytest.raises(JournalError):
        asyncio.run(journal.move(key(1), State.HELD, at=NOW))
    assert journal.points == 1
