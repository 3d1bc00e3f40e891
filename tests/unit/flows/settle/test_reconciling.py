"""Doubts: settled by what the service shows, after the window, or held."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.clock import StillClock
from doubles.memory_journal import ONE_HELD, ONE_IN_DOUBT, ONE_SENT, MemoryJournal
from doubles.memory_scene import MemoryScene, scripted
from doubles.rows import checked_projects, project
from doubles.service import AfterSending, MemoryService
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.identity import draft_body, project_key
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import NotDone, Reason, State, Unknown
from kawe.errors import ServiceUnreachable
from kawe.flows.settle.resolving import ADOPTED, RETRIED
from kawe_contract.enums import ProjectStatus

LOST = Unknown(detail="lost")
SHEET = checked_projects([project(1)])
OTHER = ProjectId("20000000-0000-4000-8000-000000000001")


def test_a_lost_create_is_looked_for_before_it_is_made_again():
    scene = scripted(create=[LOST])
    scene.submit(SHEET)
    # Not before the settle window has passed.
    assert (scene.outcomes(), sum(scene.clock.slept) >= 180) == (ONE_SENT, True)


class Doubling(MemoryService):
    """Makes two drafts where one was asked for, and says nothing."""

    __slots__ = ("changes",)

    def __init__(self, **changes):
        super().__init__()
        self.changes = changes

    async def create_draft(self, body):
        done = await super().create_draft(body)
        self.projects_there.append(replace(done.project, id=OTHER, **self.changes))
        return LOST


def test_two_candidates_that_differ_are_held_with_their_ids():
    scene = MemoryScene(service=Doubling(description="Other words."))
    scene.submit(SHEET)
    assert (scene.outcomes(), OTHER in scene.entries()[0].reason) == (ONE_HELD, True)


def test_of_two_candidates_that_say_the_same_the_first_is_sent_and_the_other_named():
    scene = MemoryScene(service=Doubling())
    run = scene.submit(SHEET)
    first = scene.service.projects_there[0].id
    assert (
        scene.outcomes(),
        dict(scene.service.sends),
        [each.project_id for each in run.tally.second_drafts],
    ) == (ONE_SENT, {first: 1}, [OTHER])


def silent(**shown):
    """Give a service that loses the answer of the send, and what it shows then."""
    service = AfterSending(**shown)
    service.loses_answers_of = {"send"}
    return service


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        ({"gone": True}, "does not show the project"),
        ({"status": None}, "does not say whether it was sent"),
    ],
    ids=str,
)
def test_a_lost_send_that_stays_unclear_is_held(shown, why):
    scene = MemoryScene(service=silent(**shown))
    scene.submit(SHEET)
    assert (scene.outcomes(), why in scene.entries()[0].reason) == (ONE_HELD, True)


def test_a_service_that_hides_a_send_is_never_believed_before_the_window():
    # It shows a draft for ever: kawe sends again, at most twice, and only then.
    scene = MemoryScene(service=silent(status="DRAFT"))
    scene.submit(SHEET)
    assert (scene.service.sends.total() <= 3, sum(scene.clock.slept) >= 180) == (
        True,
        True,
    )


def test_a_stop_during_the_wait_leaves_the_doubt_for_the_next_run():
    scene = MemoryScene()
    scene.clock.meanwhile = scene.halt.ask
    scene.service.script = {"create": [LOST]}
    scene.submit(SHEET)
    doubt = scene.outcomes()
    scene.clock = StillClock(scene.clock.at)
    scene.clock.pass_by(600)
    scene.halt.asked = False
    scene.submit(SHEET)
    assert (doubt, scene.outcomes()) == (ONE_IN_DOUBT, ONE_SENT)


def test_a_service_that_cannot_be_read_leaves_the_doubt():
    scene = MemoryScene(workers=1)
    scene.service.script = {"create": [LOST]}
    down = ServiceUnreachable(message="Down.")
    scene.clock.meanwhile = lambda: scene.service.script.update(projects=[down])
    run = scene.submit(SHEET)
    assert (run.stop.because, scene.outcomes(), scene.service.calls["create"]) == (
        down,
        ONE_IN_DOUBT,
        1,
    )


class Restless(MemoryService):
    """Says each time that there is one project more, once one was asked for."""

    __slots__ = ()

    async def projects(self, *, page, search=None, status=None):
        found = await super().projects(page=page, search=search, status=status)
        more = self.calls["projects"] if self.calls["create"] else 0
        return replace(found, total=found.total + more)


def test_absence_is_not_believed_of_a_list_that_does_not_hold_still():
    scene = MemoryScene(service=Restless(script={"create": [LOST]}))
    scene.submit(SHEET)
    assert (scene.outcomes(), scene.service.calls["create"]) == (ONE_IN_DOUBT, 1)


class RestlessOnce(MemoryService):
    """Says during one look that there is one project more each time."""

    __slots__ = ()

    async def projects(self, *, page, search=None, status=None):
        found = await super().projects(page=page, search=search, status=status)
        restless = self.calls["create"] and self.calls["projects"] < 20
        return replace(found, total=found.total + self.calls["projects"] * restless)


def test_a_look_that_did_not_hold_still_begins_the_window_anew():
    scene = MemoryScene(service=RestlessOnce(script={"create": [LOST]}))
    begun_at = scene.clock.now()
    scene.submit(SHEET)
    took = (scene.clock.now() - begun_at).total_seconds()
    # The last restless look is the one at 30 seconds, the next one at 120.
    assert (scene.outcomes(), scene.service.calls["create"], took > 120 + 180) == (
        ONE_SENT,
        2,
        True,
    )


class Lagging(MemoryService):
    """Shows no project in its lists while `lags`; the n-th create's answer is lost."""

    __slots__ = ("lags", "loses")

    def __init__(self, *, loses):
        super().__init__()
        self.lags, self.loses = True, loses

    async def create_draft(self, body):
        verdict = await super().create_draft(body)
        return LOST if self.calls["create"] == self.loses else verdict

    async def projects(self, *, page, search=None, status=None):
        found = await super().projects(page=page, search=search, status=status)
        return replace(found, items=(), total=0) if self.lags else found


def test_a_list_that_hides_what_was_made_later_does_not_prove_absence():
    scene = MemoryScene(service=Lagging(loses=1), workers=1)
    both = checked_projects([project(1), project(2)])
    scene.submit(both)
    doubt = scene.outcomes()
    scene.service.lags = False
    scene.submit(both)
    assert (doubt, scene.outcomes(), scene.service.calls["create"]) == (
        Counter({Outcome.SENT: 1, Outcome.IN_DOUBT: 1}),
        Counter({Outcome.SENT: 2}),
        2,
    )


def test_what_was_made_later_and_is_seen_shows_absence_once_the_window_is_over():
    scene = MemoryScene(workers=1)
    scene.service.script = {"create": [LOST]}
    scene.submit(checked_projects([project(1), project(2)]))
    waited = sum(scene.clock.slept)
    assert (scene.outcomes(), 180 <= waited < 182) == (Counter({Outcome.SENT: 2}), True)


def test_with_nothing_made_later_two_looks_a_window_apart_must_agree():
    scene = MemoryScene(workers=1)
    scene.service.script = {"create": [NotDone(reason=Reason.REJECTED), LOST]}
    scene.submit(checked_projects([project(1), project(2)]))
    # The first look is 5 seconds after the attempt.
    waited = sum(scene.clock.slept)
    assert 185 <= waited < 187


def test_rows_without_a_doubt_are_sent_before_anybody_waits():
    scene = MemoryScene(workers=1)
    sent_after = []

    class Noting(type(scene.service)):
        async def send(self, project, body):
            sent_after.append(sum(scene.clock.slept))
            return await super().send(project, body)

    scene.service = Noting(script={"create": [LOST]})
    scene.submit(checked_projects([project(n) for n in range(4)]))
    assert (sent_after[:3], sent_after[3] >= 180) == ([0, 0, 0], True)


def test_doubts_wait_side_by_side_whatever_the_number_of_workers():
    scene = MemoryScene(workers=1)
    begun_at, early = scene.clock.at, []

    class Noting(type(scene.service)):
        async def projects(self, *, page, search=None, status=None):
            if 5 <= (scene.clock.at - begun_at).total_seconds() < 30:
                early.append(search or status)
            return await super().projects(page=page, search=search, status=status)

    scene.service = Noting(script={"create": [LOST] * 3})
    scene.submit(checked_projects([project(n) for n in range(3)]))
    assert (sorted(set(early)), scene.outcomes()) == (
        ["DRAFT", "R-0", "R-1", "R-2"],
        Counter({Outcome.SENT: 3}),
    )


async def give(scene, project_id, *, to):
    """Give a project to the held row, as older versions let a person do unchecked."""
    entry = next(each for each in await scene._entries() if each.marker == to)
    await scene.journal.move(
        entry.key, State.READY, at=scene.clock.now(), reason=ADOPTED, project=project_id
    )


def holding(scene):
    """Hold R-2: the service refuses its send."""
    scene.service.script = {"send": [NotDone(reason=Reason.REJECTED)]}
    scene.submit(checked_projects([project(2)]))
    return scene


def made_anew(scene):
    """Submit: R-1 is held, since R-2 has its project; let a person decide."""
    scene.submit(SHEET)
    held = [each.marker for each in scene.entries() if each.state is State.HELD]
    assert "R-1" in held
    key = project_key(project(1))
    move = scene.journal.move(key, State.VALID, at=scene.clock.now(), reason=RETRIED)
    asyncio.run(move)


def owned(scene):
    return {each.marker: each.project_id for each in scene.entries()}


def test_a_project_that_a_person_gave_to_another_row_is_not_taken_from_it():
    # R-2 was given the project that carries R-1: R-1 is made anew, and found
    # again when the answer of its create is lost.
    scene = MemoryScene()
    scene.submit(SHEET)
    given = scene.service.projects_there[0].id
    scene.journal = MemoryJournal()
    holding(scene)
    asyncio.run(give(scene, given, to="R-2"))
    made_anew(scene)
    scene.service.loses_answers_of = {"create"}
    scene.submit(SHEET)
    (_, _, new) = scene.service.projects_there
    assert (new.reference, owned(scene)) == ("R-1", {"R-1": new.id, "R-2": given})


def test_a_lost_draft_that_was_given_to_another_row_is_made_again():
    scene = holding(MemoryScene())
    given = []

    async def gives_it_to_another_row():
        if not given:
            given.append(scene.service.projects_there[-1].id)
            await give(scene, given[0], to="R-2")

    scene.clock.meanwhile = gives_it_to_another_row
    scene.service.loses_answers_of = {"create"}
    made_anew(scene)
    scene.submit(SHEET)
    (_, _, new) = scene.service.projects_there
    assert (new.reference, owned(scene)) == ("R-1", {"R-1": new.id, "R-2": given[0]})


def test_a_project_that_was_there_before_the_create_is_never_taken_for_its_work():
    # As above, and R-2 lets go of the given project while R-1 is in doubt.
    scene = MemoryScene()
    scene.submit(SHEET, max_tokens=0)
    given = scene.service.projects_there[0].id
    scene.journal = MemoryJournal()
    holding(scene)
    own = scene.service.projects_there[1].id
    asyncio.run(give(scene, given, to="R-2"))
    made_anew(scene)

    async def lets_it_go():
        if await scene.journal.owner_of(given) is not None:
            key = project_key(project(2))
            await scene.journal.move(key, State.HELD, at=scene.clock.now())
            await give(scene, own, to="R-2")

    scene.clock = StillClock()
    scene.clock.meanwhile = lets_it_go
    scene.service.loses_answers_of = {"create"}
    scene.submit(SHEET)
    (_, _, new) = scene.service.projects_there
    assert (new.reference, owned(scene)) == ("R-1", {"R-1": new.id, "R-2": own})


def test_a_project_whose_reference_only_begins_like_the_row_s_settles_no_doubt():
    scene = scripted(create=[LOST])

    async def colleague_makes_another():
        if not scene.service.projects_there:
            await scene.service.create_draft(draft_body(project(10)))

    scene.clock.meanwhile = colleague_makes_another
    scene.submit(SHEET)
    assert (scene.outcomes(), owned(scene).keys(), scene.service.sends.total()) == (
        ONE_SENT,
        {"R-1"},
        1,
    )


class Blinking(MemoryService):
    """Loses a send's answer, hides the project once, then shows an old page of it."""

    __slots__ = ("reads",)

    def __init__(self):
        super().__init__()
        self.loses_answers_of, self.reads = {"send"}, 0

    async def project(self, project):
        found = await super().project(project)
        if not self.sends:
            return found
        self.reads += 1
        return None if self.reads == 1 else replace(found, status="DRAFT")


def test_a_project_that_is_not_shown_for_a_moment_is_not_sent_again():
    scene = MemoryScene(service=Blinking())
    scene.submit(SHEET)
    assert (scene.outcomes(), scene.service.sends.total()) == (ONE_HELD, 1)


@pytest.mark.parametrize("status", sorted({*ProjectStatus} - {ProjectStatus.DRAFT}))
def test_a_lost_send_is_found_whatever_has_become_of_the_project(status):
    scene = MemoryScene(service=silent(status=status))
    scene.submit(SHEET)
    assert (scene.outcomes(), scene.service.sends.total()) == (ONE_SENT, 1)
