"""Resolving: a person's word about a held row, and what the next run makes of it."""

import asyncio
from dataclasses import replace

import pytest

from doubles.at_the_twin import with_key
from doubles.lossy import losing
from doubles.memory_journal import ONE_DRAFTED, ONE_HELD, ONE_SENT
from doubles.rows import checked_projects, project
from kawe.domain.service.states import Step
from kawe.errors import SettingsError
from kawe.flows.settle.resolving import Decision, PersonDecision, Resolver
from kawe.machine import SystemClock

ROW = project(1)
OTHER = replace(ROW, description="Other words.")


@pytest.fixture
def held(scene_with):
    """Give a scene whose one row is held although its project was created."""
    scene = scene_with(tokens=5)
    scene.submit(checked_projects([ROW]), balance=0)
    changed = replace(ROW, description="Something else.")
    scene.submit(checked_projects([changed]))
    assert scene.outcomes() == ONE_HELD
    return scene


def decide(scene, decision, *, project_id=None):
    """Carry out a decision about the one row of the journal."""

    async def work():
        async with scene._service() as service:
            (entry,) = await scene._entries()
            return await Resolver(
                journal=scene.journal, lookups=service.lookups, clock=SystemClock()
            ).resolve(entry, PersonDecision(decision=decision, project=project_id))

    return asyncio.run(work())


def test_an_adopted_draft_is_sent_by_the_next_run(scene_with):
    scene = _lost_for_good(scene_with)
    (draft,) = scene.state()["projects"]
    decide(scene, Decision.ADOPT, project_id=draft["id"])
    scene.submit(checked_projects([OTHER]))
    assert (scene.outcomes(), scene.sends()) == (ONE_SENT, [1])


def test_a_project_that_was_sent_already_is_adopted_as_sent(scene_with):
    scene = _lost_for_good(scene_with)
    (draft,) = scene.state()["projects"]
    _send_in_portal(scene, draft["id"])
    decide(scene, Decision.ADOPT, project_id=draft["id"])
    assert (scene.outcomes(), scene.sends()) == (ONE_SENT, [1])


def test_a_row_without_a_project_is_retried_from_its_beginning(scene_with):
    scene = scene_with(tokens=5)
    scene.settle_seconds = 0.1
    scene.wrap = losing(before={Step.CREATE: frozenset(range(1, 9))})
    scene.submit(checked_projects([ROW]))
    decide(scene, Decision.RETRY)
    scene.wrap = None
    scene.submit(checked_projects([ROW]))
    assert (scene.outcomes(), scene.sends()) == (ONE_SENT, [1])


def test_a_draft_that_is_not_to_be_sent_is_drafted_again(scene_with):
    scene = scene_with(tokens=5)
    kept = replace(ROW, send=False)
    scene.submit(checked_projects([kept]))
    scene.submit(checked_projects([replace(ROW, description="Else.")]))
    scene.submit(checked_projects([replace(kept, description="Else.")]))
    before = scene.outcomes()
    decide(scene, Decision.RETRY)
    assert (before, scene.outcomes()) == (ONE_HELD, ONE_DRAFTED)


def test_a_project_that_the_key_cannot_see_is_not_adopted(held):
    with pytest.raises(SettingsError, match="does not show that project"):
        decide(held, Decision.ADOPT, project_id="00000000-0000-4000-8000-000000000000")


def test_a_row_that_is_not_held_is_not_decided_about(scene_with):
    scene = scene_with(tokens=5)
    scene.submit(checked_projects([ROW]))
    with pytest.raises(SettingsError, match="is not held"):
        decide(scene, Decision.ABANDON)


def _lost_for_good(scene_with):
    """Give a scene whose one create was done, while kawe could not tell."""
    scene = scene_with(tokens=5)
    scene.submit(checked_projects([ROW]), balance=0)
    scene.journal = type(scene.journal)()
    scene.submit(checked_projects([OTHER]))
    assert scene.outcomes() == ONE_HELD
    return scene


def _send_in_portal(scene, project_id):
    with with_key(scene.twin.address) as client:
        words = {"message": "Sent by hand."}
        client.put(f"/projects/{project_id}/send", json=words).raise_for_status()
