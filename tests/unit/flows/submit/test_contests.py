"""Rows that several computers have drafts of: what happens while a run waits."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.clock import StillClock
from doubles.memory_journal import ONE_DRAFTED, ONE_HELD, ONE_SENT, MemoryJournal
from doubles.memory_scene import MemoryScene
from doubles.rows import SOURCE, first_rows
from doubles.service import MemoryService
from doubles.submitting import submit
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.service_words import ProjectId, without_ids
from kawe.errors import OthersAtWork, ServiceUnreachable
from kawe.flows.plan.planning import make_plan

OTHER = ProjectId("20000000-0000-4000-8000-000000000001")
NOBODY_SENT = Counter()


class Eventful(StillClock):
    """After so many seconds, something happens, once."""

    def __init__(self, after_seconds, deed):
        super().__init__()
        self.after_seconds, self.deed = after_seconds, deed

    async def sleep(self, wait_seconds):
        await super().sleep(wait_seconds)
        if self.ran > self.after_seconds:
            deed, self.deed = self.deed, lambda: None
            deed()


def drafted(rows=1):
    """Give a scene with a draft of each row, none of which is sent."""
    scene = MemoryScene(workers=1)
    scene.submit(first_rows(rows), max_tokens=0)
    return scene


def with_stranger(scene, *, year, **changes):
    """Add a draft of the first row that somebody else made."""
    own = scene.service.projects_there[0]
    scene.service.projects_there.append(
        replace(own, id=OTHER, created_at=own.created_at.replace(year=year), **changes)
    )
    return scene


def change(scene, number, **changes):
    """Let the service show a project otherwise."""
    there = scene.service.projects_there
    there[number] = replace(there[number], **changes)


def taken_over():
    """Give a computer that finds a draft of its row, made by another."""
    other = MemoryScene()
    other.submit(first_rows(), drafts_only=True)
    return MemoryScene(service=other.service, journal=MemoryJournal())


@pytest.mark.parametrize(
    ("scene", "after_seconds"),
    [
        (lambda: with_stranger(drafted(), year=2027), 10),
        (lambda: with_stranger(drafted(), year=2025), 200),
        (taken_over, 200),
    ],
    ids=["others look", "before a draft is taken over", "the random wait"],
)
def test_a_stop_while_a_run_waits_for_others_sends_nothing(scene, after_seconds):
    scene = scene()

    def stop():
        scene.halt.asked = True

    scene.clock = Eventful(after_seconds, stop)
    scene.submit(first_rows())
    assert (scene.halt.asked, scene.service.sends, scene.outcomes()[Outcome.SENT]) == (
        True,
        NOBODY_SENT,
        0,
    )


@pytest.mark.parametrize(
    ("shown", "sent"), [({"phase": "LODGED"}, 0), ({"status": "NEW"}, 1)], ids=str
)
def test_a_draft_that_moves_before_it_is_taken_over_is_left(shown, sent):
    scene = with_stranger(drafted(), year=2025)
    scene.clock = Eventful(200, lambda: change(scene, 1, **shown))
    run = scene.submit(first_rows())
    assert (
        scene.service.sends,
        scene.outcomes()[Outcome.SENT],
        type(run.stop.because),
    ) == (NOBODY_SENT, sent, type(None) if sent else OthersAtWork)


def test_rows_are_left_where_somebody_sends_our_drafts_one_after_the_other():
    scene = drafted(2)
    change(scene, 0, status="NEW")
    scene.clock = Eventful(10, lambda: change(scene, 1, status="NEW"))
    run = scene.submit(first_rows(2))
    left = (type(run.stop.because), scene.outcomes()[Outcome.SENT])
    scene.submit(first_rows(2))
    assert (left, scene.service.sends, scene.outcomes()) == (
        (OthersAtWork, 1),
        NOBODY_SENT,
        Counter({Outcome.SENT: 2}),
    )


def test_a_draft_that_has_another_reference_by_now_is_held_and_the_rest_goes():
    scene = drafted(2)
    change(scene, 0, reference="X-9")
    scene.submit(first_rows(2))
    assert [(each.marker, each.reason) for each in scene.entries()] == [
        (
            "R-0",
            (
                "The draft does not say what the row says; it may have been changed "
                "in the portal: reference."
            ),
        ),
        ("R-1", ""),
    ]
    assert scene.outcomes() == Counter({Outcome.HELD: 1, Outcome.SENT: 1})


def test_another_project_that_somebody_sent_under_our_reference_holds_the_row():
    scene = with_stranger(drafted(), year=2025, status="NEW", name="Another")
    scene.submit(first_rows())
    assert (scene.outcomes(), scene.service.sends, without_ids(scene.entry.reason)) == (
        ONE_HELD,
        NOBODY_SENT,
        (
            "Another project was made with the reference R-0 that differs from "
            "the row in name: “Another”, sent."
        ),
    )


class SentBeside(MemoryService):
    """Somebody sends the first row's draft just before it is read."""

    async def project(self, project):
        first = self.projects_there[0]
        if project == first.id:
            self.projects_there[0] = replace(first, status="NEW")
        return await super().project(project)


def beside(rows=3):
    """Give a scene where somebody sends the first row while the run sends."""
    scene = drafted(rows)
    scene.service = SentBeside(projects_there=scene.service.projects_there)
    return scene


@pytest.mark.parametrize("more", [True, False])
def test_a_row_sent_beside_us_stops_the_others_where_more_are_sent(more):
    scene = beside()
    if more:
        scene.clock = Eventful(10, lambda: change(scene, 1, status="NEW"))
    run = scene.submit(first_rows(3))
    assert (scene.service.sends.total(), type(run.stop.because)) == (
        (0, OthersAtWork) if more else (2, type(None))
    )


def test_a_stop_while_the_run_waits_for_whoever_sends_beside_it_sends_nothing():
    scene = beside()

    def stop():
        scene.halt.asked = True

    scene.clock = Eventful(10, stop)
    scene.submit(first_rows(3))
    assert (scene.service.sends, scene.outcomes()[Outcome.SENT]) == (NOBODY_SENT, 1)


class ListsOnce(MemoryService):
    """Gives no list any more once a draft was made."""

    async def projects(self, *, page, search=None, status=None):
        if self.calls["create"]:
            raise ServiceUnreachable(message="Down.")
        return await super().projects(page=page, search=search, status=status)


def test_a_list_that_cannot_be_read_before_the_sends_stops_the_run_unsent():
    scene = MemoryScene(service=ListsOnce())
    run = scene.submit(first_rows())
    assert (type(run.stop.because), scene.service.sends, scene.outcomes()) == (
        ServiceUnreachable,
        NOBODY_SENT,
        ONE_DRAFTED,
    )


class HidesOnce(MemoryService):
    """Leaves all drafts out of the first list after they were made."""

    __slots__ = ("has_hidden",)

    async def projects(self, *, page, search=None, status=None):
        found = await super().projects(page=page, search=search, status=status)
        if not self.calls["create"] or self.has_hidden:
            return found
        self.has_hidden = True
        return replace(found, items=())


def test_a_list_that_counts_our_drafts_and_lacks_them_is_read_again():
    scene = MemoryScene(service=HidesOnce())
    scene.service.has_hidden = False
    scene.submit(first_rows(2))
    assert (scene.service.has_hidden, scene.outcomes()) == (
        True,
        Counter({Outcome.SENT: 2}),
    )


class Heard:
    """Implements the port `Alerts`: keeps what was reported."""

    def __init__(self):
        self.sent = []

    def no_tokens(self, *, sent):
        self.sent.append(sent)


class SlowTurns(MemoryService):
    """Gives the first turn at once, and the others after a while."""

    async def turn(self):
        self.calls["turn"] += 1
        others = StillClock()
        for _ in range(50 if self.calls["turn"] > 1 else 0):
            await others.sleep(0)
        return True


def test_the_first_402_is_reported_once_and_rows_on_their_way_wait():
    scene = drafted(3)
    scene.service = SlowTurns(projects_there=scene.service.projects_there, tokens=0)
    scene.workers, heard = 3, Heard()

    async def go():
        run = replace(await scene.run(), alerts=heard)
        plan = await make_plan(
            first_rows(3), source=SOURCE, account=run.account, journal=scene.journal
        )
        await submit(plan, run=run, budget=Budget(balance=9), organisations={})

    asyncio.run(go())
    assert (heard.sent, scene.outcomes()) == ([0], Counter({Outcome.DEFERRED: 3}))


class SlowTurnsBeside(SentBeside, SlowTurns):
    """Both."""


def test_rows_that_wait_for_their_turn_are_left_where_somebody_begins_to_send():
    scene = drafted(3)
    there = scene.service.projects_there
    scene.service, scene.workers = SlowTurnsBeside(projects_there=there), 3
    scene.service.calls["turn"] = 1
    scene.clock = Eventful(10, lambda: change(scene, 1, status="NEW"))
    run = scene.submit(first_rows(3))
    assert (scene.service.sends, type(run.stop.because)) == (NOBODY_SENT, OthersAtWork)


class SlowTurn(MemoryService):
    """Gives each turn after a while."""

    async def turn(self):
        await self.clock.sleep(100)
        return True


def test_a_row_whose_draft_another_sent_is_sent_though_a_second_draft_is_there():
    scene = with_stranger(drafted(), year=2025)
    change(scene, 0, status="NEW")
    scene.service = SlowTurn(projects_there=scene.service.projects_there)
    run = scene.submit(first_rows())
    assert (scene.service.sends, scene.outcomes(), run.stop.because) == (
        NOBODY_SENT,
        ONE_SENT,
        None,
    )


class ShowsNone(MemoryService):
    """Shows no single project."""

    async def project(self, project):
        await super().project(project)


def test_a_draft_that_is_not_shown_is_held_though_the_clock_was_set_back():
    scene = MemoryScene(service=ShowsNone())
    scene.clock = Eventful(1, lambda: scene.clock.jump(-3600))
    scene.submit(first_rows())
    scene.submit(first_rows())
    assert (scene.outcomes(), scene.service.sends, scene.entry.reason) == (
        ONE_HELD,
        NOBODY_SENT,
        "The service does not show the draft any more.",
    )
