"""What a person decides, where the service and the journal disagree."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import date

import pytest

from doubles.journal_values import invitation
from doubles.memory_journal import ONE_DRAFTED, ONE_HELD, ONE_SENT
from doubles.memory_scene import MemoryScene, scripted
from doubles.rows import checked_projects, project
from doubles.service import AT, MemoryService
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.identity import is_unedited
from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.service.states import NotDone, Reason, State, Unknown
from kawe.errors import SettingsError
from kawe.flows.plan.editing import EditFate, edit_findings
from kawe.flows.settle.resolving import ADOPTED, Decision, PersonDecision, Resolver
from kawe.journal.events import emptied
from kawe.kinds.projects.kind import PROJECTS
from kawe_places.values import Place

PROJECT = ProjectId("00000000-0000-4000-8000-00000000beef")
SHEET = checked_projects([project(1)])


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
    assert scene.outcomes() == ONE_HELD
    return scene


def test_an_accepted_send_that_shows_later_is_confirmed_by_the_next_run(denied):
    denied.service.denies = False
    denied.submit(SHEET)
    assert (denied.entry.state, denied.service.calls["send"]) == (State.CONFIRMED, 1)


@pytest.mark.parametrize("decision", [Decision.RETRY, Decision.ADOPT])
def test_no_decision_sends_again_what_was_accepted_once(denied, decision):
    (draft,) = denied.service.projects_there
    with pytest.raises(SettingsError, match="does not send a row twice"):
        denied.decide(decision, project=draft.id)
    denied.submit(SHEET)
    assert (denied.outcomes(), denied.service.calls["send"]) == (ONE_HELD, 1)


def test_an_accepted_send_can_be_given_up(denied):
    denied.decide(Decision.ABANDON)
    denied.submit(SHEET)
    assert (denied.outcomes(), denied.service.calls["send"]) == (
        Counter({Outcome.ABANDONED: 1}),
        1,
    )


def test_an_accepted_send_that_a_person_made_in_the_portal_is_sent(denied):
    denied.service.denies = False
    assert denied.decide(Decision.RETRY).entry.state is State.SENT


EDITED = checked_projects([project(1, description="Something else.")])


@pytest.fixture
def edited():
    """Give a scene whose one row was edited after its draft was made."""
    scene = MemoryScene()
    scene.submit(SHEET, max_tokens=0)
    scene.submit(EDITED)
    assert scene.outcomes() == ONE_HELD
    return scene


DECIDED = pytest.mark.parametrize("decision", [Decision.RETRY, Decision.ADOPT])


@DECIDED
def test_an_edited_row_that_is_let_go_is_sent_while_the_edit_stands(edited, decision):
    (draft,) = edited.service.projects_there
    edited.decide(decision, project=draft.id)
    edited.submit(EDITED)
    assert (edited.outcomes(), dict(edited.service.sends)) == (ONE_SENT, {draft.id: 1})


@DECIDED
def test_a_decision_stands_while_the_row_waits_for_tokens(edited, decision):
    (draft,) = edited.service.projects_there
    edited.decide(decision, project=draft.id)
    edited.submit(EDITED, max_tokens=0)
    waited = edited.outcomes()
    edited.submit(EDITED, max_tokens=0)
    edited.release()
    assert (waited, edited.outcomes()) == (Counter({Outcome.DEFERRED: 1}), ONE_SENT)


def test_an_adopted_draft_that_differs_is_sent_after_a_lost_answer(edited):
    (draft,) = edited.service.projects_there
    edited.service.projects_there = [replace(draft, description="Typed in the portal.")]
    edited.decide(Decision.ADOPT, project=draft.id)
    edited.service.script = {"send": [Unknown(detail="lost")]}
    edited.submit(EDITED)
    assert (edited.outcomes(), dict(edited.service.sends)) == (ONE_SENT, {draft.id: 1})


def test_a_retried_draft_that_was_changed_in_the_portal_is_held_again(edited):
    edited.shows(description="Typed in the portal.")
    edited.decide(Decision.RETRY)
    edited.submit(EDITED)
    assert (edited.outcomes(), edited.service.calls["send"]) == (ONE_HELD, 0)


def test_a_decision_about_another_trouble_does_not_pass_an_edit_over():
    scene = scripted(send=[NotDone(reason=Reason.REJECTED)])
    scene.submit(SHEET)
    scene.decide(Decision.RETRY)
    scene.submit(EDITED)
    assert (scene.outcomes(), dict(scene.service.sends)) == (ONE_HELD, {})


def there(**changes):
    """Give a draft that somebody made in the portal."""
    words = {"reference": "R-9", "name": "Bridge", "status": "DRAFT"} | changes
    return Project(id=PROJECT, created_at=AT, **words)


@pytest.mark.parametrize("status", ["DRAFT", "NEW"])
def test_a_project_with_the_reference_of_another_is_not_adopted(edited, status):
    edited.service.projects_there.append(there(status=status))
    with pytest.raises(SettingsError, match=r"That project is R-9 \(“Bridge”\), not"):
        edited.decide(Decision.ADOPT, project=PROJECT)
    assert edited.outcomes() == ONE_HELD


@pytest.mark.parametrize("reference", [None, "", " ", "R-1"])
def test_a_project_without_another_reference_is_adopted_and_told(edited, reference):
    hers = there(reference=reference, name="Made by hand")
    edited.service.projects_there.append(hers)
    resolved = edited.decide(Decision.ADOPT, project=PROJECT)
    edited.submit(EDITED)
    assert (resolved.adopted, "name" in resolved.differs) == (hers, True)
    assert dict(edited.service.sends) == {PROJECT: 1}


def test_a_project_that_another_row_has_is_not_adopted(edited):
    edited.submit(checked_projects([project(2)]), max_tokens=0)
    (other,) = (e.project_id for e in edited.entries() if e.marker == "R-2")
    calls = dict(edited.service.calls)
    with pytest.raises(SettingsError, match=r"Another row .* has that project: R-2 \("):
        edited.decide(Decision.ADOPT, marker="R-1", project=other)
    assert dict(edited.service.calls) == calls


def test_an_invitation_adopts_no_project():
    held = replace(invitation(1), state=State.HELD)
    scene = MemoryScene()
    with pytest.raises(SettingsError, match="is an invitation"):
        asyncio.run(
            Resolver(
                journal=scene.journal, lookups=scene.service, clock=scene.clock
            ).resolve(held, PersonDecision(decision=Decision.ADOPT, project=PROJECT))
        )


def test_a_retried_draft_goes_with_an_edit_that_had_arrived_and_was_undone():
    scene = MemoryScene()
    scene.submit(SHEET, max_tokens=0)
    scene.submit(EDITED, update_drafts=True, max_tokens=0)
    scene.submit(SHEET)
    decided = scene.decide(Decision.RETRY)
    scene.submit(SHEET)
    assert (
        decided.entry.reason.startswith("A person let the draft go as it stands"),
        scene.draft.description,
        dict(scene.service.sends),
    ) == (True, "Something else.", {scene.draft.id: 1})


def test_what_was_decided_with_an_earlier_version_stands(edited):
    (entry,) = edited.entries()
    words = "A person let the draft go as it was made, without the later edit."
    asyncio.run(edited.journal.move(entry.key, State.READY, at=AT, reason=words))
    edited.submit(EDITED)
    assert edited.outcomes() == ONE_SENT


def made_by_a_lost_journal(**shown):
    """Give a scene that finds a project of its one row which says something else."""
    before = MemoryScene()
    before.submit(SHEET, drafts_only=True)
    before.shows(**shown)
    scene = MemoryScene(service=before.service)
    scene.submit(EDITED)
    assert scene.outcomes() == ONE_HELD
    return scene


@pytest.mark.parametrize(("status", "sends"), [("DRAFT", 1), ("NEW", 0)])
def test_a_project_that_a_lost_journal_made_is_adopted_as_it_stands(status, sends):
    scene = made_by_a_lost_journal(status=status)
    (there_now,) = scene.service.projects_there
    scene.decide(Decision.ADOPT, project=there_now.id)
    if sends:
        scene.submit(EDITED)
    assert (scene.outcomes(), scene.service.sends.total()) == (ONE_SENT, sends)


def test_a_row_without_a_project_is_retried_from_its_beginning():
    scene = scripted(create=[Unknown(detail="lost")] * 3)
    scene.submit(SHEET)
    held = scene.outcomes()
    scene.decide(Decision.RETRY)
    scene.submit(SHEET)
    assert (held, scene.outcomes(), scene.service.sends.total()) == (
        ONE_HELD,
        ONE_SENT,
        1,
    )


def test_a_draft_that_is_not_to_be_sent_is_drafted_again():
    scene, kept = MemoryScene(), project(1, send=False)
    scene.submit(checked_projects([kept]))
    scene.submit(EDITED)
    scene.submit(checked_projects([replace(kept, description="Something else.")]))
    before = scene.outcomes()
    scene.decide(Decision.RETRY)
    assert (before, scene.outcomes()) == (ONE_HELD, ONE_DRAFTED)


def test_a_project_that_the_key_cannot_see_is_not_adopted(edited):
    with pytest.raises(SettingsError, match="does not show that project"):
        edited.decide(Decision.ADOPT, project=PROJECT)


def test_a_row_that_is_not_held_is_not_decided_about():
    scene = MemoryScene()
    scene.submit(SHEET)
    with pytest.raises(SettingsError, match="is not held"):
        scene.decide(Decision.ABANDON)


def test_a_row_that_no_project_is_held_for_is_not_adopted_without_one():
    before = MemoryScene()
    before.submit(SHEET, drafts_only=True)
    (draft,) = before.service.projects_there
    before.service.projects_there.append(replace(draft, id=PROJECT, name="Another"))
    scene = MemoryScene(service=before.service)
    scene.submit(SHEET)
    assert scene.outcomes() == ONE_HELD
    with pytest.raises(SettingsError, match="R-1 is not held for one project alone"):
        scene.decide(Decision.ADOPT)
    assert scene.outcomes() == ONE_HELD


def test_why_a_person_decided_is_kept_with_the_decision_on_one_line(edited):
    resolved = edited.decide(Decision.ABANDON, why="Not\nours.")
    assert resolved.entry.reason.endswith(" Why: Not ours.")


FAR = Place(latitude=-35.114, longitude=173.263)


def _taken(scene, **changes):
    """Let the one draft be changed in the portal, and a person take it so."""
    (draft,) = scene.service.projects_there
    scene.service.projects_there = [replace(draft, **changes)]
    return scene.decide(Decision.ADOPT, project=draft.id).entry


def test_an_adopted_row_says_what_its_draft_says_and_keeps_its_send(edited):
    _taken(edited, place=FAR, description="Theirs.", start_at=AT)
    (entry,) = edited.entries()
    row = project(1)
    assert entry.content == replace(
        row, place=FAR, description="Theirs.", start_on=date(2026, 11, 21)
    )
    edited.submit(checked_projects([replace(row, iwi=("raki",), message="Kia ora.")]))
    (sent,) = edited.entries()
    assert (sent.content.place, sent.content.iwi, sent.content.message) == (
        FAR,
        ("raki",),
        "Kia ora.",
    )


def test_an_adopted_row_whose_draft_changed_again_is_another_for_an_approval(edited):
    _taken(edited, description="Theirs.")
    (once,) = edited.entries()
    edited.shows(description="Theirs again.")
    edited.submit(EDITED)
    (held,) = edited.entries()
    _taken(edited)
    (again,) = edited.entries()
    assert held.state is State.HELD
    assert len({once.fingerprint, again.fingerprint}) == 2
    assert is_unedited(again.fingerprint, once.fingerprint.rpartition("/")[2])


def test_an_adopted_draft_that_says_the_same_leaves_the_row_as_it_was(edited):
    before = edited.entries()
    _taken(edited)
    (entry,) = edited.entries()
    (was,) = before
    assert (entry.content, entry.fingerprint) == (was.content, was.fingerprint)


def test_a_draft_adopted_by_an_earlier_kawe_is_held_until_it_is_adopted_again(edited):
    (entry,) = edited.entries()
    asyncio.run(edited.journal.move(entry.key, State.READY, at=AT, reason=ADOPTED))
    edited.shows(place=FAR)
    edited.submit(EDITED)
    assert edited.outcomes() == ONE_HELD
    _taken(edited)
    edited.submit(EDITED)
    assert edited.outcomes() == ONE_SENT


def test_a_purged_row_that_went_as_it_stood_says_nothing_of_differences(edited):
    _taken(edited, description="Theirs.")
    edited.submit(SHEET)
    (entry,) = edited.entries()
    bare = replace(entry, content=emptied(entry.content, kept=PROJECTS.kept_fields))
    (row,) = SHEET.rows
    found = edit_findings(row, bare, fate=EditFate.PASSED_OVER)
    assert (entry.state, list(found)) == (State.CONFIRMED, [])
