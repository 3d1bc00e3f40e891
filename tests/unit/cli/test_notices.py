"""What notices say, for every end that a run can have."""

from datetime import UTC, date, datetime

import pytest

from architecture.test_errors import ALL
from doubles.reports import batch_report
from kawe.cli.output import printing
from kawe.cli.shared.notifying import (
    BY_ERROR,
    HEADLINES,
    closing_notice,
    missed_notice,
    no_tokens_notice,
    trial_notice,
)
from kawe.domain.batch.exit_codes import ExitCode, code_of
from kawe.domain.batch.outcomes import Outcome, RowReport
from kawe.domain.batch.runs import Coming, Every, Turn
from kawe.domain.sheet.findings import RowRef
from kawe.errors import KaweError, KeyRefused

AT = datetime(2026, 7, 1, 7, 31, tzinfo=UTC)
SO_FAR = (
    "1 row was sent in this run so far; the rows that are left become drafts and wait"
)
THEN = "Another message follows when the run has ended."
NAME = "Mere Tua, mere@example.nz"


def _report(*outcomes, tokens_left=None, batch="monthly"):
    rows = [
        RowReport(
            where=RowRef(sheet=NAME, row=row),
            raw=(NAME,),
            outcome=outcome,
            what_to_do=NAME,
            name=NAME,
            reference=NAME,
        )
        for row, outcome in enumerate(outcomes, start=2)
    ]
    said = {"sheet": NAME, "headings": (NAME,), "remarks": (NAME,)}
    return batch_report(*rows, batch=batch, tokens_left=tokens_left, **said)


def _closing(code, **changes):
    return closing_notice(
        command="submit", subject="monthly", code=ExitCode(code), at=AT, **changes
    )


def test_every_end_has_a_headline():
    assert set(HEADLINES) == set(ExitCode)


def test_every_error_has_its_own_words():
    own = {kind for kind in ALL if kind is not KaweError}
    assert (set(BY_ERROR), len(set(BY_ERROR.values()))) == (own, len(own))


@pytest.mark.parametrize("kind", BY_ERROR, ids=lambda kind: kind.__name__)
def test_an_error_is_told_by_its_kind_and_never_by_its_words(kind):
    trouble = kind(message=NAME, hint=NAME)
    notice = _closing(code_of(trouble), trouble=trouble)
    assert (notice.text, NAME in str(notice)) == (f"{BY_ERROR[kind]}\n", False)


@pytest.mark.parametrize("code", ExitCode)
def test_every_end_says_something_even_where_no_row_was_looked_at(code):
    notice = _closing(code)
    assert (notice.counts, len(notice.text) > len("\n")) == ({}, True)


def test_no_word_of_a_row_is_in_a_notice():
    report = _report(*Outcome, tokens_left=0)
    said = str(_closing(4, reports=(report,)).as_json())
    assert [word for word in (NAME, "Mere", "mere@") if word in said] == []


def test_the_counts_are_those_of_the_screen():
    report = _report(Outcome.SENT, Outcome.SENT, Outcome.INVALID)
    notice = _closing(3, reports=(report,))
    assert "\n".join(printing.count_lines(report)) in notice.text


@pytest.mark.parametrize(
    ("code", "outcomes", "headline"),
    [
        (0, [Outcome.SENT], "done"),
        (3, [Outcome.SENT, Outcome.INVALID], "1 to correct"),
        (
            4,
            [Outcome.DEFERRED, Outcome.HELD, Outcome.IN_DOUBT, Outcome.INVALID],
            "1 deferred, 1 held, 1 in doubt, 1 to correct",
        ),
        (7, [Outcome.UNFINISHED], "the service could not be worked with"),
        (130, [Outcome.UNFINISHED], "was stopped"),
        (1, [Outcome.SENT], "stopped by a fault of kawe's"),
    ],
)
def test_the_subject_says_what_matters_most(code, outcomes, headline):
    notice = _closing(code, reports=(_report(*outcomes),))
    assert notice.title == f"kawe submit monthly: {headline}"


def test_a_run_that_was_stopped_early_says_why_and_how_far_it_came():
    refused = KeyRefused(message=NAME)
    report = _report(Outcome.SENT, Outcome.UNFINISHED)
    notice = _closing(7, trouble=refused, reports=(report,))
    assert [sentence.partition("\n")[0] for sentence in notice.sentences] == [
        BY_ERROR[KeyRefused],
        "Council, live:",
        "Run the same command again to go on; nothing is lost.",
    ]


def test_several_batches_are_told_in_one_message():
    reports = (
        _report(Outcome.SENT, Outcome.HELD),
        _report(Outcome.HELD, batch="weekly"),
    )
    code = ExitCode.ROWS_WAIT_FOR_PERSON
    notice = closing_notice(
        command="release", subject="", code=code, reports=reports, at=AT
    )
    beginnings = [sentence.partition("\n")[0] for sentence in notice.sentences]
    assert (notice.title, notice.counts, beginnings) == (
        "kawe release: 2 held",
        {"sent": 1, "held": 2},
        [
            "Council, live, batch monthly:",
            "Council, live, batch weekly:",
            "2 rows are held: kawe waiting says why, kawe resolve decides.",
        ],
    )


def test_foreign_text_is_one_line_and_short():
    notice = closing_notice(
        command="submit", subject="a\x1b\n" * 99, code=ExitCode.DONE, at=AT
    )
    assert (len(notice.batch), notice.batch.isprintable()) == (80, True)


def test_the_document_is_what_the_page_says():
    report = _report(Outcome.SENT, Outcome.DEFERRED, tokens_left=0)
    assert {**_closing(4, reports=(report,)).as_json(), "text": "…"} == {
        "schema": "kawe.notice/1",
        "kind": "closing",
        "title": "kawe submit monthly: 1 deferred",
        "text": "…",
        "command": "submit",
        "batch": "monthly",
        "team": "Council",
        "mode": "live",
        "exit_code": 4,
        "counts": {"sent": 1, "deferred": 1},
        "tokens_left": 0,
        "at": "2026-07-01T07:31:00+00:00",
    }


def test_the_alert_says_how_far_the_run_came_and_what_to_do():
    notice = no_tokens_notice(command="submit", subject="monthly", sent=1, at=AT)
    assert (notice.title, notice.exit_code, notice.text.splitlines()[0]) == (
        "kawe submit monthly: the tokens have run out",
        None,
        f"The team has no tokens left. {SO_FAR}. {THEN}",
    )


@pytest.mark.parametrize(
    ("found", "title"),
    [
        ({}, "kawe status: the monthly run of July 2026 is missing"),
        (
            {"batch": "monthly", "left": 2},
            "kawe status monthly: the monthly run of July 2026 has not finished",
        ),
    ],
)
def test_a_missing_run_has_a_subject(found, title):
    turn = Turn(every=Every.MONTHLY, begins_on=date(2026, 7, 1), due_on=None)
    assert missed_notice(Coming(turn=turn, **found), at=AT).title == title


def test_a_trial_asks_for_nothing():
    assert trial_notice(at=AT).text.endswith("There is nothing to do.\n")
