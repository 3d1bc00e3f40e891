"""What leaves is what was shown before the answer, whatever changes meanwhile."""

import json

import pytest

from doubles.command import HEADINGS, csv_row, write_csv
from doubles.planned import in_the_portal
from doubles.terminal import Terminal

YES = ("--yes", "9", "--no-input", "--settle", "1")
ALIKE = {"Respond by": "2030-03-20"}


def _write(person, *numbers, **changes):
    rows = [csv_row(n, **(ALIKE | changes)) for n in numbers]
    return write_csv(person.folder / "monthly.csv", rows)


def _sent(person, what="name"):
    """Give what the service put before iwi, by reference."""
    projects = person.state()["projects"]
    return {each["reference"]: each[what] for each in projects if each["sends"]}


def _asked(person, *words, number):
    """Sit before the question of a command."""
    terminal = Terminal(person, *words, "--settle", "1")
    terminal.wait_for(f"Type {number} to send")
    return terminal


def _answered(terminal, number):
    terminal.type(f"{number}\n")
    return terminal.end()


@pytest.fixture
def person(person_with):
    person = person_with(tokens=2)
    _write(person, 1, 2)
    return person


@pytest.fixture
def waiting(person_with):
    """Give a person with three rows that wait, and two tokens."""
    person = person_with(tokens=0)
    _write(person, 1, 2, 3)
    assert person.run("submit", "monthly.csv", *YES).returncode == 4
    person.twin.buy_tokens(1)
    person.twin.buy_tokens(1)
    return person


def test_a_workbook_that_is_replaced_before_the_answer_sends_no_other_row(person):
    terminal = _asked(person, "submit", "monthly.csv", number=2)
    _write(person, 8, 9)
    _answered(terminal, 2)
    assert {*_sent(person)} == {"R-1", "R-2"}


def test_words_that_change_before_the_answer_do_not_leave(person):
    shown = csv_row(1)[1]
    terminal = _asked(person, "submit", "monthly.csv", number=2)
    _write(person, 1, 2, Name="Another name")
    _answered(terminal, 2)
    assert (_sent(person)["R-1"], "Another name" in _sent(person).values()) == (
        shown,
        False,
    )


def test_a_file_that_changes_before_the_answer_does_not_leave(person):
    file = person.folder / "site.pdf"
    file.write_bytes(b"%PDF-1.4 one\n")
    rows = [[*csv_row(1), "site.pdf"], [*csv_row(2), ""]]
    write_csv(person.folder / "monthly.csv", rows, headings=(*HEADINGS, "Files"))
    terminal = _asked(person, "submit", "monthly.csv", number=2)
    file.write_bytes(b"%PDF-1.4 two\n")
    _answered(terminal, 2)
    assert {*_sent(person)} == {"R-2"}


def test_a_draft_that_a_colleague_edits_before_the_answer_is_held(person):
    _write(person, 1, 2, 3)
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input")
    terminal = _asked(person, "submit", "monthly.csv", number=2)
    in_the_portal(person, "R-1", description="Theirs.")
    _answered(terminal, 2)
    (held,) = person.document("waiting")["held"]
    # Nor does the third row, which nobody was asked about, go in its place.
    assert ({*_sent(person)}, held["reference"]) == ({"R-2"}, "R-1")


def test_the_question_names_no_more_rows_than_go(person):
    _write(person, 1, 2, 3)
    terminal = _asked(person, "submit", "monthly.csv", number=2)
    said = terminal.screen.partition("The first to go:")[2]
    _answered(terminal, "no")
    assert ("R-2" in said, "R-3" in said, _sent(person)) == (True, False, {})


def test_nobody_puts_a_row_first_while_a_release_is_asked_about(waiting):
    terminal = _asked(waiting, "release", number=2)
    first = waiting.run("waiting", "--first", "R-3")
    _answered(terminal, 2)
    assert (first.returncode == 0, {*_sent(waiting)}) == (False, {"R-1", "R-2"})


def test_a_plan_keeps_its_order_when_the_queue_has_another(waiting):
    made = waiting.run("plan", "monthly.csv", "--max-tokens", "2", "-o", "plan.json")
    waiting.run("waiting", "--first", "R-2")
    done = waiting.run("submit", "plan.json", "--max-tokens", "1", *YES)
    assert (made.returncode, {*_sent(waiting)}) == (0, {"R-1"}), done.stderr


def test_a_plan_of_another_order_sends_no_row_that_it_leaves_waiting(waiting):
    waiting.run("plan", "monthly.csv", "--max-tokens", "2", "-o", "plan.json")
    waiting.run("waiting", "--first", "R-3")
    waiting.run("submit", "plan.json", *YES)
    assert {*_sent(waiting)} == {"R-1", "R-2"}


def test_an_edited_plan_that_was_sealed_again_has_no_approval_and_no_other_act(waiting):
    waiting.run("plan", "monthly.csv", "--max-tokens", "1", "-o", "plan.json")
    path = waiting.folder / "plan.json"
    plan = json.loads(path.read_text("utf-8"))
    for row in plan["rows"]:
        row["action"] = "send"
    path.write_text(json.dumps(plan), "utf-8")
    done = waiting.run("submit", "plan.json", *YES)
    assert (done.returncode, _sent(waiting)) == (2, {})


def test_the_row_that_was_put_first_is_the_one_that_is_agreed_to(waiting):
    waiting.run("waiting", "--first", "R-3")
    waiting.run("release", "--max-tokens", "1", "--yes", "1", "--no-input")
    assert {*_sent(waiting)} == {"R-3"}
