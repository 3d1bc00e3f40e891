"""Planning: each line is kept, edits that come too late are pointed out."""

import asyncio
from dataclasses import replace

import pytest

from doubles.memory_scene import MemoryScene
from doubles.rows import checked_invitations, checked_projects, person, project
from kawe.domain.service.states import State

ONE = project(1)
EDITED = replace(ONE, description="Other words.")


def test_a_row_that_cannot_be_taken_is_a_line_without_a_row():
    checked = checked_projects([ONE, project(2)])
    wrong = replace(checked.rows[0], content=None, key=None, take_fingerprint=None)
    checked = replace(checked, rows=(wrong, checked.rows[1]))
    plan = MemoryScene().plan(checked)
    assert [line.row for line in plan.lines] == [None, checked.rows[1].key]
    assert (plan.invalid, [each.position for each in plan.entries]) == (1, [2])


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ([ONE], [EDITED], "already sent as Culvert 1 at Māngere (R-1)"),
        (
            [replace(ONE, send=False)],
            [EDITED],
            "created as a draft before it was edited",
        ),
    ],
    ids=["sent", "drafted"],
)
def test_an_edit_of_what_the_service_has_is_pointed_out(before, after, words):
    scene = MemoryScene()
    scene.submit(checked_projects(before))
    (found,) = scene.plan(checked_projects(after)).lines[0].findings
    assert (found.rule, found.message) == (
        "edited-too-late",
        f"This row was {words}; the edit is not applied.",
    )


def test_an_edit_of_somebody_who_was_invited_is_pointed_out():
    scene = MemoryScene()
    scene.submit(checked_invitations([person(1)]))
    plan = scene.plan(checked_invitations([person(1, name="Hēmi Tāne")]))
    (found,) = plan.lines[0].findings
    assert (found.message, plan.changed, plan.own_steps) == (
        "This row was invited before it was edited; the edit is not applied.",
        frozenset({plan.entries[0].key}),
        0,
    )


def test_workbooks_of_one_name_have_batches_of_their_own():
    scene = MemoryScene()
    for number in range(3):
        scene.submit(checked_projects([project(number)]))
    names = [each.name for each in asyncio.run(scene.journal.batches())]
    assert sorted(names) == ["monthly", "monthly-2", "monthly-3"]


def test_a_row_that_was_withdrawn_goes_on_when_it_is_back():
    scene = MemoryScene()
    scene.service.has_turns = False
    scene.submit(checked_projects([ONE, project(2)]))
    scene.submit(checked_projects([project(2)]))
    plan = scene.plan(checked_projects([ONE, project(2)]))
    assert [each.state for each in plan.entries] == [State.VALID, State.VALID]
    assert (plan.to_create, plan.to_send) == (2, 2)
