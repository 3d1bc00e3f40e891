"""What rare commands print with --json is as its published schema says."""

import json

import pytest

from doubles.acts_office import Office
from doubles.published import PUBLISHED

SCHEMAS = json.loads(PUBLISHED.read_text("utf-8"))["$defs"]


@pytest.fixture
def person(person_with):
    """Give a person with one token, whose three other rows wait."""
    person = person_with(tokens=1, rows=range(1, 5))
    person.run("submit", "monthly.csv", "--yes", "9", "--no-input")
    return person


def _named(document):
    return document["schema"].removeprefix("kawe.").removesuffix("/1")


def test_each_change_of_the_queue_is_a_document(person):
    said = [
        person.document("waiting", "--first", "R-4"),
        person.document("waiting", "--usual", "R-4"),
        person.document("waiting", "-o", "waiting.xlsx"),
        person.document("waiting", "--drop", "R-2"),
    ]
    names = ["waiting-order", "waiting-order", "waiting-written", "waiting-dropped"]
    assert [_named(each) for each in said] == names
    assert (said[3]["dropped"], said[3]["still_waiting"]) == (["R-2"], 2)


def test_each_list_and_each_place_of_a_journal_is_a_document(person):
    lists = ("team", "groups", "organisations", "reports", "invoices")
    said = [person.document("export", each, "-o", each) for each in lists]
    said.append(person.document("journal", "backup", "kept.db"))
    said.append(person.document("journal", "move", "moved"))
    names = [f"export-{each}" for each in lists] + ["journal-backup", "journal-move"]
    assert [_named(each) for each in said] == names
    assert {f"kawe.{each}/1" for each in names} <= set(SCHEMAS)


def test_a_sheet_of_what_is_so_and_one_that_puts_it_back_are_documents(person_with):
    office = Office(person_with(tokens=20, faults=True))
    fetched = office.person.document("template", "closures", "--now")
    office.do("closures", {"Project": "R-1"}, count=1)
    back = office.person.document("template", "--undo", "closures.xlsx")
    assert (_named(fetched), _named(back), back["rows"]) == ("fetched", "undoing", 1)


def test_one_decision_about_all_held_rows_is_a_document(person):
    words = ("--all", "--abandon", "--reason", "Over.", "--yes", "9", "--no-input")
    said = person.document("resolve", *words)
    assert (_named(said), said["resolved"], said["held"]) == ("resolve_all", [], [])


def test_who_is_late_is_a_document(person):
    said = person.document("status", "late")
    assert (_named(said), said["exit_code"]) == ("late", 0)
