"""Submitting against the twin: once each, whatever happens around it."""

from collections import Counter
from dataclasses import replace

from doubles.memory_journal import ONE_DRAFTED, ONE_SENT
from doubles.rows import checked_projects, project
from kawe.domain.batch.outcomes import Outcome


def test_too_few_tokens_send_the_most_urgent_rows_and_defer_the_rest(scene_with):
    scene = scene_with(tokens=2)
    rows = [project(1), project(2, priority_order=1), project(3, priority_order=2)]
    scene.submit(checked_projects(rows))
    sent = {e.marker for e in scene.entries() if e.state == "CONFIRMED"}
    assert (sent, scene.outcomes()) == (
        {"R-2", "R-3"},
        Counter({Outcome.SENT: 2, Outcome.DEFERRED: 1}),
    )


def test_of_a_row_that_is_sent_a_run_keeps_no_attempt_and_no_look(scene_with):
    run = scene_with(tokens=3).submit(checked_projects([project(n) for n in range(3)]))
    tally = run.tally
    assert (tally.sent, tally.begun, tally.attempts, tally.looked_at) == (3, {}, {}, {})


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
