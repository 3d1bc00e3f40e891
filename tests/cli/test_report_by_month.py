"""Several batches over some days are one page, from the journal alone."""

from datetime import UTC, datetime

import pytest
from openpyxl import load_workbook

from doubles.command import csv_row, write_csv
from doubles.payloads import assert_html_is_inert
from kawe.domain.text.new_zealand import day_in_new_zealand

YES = ("--yes", "9", "--no-input")
EXACT = {"tokens_at_most": False}


@pytest.fixture
def person(person_with):
    """Give a person who sent the row of one batch, and one of the two of another."""
    person = person_with(tokens=2)
    for name, numbers in (("roads", [11]), ("monthly", [1, 2])):
        write_csv(person.folder / f"{name}.csv", [csv_row(each) for each in numbers])
        person.run("submit", f"{name}.csv", *YES)
    person.twin.stop()
    return person


def test_a_period_is_a_page_a_workbook_and_a_document_and_bad_days_are_refused(person):
    today = day_in_new_zealand(datetime.now(tz=UTC))
    said = person.document("status", "--since", "1 July 2020", "--result", "all.html")
    page = (person.folder / "all.html").read_text("utf-8")
    table = load_workbook(person.folder / "all.xlsx").active

    counts = {"sent": 2, "deferred": 1}
    assert said == {
        "schema": "kawe.report-by-month/1",
        "exit_code": 0,
        "since": "2020-07-01",
        "until": today.isoformat(),
        "team": "Kaunihera o Tauira (twin)",
        "mode": "live",
        "rows": 3,
        "counts": counts,
        "tokens": 2,
        **EXACT,
        "months": [
            {
                "month": f"{today:%Y-%m}",
                "rows": 3,
                "counts": counts,
                "tokens": 2,
                **EXACT,
            }
        ],
        "batches": [
            {"batch": "roads", "rows": 1, "counts": {"sent": 1}, "tokens": 1, **EXACT},
            {
                "batch": "monthly",
                "rows": 2,
                "counts": counts | {"sent": 1},
                "tokens": 1,
                **EXACT,
            },
        ],
        "iwi": [{"name": "Ngāti Tauira ki te Raki", "projects": 2}],
        "result_html": "all.html",
        "result": "all.xlsx",
    }
    assert_html_is_inert(page)
    assert "2 projects were sent, and 2 tokens used." in page
    assert list(table.iter_rows(values_only=True)) == [
        ("By", "Month or batch", "Sent", "Deferred", "Rows", "Tokens"),
        ("Month", f"{today:%Y-%m}", 2, 1, 3, 2),
        ("Batch", "roads", 1, None, 1, 1),
        ("Batch", "monthly", 1, 1, 2, 1),
    ]

    (person.folder / "all.html").write_text(f"{page}mine", "utf-8")
    again = person.run("status", "--until", "31/12/2020", "--result", "all.html")
    assert again.stdout.splitlines() == [
        "1 January 2020 to 31 December 2020, Kaunihera o Tauira (twin), live:",
        "No row was sent, or came to stand as it does, in this period.",
        "The page is all (2).html",
        "The same as a workbook: all (2).xlsx",
    ]

    for words, code, trouble in (
        (("--since", "soon"), 2, "--since: “soon” is not a date."),
        (("--since", "2/1/2026", "--until", "1/1/2026"), 2, "is before --since"),
        (("monthly", "--since", "1/1/2026"), 2, "are for every batch together"),
        (("--since", "1/1/2026", "--result", "x.xlsx"), 5, "does not end in .html"),
    ):
        assert trouble in person.stderr_of("status", "--write", *words, code=code)
