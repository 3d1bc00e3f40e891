"""Rows that wait for a person: they are listed, and the person decides."""

from __future__ import annotations

import pytest

from doubles.command import csv_row, write_csv

YES = ("--yes", "9", "--no-input", "--settle", "1")
WHY = (
    "The service already has a project with the reference R-1 that differs from the "
    "row in description."
)
NOBODY = "00000000-0000-4000-8000-000000000000"


def _write(person, **changes):
    write_csv(person.folder / "monthly.csv", [csv_row(1, **changes), csv_row(2)])


@pytest.fixture
def person(person_with):
    """Give a person whose colleague made another draft of R-1 before."""
    person = person_with(tokens=9)
    _write(person)
    colleague = ("--journal", "colleague.journal")
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input", *colleague)
    _write(person, Description="Other words.")
    assert person.run("submit", "monthly.csv", *YES).returncode == 4
    return person


def _draft(person):
    """Give the id of the colleague's draft."""
    return next(
        each["id"] for each in person.state()["projects"] if each["reference"] == "R-1"
    )


def _sends(person):
    return {each["reference"]: each["sends"] for each in person.state()["projects"]}


def test_held_lists_the_row_with_its_reason_and_what_can_be_decided(person):
    done = person.run("held")
    assert (done.returncode, done.stderr, done.stdout.splitlines()) == (
        4,
        "",
        [
            "R-1 (Ōtāhuhu culvert 1), batch monthly",
            f"  Why: {WHY}",
            "  Search for R-1 in the portal, then one of:",
            "    kawe resolve R-1 --adopt PROJECT-ID   it is this project",
            "    kawe resolve R-1 --retry              let it go on",
            "    kawe resolve R-1 --abandon            do nothing more",
        ],
    )


def test_held_gives_the_same_as_a_document(person):
    assert person.document("held") == {
        "schema": "kawe.held/1",
        "exit_code": 4,
        "rows": [
            {
                "reference": "R-1",
                "name": "Ōtāhuhu culvert 1",
                "batch": "monthly",
                "why": WHY,
                "project_id": None,
                "attempts": [],
            }
        ],
    }


def test_a_row_that_came_as_far_as_a_draft_shows_its_project_and_attempts(person):
    colleague = ("--journal", "colleague.journal")
    person.run("submit", "monthly.csv", *YES, *colleague)
    done = person.run("held", *colleague)
    lines = [each.strip() for each in done.stdout.splitlines()]
    assert (done.returncode, lines[2]) == (4, f"Project: {_draft(person)}")
    assert lines[3].endswith(" UTC create: done")


def test_held_asks_the_service_nothing(person):
    person.twin.stop()
    done = person.run("held")
    assert (done.returncode, done.stdout.count("Why: ")) == (4, 1)


def test_before_the_first_submit_no_row_is_held(person_with):
    person = person_with(tokens=9)
    done = person.run("held")
    assert (done.returncode, done.stdout) == (0, "No row is held.\n")
    assert person.document("held") == {
        "schema": "kawe.held/1",
        "exit_code": 0,
        "rows": [],
    }


def test_an_adopted_draft_goes_to_iwi_as_it_stands_with_the_next_submit(person):
    decided = person.run("resolve", "R-1", "--adopt", _draft(person))
    before = _sends(person)
    done = person.run("submit", "monthly.csv", *YES)
    assert (decided.returncode, decided.stdout) == (
        0,
        (
            "R-1 is no longer held; it is unfinished.\n"
            "Submit its workbook again to let it go on.\n"
        ),
    )
    assert (before, done.returncode, _sends(person)) == (
        {"R-1": 0, "R-2": 1},
        0,
        {"R-1": 1, "R-2": 1},
    )


def test_a_retried_row_goes_on_when_it_says_what_the_draft_says(person):
    decided = person.run("resolve", "R-1", "--retry")
    _write(person)
    done = person.run("submit", "monthly.csv", *YES)
    assert (decided.returncode, done.returncode, _sends(person)) == (
        0,
        0,
        {"R-1": 1, "R-2": 1},
    )


def test_a_retried_row_that_still_differs_is_held_again(person):
    person.run("resolve", "R-1", "--retry")
    done = person.run("submit", "monthly.csv", *YES)
    assert (done.returncode, person.document("held")["rows"][0]["why"]) == (4, WHY)


def test_a_retried_row_goes_as_its_draft_was_made_while_the_edit_stands(person):
    # For the colleague it is a row that was edited after its draft.
    colleague = ("--journal", "colleague.journal")
    held = person.run("submit", "monthly.csv", *YES, *colleague)
    decided = person.run("resolve", "R-1", "--retry", *colleague)
    done = person.run("submit", "monthly.csv", *YES, *colleague)
    assert "the edit is not applied" in decided.stdout
    assert (held.returncode, done.returncode, _sends(person)["R-1"]) == (4, 0, 1)


def test_an_abandoned_row_is_left_alone_by_every_later_run(person):
    decided = person.run("resolve", "R-1", "--abandon")
    held = person.run("held")
    done = person.run("submit", "monthly.csv", *YES)
    assert (decided.returncode, decided.stdout) == (
        0,
        "R-1 is no longer held; it is given up.\n",
    )
    assert (held.returncode, done.returncode, _sends(person)) == (
        0,
        0,
        {"R-1": 0, "R-2": 1},
    )


def test_a_decision_is_given_as_a_document(person):
    assert person.document("resolve", "R-1", "--abandon") == {
        "schema": "kawe.resolve/1",
        "exit_code": 0,
        "reference": "R-1",
        "outcome": "given up",
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("R-1",), "Choose one of --adopt, --retry and --abandon."),
        (("R-1", "--retry", "--abandon"), "Choose one of --adopt, --retry"),
        (("R-1", "--adopt", NOBODY, "--retry"), "Choose one of --adopt, --retry"),
        (("R-1", "--adopt", "the-first-one"), "is not a valid UUID"),
        (("R-1", "--adopt", NOBODY), "does not show that project to this key"),
        (("R-9", "--retry"), "No held row has the reference 'R-9'."),
        (("R-2", "--retry"), "Held rows are: R-1."),
        (("--retry",), "Missing argument 'ROW'"),
    ],
    ids=" ".join,
)
def test_a_decision_that_cannot_be_carried_out_is_code_2_and_changes_nothing(
    person, words, said
):
    before = person.document("held")
    done = person.run("resolve", *words)
    assert (done.returncode, said in done.stderr, done.stdout) == (2, True, "")
    assert person.document("held") == before


def test_a_decision_waits_until_the_service_can_be_asked(person):
    person.twin.stop()
    done = person.run("resolve", "R-1", "--retry")
    assert (done.returncode, "cannot be reached" in done.stderr) == (7, True)
    assert person.run("held").returncode == 4
