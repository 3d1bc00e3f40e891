"""Submitting against the twin: once each, whatever happens around it."""

from collections import Counter
from dataclasses import replace
from datetime import date

from doubles.memory_journal import ONE_DRAFTED, ONE_HELD, ONE_SENT
from doubles.rows import checked_projects, project
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.sheet.content import OrganisationContent
from kawe_places.values import Place


def test_every_row_is_drafted_and_sent_exactly_once(scene_with):
    scene = scene_with(tokens=10)
    scene.submit(checked_projects([project(n) for n in range(6)]))
    assert (scene.outcomes(), scene.sends()) == (Counter({Outcome.SENT: 6}), [1] * 6)


def test_running_again_makes_no_unsafe_call(scene_with):
    scene = scene_with(tokens=10)
    checked = checked_projects([project(n) for n in range(4)])
    scene.submit(checked)
    before = scene.state()["requests"]
    scene.submit(checked)
    after = scene.state()["requests"]
    unsafe = ("project_create", "project_send", "upload_presign")
    assert [after.get(name) for name in unsafe] == [before.get(name) for name in unsafe]


def test_rows_that_are_not_to_be_sent_stay_drafts(scene_with):
    scene = scene_with(tokens=10)
    scene.submit(checked_projects([project(1), project(2, send=False)]))
    assert scene.outcomes() == Counter({Outcome.SENT: 1, Outcome.DRAFTED: 1})


def test_too_few_tokens_send_the_most_urgent_rows_and_defer_the_rest(scene_with):
    scene = scene_with(tokens=2)
    rows = [project(1), project(2, priority_order=1), project(3, priority_order=2)]
    scene.submit(checked_projects(rows))
    sent = {e.marker for e in scene.entries() if e.state == "CONFIRMED"}
    assert (sent, scene.outcomes()) == (
        {"R-2", "R-3"},
        Counter({Outcome.SENT: 2, Outcome.DEFERRED: 1}),
    )


def test_a_402_opens_the_breaker_and_the_batch_goes_on(scene_with):
    scene = scene_with(tokens=1)
    scene.workers = 1
    # The balance lies: a colleague spent the tokens meanwhile.
    run = scene.submit(checked_projects([project(n) for n in range(5)]), balance=5)
    answers = scene.state()["requests"]["project_send"]
    assert (scene.outcomes(), answers, run.tally.created) == (
        Counter({Outcome.SENT: 1, Outcome.DEFERRED: 4}),
        {"200": 1, "402": 1},
        5,
    )


def test_release_finishes_without_a_second_create(scene_with):
    scene = scene_with(tokens=1)
    scene.submit(checked_projects([project(n) for n in range(5)]))
    scene.twin.buy_tokens(5)
    scene.release()
    creates = scene.state()["requests"]["project_create"]
    assert (scene.outcomes(), creates, scene.sends()) == (
        Counter({Outcome.SENT: 5}),
        {"200": 5},
        [1] * 5,
    )


def test_a_lost_journal_adopts_drafts_and_knows_what_was_sent(scene_with):
    scene = scene_with(tokens=1)
    checked = checked_projects([project(n) for n in range(3)])
    scene.submit(checked)
    scene.journal = type(scene.journal)()
    scene.twin.buy_tokens(5)
    scene.submit(checked)
    assert (scene.outcomes(), scene.sends()) == (
        Counter({Outcome.SENT: 3}),
        [1] * 3,
    )


def test_a_draft_edited_in_the_workbook_is_held_and_let_go_when_undone(scene_with):
    scene = scene_with(tokens=0)
    row = project(1)
    scene.submit(checked_projects([row]))
    scene.twin.buy_tokens(1)
    scene.submit(checked_projects([replace(row, description="Something else.")]))
    held = scene.outcomes()
    scene.submit(checked_projects([row]))
    assert (held, scene.outcomes()) == (ONE_HELD, ONE_SENT)


def test_a_row_held_for_an_edit_stays_held_while_another_part_is_submitted(scene_with):
    scene = scene_with(tokens=0)
    row, other = project(1), project(2)
    scene.submit(checked_projects([row, other]))
    scene.submit(checked_projects([replace(row, description="Something else.")]))
    scene.twin.buy_tokens(5)
    scene.submit(checked_projects([other]))
    assert (scene.outcomes(), scene.sends()) == (
        Counter({Outcome.HELD: 1, Outcome.SENT: 1}),
        [0, 1],
    )


def test_an_edit_after_the_send_sends_nothing(scene_with):
    scene = scene_with(tokens=5)
    row = project(1)
    scene.submit(checked_projects([row]))
    scene.submit(checked_projects([replace(row, description="Something else.")]))
    assert (scene.outcomes(), scene.sends()) == (ONE_SENT, [1])


def test_rows_that_left_the_workbook_before_they_were_created_are_withdrawn(scene_with):
    scene = scene_with(tokens=5)
    scene.halt.asked = True
    scene.submit(checked_projects([project(1), project(2)]))
    scene.halt.asked, scene.takes_out = False, True
    scene.submit(checked_projects([project(1)]))
    assert scene.outcomes() == Counter({Outcome.SENT: 1, Outcome.WITHDRAWN: 1})


def test_a_new_organisation_is_created_once_for_all_its_rows(scene_with):
    scene = scene_with(tokens=9)
    organisation = OrganisationContent(
        name="Wai Ora Ltd",
        address="2 Quay Street, Auckland",
        place=Place(latitude=-36.84, longitude=174.76),
    )
    rows = [project(n, organisation=organisation) for n in range(6)]
    scene.submit(checked_projects(rows))
    names = [each["name"] for each in scene.state()["organisations"]]
    assert (names, scene.outcomes()) == (["Wai Ora Ltd"], Counter({Outcome.SENT: 6}))


def test_a_stop_asked_for_leaves_rows_unfinished_and_the_next_run_ends_them(scene_with):
    scene = scene_with(tokens=9)
    checked = checked_projects([project(n) for n in range(3)])
    scene.halt.asked = True
    scene.submit(checked)
    stopped = scene.outcomes()
    scene.halt.asked = False
    scene.submit(checked)
    assert (stopped, scene.outcomes()) == (
        Counter({Outcome.UNFINISHED: 3}),
        Counter({Outcome.SENT: 3}),
    )


def test_a_sandbox_key_spends_no_token(scene_with):
    scene = scene_with(tokens=0)
    scene.key = scene.twin.address.sandbox_key
    scene.submit(checked_projects([project(n) for n in range(3)]), balance=None)
    assert scene.outcomes() == Counter({Outcome.SENT: 3})


def test_a_draft_is_sent_once_the_workbook_says_yes(scene_with):
    scene = scene_with(tokens=5)
    scene.submit(checked_projects([project(1, send=False)]))
    before = scene.outcomes()
    scene.submit(checked_projects([project(1, send=True, message="Now, please.")]))
    assert (before, scene.outcomes(), scene.sends()) == (ONE_DRAFTED, ONE_SENT, [1])


def test_an_edit_is_brought_to_the_draft_and_sent(scene_with):
    scene = scene_with(tokens=0)
    row = project(1)
    scene.submit(checked_projects([row]))
    scene.twin.buy_tokens(1)
    scene.update_drafts = True
    edited = replace(row, description="Two culverts.", end_on=date(2030, 12, 1))
    scene.submit(checked_projects([edited]))
    requests = scene.state()["requests"]
    assert (scene.outcomes(), requests["project_update"], scene.sends()) == (
        ONE_SENT,
        {"200": 1},
        [1],
    )
