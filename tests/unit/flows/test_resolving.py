"""What a person decides, where the service and the journal disagree."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.service import MemoryService
from kawe.domain.outcomes import Outcome
from kawe.domain.states import State
from kawe.errors import SettingsError
from kawe.flows.resolving import Decision, resolve

SHEET = checked_projects([project(1)])


def decide(scene, decision, *, project_id=None):
    """Carry out a decision about the one row of the journal."""
    (entry,) = scene.entries()
    return asyncio.run(
        resolve(
            entry,
            decision,
            project=project_id,
            journal=scene.journal,
            lookups=scene.service,
            clock=scene.clock,
        )
    )


class Denying(MemoryService):
    """Accepts a send and goes on showing a draft, while `denies`."""

    __slots__ = ("denies",)

    def __init__(self):
        super().__init__()
        self.denies = True

    async def project(self, project):
        found = await super().project(project)
        if found is None or not self.denies:
            return found
        return replace(found, status="DRAFT")


@pytest.fixture
def denied():
    """Give a scene whose one send was accepted and cannot be seen."""
    scene = MemoryScene(service=Denying())
    scene.submit(SHEET)
    assert scene.outcomes() == Counter({Outcome.HELD: 1})
    return scene


def test_an_accepted_send_that_shows_later_is_confirmed_by_the_next_run(denied):
    denied.service.denies = False
    denied.submit(SHEET)
    (entry,) = denied.entries()
    assert (entry.state, denied.service.calls["send"]) == (State.CONFIRMED, 1)


@pytest.mark.parametrize("decision", [Decision.RETRY, Decision.ADOPT])
def test_no_decision_sends_again_what_was_accepted_once(denied, decision):
    (draft,) = denied.service.projects_there
    with pytest.raises(SettingsError, match="does not send a row twice"):
        decide(denied, decision, project_id=draft.id)
    denied.submit(SHEET)
    assert (denied.outcomes(), denied.service.calls["send"]) == (
        Counter({Outcome.HELD: 1}),
        1,
    )


def test_an_accepted_send_can_be_given_up(denied):
    decide(denied, Decision.ABANDON)
    denied.submit(SHEET)
    assert (denied.outcomes(), denied.service.calls["send"]) == (
        Counter({Outcome.ABANDONED: 1}),
        1,
    )


def test_an_accepted_send_that_a_person_made_in_the_portal_is_sent(denied):
    denied.service.denies = False
    moved = decide(denied, Decision.RETRY)
    assert moved.state is State.SENT
