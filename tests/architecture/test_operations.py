"""Each operation of the interface has a command, and a test that it does its work."""

import csv

import click
import pytest

from architecture.house import ROOT, functions_in
from cli.test_every_act import CASES
from kawe.cli.app import kawe
from kawe.domain.sheet.columns import SheetKind
from kawe.kinds.acts.table import TABLE
from kawe_contract.operations import OPERATIONS

PAGE = ROOT / "docs/reference/operations.csv"
with PAGE.open(encoding="utf-8") as file:
    SAID = {row["operation"]: row for row in csv.DictReader(file)}
DONE = [row for row in SAID.values() if not row["instead"]]
ACTS = {each.word: each for each in TABLE}
STEPS = ("check", "plan", "submit", "doubt", "undo")
EVERY_ACT = "tests/cli/test_every_act.py::"
CUT = "test_a_cut_wire_never_makes_an_act_happen_twice"


def named(row):
    return row["operation"]


def test_every_operation_is_in_the_table_once():
    lines = PAGE.read_text("utf-8").splitlines()
    assert [line.partition(",")[0] for line in lines[1:]] == [*OPERATIONS]


def test_what_is_done_by_another_operation_names_one_that_has_a_command():
    others = {named(row): row["instead"] for row in SAID.values() if row["instead"]}
    assert {*others.values()} <= {named(row) for row in DONE}
    # Nothing but reading and inviting is done in another way.
    assert [*others] == [
        "iwi_search",
        "user_invite",
        "invitation_read",
        "organisation_read",
    ]


@pytest.mark.parametrize("row", DONE, ids=named)
def test_its_command_is_one(row):
    group = kawe
    for word in row["command"].split():
        assert isinstance(group, click.Group)
        group = group.get_command(click.Context(group), word)
        assert group is not None, row["command"]


@pytest.mark.parametrize("row", DONE, ids=named)
def test_its_sheet_is_a_kind_and_what_undoes_it_is_what_the_kind_says(row):
    kinds = {str(each) for each in SheetKind.declared()}
    assert {row["sheet"], row["undone by"]} <= kinds | {""}
    if row["undone by"]:
        assert ACTS[row["sheet"]].undone_as == row["undone by"]


@pytest.mark.parametrize("row", DONE, ids=named)
def test_each_of_its_tests_is_there(row):
    steps = STEPS if row["command"] == "submit" else ("read",)
    assert [e for e in ("read", *STEPS) if row[e]] == [*steps]
    assert [row[e] for e in steps if not is_test(*row[e].split("::"))] == []


def is_test(path, function):
    return function in functions_in(path)


def test_what_holds_for_every_act_is_tried_with_each_operation():
    acts = {named(row) for row in DONE if row["doubt"] == f"{EVERY_ACT}{CUT}"}
    assert acts == CASES.keys()


def test_whatever_changes_something_is_done_by_a_sheet():
    writes = {name for name, each in OPERATIONS.items() if each.method != "GET"}
    others = {named(row) for row in SAID.values() if row["instead"]}
    assert {name for name in writes - others if not SAID[name]["sheet"]} == set()
