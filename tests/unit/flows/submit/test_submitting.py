"""Submitting: rounds that end, drafts that stay, rows that left the workbook."""

import asyncio
import gc

import pytest

from doubles.memory_journal import (
    ONE_DRAFTED,
    ONE_IN_DOUBT,
    ONE_UNFINISHED,
    MemoryJournal,
    Stopped,
)
from doubles.memory_scene import SOURCE, MemoryScene, scripted
from doubles.rows import checked_invitations, checked_projects, person, project
from doubles.service import MemoryService
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import State, Unknown
from kawe.errors import ServiceUnreachable
from kawe.flows.plan.planning import make_plan
from kawe.flows.submit.submitting import begin


def sheet(*numbers):
    return checked_projects([project(n) for n in numbers])


def died_with_an_open_create():
    """Give a scene whose process died after it wrote down what it would do."""
    for point in range(1, 99):
        scene = MemoryScene(journal=MemoryJournal(stop_at=point), workers=1)
        with pytest.raises(Stopped):
            scene.submit(sheet(1, 2))
        scene.journal = scene.journal.restarted()
        if states(scene).get("R-1") is State.CREATE_INTENT:
            return scene
    raise AssertionError("no such point")


def states(scene):
    return {each.marker: each.state for each in scene.entries()}


def test_a_run_for_drafts_alone_sends_nothing():
    scene = MemoryScene()
    scene.submit(sheet(1, 2), drafts_only=True)
    assert (scene.outcomes(), scene.service.calls["send"]) == ({Outcome.DRAFTED: 2}, 0)


def test_invitations_that_stay_in_doubt_are_not_asked_for_ever():
    scene = scripted(invite=[Unknown(detail="lost")] * 99)
    scene.submit(checked_invitations([person(1)]))
    assert (scene.outcomes(), scene.service.calls["invite"]) == (ONE_IN_DOUBT, 4)


def test_a_row_that_left_the_workbook_is_withdrawn_once():
    scene = MemoryScene()
    scene.service.has_turns = False
    scene.submit(sheet(1, 2))
    scene.submit(sheet(2), takes_out=True)
    withdrawn = [each for each in scene.entries() if each.marker == "R-1"]
    scene.clock.pass_by(60)
    scene.submit(sheet(2), takes_out=True)
    assert states(scene) == {"R-1": State.WITHDRAWN, "R-2": State.FILES_READY}
    assert [each for each in scene.entries() if each.marker == "R-1"] == withdrawn


def test_a_row_taken_out_of_the_workbook_is_not_sent_although_it_has_a_draft():
    scene = MemoryScene(service=MemoryService(tokens=0))
    scene.submit(sheet(1, 2))
    scene.service.tokens = 9
    scene.submit(sheet(2), takes_out=True)
    scene.release()
    assert (states(scene), scene.service.sends.total()) == (
        {"R-1": State.DRAFTED, "R-2": State.CONFIRMED},
        1,
    )


def test_a_row_that_is_put_back_goes_on_with_its_draft():
    scene = MemoryScene(service=MemoryService(tokens=0))
    scene.submit(sheet(1, 2))
    scene.service.tokens = 9
    scene.submit(sheet(2))
    scene.submit(sheet(1, 2))
    assert (scene.outcomes(), scene.service.calls["create"]) == ({Outcome.SENT: 2}, 2)


def test_a_row_taken_out_while_its_create_was_in_doubt_is_not_created_again():
    scene = died_with_an_open_create()
    scene.submit(sheet(2), takes_out=True)
    made = [each.reference for each in scene.service.projects_there]
    assert (states(scene)["R-1"], made) == (State.WITHDRAWN, ["R-2"])


def test_a_waiting_draft_that_is_not_to_be_sent_any_more_is_a_draft_again():
    scene = MemoryScene(service=MemoryService(tokens=0))
    scene.submit(sheet(1))
    scene.submit(checked_projects([project(1, send=False)]))
    assert scene.outcomes() == ONE_DRAFTED


async def test_a_plan_that_was_begun_holds_no_row_of_which_the_journal_has_all():
    rows = checked_projects([project(1), project(2), project(3, send=False)])
    scene = MemoryScene()
    run = await scene.run()
    whole = await make_plan(
        rows, source=SOURCE, account=run.account, journal=scene.journal
    )
    plan = await begin(whole, run=run, budget=Budget(balance=9))
    # What rests is looked for by its row.
    assert (plan.lines, plan.entries) == ((), whole.entries[2:])
    assert (plan.keys, len(plan.keys)) == (whole.keys, 3)


class Unreadable(MemoryService):
    """Cannot show a project once anything was sent, while it is down."""

    __slots__ = ("is_down",)

    def __init__(self):
        super().__init__()
        self.is_down = True

    async def project(self, project):
        found = await super().project(project)
        if self.is_down and self.sends:
            raise ServiceUnreachable(message="Down.")
        return found


def test_while_rows_are_sent_none_is_in_memory_as_it_was_before():
    def rows():
        every = [each for each in gc.get_objects() if type(each) is Entry]
        return {id(each): each for each in every if each.state is State.DRAFTED}

    class Counting(MemoryService):
        async def send(self, project, body):
            drafted.extend(rows().keys() - of_other_tests.keys())
            return await super().send(project, body)

    of_other_tests = rows()
    drafted, scene = [], MemoryScene(service=Counting())
    scene.submit(sheet(1, 2))
    assert (scene.service.sends.total(), drafted) == (2, [])


def test_what_cannot_be_read_back_stays_sent_and_stops_the_run():
    scene = MemoryScene(service=Unreadable(), workers=1)
    assert (type(scene.submit(sheet(1, 2)).stop.because), states(scene)) == (
        ServiceUnreachable,
        {"R-1": State.SENT, "R-2": State.READY},
    )


def test_what_was_sent_before_is_confirmed_by_the_next_run():
    scene = MemoryScene(service=Unreadable(), workers=2)
    scene.submit(sheet(1, 2))
    before = states(scene)
    scene.service.is_down = False
    scene.submit(sheet(1, 2))
    assert (before, states(scene), scene.service.sends.total()) == (
        {"R-1": State.SENT, "R-2": State.SENT},
        {"R-1": State.CONFIRMED, "R-2": State.CONFIRMED},
        2,
    )


def test_a_service_that_is_still_down_is_asked_about_one_sent_row_only():
    scene = MemoryScene(service=Unreadable(), workers=2)
    scene.submit(sheet(1, 2))
    asked = scene.service.calls["project"]
    run = scene.submit(sheet(1, 2))
    assert (type(run.stop.because), scene.service.calls["project"] - asked) == (
        ServiceUnreachable,
        1,
    )


def test_who_answers_is_written_down_when_the_settings_name_somebody():
    owners = []
    scene = MemoryScene()
    for owner in ("", "Hēmi, consents desk", ""):
        scene.owner = owner
        scene.submit(sheet(1))
        owners.append(asyncio.run(scene.journal.batch_owners()))
    named = {"monthly": "Hēmi, consents desk"}
    assert owners == [{}, named, named]


@pytest.mark.parametrize(
    "checked", [checked_invitations([person(1)]), sheet(1)], ids=["people", "projects"]
)
def test_a_run_that_is_stopped_at_its_beginning_asks_for_nothing(checked):
    scene = MemoryScene()
    scene.halt.asked = True
    scene.submit(checked)
    assert (scene.outcomes(), scene.service.calls.total()) == (ONE_UNFINISHED, 0)
