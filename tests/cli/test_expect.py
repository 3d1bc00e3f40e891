"""`kawe status --expect`: a run that did not come is noticed."""

import pytest

from doubles.command import csv_row, write_csv
from doubles.listeners import Program, webhook

YES = ("--yes", "9", "--no-input")


@pytest.fixture
def person(person_with):
    return person_with(tokens=9, rows=(1,))


def test_without_any_journal_the_run_is_missing(person):
    assert person.stdout_of("status", "--expect", "monthly", code=8).startswith(
        "MISSING: the monthly run"
    )


def test_after_a_submit_the_run_is_here(person):
    person.run("submit", "monthly.csv", *YES)
    done = person.run("status", "--expect", "weekly")
    last = done.stdout.splitlines()[-1]
    assert (done.returncode, last.startswith("Here: the weekly run")) == (0, True)


def test_a_submit_of_something_else_is_not_the_run(person):
    person.run("submit", "monthly.csv", *YES)
    done = person.run("status", "quarterly", "--expect", "monthly")
    assert (done.returncode, done.stdout.startswith("MISSING: ")) == (8, True)


def test_a_submit_that_was_killed_is_not_finished(person):
    write_csv(person.folder / "monthly.csv", [csv_row(number) for number in range(60)])
    process = person.start("submit", "monthly.csv", "--yes", "60", "--no-input")
    person.kill_when(process, projects=1, sends=0)
    done = person.run("status", "--expect", "monthly")
    last = done.stdout.splitlines()[-1]
    assert (done.returncode, last.startswith("NOT FINISHED: ")) == (4, True)


def test_a_program_reads_what_was_expected(person):
    document = person.document("status", "--expect", "monthly", "--by", "31")
    expected = document["expected"]
    assert (expected["every"], expected["missed"], document["exit_code"]) == (
        "monthly",
        True,
        8,
    )


def test_whoever_is_named_is_told_of_a_missing_run_and_of_nothing_else(person):
    with webhook() as (address, heard):
        person.environment["KAWE_NOTIFY"] = address
        person.run("status", "--expect", "monthly", "--tell")
        person.run("status", "--expect", "monthly")
        person.run("submit", "monthly.csv", *YES)
        person.run("status", "--expect", "monthly", "--tell")
    assert [title.partition(" run of ")[0] for title in heard.titles] == [
        "kawe status: the monthly",
        "kawe submit monthly: done",
    ]


def test_a_run_that_came_while_rows_wait_has_a_code_of_its_own(person):
    write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(11)])
    person.run("submit", "monthly.csv", *YES, "--max-tokens", "9")
    done = person.run("status", "--expect", "daily")
    last = done.stdout.splitlines()[-1]
    assert (done.returncode, last.startswith("Here: the daily run of ")) == (4, True)


def test_what_is_to_correct_in_an_earlier_batch_is_not_this_run(person):
    write_csv(person.folder / "old.csv", [csv_row(7, Type="Something")])
    person.run("submit", "old.csv", *YES)
    person.run("submit", "monthly.csv", *YES)
    codes = [
        person.run("status", *words).returncode
        for words in (("monthly",), (), ("--expect", "monthly"))
    ]
    assert codes == [0, 3, 0]


def test_a_journal_that_is_named_and_not_there_has_no_run(person):
    words = ("--journal", "nowhere.journal")
    done = person.run("status", "--expect", "monthly", *words)
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[0], lines[1].partition(":")[0]) == (
        8,
        "There is no journal at nowhere.journal.",
        "MISSING",
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("status", "--expect", "daily", "--by", "3"), "monthly and weekly"),
        (("status", "--expect", "weekly", "--by", "8"), "between 1 and 7"),
        (("doctor", "--notify"), "KAWE_NOTIFY"),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(person, words, said):
    assert said in person.stderr_of(*words, code=2)


def test_a_trial_reaches_every_target(person):
    program = Program(folder=person.folder)
    with webhook() as (address, heard):
        person.environment["KAWE_NOTIFY"] = address
        done = person.run("doctor", "--notify", "--notify-cmd", program.command)
    told = ["kawe doctor --notify: this is a trial"]
    assert (done.returncode, heard.titles, program.heard().titles) == (0, told, told)


def test_a_trial_that_reaches_nobody_says_so(person):
    person.environment["KAWE_NOTIFY"] = "json://127.0.0.1:9"
    assert "Target 1 (json)" in person.stderr_of("doctor", "--notify", code=2)
