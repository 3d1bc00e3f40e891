"""Rows that were changed too late are counted, and the first ones are named."""

import pytest

from doubles.sheets import finding
from kawe.domain.batch.explaining import late_changes, still_done
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.sheet.findings import CellRef, Severity


def found(row, *, rule="edited-too-late", severity=Severity.ERROR):
    where = CellRef(sheet="Projects", row=row, column=3)
    return finding(where, severity=severity, rule=rule, message="It was changed.")


BOTH = ", and the changes are not applied: Projects!"
ONE = ", and the change is not applied: Projects!"
WARNED = Severity.WARNING


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([(Outcome.SENT, [])], ()),
        ([(Outcome.SENT, [found(2, rule="other")])], ()),
        ([(Outcome.INVALID, [found(2, severity=WARNED)])], ()),
        ([(Outcome.DRAFTED, [found(2, severity=Severity.NOTE)])], ()),
        (
            [
                (Outcome.SENT, [found(2)]),
                (Outcome.HELD, [found(3, severity=WARNED)]),
                (Outcome.ALREADY_THERE, [found(4)]),
                (Outcome.SENT, [found(5, rule="mistake-too-late", severity=WARNED)]),
            ],
            (
                f"2 rows were changed after they were sent{BOTH}C2, Projects!C5.",
                f"1 row was changed after the person was invited{ONE}C4.",
                f"1 row was changed after its draft was made{ONE}C3.",
            ),
        ),
    ],
    ids=["nothing", "another rule", "to correct", "applied", "each kind"],
)
def test_rows_are_counted_by_what_came_before_the_change(rows, words):
    assert late_changes(rows) == words


def test_the_first_five_cells_are_named():
    (words,) = late_changes((Outcome.SENT, [found(row)]) for row in range(2, 1202))
    assert words == (
        "1,200 rows were changed after they were sent, and the changes are not "
        "applied: Projects!C2, Projects!C3, Projects!C4, Projects!C5, Projects!C6 "
        "and 1,195 more."
    )


def test_rows_that_are_done_and_have_an_error_now_are_named_five_at_most():
    note = found(2, rule="mistake-too-late", severity=Severity.NOTE)
    wrong = [found(2, rule="row-twice"), note]
    one = "Projects!2: It was changed."
    assert [
        still_done([wrong]),
        still_done([wrong] * 7),
        still_done([[note], [found(2, rule="row-twice")], []]),
    ] == [one, " ".join([*[one] * 5, "2 more rows stay so."]), ""]
