"""A service that came back from a backup: what it lost is said, and not sent again."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from doubles.memory_scene import MemoryScene
from doubles.rows import SOURCE, checked_projects, project
from doubles.service import MemoryService, projects_of_others
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import State
from kawe.domain.text.next_steps import Next
from kawe.kinds.projects import PROJECTS

DAY = 86_400
SENT = Counter({Outcome.SENT: 6})


def sheet(*numbers):
    return checked_projects([project(n) for n in numbers or range(6)])


@pytest.fixture
def scene():
    """Give a scene whose six rows were sent yesterday."""
    scene = MemoryScene()
    scene.submit(sheet())
    scene.clock.pass_by(DAY)
    return scene


def restore(scene, *, drafts=(), gone=()):
    """Let the service have the backup of a time before these rows were sent."""
    there, others = scene.service.projects_there, projects_of_others(40)
    for number in drafts:
        there[number] = replace(there[number], status="DRAFT")
    for number, other in zip(gone, others, strict=False):
        there[number] = other


def markers(rows):
    return sorted(each.marker for each in rows)


def again(scene):
    return scene.submit(sheet())


def with_a_new_row(scene):
    return scene.submit(sheet(*range(7)))


def of_another_workbook(scene):
    """Submit another workbook, of which one row is new."""
    return scene.submit(sheet(8), source=replace(SOURCE, workbook=Path("other.xlsx")))


GO = pytest.mark.parametrize("go", [again, with_a_new_row, of_another_workbook])


@GO
def test_what_the_service_lost_is_counted_by_name_and_not_sent_again(scene, go):
    restore(scene, drafts=(0, 1), gone=(2,))
    before = scene.service.sends.copy()
    run = go(scene)
    held = [each for each in scene.entries() if each.state is State.UNCONFIRMED]
    assert (markers(run.tally.lost_sends), markers(held)) == (
        ["R-0", "R-1", "R-2"],
        ["R-0", "R-1", "R-2"],
    )
    assert {scene.service.sends[each] for each in before} == {1}


def test_the_report_of_the_batch_says_it_in_one_line_from_then_on(scene):
    restore(scene, drafts=(0,), gone=(1,))
    again(scene)
    for _ in range(2):
        (said,) = (each for each in scene.report().remarks if "any more" in each)
        assert said == (
            "The service does not show 2 projects that were sent as sent any more: "
            "R-0, R-1. It may have been restored from a backup. kawe sends nothing "
            f"again for them: run {Next.AUDIT}, and look in the portal."
        )
        again(scene)
    assert scene.service.calls["send"] == 6


@GO
def test_a_service_that_lost_nothing_gives_no_reason_to_say_anything(scene, go):
    assert (go(scene).tally.lost_sends, Outcome.HELD in scene.outcomes()) == ([], False)


def test_a_row_that_the_service_shows_as_sent_again_is_sent_again_in_the_journal(scene):
    there = list(scene.service.projects_there)
    restore(scene, drafts=(0,), gone=(1,))
    again(scene)
    scene.service.projects_there = there
    run = again(scene)
    assert (scene.outcomes(), run.tally.lost_sends) == (SENT, [])


@pytest.mark.parametrize(("ago", "lost"), [(170, 0), (190, 1)])
def test_what_was_sent_less_than_a_window_ago_may_just_be_late(ago, lost):
    scene = MemoryScene()
    scene.submit(sheet())
    scene.clock.pass_by(ago)
    restore(scene, drafts=(0,))
    assert len(again(scene).tally.lost_sends) == lost


def test_a_list_that_is_late_is_not_believed_where_the_page_shows_a_send(scene):
    class Late(MemoryService):
        """Lists a draft that its own page shows as sent."""

        async def projects(self, *, page, search=None, status=None):
            there = self.projects_there
            self.projects_there = [replace(there[0], status="DRAFT"), *there[1:]]
            found = await super().projects(page=page, search=search, status=status)
            self.projects_there = there
            return found

    scene.service = Late(projects_there=scene.service.projects_there)
    assert (again(scene).tally.lost_sends, scene.outcomes()) == ([], SENT)


def test_in_a_large_team_the_newest_are_read_and_then_as_many_as_twenty(scene):
    scene.service.projects_there[:0] = projects_of_others(1_050)[45:]
    restore(scene, gone=[1_005 + n for n in range(6)])
    before = scene.service.calls.copy()
    run = again(scene)
    asked = scene.service.calls - before
    assert (len(run.tally.lost_sends), asked["projects"], asked["project"]) == (6, 1, 9)


def test_of_many_the_first_twenty_are_read_and_all_are_counted():
    scene = MemoryScene()
    scene.submit(sheet(*range(40)))
    scene.clock.pass_by(DAY)
    restore(scene, gone=range(40))
    before = scene.service.calls["project"]
    run = scene.submit(sheet(*range(40)))
    assert (len(run.tally.lost_sends), scene.service.calls["project"] - before) == (
        40,
        20,
    )


def test_a_release_notices_it_as_well():
    scene = MemoryScene()
    scene.service.tokens = 6
    scene.submit(sheet(*range(8)))
    scene.clock.pass_by(DAY)
    scene.service.tokens = 9
    restore(scene, drafts=(0,))
    run = scene.release()
    assert (markers(run.tally.lost_sends), set(scene.service.sends.values())) == (
        ["R-0"],
        {1},
    )


def test_a_journal_without_sends_asks_for_no_look():
    scene = MemoryScene()
    scene.submit(sheet(), drafts_only=True)
    before = scene.service.calls["projects"]
    scene.submit(sheet(), drafts_only=True)
    assert (scene.service.calls["projects"], PROJECTS.has_drafts) == (before, True)
