"""A ceiling for the projects that one iwi gets in a month."""

import pytest

from doubles.at_the_twin import buy
from doubles.command import HEADINGS, csv_row, write_csv
from unit.workbook.books import book

RAKI = "Ngāti Tauira ki te Raki"
YES = ("--yes", "9", "--no-input")
OVER = f"{RAKI} would get 3 projects this month, 1 of them sent already, and"
OVER += " per_iwi_month is 2."


@pytest.fixture
def person(person_with):
    """Give a person who sent one project, with two more to send, and a ceiling of 2."""
    person = person_with(tokens=9)
    person.write_settings("per_iwi_month = 2\n")
    write(person, "first", 1)
    assert person.run("submit", "first.csv", *YES).returncode == 0
    write(person, "monthly", 2, 3)
    return person


def write(person, name, *numbers):
    write_csv(person.folder / f"{name}.csv", [csv_row(each) for each in numbers])


def said(done):
    return " ".join((done.stdout + done.stderr).split())


def sends(person):
    return sum(bool(each["sends"]) for each in person.state()["projects"])


def test_a_check_names_the_iwi_that_would_get_more(person):
    done = person.run("check", "monthly.csv")
    assert (done.returncode, OVER in said(done)) == (0, True)
    assert "kawe submit" not in said(done)


@pytest.mark.parametrize(
    "command", [("plan",), ("submit", *YES)], ids=["plan", "submit"]
)
def test_nothing_is_sent_above_the_ceiling(person, command):
    first, *rest = command
    done = person.run(first, "monthly.csv", *rest)
    assert (done.returncode, OVER in said(done), sends(person)) == (2, True, 1)


def test_a_plan_above_the_ceiling_is_shown_whole_and_says_so(person):
    done = person.run("plan", "monthly.csv", "--since", "first.csv", "-o", "plan.json")
    shown = said(done)
    parts = ("2 will be", f"NOTHING WILL BE SENT. {OVER}", "first.csv")
    assert [each in shown for each in parts] == [True, True, True]
    says = ("kawe submit", "will be used")
    assert [each in shown for each in says] == [False, False]
    again = said(person.run("plan", "plan.json"))
    assert (f"NOTHING WILL BE SENT. {OVER}" in again, says[1] in again) == (True, False)
    document = person.document("plan", "monthly.csv")
    assert (document["exit_code"], document["above_ceiling"]) == (2, OVER)
    refused = person.run("submit", "plan.json", *YES)
    assert (refused.returncode, OVER in said(refused), sends(person)) == (2, True, 1)


def test_the_sheets_of_a_workbook_are_weighed_together(person):
    sheets = {"North": 2, "South": 3}
    named = {n: [list(HEADINGS), csv_row(each)] for n, each in sheets.items()}
    (person.folder / "works.xlsx").write_bytes(book(named))
    assert OVER in said(person.run("check", "works.xlsx", "--all-sheets"))
    done = said(person.run("plan", "works.xlsx", "--all-sheets"))
    nothing = f"NOTHING WILL BE SENT. {OVER}"
    assert (done.count(nothing), "will be used" in done) == (2, False)


def test_what_keeps_to_the_ceiling_is_sent(person):
    write(person, "monthly", 2)
    assert person.run("submit", "monthly.csv", *YES).returncode == 0
    assert sends(person) == 2
    again = person.run("submit", "monthly.csv", *YES)
    assert (again.returncode, sends(person)) == (0, 2)


def test_a_limit_of_tokens_keeps_to_the_ceiling(person):
    done = person.run("submit", "monthly.csv", *YES, "--max-tokens", "1")
    assert (done.returncode, sends(person)) == (4, 2)


def test_a_release_keeps_to_the_ceiling_too(person_with):
    person = person_with(tokens=1)
    write(person, "monthly", 1, 2, 3)
    assert person.run("submit", "monthly.csv", *YES).returncode == 4
    person.write_settings("per_iwi_month = 2\n")
    buy(person.twin.address, 50)
    done = person.run("release", *YES)
    assert (done.returncode, OVER in said(done), sends(person)) == (2, True, 1)
    person.write_settings("[limits]\nper_iwi_month = 3\n")
    assert person.run("release", *YES).returncode == 0
    assert sends(person) == 3


def test_a_folder_may_lower_the_ceiling_and_not_lift_it(person):
    near = person.folder / "kawe.toml"
    near.write_text("per_iwi_month = 3\n", "utf-8")
    assert "per_iwi_month" in said(person.run("submit", "monthly.csv", *YES))
    near.write_text("[limits]\nper_iwi_month = 1\n", "utf-8")
    write(person, "monthly", 2)
    done = person.run("submit", "monthly.csv", *YES)
    assert "per_iwi_month is 1." in said(done)
    assert (done.returncode, sends(person)) == (2, 1)
