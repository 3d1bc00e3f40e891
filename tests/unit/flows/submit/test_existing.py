"""What the service already has is adopted or held, never made again."""

from collections import Counter
from dataclasses import replace

import pytest

from doubles.memory_journal import ONE_HELD, ONE_SENT, MemoryJournal
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, first_rows, project
from doubles.service import MemoryService, projects_of_others
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.service_words import ProjectId, without_ids
from kawe.domain.service.states import State
from kawe.errors import OthersAtWork, ServiceUnreachable
from kawe_places.values import Place

WEIR = {
    "name": "Weir",
    "description": "It is raised.",
    "place": Place(latitude=-40.0, longitude=175.0),
}


def drafted_before(number=1, **changes):
    """Give a scene whose service has drafts that its journal does not know."""
    scene = MemoryScene()
    scene.submit(first_rows(number), max_tokens=0)
    scene.journal = MemoryJournal()
    there = scene.service.projects_there
    scene.service.projects_there = [replace(each, **changes) for each in there]
    return scene


def test_a_draft_like_the_row_is_adopted():
    scene = drafted_before()
    run = scene.submit(first_rows())
    assert (run.tally.adopted, len(scene.service.projects_there), scene.outcomes()) == (
        1,
        1,
        ONE_SENT,
    )


class SlowService(MemoryService):
    """Carries out a send that another journal made, while this one waits."""

    async def projects(self, *, page, search=None, status=None):
        found = await super().projects(page=page, search=search, status=status)
        self.projects_there = [
            replace(each, status="NEW") for each in self.projects_there
        ]
        return found


def test_a_send_that_a_lost_journal_made_is_waited_for_and_not_made_again():
    scene = MemoryScene(
        service=SlowService(projects_there=drafted_before().service.projects_there)
    )
    scene.submit(first_rows())
    assert (sum(scene.clock.slept), scene.service.sends, scene.outcomes()) == (
        180,
        Counter(),
        ONE_SENT,
    )


def test_a_set_of_strange_drafts_that_grows_is_left_to_whoever_is_at_work():
    before = drafted_before(2)
    scene = MemoryScene()

    class SlowLists(MemoryService):
        """Takes minutes for a list, and does not show the newest at first."""

        looks = 0

        async def projects(self, *, page, search=None, status=None):
            found = await super().projects(page=page, search=search, status=status)
            scene.clock.pass_by(200)
            self.looks += 1
            if self.looks > 1:
                return found
            return replace(found, items=found.items[:-1], total=found.total - 1)

    scene.service = SlowLists(projects_there=before.service.projects_there)
    left = (type(scene.submit(first_rows(2)).stop.because), scene.outcomes())
    scene.submit(first_rows(2))
    assert (left, scene.service.calls["create"], scene.outcomes()) == (
        (OthersAtWork, Counter({Outcome.UNFINISHED: 2})),
        0,
        Counter({Outcome.SENT: 2}),
    )


def test_strange_drafts_are_waited_for_however_long_ago_the_batch_was_opened():
    scene = drafted_before()
    scene.clock.pass_by(3600)
    scene.submit(first_rows())
    # A window, and half of another where somebody else made the draft.
    assert (sum(scene.clock.slept), scene.outcomes()) == (270, ONE_SENT)


@pytest.mark.parametrize("left", [0, 1], ids=["all sent", "a draft beside it"])
def test_rows_that_are_sent_already_are_sent_and_wait_for_nobody(left):
    scene = drafted_before(2, status="NEW")
    there = scene.service.projects_there
    second = ProjectId("20000000-0000-4000-8000-000000000001")
    there += [replace(each, id=second, status="DRAFT") for each in there[:left]]
    assert (
        scene.clock.slept,
        scene.submit(first_rows(2)).tally.sent_elsewhere,
        scene.service.calls["create"],
        scene.outcomes(),
    ) == ([], {entry.key for entry in scene.entries()}, 2, Counter({Outcome.SENT: 2}))


def test_a_row_that_was_sent_twice_elsewhere_is_left_to_a_person():
    scene = drafted_before(status="NEW")
    first = scene.service.projects_there[0]
    twin = replace(first, id=ProjectId("20000000-0000-4000-8000-000000000001"))
    scene.service.projects_there.append(twin)
    scene.submit(first_rows())
    assert scene.outcomes() == ONE_HELD


def test_whoever_stops_the_run_while_it_waits_has_created_nothing():
    scene = drafted_before(2)
    scene.service.projects_there.pop()
    scene.clock.sleep = lambda _: stopped(scene)
    scene.submit(first_rows(2))
    assert (scene.service.calls["create"], scene.outcomes()) == (
        2,
        Counter({Outcome.UNFINISHED: 2}),
    )


async def stopped(scene):
    scene.halt.asked = True


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": "Another"}, "differs from the row in name"),
        ({"status": "NEW", "name": "Another"}, "differs from the row in name"),
        ({"status": None}, "does not say whether it was sent"),
    ],
    ids=str,
)
def test_anything_else_with_the_row_s_reference_is_held(changes, why):
    scene = drafted_before(**changes)
    scene.submit(first_rows())
    assert (scene.outcomes(), why in scene.entries()[0].reason) == (ONE_HELD, True)


def with_a_second(**changes):
    scene = drafted_before()
    first = scene.service.projects_there[0]
    twin = replace(first, id=ProjectId("20000000-0000-4000-8000-000000000001"))
    scene.service.projects_there.append(replace(twin, **changes))
    return scene, first


def test_two_projects_with_the_row_s_reference_are_left_to_a_person():
    scene, _ = with_a_second(description="Other words.")
    scene.submit(first_rows())
    assert (scene.outcomes(), scene.service.sends) == (ONE_HELD, Counter())


def test_of_two_drafts_that_say_the_same_the_first_is_taken_and_sent():
    scene, first = with_a_second()
    scene.submit(first_rows())
    assert (scene.outcomes(), dict(scene.service.sends)) == (ONE_SENT, {first.id: 1})


def test_the_reference_that_kawe_gave_to_one_row_makes_no_project_of_another():
    scene = MemoryScene()
    nameless = replace(project(0), reference=None)
    scene.submit(checked_projects([nameless]))
    given = scene.service.projects_there[0].reference
    scene.submit(checked_projects([replace(project(0), reference=given)]))
    reason = (
        f"The service already has a project with the reference {given}, which was "
        f"made for another row: “{nameless.name}”, sent."
    )
    assert (
        scene.service.calls["create"],
        scene.service.sends.total(),
        without_ids(scene.entries()[-1].reason),
    ) == (1, 1, reason)


@pytest.mark.parametrize("others", [99, 100, 250], ids=str)
@pytest.mark.parametrize("number", [1, 9])
def test_our_drafts_are_found_among_many(others, number):
    # Few rows are searched for one by one, for many the whole list is read.
    scene = drafted_before(number)
    scene.service.projects_there += projects_of_others(others)
    assert (scene.submit(first_rows(number)).tally.adopted, scene.outcomes()) == (
        number,
        Counter({Outcome.SENT: number}),
    )


class LyingService(MemoryService):
    """Says that every list is as long as the page it gives."""

    async def projects(self, *, page, search=None, status=None):
        found = await super().projects(page=page, search=search, status=status)
        return replace(found, total=len(found.items))


@pytest.mark.parametrize("number", [1, 9])
def test_a_total_that_lies_hides_no_draft_of_ours(number):
    scene = drafted_before(number)
    there = scene.service.projects_there + projects_of_others(250)
    scene.service = LyingService(projects_there=there)
    assert scene.submit(first_rows(number)).tally.adopted == number


class Restless(MemoryService):
    """Says each time that there is one project more."""

    async def projects(self, *, page, search=None, status=None):
        found = await super().projects(page=page, search=search, status=status)
        return replace(found, total=found.total + self.calls["projects"])


@pytest.mark.parametrize("is_down", [True, False], ids=["down", "restless"])
def test_nothing_is_created_while_the_list_is_not_read_or_does_not_hold_still(is_down):
    down = MemoryService(script={"projects": [ServiceUnreachable(message="Down.")]})
    scene = MemoryScene(service=down if is_down else Restless())
    run = scene.submit(first_rows())
    assert (type(run.stop.because), scene.service.calls["create"]) == (
        ServiceUnreachable,
        0,
    )


def test_a_draft_with_other_content_never_becomes_the_row_s_own():
    # Without a send nobody would read it again.
    scene = drafted_before(name="Another")
    scene.submit(first_rows(), drafts_only=True)
    assert [(each.state, each.project_id) for each in scene.entries()] == [
        (State.HELD, None)
    ]


@pytest.mark.parametrize("others", [0, 250], ids=str)
def test_a_project_whose_reference_only_begins_like_the_row_s_stands_in_no_way(others):
    # Fewer than a page are read as they are, many are searched for.
    scene = drafted_before(reference="R-00", **WEIR)
    scene.service.projects_there += projects_of_others(others)
    scene.submit(first_rows())
    assert (scene.outcomes(), scene.service.sends.total()) == (ONE_SENT, 1)
