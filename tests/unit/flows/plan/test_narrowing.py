"""A run that takes some rows and leaves the others as they are."""

from collections import Counter
from dataclasses import replace

import pytest

from doubles.journal_values import NOW
from doubles.loops import awaited
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_invitations, checked_projects, person, project
from doubles.submitting import submit
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import Intent, State, Step
from kawe.domain.sheet.content import OrganisationContent
from kawe.domain.text.row_choice import read_row_choice
from kawe.errors import SettingsError
from kawe.flows.plan.counting import canary, only, without_done_by

COUNCIL = OrganisationContent(name="Kāpiti Coast District Council")
FIVE = [project(n, priority_order=10 - n) for n in range(5)]


def _keys(plan):
    return {entry.marker for entry in plan.entries if entry.key not in plan.left_out}


@awaited
async def carried_out(scene, plan):
    """Carry a plan out."""
    run = await scene.run()
    await submit(plan, run=run, budget=Budget(balance=99), organisations={})
    return run


@awaited
async def standing(scene, *, but):
    """Give every row and its attempts, as the journal has them, but for one."""
    return {
        e.marker: (e, await scene.journal.attempts(e.key))
        for e in await scene._entries()
        if e.marker != but
    }


def test_only_the_named_rows_are_counted():
    plan = only(MemoryScene().plan(checked_projects(FIVE)), read_row_choice("2,R-3"))
    assert (_keys(plan), plan.to_create, plan.to_send, plan.rows_read) == (
        {"R-0", "R-3"},
        2,
        2,
        5,
    )


def test_a_row_that_the_sheet_does_not_have_is_refused():
    plan = MemoryScene().plan(checked_projects(FIVE))
    with pytest.raises(SettingsError, match="does not have: 7"):
        only(plan, read_row_choice("7"))


@pytest.mark.parametrize("typed", ["2-3", "R-0,R-1"])
def test_a_row_to_correct_can_be_named_and_stays_so(typed):
    checked = checked_projects(FIVE)
    row = replace(checked.rows[0].row, raw=("R-0 ", "Culvert"))
    wrong = replace(checked.rows[0], row=row, content=None, key=None)
    checked = replace(checked, rows=(wrong, *checked.rows[1:]))
    plan = only(MemoryScene().plan(checked), read_row_choice(typed))
    assert (_keys(plan), plan.invalid) == ({"R-1"}, 1)


def test_a_canary_takes_the_first_in_the_order_of_sends():
    plan = MemoryScene().plan(checked_projects(FIVE))
    assert _keys(canary(plan, 2)) == {"R-4", "R-3"}


def test_a_canary_takes_first_whom_a_person_put_first():
    plan = MemoryScene().plan(checked_projects(FIVE))
    assert _keys(canary(plan, 2, first=[plan.entries[1].key])) == {"R-1", "R-4"}


def test_rows_that_stay_drafts_come_after_those_that_are_sent():
    rows = [project(0, send=False), project(1), project(2, send=False)]
    plan = MemoryScene().plan(checked_projects(rows))
    assert _keys(canary(plan, 2)) == {"R-1", "R-0"}


def test_a_canary_among_people_takes_the_first_of_the_sheet():
    scene = MemoryScene()
    plan = canary(scene.plan(checked_invitations([person(n) for n in range(3)])), 1)
    carried_out(scene, plan)
    assert scene.outcomes() == Counter({Outcome.INVITED: 1, Outcome.UNFINISHED: 2})


def test_what_is_left_out_is_neither_made_nor_withdrawn():
    scene = MemoryScene()
    carried_out(scene, canary(scene.plan(checked_projects(FIVE)), 2))
    assert (scene.outcomes(), len(scene.service.projects_there)) == (
        Counter({Outcome.SENT: 2, Outcome.UNFINISHED: 3}),
        2,
    )


def test_a_draft_that_is_left_out_is_not_sent():
    scene = MemoryScene()
    scene.submit(checked_projects(FIVE), max_tokens=0)
    carried_out(scene, canary(scene.plan(checked_projects(FIVE)), 2))
    assert (scene.service.sends.total(), scene.outcomes()[Outcome.SENT]) == (2, 2)


def test_the_next_canary_takes_the_next_rows():
    scene = MemoryScene()
    for _ in range(2):
        carried_out(scene, canary(scene.plan(checked_projects(FIVE)), 2))
    assert {e.marker for e in scene.entries() if e.state is State.CONFIRMED} == {
        "R-1",
        "R-2",
        "R-3",
        "R-4",
    }


def test_a_known_row_that_is_left_out_stays_as_the_journal_has_it():
    scene = MemoryScene()
    scene.submit(checked_projects(FIVE[:3]), drafts_only=True)
    before = standing(scene, but="R-0")
    edited = [FIVE[0], replace(FIVE[1], description="Other."), FIVE[2]]
    carried_out(scene, only(scene.plan(checked_projects(edited)), read_row_choice("2")))
    assert (standing(scene, but="R-0"), scene.outcomes()) == (
        before,
        Counter({Outcome.SENT: 1, Outcome.DRAFTED: 2}),
    )


def test_a_row_in_doubt_that_is_left_out_is_not_waited_for():
    scene = MemoryScene()
    checked = checked_projects(FIVE[:2])
    carried_out(scene, only(scene.plan(checked), read_row_choice("2")))
    _doubt(scene, checked.rows[1].key)
    before = (standing(scene, but="R-0"), scene.clock.now())
    carried_out(scene, only(scene.plan(checked), read_row_choice("2")))
    assert (standing(scene, but="R-0"), scene.clock.now()) == before


def test_an_organisation_that_a_left_out_row_may_have_made_is_not_made_again():
    scene = MemoryScene()
    others = [replace(each, organisation=COUNCIL) for each in FIVE[1:3]]
    checked = checked_projects([FIVE[0], *others])
    carried_out(scene, only(scene.plan(checked), read_row_choice("2")))
    _doubt(scene, checked.rows[1].key)
    carried_out(scene, only(scene.plan(checked), read_row_choice("4")))
    assert (scene.outcomes(), scene.service.organisations_there) == (
        Counter({Outcome.SENT: 1, Outcome.IN_DOUBT: 1, Outcome.UNFINISHED: 1}),
        [],
    )


@awaited
async def _doubt(scene, key):
    """Leave the intent of a create behind, as a killed process does."""
    await scene.journal.move(key, State.FILES_READY, at=NOW)
    intent = Intent(row=key, step=Step.CREATE, attempt=1, body_sha256="0", begun_at=NOW)
    await scene.journal.note([intent])


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        ((True, True), (True, True), {"R-2"}),
        ((False, False), (True, True), {"R-1", "R-2"}),
        ((True, True), (False, False), {"R-2"}),
        ((False, False), (False, False), {"R-2"}),
    ],
)
def test_what_an_earlier_sheet_of_the_run_does_is_left_out(first, second, left):
    scene = MemoryScene()
    one, other = (
        scene.plan(checked_projects([project(n, send=s) for n, s in rows]))
        for rows in ([(0, first[0]), (1, first[1])], [(1, second[0]), (2, second[1])])
    )

    assert _keys(without_done_by(other, [one])) == left
    assert without_done_by(other, []) is other
