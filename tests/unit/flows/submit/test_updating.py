"""Edits that are brought to drafts: once each, read back, never after a send."""

import asyncio
from dataclasses import replace

import pytest

from doubles.memory_journal import ONE_DRAFTED, ONE_HELD, ONE_IN_DOUBT, ONE_SENT
from doubles.memory_scene import MemoryScene, scripted
from doubles.rows import checked_projects, project
from doubles.service import MemoryService
from kawe.domain.service.states import NotDone, Reason, State, Unknown
from kawe.domain.text.next_steps import Given
from kawe.errors import KeyRefused, ServiceUnreachable
from kawe_places.values import Place

ROW = project(1)
SHEET = checked_projects([ROW])
WORDS = "Two culverts are replaced."
EDITED = checked_projects([replace(ROW, description=WORDS, phase="PRE_START")])
LOST = Unknown(detail="lost")


def drafted(service=None):
    """Give a scene whose one row has a draft and waits for tokens."""
    scene = MemoryScene(service=service or MemoryService())
    scene.submit(SHEET, max_tokens=0)
    return scene


def update(scene, checked=EDITED, **budget):
    return scene.submit(checked, update_drafts=True, **budget)


def said(scene):
    """Tell what the service has, and how often it was changed and sent."""
    (there,) = scene.service.projects_there
    return there.description, scene.service.calls["update"], scene.service.sends.total()


@pytest.mark.parametrize("lost", [set(), {"update"}])
def test_an_edit_whose_answer_came_or_not_reaches_the_draft_and_is_then_sent(lost):
    scene = drafted(MemoryService(loses_answers_of=lost))
    run = update(scene)
    assert (scene.outcomes(), said(scene), run.tally.updated) == (
        ONE_SENT,
        (WORDS, 1, 1),
        1,
    )


def test_without_the_option_the_row_is_held_and_told_of_it():
    scene = drafted()
    scene.submit(EDITED)
    assert (
        scene.outcomes(),
        said(scene),
        f"{Given.UPDATE_DRAFTS}" in scene.entry.reason,
    ) == (ONE_HELD, (ROW.description, 0, 0), True)


def test_a_row_that_was_held_for_its_edit_goes_on_with_the_option():
    scene = drafted()
    scene.submit(EDITED)
    update(scene)
    assert (scene.outcomes(), said(scene)) == (ONE_SENT, (WORDS, 1, 1))


def test_a_draft_that_is_not_to_be_sent_is_changed_and_stays_a_draft():
    scene = MemoryScene()
    scene.submit(checked_projects([replace(ROW, send=False)]))
    update(scene, checked_projects([replace(ROW, send=False, description=WORDS)]))
    assert (scene.outcomes(), said(scene)) == (ONE_DRAFTED, (WORDS, 1, 0))


def test_a_run_after_the_change_changes_nothing():
    scene = drafted()
    update(scene, max_tokens=0)
    update(scene)
    update(scene)
    assert (scene.outcomes(), said(scene)) == (ONE_SENT, (WORDS, 1, 1))


def test_a_row_that_was_sent_is_not_changed():
    scene = MemoryScene()
    scene.submit(SHEET)
    update(scene)
    assert (scene.outcomes(), said(scene)) == (ONE_SENT, (ROW.description, 0, 1))


def test_a_lost_change_that_did_not_arrive_is_held_after_the_window():
    scene = drafted()
    scene.service.script = {"update": [LOST]}
    update(scene)
    held = scene.outcomes(), said(scene), sum(scene.clock.slept) >= 180
    update(scene)
    assert (held, scene.outcomes(), said(scene)) == (
        (ONE_HELD, (ROW.description, 1, 0), True),
        ONE_SENT,
        (WORDS, 2, 1),
    )


def test_a_change_that_was_not_made_is_not_forgotten_by_a_run_without_the_option():
    scene = drafted()
    scene.service.script = {"update": [LOST]}
    update(scene)
    scene.submit(EDITED)
    scene.release()
    assert (scene.outcomes(), said(scene)) == (ONE_HELD, (ROW.description, 1, 0))


def test_a_refused_change_is_held_with_the_service_s_words():
    scene = drafted()
    refused = NotDone(reason=Reason.REJECTED, detail="Dates are wrong.")
    scene.service.script = {"update": [refused]}
    update(scene)
    assert (scene.entry.state, scene.entry.reason, said(scene)) == (
        State.HELD,
        "Dates are wrong.",
        (ROW.description, 1, 0),
    )


def test_only_what_certainly_did_not_happen_is_asked_again():
    scene = drafted()
    limited = NotDone(reason=Reason.RATE_LIMITED, http_status=429)
    scene.service.script = {"update": [limited, limited]}
    update(scene)
    assert (scene.outcomes(), said(scene)) == (ONE_SENT, (WORDS, 3, 1))


def test_a_refused_key_stops_the_run_and_the_next_one_changes_the_draft():
    scene = drafted()
    scene.service.script = {"update": [NotDone(reason=Reason.KEY_REFUSED)]}
    run = update(scene)
    update(scene)
    assert (type(run.stop.because), scene.outcomes(), said(scene)) == (
        KeyRefused,
        ONE_SENT,
        (WORDS, 2, 1),
    )


@pytest.mark.parametrize(
    ("edit", "field"),
    [
        ({"place": Place(latitude=-41.3, longitude=174.8)}, "place"),
        ({"address": "2 Coronation Road"}, "address"),
    ],
    ids=str,
)
def test_an_edit_that_the_service_cannot_take_is_held_with_its_field(edit, field):
    scene = drafted()
    update(scene, checked_projects([replace(ROW, **edit)]))
    (entry,) = scene.entries()
    assert (scene.outcomes(), f"cannot change {field} of a draft" in entry.reason) == (
        ONE_HELD,
        True,
    )
    # Undone, it goes on as if nothing had been.
    scene.submit(SHEET)
    assert (scene.outcomes(), said(scene)) == (ONE_SENT, (ROW.description, 0, 1))


def test_a_row_held_for_an_edit_is_told_when_the_service_cannot_take_it():
    scene = drafted()
    moved = checked_projects([replace(ROW, address="2 Coronation Road")])
    scene.submit(moved)
    update(scene, moved)
    assert "cannot change address of a draft" in scene.entry.reason


@pytest.mark.parametrize(
    ("there", "outcome", "words"),
    [
        ({"description": "Theirs."}, ONE_HELD, "does not write over that"),
        ({"status": None}, ONE_HELD, "does not say whether it was sent"),
        ({"status": "NEW"}, ONE_SENT, "the edit is not applied"),
    ],
    ids=str,
)
def test_a_draft_that_is_not_as_it_was_made_is_not_changed(there, outcome, words):
    scene = drafted()
    scene.shows(**there)
    update(scene, max_tokens=0)
    (entry,) = scene.entries()
    assert (scene.outcomes(), scene.service.calls["update"]) == (outcome, 0)
    assert entry.state is State.CONFIRMED or words in entry.reason


def test_a_draft_that_cannot_be_read_stops_the_run_before_the_change():
    scene = drafted()
    scene.service.script = {"project": [ServiceUnreachable(message="Down.")]}
    assert (type(update(scene).stop.because), scene.service.calls["update"]) == (
        ServiceUnreachable,
        0,
    )


class Deaf(MemoryService):
    """Accepts a change and makes none."""

    __slots__ = ()

    async def update(self, project, body):
        there = self.projects_there
        verdict = await super().update(project, body)
        self.projects_there = there
        return verdict


def test_a_change_that_was_accepted_and_is_not_there_is_held():
    scene = drafted(Deaf())
    update(scene)
    assert (scene.outcomes(), scene.entry.reason) == (
        ONE_HELD,
        "The service accepted the edit and shows something else: description, phase.",
    )


class Forgetting(MemoryService):
    """Cannot show a draft once it was changed, while it is down."""

    __slots__ = ()

    async def project(self, project):
        if self.calls["update"]:
            raise ServiceUnreachable(message="Down.")
        return await super().project(project)


def test_a_change_that_cannot_be_read_back_is_compared_before_the_send():
    scene = drafted(Forgetting())
    assert (type(update(scene).stop.because), scene.outcomes(), said(scene)) == (
        ServiceUnreachable,
        ONE_DRAFTED,
        (WORDS, 1, 0),
    )


class SentByHand(MemoryService):
    """Loses the answer to a change, and a colleague sends the draft."""

    __slots__ = ()

    async def update(self, project, body):
        await super().update(project, body)
        self.projects_there = [
            replace(each, status="NEW") for each in self.projects_there
        ]
        return LOST


def test_a_draft_that_was_sent_while_its_change_was_in_doubt_is_held():
    scene = drafted(SentByHand())
    update(scene)
    assert (scene.outcomes(), scene.service.calls["send"]) == (ONE_HELD, 0)


def test_a_row_that_is_held_for_another_reason_is_not_changed():
    scene = scripted(send=[NotDone(reason=Reason.REJECTED, detail="No.")])
    scene.submit(SHEET)
    update(scene)
    assert (scene.entry.reason, scene.service.calls["update"]) == ("No.", 0)


def test_a_doubt_in_the_same_workbook_does_not_change_what_is_in_doubt():
    scene = drafted()
    scene.service.script = {"send": [LOST]}
    scene.clock.meanwhile = scene.halt.ask
    scene.submit(SHEET)
    doubt = scene.outcomes()
    scene.halt.asked = False
    update(scene)
    assert (doubt, scene.service.calls["update"]) == (ONE_IN_DOUBT, 0)


def test_a_ready_draft_that_was_sent_in_the_portal_is_sent_without_its_edit():
    scene = MemoryScene()
    scene.submit(SHEET, drafts_only=True)
    (entry,) = scene.entries()
    asyncio.run(scene.journal.move(entry.key, State.READY, at=scene.clock.at))
    scene.shows(status="NEW")
    update(scene)
    assert (scene.outcomes(), scene.service.calls["update"]) == (ONE_SENT, 0)


def test_without_a_turn_nothing_is_noted_and_the_row_is_held_for_its_edit():
    scene = drafted()
    scene.service.has_turns = False
    update(scene)
    assert (scene.outcomes(), f"{Given.UPDATE_DRAFTS}" in scene.entry.reason) == (
        ONE_HELD,
        True,
    )


class HidesDraft(MemoryService):
    """Does not show the draft for some readings after it was changed."""

    __slots__ = ("hides",)

    async def project(self, project):
        found = await super().project(project)
        if not self.calls["update"] or not self.hides:
            return found
        self.hides -= 1
        return None


@pytest.mark.parametrize(
    ("hides", "outcome"), [(1, ONE_SENT), (99, ONE_HELD)], ids=["once", "for good"]
)
def test_a_draft_that_is_not_shown_after_its_edit_is_read_again(hides, outcome):
    scene = drafted(HidesDraft())
    scene.service.hides = hides
    update(scene)
    assert (scene.outcomes(), scene.service.calls["update"]) == (outcome, 1)


def test_a_stop_while_an_edit_is_read_back_sends_nothing():
    scene = drafted(HidesDraft())
    scene.service.hides = 99
    scene.clock.meanwhile = scene.halt.ask
    update(scene)
    assert said(scene) == (WORDS, 1, 0)
