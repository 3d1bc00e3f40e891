"""The queue of rows that wait for tokens: read, and left for good."""

import asyncio
from datetime import date

import pytest

from doubles.loops import awaited
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.sheets import WeekdaysOnly
from kawe.domain.service.states import State, Step
from kawe.errors import JournalError
from kawe.flows.wait import queueing
from kawe.flows.wait.queueing import DROPPED, drop


def deferred(rows):
    """Give a scene whose rows all wait for tokens."""
    scene = MemoryScene()
    scene.service.tokens = 0
    scene.submit(checked_projects([project(n) for n in range(rows)]))
    return scene


@awaited
async def queue_of(scene):
    """Read the queue of every batch."""
    return await queueing.queue_of(
        await scene.journal.batches(),
        journal=scene.journal,
        clock=scene.clock,
        working_days=WeekdaysOnly(),
        nobody="Mere",
    )


async def _without_row(scene, number):
    """Leave the journal as a reading of a workbook does that has a row less."""
    (batch,) = await scene.journal.batches()
    lines = await scene.journal.lines(batch.name)
    left = [line for at, line in enumerate(lines) if at != number]
    await scene.journal.open_batch(batch, lines=left, entries=())


async def _in_doubt(scene):
    """Leave the first row as a process does that is killed while it sends."""
    run = await scene.run()
    entry = await run.move((await scene._entries())[0], State.READY)
    intent = await run.intend(entry, Step.SEND, {})
    await scene.journal.note([intent])


def test_the_queue_is_read_in_the_order_in_which_it_goes():
    scene = deferred(4)
    asyncio.run(scene.journal.put_first([scene.entries()[2].key]))
    asyncio.run(_without_row(scene, 1))
    asyncio.run(_in_doubt(scene))
    queue = queue_of(scene)

    assert (
        [(r.turn, r.entry.marker, str(r.where), r.is_put_first) for r in queue.rows],
        [(row.turn, row.entry.marker, row.where) for row in queue.missing],
        [each.marker for each in queue.in_doubt],
    ) == (
        [(1, "R-2", "Projects!4", True), (2, "R-3", "Projects!5", False)],
        [(3, "R-1", None)],
        ["R-0"],
    )
    first = queue.rows[0]
    assert (
        first.respond_by_on,
        first.today,
        first.working_days_left,
        first.owner,
        first.wait,
    ) == (
        date(2030, 4, 1),
        date(2026, 11, 21),
        876,
        "Mere",
        asyncio.run(scene.journal.waits([first.entry.key]))[first.entry.key],
    )


def test_a_row_that_is_dropped_is_given_up_and_its_draft_stays():
    scene = deferred(2)
    rows = queue_of(scene).rows
    asyncio.run(drop(rows[:1], journal=scene.journal, clock=scene.clock))
    scene.release(tokens=2)
    assert (
        [(each.state, each.reason) for each in scene.entries()],
        len(scene.service.projects_there),
    ) == ([(State.ABANDONED, DROPPED), (State.CONFIRMED, "")], 2)


def test_a_row_that_was_sent_meanwhile_cannot_be_dropped():
    scene = deferred(1)
    rows = queue_of(scene).rows
    scene.release(tokens=1)
    with pytest.raises(JournalError):
        asyncio.run(drop(rows, journal=scene.journal, clock=scene.clock))
    assert [each.state for each in scene.entries()] == [State.CONFIRMED]
