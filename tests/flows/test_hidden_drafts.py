"""A draft that the service does not show: a doubt at first, and gone at the end."""

from collections import Counter
from dataclasses import replace

import pytest

from doubles.memory_journal import ONE_HELD, ONE_SENT
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.service import MemoryService
from doubles.sheets import attached
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import State, Unknown
from kawe.errors import SettingsError
from kawe.flows.settle.resolving import Decision

ROWS = 6
WINDOW = range(180, 190)


class Hiding(MemoryService):
    """Answers 404 for some projects, and lists them or not."""

    __slots__ = ("clock", "hidden", "is_listed", "loses_after_send", "sent_at", "until")

    def __init__(self, **how):
        super().__init__(**how)
        self.hidden, self.is_listed, self.until = set(), True, None
        self.sent_at, self.loses_after_send = [], False

    def _hides(self):
        return self.until is None or self.clock.elapsed() < self.until

    async def project(self, project):
        found = await super().project(project)
        return None if project in self.hidden and self._hides() else found

    async def send(self, project, body):
        self.sent_at.append(self.clock.elapsed())
        if self.loses_after_send:
            self.hidden.add(project)
        return await super().send(project, body)

    async def projects(self, *, page, search=None, status=None):
        there = self.projects_there
        if not self.is_listed and self._hides():
            self.projects_there = [e for e in there if e.id not in self.hidden]
        try:
            return await super().projects(page=page, search=search, status=status)
        finally:
            self.projects_there = there

    def lose(self, scene, *numbers, is_listed=False, for_seconds=None):
        """Let the drafts of these rows be seen no more, or not for so long."""
        for number in numbers:
            self.hidden.add(self.projects_there[number].id)
        self.is_listed = is_listed
        self.until = for_seconds and scene.clock.elapsed() + for_seconds


def sheet(rows=ROWS, **changes):
    return checked_projects([project(n, **changes) for n in range(rows)])


@pytest.fixture
def scene():
    """Give a scene whose six drafts have waited for tokens for a month."""
    scene = MemoryScene(service=Hiding(tokens=0))
    scene.service.clock = scene.clock
    scene.submit(sheet())
    scene.clock.pass_by(30 * 86_400)
    scene.service.tokens = 50
    return scene


def submit(scene):
    scene.submit(sheet())


def release(scene):
    scene.release()


EITHER = pytest.mark.parametrize("go", [submit, release])
LISTED = pytest.mark.parametrize("is_listed", [True, False], ids=["listed", "unlisted"])


def sends(scene):
    """Count the sends by reference, whatever project they went to."""
    by_id = {each.id: each.reference for each in scene.service.projects_there}
    return sorted(by_id[each] for each in scene.service.sends.elements())


ALL = [f"R-{n}" for n in range(ROWS)]


@EITHER
@pytest.mark.parametrize(
    "hides", [{"is_listed": True, "for_seconds": 1}, {"for_seconds": 100}], ids=str
)
def test_an_old_draft_that_hides_for_a_while_is_sent_in_the_same_run(scene, go, hides):
    scene.service.lose(scene, 0, 3, **hides)
    go(scene)
    assert (sends(scene), scene.outcomes()) == (ALL, Counter({Outcome.SENT: ROWS}))


@EITHER
@LISTED
def test_rows_beside_a_hidden_draft_do_not_wait_for_it(scene, go, is_listed):
    scene.service.lose(scene, 0, is_listed=is_listed)
    before = scene.clock.elapsed()
    go(scene)
    sent_at = scene.service.sent_at[-(ROWS - 1) :]
    assert (len(sends(scene)), max(sent_at) - before < 5) == (ROWS - 1, True)


@EITHER
@LISTED
def test_a_draft_that_hides_for_a_window_is_looked_for_by_the_next_run(
    scene, go, is_listed
):
    scene.service.lose(scene, 0, is_listed=is_listed)
    before = scene.clock.elapsed()
    go(scene)
    waited, stands = scene.clock.elapsed() - before, scene.outcomes()
    (left,) = (each for each in scene.entries() if each.marker == "R-0")
    scene.service.hidden.clear()
    go(scene)
    assert (round(waited) in WINDOW, stands) == (
        True,
        Counter({Outcome.SENT: ROWS - 1, Outcome.UNFINISHED: 1}),
    )
    assert left.reason == (
        "The service does not show the draft; the next run looks for it again."
    )
    assert (sends(scene), scene.outcomes()) == (ALL, Counter({Outcome.SENT: ROWS}))


@EITHER
@LISTED
def test_a_draft_that_two_runs_looked_for_in_vain_is_held(scene, go, is_listed):
    scene.service.lose(scene, 0, is_listed=is_listed)
    go(scene)
    go(scene)
    (held,) = (each for each in scene.entries() if each.state is State.HELD)
    assert (held.marker, held.reason, len(sends(scene))) == (
        "R-0",
        "The service does not show the draft any more.",
        ROWS - 1,
    )


@EITHER
def test_drafts_that_are_all_gone_are_held_too_and_left_to_nobody_else(scene, go):
    scene.service.lose(scene, *range(ROWS))
    go(scene)
    go(scene)
    assert scene.outcomes() == Counter({Outcome.HELD: ROWS})


def test_a_draft_that_a_colleague_made_meanwhile_is_not_passed_over(scene):
    own = scene.service.projects_there[0]
    other = replace(own, id="20000000-0000-4000-8000-000000000001", status="NEW")
    scene.service.lose(scene, 0, for_seconds=20)
    scene.service.projects_there.append(other)
    scene.release()
    assert (scene.service.sends[own.id], len(sends(scene))) == (0, ROWS - 1)


def test_a_hidden_draft_does_not_get_its_edit_and_is_held_after_a_window(scene):
    scene.service.lose(scene, 0)
    edited = sheet(description="Other words.")
    before = scene.clock.elapsed()
    scene.submit(edited, update_drafts=True, max_tokens=0)
    (held,) = (each for each in scene.entries() if each.state is State.HELD)
    assert (held.marker, scene.clock.elapsed() - before >= 180) == ("R-0", True)


def test_an_edit_reaches_a_draft_that_hides_for_a_moment(scene):
    scene.service.lose(scene, 0, for_seconds=4)
    scene.submit(sheet(description="Other words."), update_drafts=True, max_tokens=0)
    words = {each.description for each in scene.service.projects_there}
    assert (words, Outcome.HELD in scene.outcomes()) == ({"Other words."}, False)


@pytest.fixture
def gone(scene):
    """Give a scene whose first draft is gone, and held for it."""
    scene.service.lose(scene, 0)
    scene.release()
    scene.release()
    assert scene.outcomes()[Outcome.HELD] == 1
    return scene


def test_a_draft_that_is_gone_is_made_again_by_one_word_and_sent_once(gone):
    gone.clock.pass_by(180)
    (row,) = (each for each in gone.entries() if each.marker == "R-0")
    resolved = gone.decide(Decision.RETRY, marker="R-0")
    made = gone.service.calls["create"]
    gone.submit(sheet())
    gone.submit(sheet())
    assert (resolved.given_up, resolved.entry.state) == (row.project_id, State.VALID)
    assert (gone.service.calls["create"] - made, sends(gone).count("R-0")) == (1, 1)
    assert gone.outcomes() == Counter({Outcome.SENT: ROWS})


def test_before_a_window_has_passed_nothing_is_given_up_and_the_time_is_said(gone):
    with pytest.raises(SettingsError) as refused:
        gone.decide(Decision.RETRY, marker="R-0")
    assert "It may be late, and R-0 stays held" in str(refused.value)
    assert "Say the same again after 22:" in str(refused.value)
    assert gone.outcomes()[Outcome.HELD] == 1


@pytest.mark.parametrize("status", ["DRAFT", "NEW"])
def test_a_draft_whose_reference_is_still_listed_is_not_made_again(gone, status):
    gone.service.projects_there.append(
        replace(
            gone.service.projects_there[0],
            id="20000000-0000-4000-8000-000000000001",
            reference="R-0",
            status=status,
        )
    )
    gone.clock.pass_by(180)
    with pytest.raises(SettingsError, match="Yet a list may have a project"):
        gone.decide(Decision.RETRY, marker="R-0")
    assert gone.outcomes()[Outcome.HELD] == 1


def test_a_draft_that_comes_back_after_it_was_given_up_is_held_and_then_sent(gone):
    gone.clock.pass_by(180)
    gone.decide(Decision.RETRY, marker="R-0")
    made = gone.service.calls["create"]
    gone.service.hidden.clear()
    gone.submit(sheet())
    held = gone.outcomes()[Outcome.HELD]
    gone.decide(Decision.RETRY, marker="R-0")
    gone.submit(sheet())
    assert (held, gone.service.calls["create"], sends(gone)) == (1, made, ALL)


def test_the_first_reading_of_a_row_held_for_something_else_is_written_down(scene):
    scene.submit(sheet(description="Other words."))
    assert scene.outcomes() == Counter({Outcome.HELD: ROWS})
    scene.service.lose(scene, 0)
    with pytest.raises(SettingsError, match="It may be late"):
        scene.decide(Decision.RETRY, marker="R-0")
    (row,) = (each for each in scene.entries() if each.marker == "R-0")
    scene.clock.pass_by(181)
    resolved = scene.decide(Decision.RETRY, marker="R-0")
    assert (row.state, row.reason, resolved.entry.state) == (
        State.HELD,
        "The service does not show the draft any more.",
        State.VALID,
    )


def test_a_row_whose_send_was_unclear_is_never_made_again():
    scene = MemoryScene(service=Hiding())
    scene.service.clock = scene.clock
    scene.service.script = {"send": [Unknown(detail="lost")]}
    scene.service.loses_after_send = True
    scene.submit(sheet(1))
    assert scene.outcomes() == ONE_HELD
    for _ in range(2):
        with pytest.raises(SettingsError, match="may have been sent"):
            scene.decide(Decision.RETRY, marker="R-0")
        scene.clock.pass_by(10**6)
    assert scene.service.calls["create"] == 1


def test_the_files_of_a_draft_that_is_gone_are_uploaded_again():
    scene = MemoryScene(service=Hiding(tokens=0))
    scene.service.clock = scene.clock
    paper = attached("plan.pdf", size_bytes=3)
    scene.submit(sheet(1, files=(paper,)))
    scene.service.lose(scene, 0)
    scene.release(tokens=9)
    scene.release()
    scene.clock.pass_by(180)
    scene.decide(Decision.RETRY, marker="R-0")
    scene.submit(sheet(1, files=(paper,)))
    assert (scene.service.calls["upload"], scene.outcomes()) == (2, ONE_SENT)
