"""Written down before it is done, kept before it is shown."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.clock import StillClock
from doubles.machine import Quiet
from doubles.memory_journal import ONE_SENT, Stopped, at_once
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_invitations, checked_projects, person, project
from doubles.service import MemoryService
from kawe.domain.service.states import INTENT_STATE, NotDone, Reason, Step

ROW = project(1)
SHEET = checked_projects([ROW])
EDITED = checked_projects([replace(ROW, description="Two culverts are replaced.")])
PEOPLE = checked_invitations([person(1)])


class Watching(MemoryService):
    """Looks into the journal at the moment at which a request arrives."""

    __slots__ = ("journal", "seen")

    def __init__(self):
        super().__init__()
        self.seen = []

    async def look(self, step):
        """Keep the step, and where the journal had the row by then."""
        (batch,) = await self.journal.batches()
        (entry,) = await self.journal.entries(batch.name)
        self.seen.append((step, entry.state))

    async def create_draft(self, body):
        await self.look(Step.CREATE)
        return await super().create_draft(body)

    async def update(self, project, body):
        await self.look(Step.UPDATE)
        return await super().update(project, body)

    async def send(self, project, body):
        await self.look(Step.SEND)
        return await super().send(project, body)

    async def invite(self, people):
        await self.look(Step.INVITE)
        return await super().invite(people)


def watched():
    scene = MemoryScene(service=Watching())
    scene.service.journal = scene.journal
    return scene


def test_no_request_for_a_project_leaves_before_its_intent_is_written_down():
    scene = watched()
    scene.submit(SHEET, drafts_only=True)
    scene.submit(EDITED, update_drafts=True)
    assert scene.service.seen == [
        (step, INTENT_STATE[step]) for step in (Step.CREATE, Step.UPDATE, Step.SEND)
    ]


def test_no_invitation_leaves_before_its_intent_is_written_down():
    scene = watched()
    scene.submit(PEOPLE)
    assert scene.service.seen == [(Step.INVITE, INTENT_STATE[Step.INVITE])]


class Ending(MemoryService):
    """The process ends while its create is under way; the service goes on."""

    __slots__ = ("is_carried_out", "under_way")

    def __init__(self):
        super().__init__()
        self.under_way, self.is_carried_out = None, False

    async def create_draft(self, body):
        if self.under_way is None:
            self.under_way = body
            raise Stopped
        return await super().create_draft(body)

    async def carry_out(self):
        """Do what was asked before the process ended; once."""
        if not self.is_carried_out:
            self.is_carried_out = True
            await super().create_draft(self.under_way)


def test_a_create_that_was_open_when_its_process_ended_is_waited_for():
    scene = MemoryScene(service=Ending())
    with pytest.raises(Stopped):
        scene.submit(SHEET)
    scene.journal, scene.clock = scene.journal.restarted(), StillClock()
    scene.clock.meanwhile = scene.service.carry_out
    scene.submit(SHEET)
    asyncio.run(scene.service.carry_out())
    assert (scene.outcomes(), len(scene.service.projects_there)) == (ONE_SENT, 1)


class Showing(Quiet):
    """Counts the rows that are shown as done and have no verdict yet."""

    def __init__(self, journal):
        super().__init__()
        self.journal, self.early, self.shown = journal, 0, 0

    def advance(self, things=1):
        self.shown += things
        states = [e.state for e in at_once(self.journal.unfinished("monthly"))]
        self.early += sum(state in INTENT_STATE.values() for state in states)


def test_no_row_is_shown_as_done_before_its_verdict_is_written_down():
    scene = MemoryScene(workers=1)
    scene.quiet = Showing(scene.journal)
    scene.submit(SHEET)
    assert (scene.quiet.early, scene.quiet.shown) == (0, 2)


class Refusing(MemoryService):
    """Takes the key no more."""

    __slots__ = ("asked",)

    def __init__(self):
        super().__init__()
        self.asked = 0

    async def create_draft(self, _):
        self.asked += 1
        return NotDone(reason=Reason.KEY_REFUSED, detail="")


def test_a_create_that_a_stop_kept_back_is_written_down_as_not_made():
    scene = MemoryScene(service=Refusing(), workers=8)
    scene.submit(checked_projects([project(number) for number in range(20)]))
    tries = [at_once(scene.journal.attempts(each.key)) for each in scene.entries()]
    said = Counter((last.verdict, last.detail) for tried in tries for last in tried)
    assert (scene.service.asked, said) == (
        1,
        {("not-done", ""): 1, ("not-done", "the run was stopped"): 9},
    )
