"""The tables of the twin leave nothing out, and name tests that exist."""

import re

import pytest

from architecture.house import ROOT, functions_in
from kawe_contract.enums import LogAction, Scope
from kawe_contract.openapi import MEANINGS
from kawe_contract.operations import OPERATIONS, PROJECT_QUERY

PAGE = (ROOT / "tests" / "twin" / "README.md").read_text("utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def rows(heading):
    """Give the cells of each row below a heading."""
    part = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines][
        1:
    ]


def held_rows():
    """Give every row of every table that names its tests."""
    for part in PAGE.split("\n## ")[1:]:
        if "held by |" in part:
            yield from rows(part.partition("\n")[0])


def firsts(heading):
    return [row[0] for row in rows(heading)]


def test_every_operation_has_its_row_with_its_method_and_path():
    found = {
        row[0].strip("`"): row[1].split("`")[1].split(" ") for row in rows("Operations")
    }
    assert found == {
        name: [operation.method, operation.path]
        for name, operation in OPERATIONS.items()
    }


def test_assumed_operations_are_said_to_be():
    said = {row[0].strip("`") for row in rows("Operations") if "(assumed)" in row[1]}
    assert said == {name for name, one in OPERATIONS.items() if not one.shown}


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Scopes", [f"`{scope.value}`" for scope in Scope]),
        ("Query parameters of GET /projects", [f"`{name}`" for name in PROJECT_QUERY]),
    ],
)
def test_every_scope_and_every_query_parameter_has_its_row(heading, expected):
    assert firsts(heading) == expected


@pytest.mark.parametrize(
    ("heading", "last"), [("Authentication", 10), ("Token rules", 4)]
)
def test_every_numbered_rule_has_its_row(heading, last):
    numbers = [int(first.partition(".")[0]) for first in firsts(heading)]
    assert numbers == list(range(1, last + 1))


def test_every_status_code_of_the_interface_has_its_row():
    codes = {int(first[:3]) for first in firsts("Errors") if first[:3].isdecimal()}
    # 408 is the twin's own, told in the table of what the interface leaves open.
    assert codes == set(MEANINGS) - {408}


def test_every_action_of_the_log_is_named():
    assert all(action.value in PAGE for action in LogAction)


def test_no_row_is_without_a_test():
    assert [row[0] for row in held_rows() if not NAMED.search(row[-1])] == []


def test_every_test_named_exists():
    named = NAMED.findall(PAGE)
    assert len(named) > 100
    assert [
        f"{path}::{name}" for path, name in named if name not in functions_in(path)
    ] == []
