"""Every error stops a run with a code that a scheduler can act on."""

import re

import pytest

from architecture.house import ROOT
from docs_pages import Page, table_rows
from kawe import errors
from kawe.domain.batch.exit_codes import ExitCode, code_of
from kawe.errors import KaweError


def _below(kind):
    return [kind, *(each for child in kind.__subclasses__() for each in _below(child))]


EVERYWHERE = _below(KaweError)
ALL = [kind for kind in EVERYWHERE if kind.__module__ == errors.__name__]
LEAVES = [kind for kind in ALL if not set(kind.__subclasses__()) & set(ALL)]


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda kind: kind.__name__)
def test_every_leaf_has_an_exit_code_of_its_own_kind(leaf):
    assert code_of(leaf(message="x")) not in {ExitCode.DONE, ExitCode.UNEXPECTED}


def test_what_a_room_adds_to_the_tree_is_a_kind_of_one_leaf():
    own = [kind for kind in EVERYWHERE if kind not in ALL]
    assert [kind for kind in own if not issubclass(kind, tuple(LEAVES))] == []


def test_the_page_lists_every_exit_code():
    listed = {
        (int(row[0]), row[1])
        for row in _rows("exit-codes.md")
        if row[0].isdigit() and len(row) > 2
    }
    assert listed == {
        (int(code), code.name.lower().replace("_", " ")) for code in ExitCode
    }


def test_the_page_gives_every_error_its_code():
    listed = {
        name: int(row[0])
        for row in _rows("exit-codes.md")
        if len(row) == 2
        for name in re.findall(r"`(\w+)`", row[1])
    }
    assert listed == {
        kind.__name__: int(code_of(kind(message="x")))
        for kind in ALL
        if kind is not KaweError
    }


def test_exit_numbers_are_written_in_one_place():
    other = [
        path.name
        for path in (ROOT / "src" / "kawe").rglob("*.py")
        if path.name != "exit.py"
        and re.search(r"\bsys\.exit\(|SystemExit\(|\bos\._exit\(", path.read_text())
    ]
    assert other == []


def _rows(name):
    page = Page(name=name, text=(ROOT / "docs" / name).read_text("utf-8"))
    return table_rows(page.lines())
