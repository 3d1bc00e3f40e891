"""Lost answers: a doubt is settled by asking, never by doing it again blindly."""

from collections import Counter
from dataclasses import replace

import pytest

from doubles.lossy import losing
from doubles.memory_journal import ONE_HELD, MemoryJournal, Stopped
from doubles.rows import checked_projects, project
from doubles.scene import Scene
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import Step

THREE_SENT = Counter({Outcome.SENT: 3})


def _three():
    return checked_projects([project(n) for n in range(3)])


@pytest.mark.parametrize(("lost", "adopted"), [("after", 1), ("before", 0)])
def test_a_create_is_adopted_if_it_arrived_and_made_again_after_the_window_if_not(
    scene_with, lost, adopted
):
    scene = scene_with(tokens=9)
    scene.wrap = losing(**{lost: {Step.CREATE: frozenset({2})}})
    run = scene.submit(_three())
    found = scene.outcomes(), scene.sends(), run.tally.adopted
    assert found == (THREE_SENT, [1] * 3, adopted)


def test_a_send_whose_answer_is_lost_is_found_sent(scene_with):
    scene = scene_with(tokens=9)
    scene.wrap = losing(after={Step.SEND: frozenset({1, 3})})
    scene.submit(_three())
    answers = scene.state()["requests"]["project_send"]
    assert (scene.outcomes(), answers) == (THREE_SENT, {"200": 3})


def test_a_create_that_is_lost_again_and_again_is_held_for_a_person(scene_with):
    scene = scene_with(tokens=9)
    scene.settle_seconds = 0.1
    scene.wrap = losing(before={Step.CREATE: frozenset(range(1, 9))})
    scene.submit(checked_projects([project(1)]))
    assert (scene.outcomes(), scene.sends()) == (ONE_HELD, [])


def test_a_run_that_dies_at_any_durable_write_is_resumed_without_a_second_send(
    scene_with,
):
    scene = scene_with(tokens=100_000)
    scene.settle_seconds = 0.1
    whole = Scene(twin=scene.twin)
    whole.submit(_batch(0))
    points = whole.journal.points
    for point in range(1, points + 1):
        die_and_resume(scene, batch=point, point=point)
    projects = scene.state()["projects"]
    assert (len(projects), {each["sends"] for each in projects}) == (
        2 * (points + 1),
        {1},
    )


def die_and_resume(scene, *, batch, point):
    """Stop the journal at one write, then let a new process go on."""
    scene.journal = MemoryJournal(stop_at=point)
    try:
        scene.submit(_batch(batch))
    except Stopped:
        scene.journal = scene.journal.restarted()
        scene.submit(_batch(batch))


def _batch(number):
    return checked_projects([project(f"{number}-{n}") for n in range(2)])


def test_a_row_edited_while_it_was_in_doubt_is_held_and_not_sent(scene_with):
    scene = scene_with(tokens=9)
    scene.settle_seconds = 0.2
    row = project(1)
    scene.journal = MemoryJournal(stop_at=None)
    scene.wrap = stopping_after(scene, Step.CREATE)
    scene.submit(checked_projects([row]))
    scene.wrap, scene.halt.asked = None, False
    scene.submit(checked_projects([replace(row, description="Something else.")]))
    assert (scene.outcomes(), scene.sends()) == (ONE_HELD, [0])


def stopping_after(scene, step):
    """Lose the first answer of `step` and stop the run there."""
    lose = losing(after={step: frozenset({1})})

    def wrap(service):
        lossy = lose(service)
        inner = lossy.acts.create_draft

        class Last:
            send = lossy.acts.send

            async def create_draft(self, body):
                scene.halt.asked = True
                return await inner(body)

        return replace(lossy, acts=Last())

    return wrap
