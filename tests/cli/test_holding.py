"""`kawe journal hold`: what somebody holds stays, whatever a purge takes out."""

import json
import sqlite3
from contextlib import closing

import pytest
from openpyxl import load_workbook

from doubles.command import csv_row, write_csv
from doubles.journal_homes import tamper

ONE = ("--journal", "one.journal")
HOLD = ("journal", "hold", *ONE)
PURGE = ("journal", "purge", "--older-than", "0", *ONE)
WHY = ("--why", "Hearing 114")


@pytest.fixture
def person(person_with):
    """Give somebody whose batches november and december are done."""
    person = person_with(tokens=9)
    person.write_settings('author = "Mere"\n')
    for name, numbers in (("november", (1, 2)), ("december", (3,))):
        rows = [csv_row(number) for number in numbers]
        write_csv(person.folder / f"{name}.csv", rows)
        person.run("submit", f"{name}.csv", "--yes", "9", "--no-input", *ONE)
    return person


def said_of(person):
    """Give the rows of which the journal still has what they said."""
    with closing(sqlite3.connect(person.folder / "one.journal")) as db:
        rows = db.execute("SELECT marker, content FROM entry ORDER BY marker")
        said = [
            (marker, json.loads(content)["description"]) for marker, content in rows
        ]
    return [marker for marker, description in said if description]


@pytest.mark.parametrize(
    ("name", "kept"), [("november", ["R-1", "R-2"]), ("R-2", ["R-2"])]
)
def test_what_a_name_holds_stays_until_that_is_lifted(person, name, kept):
    held = person.document(*HOLD, name, *WHY)
    assert (held["rows"], [(e["name"], e["by"]) for e in held["holds"]]) == (
        len(kept),
        [(name, "Mere")],
    )
    done = person.run(*PURGE)
    assert f"{name} is held by Mere since" in done.stdout
    assert ": Hearing 114" in done.stdout
    assert said_of(person) == kept
    assert person.document(*PURGE)["held"] == len(kept)
    assert person.run(*HOLD, name, "--lift", "--why", "It is over").returncode == 0
    assert (person.document(*HOLD)["holds"], person.document(*PURGE)["rows"]) == (
        [],
        len(kept),
    )
    assert said_of(person) == []
    assert person.run("journal", "verify", *ONE).returncode == 0


def test_half_characters_of_a_hold_are_kept_as_question_marks(person):
    person.run(*HOLD, "R-1", "--why", "Hearing \udce9")
    assert [each["why"] for each in person.document(*HOLD)["holds"]] == ["Hearing ?"]
    assert person.run("journal", "verify", *ONE).returncode == 0


def test_a_row_that_comes_to_a_held_batch_is_held_too(person):
    person.run(*HOLD, "november", *WHY)
    write_csv(person.folder / "november.csv", [csv_row(n) for n in (1, 2, 4)])
    person.run("submit", "november.csv", "--yes", "9", "--no-input", *ONE)
    assert person.document(*PURGE)["held"] == 3
    assert said_of(person) == ["R-1", "R-2", "R-4"]


def test_results_of_a_held_batch_stay_and_it_is_said_why(person):
    person.run(*HOLD, "R-1", *WHY)
    done = person.document(*PURGE, "--results", "--yes", "99")
    kept = {each["what"]: each["why"] for each in done["kept"]}
    assert kept.keys() == {"results and plans of the batch november"}
    assert ": Hearing 114" in " ".join(kept.values())
    assert (person.folder / "november.result.xlsx").exists()
    assert not (person.folder / "december.result.xlsx").exists()


def test_a_hold_that_is_taken_out_of_the_history_shows(person):
    person.run(*HOLD, "R-1", *WHY)
    person.run(*HOLD, "R-3", *WHY)
    tamper(
        person.folder / "one.journal",
        "DELETE FROM event WHERE kind = 'hold' AND entry LIKE '%1'",
    )
    assert person.run("journal", "verify", *ONE).returncode == 6


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("R-9", *WHY), 6, "No row that R-9 names is in the journal."),
        (("R-\udce9", *WHY), 6, "No row that R-? names is in the journal."),
        (("R-1", "--lift", *WHY), 6, "No row that R-1 names is held."),
        (("R-1",), 2, "Say with --why why it is so."),
    ],
    ids=["nobody has it", "half a character", "not held", "no reason"],
)
def test_a_hold_that_cannot_be_is_refused(person, words, *, code, said):
    assert said in " ".join(person.stderr_of(*HOLD, *words, code=code).split())
    assert person.document(*HOLD)["holds"] == []


def test_a_disposal_list_names_what_would_go_and_takes_nothing_out(person):
    person.run(*HOLD, "R-2", *WHY)
    done = person.document(*PURGE, "--list", "disposal.xlsx")
    assert [(e["reference"], e["batch"], bool(e["held"])) for e in done["rows"]] == [
        ("R-1", "november", False),
        ("R-2", "november", True),
        ("R-3", "december", False),
    ]
    (sheet,) = load_workbook(person.folder / "disposal.xlsx").worksheets
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert [row[0] for row in rows[-3:]] == ["R-1", "R-2", "R-3"]
    assert said_of(person) == ["R-1", "R-2", "R-3"]


def test_a_list_for_excel_as_csv_runs_no_formula_and_replaces_nothing(person):
    write_csv(person.folder / "odd.csv", [csv_row(4, Reference="=1+2")])
    person.run("submit", "odd.csv", "--yes", "9", "--no-input", *ONE)
    (person.folder / "disposal.csv").write_text("mine", "utf-8")
    done = person.run(*PURGE, "--list", "disposal.csv")
    assert done.stdout.endswith("The list is disposal (2).csv.\n")
    lines = (person.folder / "disposal (2).csv").read_text("utf-8-sig").splitlines()
    assert lines[0] == "Reference,Kind,Batch,State,Since,Held"
    assert sorted(line.split(",")[0] for line in lines[1:]) == [
        "'=1+2",
        "R-1",
        "R-2",
        "R-3",
    ]


@pytest.mark.parametrize(
    ("kept", "words", "rows"),
    [
        ('projects = "0 days"', (), 3),
        ('projects = "1 day"', (), 0),
        ('projects = "7 years"\ninvitations = "0 days"', (), 0),
        ('projects = "0 days"', ("--kind", "projects"), 3),
        ('projects = "7 years"', ("--older-than", "0"), 3),
    ],
)
def test_the_settings_say_how_long_a_kind_is_kept(person, kept, *, words, rows):
    person.write_settings(f"[retention]\n{kept}\n")
    listed = person.document(*PURGE[:2], *words, *ONE, "--list", "disposal.csv")
    assert len(listed["rows"]) == rows
    assert person.document(*PURGE[:2], *words, *ONE)["rows"] == rows
    assert len(said_of(person)) == 3 - rows


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        ("", ()),
        ('projects = "0 days"', ("--results",)),
        ('projects = "0 days"', ("--kind", "invitations")),
    ],
)
def test_a_purge_that_nobody_gave_an_age_takes_nothing_out(person, kept, words):
    person.write_settings(f"[retention]\n{kept}\n")
    done = person.run(*PURGE[:2], *words, *ONE)
    assert (done.returncode, len(said_of(person))) == (2, 3)
    assert "Say how old with --older-than" in " ".join(done.stderr.split())


def test_a_purge_of_one_kind_leaves_the_others(person):
    assert person.document(*PURGE, "--kind", "invitations")["rows"] == 0
    assert said_of(person) == ["R-1", "R-2", "R-3"]
    assert person.document(*PURGE, "--kind", "projects")["rows"] == 3
    refused = person.run(*PURGE, "--kind", "projects", "--results", "--yes", "9")
    assert refused.returncode == 2
