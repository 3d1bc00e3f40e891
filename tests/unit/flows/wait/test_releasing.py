"""A release that was stopped is finished by the next one."""

import asyncio
from collections import Counter

import pytest

from doubles.memory_journal import ONE_HELD, ONE_SENT
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import State, Step, Unknown


def _deferred(rows):
    """Give a scene whose rows all wait for tokens."""
    scene = MemoryScene()
    scene.service.tokens = 0
    scene.submit(checked_projects([project(n) for n in range(rows)]))
    scene.service.tokens = rows
    return scene


async def _leave_on_the_way(scene, *, as_intent):
    """Leave the first row as a process does that is killed in a release."""
    run = await scene.run()
    entry = (await scene.journal.entries("monthly"))[0]
    entry = await run.move(entry, State.READY)
    if as_intent:
        intent = await run.intend(entry, Step.SEND, {})
        await scene.journal.note([intent])
    return entry


@pytest.mark.parametrize("as_intent", [False, True])
def test_a_row_not_sent_when_a_release_stopped_goes_with_the_next(as_intent):
    scene = _deferred(2)
    asyncio.run(_leave_on_the_way(scene, as_intent=as_intent))
    scene.release()
    assert (scene.outcomes(), set(scene.service.sends.values())) == (
        Counter({Outcome.SENT: 2}),
        {1},
    )


def test_a_send_that_was_carried_out_unheard_is_not_made_again():
    scene = _deferred(1)
    entry = asyncio.run(_leave_on_the_way(scene, as_intent=True))
    asyncio.run(scene.service.send(entry.project_id, {"message": "Kia ora."}))
    scene.release()
    assert (scene.outcomes(), scene.service.sends[entry.project_id]) == (ONE_SENT, 1)


def test_a_row_on_its_way_waits_again_when_there_are_no_tokens():
    scene = _deferred(1)
    asyncio.run(_leave_on_the_way(scene, as_intent=False))
    scene.release(tokens=0)
    assert [entry.state for entry in scene.entries()] == [State.WAIT_TOKENS]


def test_a_row_that_was_sent_and_not_read_back_is_read_by_the_next_release():
    scene = _deferred(1)
    entry = asyncio.run(_leave_on_the_way(scene, as_intent=True))
    asyncio.run(scene.service.send(entry.project_id, {"message": "Kia ora."}))
    asyncio.run(scene.journal.move(entry.key, State.SENT, at=entry.moved_at))
    scene.release()
    assert [each.state for each in scene.entries()] == [State.CONFIRMED]


def test_drafts_that_nobody_agreed_to_send_stay_drafts():
    scene = MemoryScene()
    scene.submit(checked_projects([project(1)]), drafts_only=True)
    scene.release()
    assert [entry.state for entry in scene.entries()] == [State.DRAFTED]


def _sent(scene):
    return [each.marker for each in scene.entries() if each.state is State.CONFIRMED]


def test_rows_that_a_person_put_first_get_the_tokens_that_are_there():
    scene = _deferred(4)
    asyncio.run(scene.journal.put_first([scene.entries()[-1].key]))
    scene.release(tokens=2)
    assert _sent(scene) == ["R-0", "R-3"]


def test_a_submit_keeps_to_the_order_that_a_person_made():
    scene = _deferred(4)
    asyncio.run(scene.journal.put_first([scene.entries()[2].key]))
    scene.service.tokens = 1
    scene.submit(checked_projects([project(n) for n in range(4)]))
    assert _sent(scene) == ["R-2"]


def test_rows_that_a_release_does_not_reach_have_waited_since_they_first_had_to():
    scene = _deferred(3)
    keys = [each.key for each in scene.entries()]
    before = asyncio.run(scene.journal.waits(keys))
    scene.clock.pass_by(3600)
    scene.release(tokens=1)
    stood = [each.moved_at for each in scene.entries()[1:]]
    assert asyncio.run(scene.journal.waits(keys)) == before
    assert stood == [before[key].since_at for key in keys[1:]]


async def _killed_once_the_workbook_was_read(scene, *, without):
    """Leave the journal as a submit does that is killed at its first commit."""
    (batch,) = await scene.journal.batches()
    lines = await scene.journal.lines(batch.name)
    left = [line for at, line in enumerate(lines) if at != without]
    await scene.journal.open_batch(batch, lines=left, entries=())


def test_a_row_that_was_taken_out_of_its_workbook_is_not_released():
    scene = _deferred(3)
    asyncio.run(_killed_once_the_workbook_was_read(scene, without=1))
    scene.release()
    assert _sent(scene) == ["R-0", "R-2"]


def test_a_release_that_is_stopped_before_it_asks_sends_nothing():
    scene = _deferred(1)
    scene.halt.asked = True
    scene.release()
    assert (scene.service.sends.total(), [e.state for e in scene.entries()]) == (
        0,
        [State.WAIT_TOKENS],
    )


def test_sends_whose_answers_are_always_lost_are_tried_so_often_and_no_more():
    scene = _deferred(1)
    sends = scene.service.calls["send"]
    scene.service.script = {"send": [Unknown(detail="lost")] * 99}
    scene.release()
    assert (
        scene.service.calls["send"] - sends,
        scene.service.sends.total(),
        scene.outcomes(),
    ) == (3, 0, ONE_HELD)
