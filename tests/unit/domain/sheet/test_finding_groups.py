"""What many rows have is said once."""

from dataclasses import replace

from kawe.domain.sheet.findings import (
    HEADING_MISSING,
    Finding,
    FindingGroup,
    RowRef,
    Severity,
    grouped,
)

FIRST = Finding(
    where=RowRef(sheet="Projects", row=6).cell(3),
    severity=Severity.ERROR,
    rule="organisation-new",
    heading="Applicant",
    value="J & K Brown",
    message="The team has no such organisation.",
    advice="Correct the name.",
)


def _at(row, *, column=3, **changes):
    return replace(
        FIRST, where=RowRef(sheet="Projects", row=row).cell(column), **changes
    )


def test_findings_that_say_the_same_are_one_group_with_every_row_and_value():
    other = _at(4, value="J. & K. Brown")
    assert grouped([FIRST, _at(9), _at(9), other]) == (
        FindingGroup(
            first=other, rows=(4, 6, 9), values=("J & K Brown", "J. & K. Brown")
        ),
    )


def test_another_word_column_weight_or_sheet_is_another_group():
    others = [
        _at(7, message="It is closed."),
        _at(7, advice="Leave it."),
        _at(7, heading="Agent"),
        _at(7, rule="other"),
        _at(7, severity=Severity.WARNING),
        replace(FIRST, where=RowRef(sheet="People", row=7)),
    ]
    assert [each.rows for each in grouped([FIRST, *others])] == [(6,), *[(7,)] * 6]


def test_errors_come_first_then_warnings_then_notes_each_by_cell():
    findings = [
        _at(2, rule="a", severity=Severity.NOTE),
        _at(9, rule="b", severity=Severity.WARNING),
        _at(8, rule="c"),
        _at(7, rule="d", column=4),
        _at(7, rule="e", column=2),
    ]
    assert "".join(each.first.rule for each in grouped(findings)) == "edcba"


def test_a_missing_column_is_missing_in_every_row():
    missing = replace(
        FIRST, rule=HEADING_MISSING, where=RowRef(sheet="Projects", row=1), value=""
    )
    (group,) = grouped([missing], all_rows=lambda: range(2, 452))
    (alone,) = grouped([missing], all_rows=list)
    assert (group.rows, group.rows_words, alone.rows) == (
        tuple(range(2, 452)),
        "rows 2 to 451, 450 in all",
        (1,),
    )


def test_json_has_the_first_finding_and_every_row():
    (group,) = grouped([FIRST, _at(9)])
    assert group.as_json() == {**FIRST.as_json(), "rows": [6, 9]}


def test_one_row_and_few_values_are_named():
    (one,) = grouped([FIRST])
    (many,) = grouped([_at(n, value=f"no {n}") for n in range(2, 7)])
    assert (one.rows_words, one.values_words(limit=9), many.values_words(limit=60)) == (
        "row 6",
        "“J & K Br…”",
        "“no 2”, “no 3” and 3 more",
    )
