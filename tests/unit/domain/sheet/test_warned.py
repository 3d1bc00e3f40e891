from doubles.sheets import finding
from kawe.domain.sheet.findings import (
    Severity,
    strictly,
    warned_json,
    warned_words,
    warnings_of,
)
from kawe.domain.text.next_steps import Given


def found(rule, severity=Severity.WARNING, advice="Look."):
    return finding(severity=severity, rule=rule, message="Odd.", advice=advice)


def test_each_rule_that_warns_of_a_row_counts_once():
    findings = [found("b"), found("a"), found("b"), found("c", Severity.NOTE)]
    assert warnings_of(findings) == ("a", "b")


def test_rows_with_warnings_are_counted_and_the_warnings_named():
    rows = [("respond-by-day-off",), (), ("a-new-rule", "respond-by-day-off")]
    assert [warned_words(rows), warned_words([("date-past",)]), warned_words([()])] == [
        (
            "2 rows have warnings: 2 respond-by on a weekend or holiday, 1 with a new "
            "rule."
        ),
        "1 row has a warning: 1 with a date in the past.",
        "",
    ]


def test_strictly_a_warning_is_an_error_and_says_why():
    note = found("n", Severity.NOTE)
    assert strictly([found("a"), note]) == (
        found(
            "a",
            Severity.ERROR,
            advice=f"Look. With {Given.STRICT}, a warning stops its row.",
        ),
        note,
    )


def test_documents_count_rows_with_warnings_and_rows_by_warning():
    assert warned_json([("a", "b"), (), ("a",)]) == {
        "rows_with_warnings": 2,
        "warnings": {"a": 2, "b": 1},
    }
