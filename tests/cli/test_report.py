"""The result workbook can be written again, from the journal alone."""

import pytest
from openpyxl import load_workbook

from doubles.command import csv_row, write_csv

YES = ("--yes", "9", "--no-input")


@pytest.fixture
def person(person_with):
    """Give a person who sent one row of three, and whose service is gone."""
    person = person_with(tokens=1)
    rows = [csv_row(1), csv_row(2), csv_row(3, Type="Something")]
    write_csv(person.folder / "monthly.csv", rows)
    assert person.run("submit", "monthly.csv", *YES).returncode == 4
    person.twin.stop()
    return person


def _sheets(path, *names):
    """Give the cells of some sheets."""
    book = load_workbook(path)
    return {name: list(book[name].iter_rows(values_only=True)) for name in names}


def test_report_writes_the_same_rows_again_with_the_service_gone(person):
    result = person.folder / "monthly.result.xlsx"
    names = ("monthly", "Problems", "Waiting")
    before = _sheets(result, *names)
    result.unlink()
    done = person.run("status", "--write")
    assert (done.returncode, done.stderr, _sheets(result, *names)) == (0, "", before)
    assert [row[0] for row in before["monthly"]] == ["Reference", "R-1", "R-2", "R-3"]
    ended = [row[10] for row in before["monthly"]]
    assert ended == ["Outcome", "Sent", "Deferred", "To correct"]


def test_report_says_how_the_batch_stands_and_where_the_result_is(person):
    assert person.stdout_of(
        "status", "--write", "monthly", "--result", "again.xlsx"
    ).splitlines() == [
        "Batch monthly (monthly.csv), Kaunihera o Tauira (twin), live:",
        "Who answers for it: nobody is named; this computer's account is mere",
        "      1 sent to iwi",
        "      1 to correct",
        "      1 deferred: waiting to be sent",
        "      3 rows in all",
        (
            "1 row waits for tokens. Where the team has none, 1 pack of 1 would "
            "do. When the tokens are there, run: kawe release"
        ),
        "The result workbook is again.xlsx",
        "The same beside it: .html for a browser, .csv and .json for programs",
        (
            "The result is a new workbook and not your own, because your rows are "
            "in a text file."
        ),
    ]
    assert (person.folder / "again.xlsx").is_file()


def test_report_gives_every_row_in_a_document(person):
    document = person.document("status", "--write", "--result", "again.xlsx")
    rows = document.pop("rows")
    assert document == {
        "schema": "kawe.report/1",
        "exit_code": 0,
        "batch": "monthly",
        "kind": "projects",
        "workbook": "monthly.csv",
        "team": "Kaunihera o Tauira (twin)",
        "mode": "live",
        "owner": "nobody is named; this computer's account is mere",
        "tokens_left": None,
        "rows_read": 3,
        "counts": {"sent": 1, "deferred": 1, "to correct": 1},
        "ready_to_send": None,
        "ready_to_draft": None,
        "rows_with_warnings": 0,
        "warnings": {},
        "changed_too_late": 0,
        "remarks": [],
        "findings": [
            {
                "where": "monthly!D4",
                "severity": "error",
                "rule": "not-a-choice",
                "heading": "Type",
                "value": "Something",
                "message": "“Something” is not one of the choices for Type.",
                "advice": "Did you mean Other?",
                "rows": [4],
            }
        ],
        "iwi_load": [],
        "orphans": [],
        "no_longer_in_workbook": [],
        "result": "again.xlsx",
        "result_html": "again.html",
        "result_csv": "again.csv",
        "result_json": "again.json",
        "new_workbook": "your rows are in a text file",
    }
    assert [
        (each["row"], each["reference"], each["outcome"], len(each["findings"]))
        for each in rows
    ] == [(2, "R-1", "sent", 0), (3, "R-2", "deferred", 0), (4, None, "to correct", 1)]


def test_the_workbook_itself_is_never_written_over(person):
    path = person.folder / "monthly.csv"
    before = path.read_bytes()
    (person.folder / "same.csv").symlink_to(path)
    codes = [
        person.run("status", "--write", "--result", name).returncode
        for name in ("monthly.csv", "./monthly.csv", "same.csv")
    ]
    assert (codes, path.read_bytes()) == ([5, 5, 5], before)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing",), (2, "Batches are: monthly.")),
        (("--result", "no/such/folder/a.xlsx"), (5, "a.xlsx")),
        (("--journal", "other.journal"), (6, "There is no journal at other.journal")),
    ],
    ids=["batch", "folder", "journal"],
)
def test_what_cannot_be_reported_is_said_with_its_code(person, words, said):
    code, sentence = said
    done = person.run("status", "--write", *words)
    assert (done.returncode, sentence in done.stderr, done.stdout) == (code, True, "")


def test_a_workbook_that_was_moved_away_stops_no_report(person):
    (person.folder / "monthly.csv").unlink()
    done = person.run("status", "--write", "--result", "again.xlsx")
    names = [
        row[0] for row in _sheets(person.folder / "again.xlsx", "monthly")["monthly"]
    ]
    assert (done.returncode, names) == (0, ["Reference", "R-1", "R-2", "R-3"])
