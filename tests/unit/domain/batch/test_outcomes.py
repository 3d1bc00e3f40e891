"""How rows stand, in the person's words."""

from collections import Counter
from dataclasses import replace

import pytest

from doubles.journal_values import entry, project_id
from doubles.reports import batch_report, standing
from doubles.sheets import finding
from kawe.domain.batch.explaining import advice_for
from kawe.domain.batch.outcomes import (
    NEEDS_PERSON,
    Outcome,
    UnownedDraft,
    outcome_of,
    sum_words,
    unowned_words,
)
from kawe.domain.service.service_words import Invitation
from kawe.domain.service.states import State
from kawe.domain.sheet.findings import Severity


def test_the_counts_of_a_batch_add_up_to_its_rows():
    outcomes = (Outcome.SENT, Outcome.HELD, Outcome.SENT)
    report = batch_report(*(standing(n, each) for n, each in enumerate(outcomes, 2)))
    assert report.counts() == Counter({Outcome.SENT: 2, Outcome.HELD: 1})


def test_only_waiting_rows_need_a_person():
    assert {s for s in State if outcome_of(s) in NEEDS_PERSON} == {
        State.CREATE_INTENT,
        State.CREATE_DOUBT,
        State.UPDATE_INTENT,
        State.UPDATE_DOUBT,
        State.SEND_INTENT,
        State.SEND_DOUBT,
        State.INVITE_INTENT,
        State.INVITE_DOUBT,
        State.WAIT_TOKENS,
        State.QUEUED,
        State.HELD,
        State.UNCONFIRMED,
    }


@pytest.mark.parametrize("state", sorted(State))
def test_advice_is_whole_sentences(state):
    advice = advice_for(entry(1, state=state, reason="No such iwi"))
    assert advice.startswith("No such iwi.")
    assert advice.endswith(".")


@pytest.mark.parametrize(
    ("project", "stays"), [(None, False), (project_id(1), True)], ids=["none", "draft"]
)
def test_a_given_up_row_is_told_what_stays_in_the_service(project, stays):
    advice = advice_for(entry(1, state=State.ABANDONED, project_id=project))
    assert ("taken out" in advice, "stays there" in advice) == (False, stays)


def test_a_finished_row_without_a_reason_needs_no_advice():
    assert advice_for(entry(1, state=State.SENT)) == ""


@pytest.mark.parametrize(
    ("rows", "rows_read", "said"),
    [
        ((), 0, (True, "0 rows were read, and 0 outcomes found: all here.")),
        ((2,), 1, (True, "1 row was read, and 1 outcome found: all here.")),
        ((2, 3), 2, (True, "2 rows were read, and 2 outcomes found: all here.")),
    ],
    ids=["none", "one", "two"],
)
def test_sums_that_agree_are_said(rows, rows_read, said):
    report = batch_report(*(standing(number, Outcome.SENT) for number in rows))
    assert sum_words(report, rows_read=rows_read) == said


@pytest.mark.parametrize(
    ("rows", "rows_read", "said"),
    [
        ((2,), 2, "2 rows read, 1 outcome for 1 row."),
        ((2, 3), 1, "1 row read, 2 outcomes for 2 rows."),
        ((2, 2), 2, "2 rows read, 2 outcomes for 1 row."),
    ],
    ids=["lost", "made up", "twice"],
)
def test_sums_that_differ_are_said_loudly(rows, rows_read, said):
    report = batch_report(*(standing(number, Outcome.SENT) for number in rows))
    agree, words = sum_words(report, rows_read=rows_read)
    assert (agree, words.startswith("THE SUMS DO NOT AGREE: " + said)) == (False, True)


def _orphan(number):
    return UnownedDraft(
        reference=f"R-{number}", name="x", project_id=f"p-{number}", why="given up"
    )


def test_no_orphan_needs_no_word():
    assert unowned_words([]) == ""


@pytest.mark.parametrize(
    ("number", "begins", "ends"),
    [
        (1, "1 draft in the service belongs to no row", "R-0 (given up)."),
        (2, "2 drafts in the service belong to no row", "R-1 (given up)."),
        (23, "23 drafts in the service belong to no row", " and 3 more."),
    ],
)
def test_unowned_drafts_are_named_as_far_as_a_person_reads(number, begins, ends):
    words = unowned_words([_orphan(n) for n in range(number)])
    assert (words.startswith(begins), words.endswith(ends)) == (True, True)


def _person(outcome=Outcome.INVITED, status="", rule=""):
    words = {"rule": rule, "message": "Why.", "advice": "What."}
    said = finding(severity=Severity.WARNING, **words)
    return replace(
        standing(2, outcome),
        invitation=Invitation(id="1", status=status),
        findings=(said,) if rule else (),
    )


EXPIRED = (
    "The invitation has expired or was withdrawn. If they should be in the team, "
    "send it again with a sheet of resends."
)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (_person(status="EXPIRED"), EXPIRED),
        (_person(rule="person-gone"), "Why. What."),
        (_person(rule="person-gone", status="ACCEPTED"), "Why. What."),
        (_person(Outcome.ALREADY_THERE, "PENDING", "person-role"), "Why. What."),
        (_person(Outcome.READY, "", "person-gone"), "Why. What."),
    ],
)
def test_whoever_is_not_in_the_team_as_the_row_asks_waits_for_a_person(row, said):
    found = row.compared()
    assert (found.outcome, found.what_to_do) == (Outcome.NOT_AS_ASKED, said)


@pytest.mark.parametrize(
    "row",
    [
        _person(status="PENDING"),
        _person(status="ACCEPTED"),
        # Somebody has sent it again since the list was read.
        _person(status="PENDING", rule="person-gone"),
        _person(rule="person-known"),
        _person(Outcome.UNFINISHED, "", "person-role"),
    ],
)
def test_whoever_is_in_the_team_or_asked_stays_as_the_row_was(row):
    assert row.compared() == row


def test_a_run_in_which_somebody_is_not_as_asked_does_not_say_that_all_are_here():
    report = batch_report(standing(2, Outcome.SENT), standing(3, Outcome.NOT_AS_ASKED))
    said = "2 rows were read, and 2 outcomes found."
    assert sum_words(report, rows_read=2) == (True, said)
