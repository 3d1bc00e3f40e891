"""A row whose reference, or what it is known by, was changed is asked about."""

import pytest

from doubles.command import csv_row, write_csv

YES = ("--yes", "9", "--no-input")
BARE = {"Reference": ""}
ELSEWHERE = {"Latitude": "-36.9000", "End date": "2030-11-30"}


def _sent(person_with, *rows):
    """Give a person who has sent a workbook of `rows`."""
    person = person_with(tokens=9)
    write_csv(person.folder / "monthly.csv", rows)
    assert person.run("submit", "monthly.csv", *YES).returncode == 0
    return person


def _again(person, *rows, words=YES):
    write_csv(person.folder / "monthly.csv", rows)
    return person.run("submit", "monthly.csv", *words)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (
            BARE,
            {**BARE, "Name": "Otahuhu culverts 1"},
            (
                "monthly!B2",
                "“Ōtāhuhu culvert 1”, which was sent on",
                "put back what it said (Name: Ōtāhuhu culvert 1)",
            ),
        ),
        (
            BARE,
            {**BARE, "Latitude": "-36.8501"},
            (
                "monthly!B2",
                "“Ōtāhuhu culvert 1”, which was sent on",
                "put back what it said (place: -36.85, 174.76)",
            ),
        ),
        (
            BARE,
            {"Reference": "R-1"},
            (
                "monthly!A2",
                "“Ōtāhuhu culvert 1”, which was sent on",
                "put back what it said (Reference: empty)",
            ),
        ),
        (
            {"Reference": "007"},
            {"Reference": "7", "Name": "Another name", "End date": "2030-10-30"},
            (
                "monthly!A2",
                "007 “Ōtāhuhu culvert 1”, which was sent on",
                "write 007 in Reference again",
            ),
        ),
        (
            {"Reference": "1-2"},
            {"Reference": "2026-02-01"},
            (
                "monthly!A2",
                "1-2 “Ōtāhuhu culvert 1”, which was sent on",
                "write 1-2 in Reference again",
            ),
        ),
    ],
    ids=["name", "latitude", "reference-given", "007", "1-2"],
)
def test_a_changed_row_does_not_become_a_second_project(
    person_with, *, before, after, words
):
    person = _sent(person_with, csv_row(1, **before))
    done = _again(person, csv_row(1, **after), csv_row(2, **ELSEWHERE))
    said = done.stdout + done.stderr
    # The other row goes on.
    assert (done.returncode, person.sends(), len(person.state()["projects"])) == (
        3,
        2,
        2,
    )
    flat = " ".join(said.split())
    assert [each for each in words if each not in flat] == []


def test_a_row_that_a_person_says_is_another_project_goes(person_with):
    person = _sent(person_with, csv_row(1, Reference="R-05"))
    other = csv_row(1, Reference="r-05")
    done = _again(person, other, words=("--accept", "repeats", *YES))
    again = _again(person, other)
    assert (done.returncode, again.returncode, person.sends()) == (0, 0, 2)


def test_a_plan_keeps_what_was_agreed_to(person_with):
    person = _sent(person_with, csv_row(1, Reference="R-05"))
    write_csv(person.folder / "monthly.csv", [csv_row(1, Reference="R 5")])
    asked = person.run("plan", "monthly.csv")
    person.run("plan", "monthly.csv", "--accept", "repeats", "-o", "plan.json")
    done = person.run("submit", "plan.json", *YES)
    assert ("looks like R-05" in asked.stdout, done.returncode, person.sends()) == (
        True,
        0,
        2,
    )


def test_a_row_that_was_restored_is_the_one_that_it_was(person_with):
    row = csv_row(1, **BARE)
    person = _sent(person_with, row)
    asked = _again(person, csv_row(1, **BARE, Name="Another name"))
    done = _again(person, row)
    assert (asked.returncode, done.returncode, person.sends()) == (3, 0, 1)
