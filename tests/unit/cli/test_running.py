"""How a run ends, by how its rows stand."""

from dataclasses import replace

import pytest

from doubles.reports import batch_report, standing
from kawe.cases.batches.ending import code_of_report
from kawe.cli.output.printing import report_lines
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import Outcome, RowReport
from kawe.domain.sheet.findings import RowRef

REPORT = batch_report(batch="m", workbook="m.xlsx", team="t")


@pytest.mark.parametrize(
    ("outcomes", "changed", "code"),
    [
        ([Outcome.SENT], 0, ExitCode.DONE),
        ([Outcome.SENT], 1, ExitCode.ROWS_TO_CORRECT),
        ([Outcome.SENT, Outcome.INVALID], 0, ExitCode.ROWS_TO_CORRECT),
        ([Outcome.SENT, Outcome.UNFINISHED], 1, ExitCode.SERVICE),
        ([Outcome.SENT, Outcome.HELD], 1, ExitCode.ROWS_WAIT_FOR_PERSON),
    ],
)
def test_a_change_that_is_not_applied_is_a_row_to_correct(outcomes, changed, code):
    rows = tuple(
        standing(number, outcome) for number, outcome in enumerate(outcomes, start=2)
    )
    assert code_of_report(replace(REPORT, rows=rows, changed_too_late=changed)) is code


def _held(row, words, *, sheet="Projects"):
    where = RowRef(sheet=sheet, row=row)
    return RowReport(where=where, raw=(), outcome=Outcome.HELD, what_to_do=words)


def test_a_reason_for_which_rows_are_held_is_said_once_with_each_row():
    rows = (
        *(_held(row, "Look at it.") for row in (4, 5)),
        _held(4, "Look at it.", sheet="More"),
        _held(10, "Look again."),
    )
    lines = list(report_lines(replace(REPORT, rows=rows), result=None))
    start = lines.index("3 rows held: Look at it.")
    assert lines[start : start + 6] == [
        "3 rows held: Look at it.",
        "    Projects!4",
        "    Projects!5",
        "    More!4",
        "1 row held: Look again.",
        "    Projects!10",
    ]
