"""What was read a while ago, or is read too early, is read again."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.clock import StillClock
from doubles.memory_journal import ONE_SENT, ONE_UNFINISHED, MemoryJournal
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, first_rows, project
from doubles.service import MemoryService
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import NotDone, Reason, State, Unknown
from kawe.errors import JournalError

LOST = Unknown(detail="lost")
LIMITED = NotDone(reason=Reason.RATE_LIMITED, http_status=429)
UNREACHED = NotDone(reason=Reason.NOT_REACHED, detail="no connection")


def scene_of(service, **how):
    scene = MemoryScene(service=service, **how)
    service.clock = scene.clock
    return scene


class Paced(MemoryService):
    """Lets the first send wait for its turn, while a colleague does something."""

    __slots__ = ("deed", "wait_seconds")

    def __init__(self, deed, *, wait_seconds=30, **how):
        super().__init__(**how)
        self.deed, self.wait_seconds = deed, wait_seconds

    async def turn(self):
        if self.calls["project"]:
            self.clock.pass_by(self.wait_seconds)
            self.wait_seconds = 0
            self.projects_there = [
                replace(each, **self.deed) for each in self.projects_there
            ]
        return True


@pytest.mark.parametrize(
    ("deed", "outcome"),
    [
        ({"phase": "ON_HOLD", "description": "Not yet."}, Outcome.HELD),
        ({"status": "NEW"}, Outcome.SENT),
    ],
    ids=["changed", "sent by hand"],
)
def test_a_draft_that_a_colleague_dealt_with_while_its_send_waited_is_not_sent(
    deed, outcome
):
    scene = scene_of(Paced(deed))
    scene.submit(first_rows(3))
    assert (scene.outcomes(), scene.service.sends) == (Counter({outcome: 3}), Counter())


@pytest.mark.parametrize("refusal", [LIMITED, UNREACHED], ids=["429", "not reached"])
def test_a_draft_is_read_again_after_a_refusal_that_took_a_while(refusal):
    scene = scene_of(Paced({}, script={"send": [refusal]}))
    scene.submit(first_rows())
    # The first send waited for its turn too long, the second was refused, and after
    # the third.
    assert (scene.service.calls["project"], scene.outcomes()) == (4, ONE_SENT)


@pytest.mark.parametrize(("wait_seconds", "reads"), [(0, 2), (1.9, 2), (2.1, 3)])
def test_a_draft_is_read_at_most_two_seconds_before_its_send(wait_seconds, reads):
    scene = scene_of(Paced({}, wait_seconds=wait_seconds))
    scene.submit(first_rows())
    assert (scene.service.calls["project"], scene.service.sends.total()) == (reads, 1)


class SlowJournal(MemoryJournal):
    """Takes seconds to write the intent of a send down, so many times."""

    def __init__(self, clock, *, times):
        super().__init__()
        self.clock, self.times = clock, times

    async def note(self, intents, *, revised=()):
        await super().note(intents, revised=revised)
        if intents[0].step == "send" and self.times:
            self.times -= 1
            self.clock.pass_by(3)


def test_a_draft_is_read_again_where_the_journal_took_its_time():
    scene = MemoryScene()
    scene.journal = SlowJournal(scene.clock, times=2)
    scene.submit(first_rows())
    assert (scene.service.calls["project"], scene.outcomes()) == (4, ONE_SENT)


def test_a_journal_that_always_takes_its_time_ends_the_run_unsent():
    scene = MemoryScene()
    scene.journal = SlowJournal(scene.clock, times=99)
    run = scene.submit(first_rows())
    assert (type(run.stop.because), scene.service.calls["send"]) == (JournalError, 0)


class Replica(MemoryService):
    """Shows a project as it was so many seconds ago."""

    __slots__ = ("behind_seconds", "was")

    def __init__(self, *, behind_seconds=2, **how):
        super().__init__(**how)
        self.behind_seconds, self.was = behind_seconds, []

    def _remember(self):
        self.was.append((self.clock.elapsed(), list(self.projects_there)))

    async def create_draft(self, body):
        done = await super().create_draft(body)
        self._remember()
        return done

    async def send(self, project, body):
        done = await super().send(project, body)
        self._remember()
        return done

    async def update(self, project, body):
        done = await super().update(project, body)
        self._remember()
        return done

    async def project(self, project):
        self.calls["project"] += 1
        then = self.clock.elapsed() - self.behind_seconds
        old = [there for at, there in self.was if at <= then] or [[]]
        return next((each for each in old[-1] if each.id == project), None)


@pytest.mark.parametrize("number", [1, 20])
def test_a_replica_that_is_two_seconds_behind_leaves_no_row_to_a_person(number):
    scene = scene_of(Replica())
    scene.submit(first_rows(number))
    assert (scene.outcomes(), scene.service.sends.total()) == (
        Counter({Outcome.SENT: number}),
        number,
    )
    assert {each.state for each in scene.entries()} == {State.CONFIRMED}


def test_a_draft_that_is_not_shown_for_a_window_in_each_of_two_runs_is_held():
    scene = scene_of(Replica(behind_seconds=10**6))
    scene.submit(first_rows())
    first = scene.outcomes()
    scene.submit(first_rows())
    assert (first, scene.entry.state, 360 <= sum(scene.clock.slept) < 364) == (
        ONE_UNFINISHED,
        State.HELD,
        True,
    )


def test_an_edit_that_a_replica_does_not_show_yet_is_no_reason_to_hold():
    scene = scene_of(Replica())
    scene.submit(first_rows(), drafts_only=True)
    scene.clock.pass_by(60)
    edited = checked_projects([replace(project(0), description="Corrected.")])
    scene.submit(edited, update_drafts=True)
    assert scene.outcomes() == ONE_SENT


def test_one_404_on_a_send_is_asked_about_and_the_row_goes():
    scene = MemoryScene()
    unknown = Unknown(detail="the service does not know the draft", http_status=404)
    scene.service.script = {"send": [unknown] * 3}
    scene.submit(first_rows(12))
    assert (scene.outcomes(), scene.service.sends.total()) == (
        Counter({Outcome.SENT: 12}),
        12,
    )


class Killed(BaseException):
    """The process ends."""


def killed_in_a_send(*, late):
    """Give a scene whose process ended while a send of it was under way."""
    scene = MemoryScene()
    carried_out = []

    class Late(MemoryService):
        """Carries the first send out later, and refuses no second one."""

        async def send(self, project, body):
            if not carried_out:
                carried_out.append(project)
                raise Killed
            return await super().send(project, body)

    async def carry_out():
        if carried_out[1:] == []:
            carried_out.append("done")
            await MemoryService.send(scene.service, carried_out[0], {"message": 1})

    async def passing():
        if scene.clock.elapsed() >= late:
            await carry_out()

    scene.service, scene.clock.meanwhile = Late(), passing
    with pytest.raises(Killed):
        scene.submit(first_rows())
    return scene, carry_out


@pytest.mark.parametrize("jump_seconds", [600, -3600, 86_400])
def test_a_send_found_open_is_not_made_again_because_a_clock_was_set(jump_seconds):
    scene, carry_out = killed_in_a_send(late=25)
    scene.clock.jump(jump_seconds)
    scene.submit(first_rows())
    asyncio.run(carry_out())
    assert (scene.service.sends.total(), scene.outcomes()) == (1, ONE_SENT)


@pytest.mark.parametrize("step", ["create", "send"])
@pytest.mark.parametrize("ahead_seconds", [0, 3600, 86_400])
def test_a_doubt_that_a_clock_ahead_wrote_is_waited_for_a_window_and_no_longer(
    step, ahead_seconds
):
    scene = MemoryScene()
    scene.clock.jump(ahead_seconds)
    scene.service.script = {step: [LOST]}
    at, scene.clock = scene.clock.at, StillClock(scene.clock.at)
    scene.clock.meanwhile = scene.halt.ask
    scene.submit(first_rows())
    scene.halt.asked = False
    scene.clock = StillClock(at)
    scene.clock.jump(-ahead_seconds)
    scene.submit(first_rows())
    assert (scene.outcomes(), 180 <= scene.clock.ran < 190) == (ONE_SENT, True)
