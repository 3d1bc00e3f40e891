"""Two machines, a journal each, one service: one send for each row."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.clock import StillClock
from doubles.loops import awaited
from doubles.memory_journal import ONE_DRAFTED, ONE_SENT, ONE_UNFINISHED
from doubles.memory_scene import MemoryScene
from doubles.rows import first_rows
from doubles.service import MemoryService, projects_of_others
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import State
from kawe.errors import OthersAtWork

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
    scene = MemoryScene(service=service or Dated(), **how)
    if clock is None:
        scene.service.clock = scene.clock
    else:
        scene.clock = clock
    return scene


def neighbour(scene, **how):
    """Give another machine in front of the same service."""
    return machine(scene.service, scene.clock, **how)


def sends(scene):
    """Count the sends by reference, whatever project they went to."""
    by_id = {each.id: each.reference for each in scene.service.projects_there}
    counted = Counter()
    for project_id, number in scene.service.sends.items():
        counted[by_id[project_id]] += number
    return counted


@awaited
async def both_at_once(one, other, checked):
    await asyncio.gather(one._submit(checked), other._submit(checked))


ONCE = Counter({f"R-{n}": 1 for n in range(5)})


@pytest.mark.parametrize("is_alone", [True, False], ids=["by default", "several"])
def test_two_machines_at_the_same_moment_send_each_row_once(is_alone):
    one = machine(is_alone=is_alone)
    other = neighbour(one, is_alone=is_alone)
    both_at_once(one, other, first_rows(5))
    first = sends(one)
    one.submit(first_rows(5))
    other.submit(first_rows(5))
    assert (len(one.service.projects_there), first, sends(one)) == (10, ONCE, ONCE)
    assert [one.outcomes(), other.outcomes()] == [Counter({Outcome.SENT: 5})] * 2


def test_a_draft_is_as_old_as_the_window_before_it_is_sent_once_for_all_rows():
    scene = machine(is_alone=False)
    scene.submit(first_rows(5))
    assert (scene.outcomes(), 180 <= sum(scene.clock.slept) < 182) == (
        Counter({Outcome.SENT: 5}),
        True,
    )


def test_drafts_that_are_old_enough_wait_for_nothing():
    scene = machine(is_alone=False)
    scene.submit(first_rows(3), max_tokens=0)
    waited = len(scene.clock.slept)
    scene.clock.pass_by(180)
    scene.submit(first_rows(3))
    assert (scene.outcomes(), len(scene.clock.slept)) == ({Outcome.SENT: 3}, waited)


def test_a_stop_while_drafts_come_of_age_sends_nothing():
    scene = machine(is_alone=False)
    scene.clock.meanwhile = scene.halt.ask
    scene.submit(first_rows())
    assert (scene.outcomes(), sends(scene)) == (ONE_DRAFTED, Counter())


def drafted_elsewhere(**changes):
    """Give a machine whose neighbour has just made a draft of the one row."""
    other = machine()
    other.submit(first_rows(), drafts_only=True)
    there = other.service.projects_there
    other.service.projects_there = [replace(each, **changes) for each in there]
    return neighbour(other)


class Busy(StillClock):
    """While somebody sleeps, another machine does something, once."""

    def __init__(self, scene, deed):
        super().__init__(scene.clock.at)
        self.scene, self.deed = scene, deed

    async def sleep(self, wait_seconds):
        await super().sleep(wait_seconds)
        self.scene.service.projects_there = self.deed(self.scene.service.projects_there)
        self.deed = lambda drafts: drafts


def meanwhile(scene, deed):
    scene.clock = scene.service.clock = Busy(scene, deed)


def test_a_draft_of_another_machine_at_work_is_neither_taken_nor_made_again():
    scene = drafted_elsewhere()
    meanwhile(scene, lambda there: [replace(each, phase="LODGED") for each in there])
    run = scene.submit(first_rows())
    assert (
        scene.outcomes(),
        len(scene.service.projects_there),
        type(run.stop.because),
    ) == (ONE_UNFINISHED, 1, OthersAtWork)


def drafted_second(**changes):
    """Give a machine with a draft of its own, made after a neighbour's."""
    scene = machine()
    scene.submit(first_rows(), max_tokens=0)
    (own,) = scene.service.projects_there
    scene.service.projects_there.append(
        replace(own, id=OTHER, created_at=own.created_at.replace(year=2025), **changes)
    )
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
    run = scene.submit(first_rows())
    assert (scene.outcomes(), list(scene.service.sends)) == ({outcome: 1}, sent)
    assert [each.why for each in run.tally.second_drafts] == (
        ["another computer's was made first"] if outcome is Outcome.SENT else []
    )


@pytest.mark.parametrize("is_listed_last", [False, True])
def test_of_drafts_made_at_the_same_moment_the_lowest_id_wins(is_listed_last):
    scene = machine()
    scene.submit(first_rows(), max_tokens=0)
    (own,) = scene.service.projects_there
    lowest = replace(own, id=ProjectId("00000000-0000-0000-0000-000000000000"))
    scene.service.projects_there = [lowest, own] if is_listed_last else [own, lowest]
    scene.submit(first_rows())
    assert (scene.outcomes(), list(scene.service.sends)) == (ONE_SENT, [lowest.id])


def test_a_draft_that_was_made_first_waits_a_window_and_is_sent():
    scene = drafted_second()
    own, first = scene.service.projects_there
    late = replace(first, created_at=own.created_at.replace(year=2027))
    scene.service.projects_there = [own, late]
    scene.submit(first_rows())
    assert (scene.outcomes(), list(scene.service.sends), sum(scene.clock.slept)) == (
        ONE_SENT,
        [own.id],
        180,
    )


@pytest.mark.parametrize("is_first", [True, False])
def test_a_row_is_left_to_a_machine_that_moves_meanwhile(is_first):
    scene = drafted_second()
    own, first = scene.service.projects_there
    year = 2027 if is_first else 2025
    other = replace(first, created_at=own.created_at.replace(year=year))
    scene.service.projects_there = [own, other]
    changed = replace(other, phase="LODGED")
    meanwhile(scene, lambda _: [own, changed])
    run = scene.submit(first_rows())
    assert (scene.entry.state, list(scene.service.sends), type(run.stop.because)) == (
        State.WAIT_TOKENS,
        [],
        OthersAtWork,
    )


def test_a_draft_of_ours_that_another_machine_took_over_and_sent_is_sent():
    scene = drafted_second()
    own, first = scene.service.projects_there
    late = replace(first, created_at=own.created_at.replace(year=2027))
    scene.service.projects_there = [replace(own, status="NEW"), late]
    scene.submit(first_rows())
    assert (scene.outcomes(), list(scene.service.sends)) == (ONE_SENT, [])


def test_a_row_of_which_another_machine_made_a_draft_since_is_left_at_once():
    scene = machine()

    class Beside(type(scene.service)):
        """Another machine makes a draft before each of ours."""

        async def create_draft(self, body):
            await super().create_draft(body)
            return await super().create_draft(body)

    scene.service = Beside()
    scene.service.clock = scene.clock
    run = scene.submit(first_rows())
    assert (scene.outcomes(), list(scene.service.sends), type(run.stop.because)) == (
        ONE_UNFINISHED,
        [],
        OthersAtWork,
    )
    assert scene.clock.slept == []


def test_a_row_whose_other_draft_is_sent_while_the_run_waits_is_not_sent_again():
    scene = drafted_elsewhere()
    (first,) = scene.service.projects_there
    late = replace(first, id=OTHER, created_at=first.created_at.replace(year=2027))
    scene.service.projects_there = [first, late]

    def somebody_sends_the_late_one_after_two_windows():
        if scene.clock.ran > 2 * 180:
            scene.service.projects_there = [first, replace(late, status="NEW")]

    scene.clock = scene.service.clock = StillClock(scene.clock.at)
    scene.clock.meanwhile = somebody_sends_the_late_one_after_two_windows
    scene.submit(first_rows())
    assert (scene.outcomes(), scene.entry.project_id, list(scene.service.sends)) == (
        ONE_SENT,
        OTHER,
        [],
    )


class Long(MemoryService):
    """Has many projects of others; notes which pages are read after a create."""

    pages: list[int]
    joins: bool = False
    """Whether another computer makes a draft of the first row just before."""
    reading: int = 0
    together: int = 0
    """How many pages were read at one time, at most."""

    async def create_draft(self, body):
        self.pages = []
        if self.joins:
            self.joins = False
            await super().create_draft(body)
        return await super().create_draft(body)

    async def projects(self, *, page, search=None, status=None):
        found = await super().projects(page=page, search=search, status=status)
        self.pages.append(page)
        self.reading += 1
        self.together = max(self.together, self.reading)
        await self.clock.sleep(0)
        self.reading -= 1
        return found


def among_many(others, *, joins=False):
    scene = machine()
    scene.service = Long(tokens=200, projects_there=projects_of_others(others))
    scene.service.clock, scene.service.pages = scene.clock, []
    scene.service.joins = joins
    return scene


def test_the_pages_of_new_drafts_are_read_together_and_once_each():
    scene = among_many(450)
    scene.submit(first_rows(430))
    pages, together = scene.service.pages, scene.service.together
    # As many as the run has workers.
    assert (pages[0], sorted(pages), together) == (1, [1, 2, 3, 4, 5], 3)


@pytest.mark.parametrize("others", [0, 99, 100, 450], ids=str)
@pytest.mark.parametrize(("rows", "pages"), [(9, [1]), (130, [1, 2])], ids=str)
def test_a_lone_computer_reads_only_what_is_new_before_it_sends(others, rows, pages):
    scene = among_many(others)
    scene.submit(first_rows(rows))
    assert (scene.service.pages[: len(pages)], scene.outcomes()) == (
        pages,
        Counter({Outcome.SENT: rows}),
    )
    # The first page once more says that the list held still.
    assert set(scene.service.pages[len(pages) :]) <= ({1} if not others else set())


@pytest.mark.parametrize("others", [0, 99, 100, 450], ids=str)
def test_one_draft_of_another_computer_is_seen_among_many_projects(others):
    scene = among_many(others, joins=True)
    run = scene.submit(first_rows(9))
    assert (scene.outcomes(), type(run.stop.because)) == (
        Counter({Outcome.SENT: 8, Outcome.UNFINISHED: 1}),
        OthersAtWork,
    )


class Listing(Dated):
    """Leaves out of its lists what it is told to."""

    __slots__ = ("hidden",)

    async def projects(self, *, page, search=None, status=None):
        found = await super().projects(page=page, search=search, status=status)
        shown = [each for each in found.items if each.reference not in self.hidden]
        return replace(found, items=tuple(shown), total=len(shown))


def test_a_row_whose_own_draft_is_not_listed_is_left_for_the_next_run():
    scene = machine(Listing())
    scene.service.clock, scene.service.hidden = scene.clock, {"R-0"}
    run = scene.submit(first_rows(2))
    unseen = (scene.outcomes(), type(run.stop.because))
    scene.service.hidden = set()
    scene.submit(first_rows(2))
    assert (unseen, scene.outcomes()) == (
        (Counter({Outcome.UNFINISHED: 1, Outcome.SENT: 1}), OthersAtWork),
        Counter({Outcome.SENT: 2}),
    )


def test_a_service_that_lists_no_drafts_is_waited_for_and_sent_to():
    scene = machine(Listing())
    scene.service.clock, scene.service.hidden = scene.clock, {"R-0", "R-1"}
    scene.submit(first_rows(2))
    assert (scene.outcomes(), 180 <= sum(scene.clock.slept) < 182) == (
        Counter({Outcome.SENT: 2}),
        True,
    )


def test_a_release_looks_for_other_machines_too():
    scene = drafted_second(status="NEW")
    scene.release()
    assert (scene.outcomes(), list(scene.service.sends)) == (ONE_SENT, [])


class Slow(Dated):
    """Takes a while to carry out what it was asked for."""

    async def send(self, project, body):
        for _ in range(9):
            await self.clock.sleep(0)
        return await super().send(project, body)


def test_two_machines_that_take_over_the_same_drafts_at_once_go_apart():
    gone = machine(Slow())
    gone.submit(first_rows(5), drafts_only=True)
    one, other = neighbour(gone, chance=0.1), neighbour(gone, chance=0.9)
    both_at_once(one, other, first_rows(5))
    one.submit(first_rows(5))
    other.submit(first_rows(5))
    assert (sends(gone), len(gone.service.projects_there)) == (ONCE, 5)
    assert [one.outcomes(), other.outcomes()] == [Counter({Outcome.SENT: 5})] * 2
