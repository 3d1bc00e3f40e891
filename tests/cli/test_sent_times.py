"""A result says when a row was sent and what number its receipt has."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from doubles.command import csv_row, write_csv


def _rows(person):
    text = (person.folder / "monthly.result.json").read_text("utf-8")
    return json.loads(text)["rows"]


@pytest.fixture
def person(person_with):
    """Give a person who has sent two projects."""
    person = person_with(tokens=9, rows=(1, 2))
    done = person.run("submit", "monthly.csv", "--yes", "2", "--no-input")
    assert done.returncode == 0
    return person


def _receipts(person):
    done = person.document("export", "receipts", "-o", "papers")
    return {each["reference"]: each for each in done["receipts"]}


def test_the_result_of_a_submit_has_the_receipt_numbers(person):
    numbers = [row["receipt_number"] for row in _rows(person)]
    receipts = _receipts(person)
    assert numbers == [receipts[name]["number"] for name in ("R-1", "R-2")]


def test_the_time_of_a_sent_row_stays_and_is_that_of_its_receipt(person):
    before = [row["at"] for row in _rows(person)]
    receipts = _receipts(person)
    assert person.run("status", "--write").returncode == 0
    after = [row["at"] for row in _rows(person)]
    differences = [
        abs(
            datetime.fromisoformat(at)
            - datetime.fromisoformat(receipts[name]["created_at"])
        )
        for at, name in zip(after, ("R-1", "R-2"), strict=True)
    ]
    assert (after, max(differences) < timedelta(seconds=30)) == (before, True)


def test_a_run_that_finds_every_number_known_asks_for_no_receipts(person):
    before = person.state()["requests"]["receipt_list"]
    person.run("submit", "monthly.csv", "--yes", "2", "--no-input")
    assert person.state()["requests"]["receipt_list"] == before


def test_a_purge_says_of_how_many_rows_no_number_is_known(person_with):
    person = person_with(tokens=9)
    rows = [
        csv_row(n, Name="Culvert renewal", Latitude=f"-3{n}.9", Description=f"{n}.")
        for n in (6, 7)
    ]
    write_csv(person.folder / "monthly.csv", [*rows, csv_row(3)])
    # Where the service shows no logs, nothing tells two of one name apart.
    person.write_settings('[service.paths]\nproject_logs = "GET /elsewhere/{id}"\n')
    person.run("submit", "monthly.csv", "--yes", "3", "--no-input")
    numbers = [bool(row["receipt_number"]) for row in _rows(person)]
    said = person.run("journal", "purge", "--older-than", "0").stdout
    assert (numbers, said.splitlines()[1:]) == (
        [False, False, True],
        [
            (
                "No receipt number is known of 2 rows of these; kawe export receipts "
                "saves it without naming the row."
            )
        ],
    )


def test_a_lost_journal_does_not_make_a_sent_row_one_of_today(person):
    lost = ("--journal", "new.journal", "--settle", "1")
    noticed = datetime.now(tz=UTC)
    person.run("submit", "monthly.csv", "--yes", "2", "--no-input", *lost)
    after = [datetime.fromisoformat(row["at"]) for row in _rows(person)]
    numbers = [row["receipt_number"] for row in _rows(person)]
    assert (None in numbers, max(after) < noticed) == (False, True)
