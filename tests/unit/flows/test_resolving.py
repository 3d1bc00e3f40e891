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
from kawe.domain.verdicts import NotDone, Reason, Unknown
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


EDITED = checked_projects([project(1, description="Something else.")])


@pytest.fixture
def edited():
    """Give a scene whose one row was edited after its draft was made."""
    scene = MemoryScene()
    scene.submit(SHEET, max_tokens=0)
    scene.submit(EDITED)
    assert scene.outcomes() == Counter({Outcome.HELD: 1})
    return scene


DECIDED = pytest.mark.parametrize("decision", [Decision.RETRY, Decision.ADOPT])


@DECIDED
def test_an_edited_row_that_is_let_go_is_sent_while_the_edit_stands(edited, decision):
    (draft,) = edited.service.projects_there
    decide(edited, decision, project_id=draft.id)
    edited.submit(EDITED)
    assert (edited.outcomes(), dict(edited.service.sends)) == (
        Counter({Outcome.SENT: 1}),
        {draft.id: 1},
    )


@DECIDED
def test_a_decision_stands_while_the_row_waits_for_tokens(edited, decision):
    (draft,) = edited.service.projects_there
    decide(edited, decision, project_id=draft.id)
    edited.submit(EDITED, max_tokens=0)
    waited = edited.outcomes()
    edited.submit(EDITED, max_tokens=0)
    edited.release()
    assert (waited, edited.outcomes()) == (
        Counter({Outcome.DEFERRED: 1}),
        Counter({Outcome.SENT: 1}),
    )


def test_an_adopted_draft_that_differs_is_sent_after_a_lost_answer(edited):
    (draft,) = edited.service.projects_there
    changed = replace(draft, description="Typed in the portal.")
    edited.service.projects_there = [changed]
    decide(edited, Decision.ADOPT, project_id=draft.id)
    edited.service.script = {"send": [Unknown(detail="lost")]}
    edited.submit(EDITED)
    assert (edited.outcomes(), dict(edited.service.sends)) == (
        Counter({Outcome.SENT: 1}),
        {draft.id: 1},
    )


def test_a_retried_draft_that_was_changed_in_the_portal_is_held_again(edited):
    (draft,) = edited.service.projects_there
    changed = replace(draft, description="Typed in the portal.")
    edited.service.projects_there = [changed]
    decide(edited, Decision.RETRY)
    edited.submit(EDITED)
    assert (edited.outcomes(), edited.service.calls["send"]) == (
        Counter({Outcome.HELD: 1}),
        0,
    )


def test_a_decision_about_another_trouble_does_not_pass_an_edit_over():
    scene = MemoryScene()
    scene.service.script = {"send": [NotDone(reason=Reason.REJECTED)]}
    scene.submit(SHEET)
    decide(scene, Decision.RETRY)
    scene.submit(EDITED)
    assert (scene.outcomes(), dict(scene.service.sends)) == (
        Counter({Outcome.HELD: 1}),
        {},
    )
