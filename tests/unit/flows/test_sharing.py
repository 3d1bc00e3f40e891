"""Two machines, a journal each, one service: one send for each row."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.service import MemoryService
from kawe.domain.outcomes import Outcome
from kawe.domain.service_words import ProjectId
from kawe.domain.states import State
from kawe.journal.memory import MemoryJournal

HOUR = 3_600
OTHER = ProjectId("20000000-0000-4000-8000-000000000001")


class Dated(MemoryService):
    """Knows the time, and makes drafts one second apart."""

    __slots__ = ("clock",)

    async def create_draft(self, body):
        done = await super().create_draft(body)
        made = replace(done.project, created_at=self.clock.now())
        self.clock.pass_by(1)
        self.projects_there[-1] = made
        return replace(done, project=made)


def machine(service=None, clock=None, **how):
    """Give one machine, with a service and a clock of its own or another's."""
    scene = MemoryScene(service=service or Dated(), is_alone=False, **how)
    if clock is None:
        scene.service.clock = scene.clock
    else:
        scene.clock = clock
    return scene


def neighbour(scene, **how):
    """Give another machine in front of the same service."""
    return machine(scene.service, scene.clock, **how)


def sheet(number=1):
    return checked_projects([project(n) for n in range(number)])


def sends(scene):
    """Count the sends by reference, whatever project they went to."""
    by_id = {each.id: each.reference for each in scene.service.projects_there}
    counted = Counter()
    for project_id, number in scene.service.sends.items():
        counted[by_id[project_id]] += number
    return counted


def both_at_once(one, other, checked):
    async def go():
        await asyncio.gather(one._submit(checked), other._submit(checked))

    asyncio.run(go())


ONCE = Counter({f"R-{n}": 1 for n in range(5)})


def test_two_machines_at_the_same_moment_send_each_row_once():
    one = machine()
    other = neighbour(one)
    both_at_once(one, other, sheet(5))
    first = sends(one)
    one.submit(sheet(5))
    other.submit(sheet(5))
    assert (len(one.service.projects_there), first, sends(one)) == (10, ONCE, ONCE)
    assert [one.outcomes(), other.outcomes()] == [Counter({Outcome.SENT: 5})] * 2


def test_machines_that_think_they_are_alone_are_told_apart_by_chance_only():
    # Shows that the test above can fail.
    one = machine()
    other = neighbour(one)
    one.is_alone = other.is_alone = True
    both_at_once(one, other, sheet(5))
    assert sends(one).total() > 5


def test_a_draft_is_as_old_as_the_window_before_it_is_sent_once_for_all_rows():
    scene = machine()
    scene.submit(sheet(5))
    assert (scene.outcomes(), 180 <= sum(scene.clock.slept) < 182) == (
        Counter({Outcome.SENT: 5}),
        True,
    )


def test_drafts_that_are_old_enough_wait_for_nothing():
    scene = machine()
    scene.submit(sheet(3), max_tokens=0)
    waited = len(scene.clock.slept)
    scene.clock.pass_by(180)
    scene.submit(sheet(3))
    assert (scene.outcomes(), len(scene.clock.slept)) == (
        Counter({Outcome.SENT: 3}),
        waited,
    )


def test_a_stop_while_drafts_come_of_age_sends_nothing():
    scene = machine()

    class Impatient(type(scene.clock)):
        async def sleep(self, wait_seconds):
            await super().sleep(wait_seconds)
            scene.halt.asked = True

    scene.clock = scene.service.clock = Impatient()
    scene.submit(sheet())
    assert (scene.outcomes(), sends(scene)) == (
        Counter({Outcome.DRAFTED: 1}),
        Counter(),
    )


def drafted_elsewhere(**changes):
    """Give a machine whose neighbour has just made a draft of the one row."""
    other = machine()
    other.submit(sheet(), drafts_only=True)
    there = other.service.projects_there
    other.service.projects_there = [replace(each, **changes) for each in there]
    return neighbour(other)


def test_a_draft_of_another_machine_at_work_is_neither_taken_nor_made_again():
    scene = drafted_elsewhere()
    scene.submit(sheet())
    assert (scene.outcomes(), len(scene.service.projects_there)) == (
        Counter({Outcome.UNFINISHED: 1}),
        1,
    )


def test_a_draft_that_nobody_seems_to_be_about_to_send_is_taken():
    scene = drafted_elsewhere()
    scene.clock.pass_by(HOUR)
    scene.submit(sheet())
    assert (scene.outcomes(), sends(scene)) == (
        Counter({Outcome.SENT: 1}),
        Counter({"R-0": 1}),
    )


def test_what_another_machine_sent_is_sent():
    scene = drafted_elsewhere(status="NEW")
    scene.submit(sheet())
    assert (scene.outcomes(), sends(scene)) == (
        Counter({Outcome.SENT: 1}),
        Counter(),
    )


def test_what_another_machine_made_of_another_row_is_held():
    scene = drafted_elsewhere(name="Another")
    scene.submit(sheet())
    assert scene.outcomes() == Counter({Outcome.HELD: 1})


def drafted_second(**changes):
    """Give a machine with a draft of its own, made after a neighbour's."""
    scene = machine()
    scene.submit(sheet(), max_tokens=0)
    (own,) = scene.service.projects_there
    first = replace(
        own, id=OTHER, created_at=own.created_at.replace(year=2025), **changes
    )
    scene.service.projects_there.append(first)
    return scene


@pytest.mark.parametrize(
    ("first", "outcome", "sent"),
    [
        ({}, Outcome.SENT, [OTHER]),
        ({"status": "NEW"}, Outcome.SENT, []),
        ({"name": "Another"}, Outcome.HELD, []),
    ],
    ids=["old draft", "sent", "another"],
)
def test_the_project_that_was_made_first_wins(first, outcome, sent):
    scene = drafted_second(**first)
    run = scene.submit(sheet())
    assert (scene.outcomes(), list(scene.service.sends)) == (
        Counter({outcome: 1}),
        sent,
    )
    assert [each.why for each in run.tally.second_drafts] == (
        ["another computer's was made first"] if outcome is Outcome.SENT else []
    )


@pytest.mark.parametrize("is_listed_last", [False, True])
def test_of_drafts_made_at_the_same_moment_the_lowest_id_wins(is_listed_last):
    scene = machine()
    scene.submit(sheet(), max_tokens=0)
    (own,) = scene.service.projects_there
    lowest = replace(own, id=ProjectId("00000000-0000-0000-0000-000000000000"))
    drafts = [lowest, own] if is_listed_last else [own, lowest]
    scene.service.projects_there = drafts
    scene.clock.pass_by(HOUR)
    scene.submit(sheet())
    assert (scene.outcomes(), list(scene.service.sends)) == (
        Counter({Outcome.SENT: 1}),
        [lowest.id],
    )


def test_a_young_draft_that_was_made_first_is_left_to_its_machine():
    scene = drafted_second()
    (own, first) = scene.service.projects_there
    young = replace(first, created_at=own.created_at.replace(hour=8, minute=59))
    scene.service.projects_there = [own, young]
    scene.submit(sheet())
    (entry,) = scene.entries()
    assert (entry.state, scene.outcomes(), list(scene.service.sends)) == (
        State.READY,
        Counter({Outcome.UNFINISHED: 1}),
        [],
    )


def test_a_row_whose_own_draft_cannot_be_seen_is_left_for_the_next_run():
    scene = machine()
    scene.submit(sheet(), max_tokens=0)
    hidden, scene.service.projects_there = scene.service.projects_there, []
    scene.submit(sheet())
    unseen = scene.outcomes()
    scene.service.projects_there = hidden
    scene.submit(sheet())
    assert (unseen, scene.outcomes()) == (
        Counter({Outcome.UNFINISHED: 1}),
        Counter({Outcome.SENT: 1}),
    )


def test_a_release_looks_for_other_machines_too():
    scene = drafted_second(status="NEW")
    scene.release()
    assert (scene.outcomes(), list(scene.service.sends)) == (
        Counter({Outcome.SENT: 1}),
        [],
    )


def test_a_lost_journal_is_made_up_for_after_an_hour():
    scene = machine()
    scene.submit(sheet(3), max_tokens=0)
    scene.journal = MemoryJournal()
    scene.submit(sheet(3))
    early = scene.outcomes()
    scene.clock.pass_by(HOUR)
    scene.submit(sheet(3))
    assert (early, scene.outcomes(), len(scene.service.projects_there)) == (
        Counter({Outcome.UNFINISHED: 3}),
        Counter({Outcome.SENT: 3}),
        3,
    )
