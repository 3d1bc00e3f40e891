"""How rows stand, in the person's words."""

from __future__ import annotations

from collections import Counter

import pytest

from doubles.journal_values import NOW, entry, project_id
from kawe.domain.advice import advice_for
from kawe.domain.outcomes import (
    NEEDS_PERSON,
    BatchReport,
    Outcome,
    RowReport,
    outcome_of,
)
from kawe.domain.refs import RowRef
from kawe.domain.states import State


def _row(number, outcome):
    return RowReport(
        where=RowRef(sheet="Projects", row=number),
        raw=(),
        outcome=outcome,
        what_to_do="",
    )


def test_the_counts_of_a_batch_add_up_to_its_rows():
    rows = (_row(2, Outcome.SENT), _row(3, Outcome.HELD), _row(4, Outcome.SENT))
    report = BatchReport(
        batch="monthly",
        kind="projects",
        workbook="November.xlsx",
        team="Kāpiti Coast",
        mode="live",
        written_at=NOW,
        sheet="Projects",
        headings=(),
        rows=rows,
    )
    assert report.counts() == Counter({Outcome.SENT: 2, Outcome.HELD: 1})


def test_only_waiting_rows_need_a_person():
    waiting = {s for s in State if outcome_of(s) in NEEDS_PERSON}
    assert waiting == {
        State.CREATE_INTENT,
        State.CREATE_DOUBT,
        State.UPDATE_INTENT,
        State.UPDATE_DOUBT,
        State.SEND_INTENT,
        State.SEND_DOUBT,
        State.INVITE_INTENT,
        State.INVITE_DOUBT,
        State.WAIT_TOKENS,
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
