"""Who adds a kind of sheet, a state, a step or a verdict is told where it is missing.

mypy tells it of each `match` (its error code `exhaustive-match`) that names every
member; these tests hold that there is nothing else: no `case _` that swallows a new
member, no table that lacks one, no question for the type of a content.
"""

from __future__ import annotations

import ast
import enum
import importlib
import types
from collections import Counter

import pytest

from architecture.house import source
from kawe.domain.rows.content import Content
from kawe.domain.service.states import (
    AFTER_SEND,
    BEFORE_CREATE,
    IN_DOUBT,
    UNSENT,
    State,
)

# Tables that mean what is not in them: as many may stand here as there are, or fewer.
_MEANT_PARTIAL = {
    "src/kawe/cli/release.py Ended",
    "src/kawe/workbook/results/styles.py Severity",
    "src/kawe/workbook/templates/page.py CellKind",
}
# Each of these numbers may fall, and none may rise; a file is named once.
_ASKS_CONTENT = {}
_ASKS_SHEET_KIND = {
    "src/kawe/cli/_words.py": 1,
    "src/kawe/cli/submit.py": 2,
    "src/kawe/flows/check/quick_checking.py": 1,
    "src/kawe/toolkit/session.py": 1,
}
_CEILING = "where it fell, lower it here; where it rose, ask the content instead"
_REST = ({State.INVITED, State.ALREADY_THERE}, {State.HELD}, {State.ABANDONED})


def _names_of(module):
    """Give the values of a module's names, as the module has them."""
    dotted = module.name.removeprefix("src/").removesuffix(".py").replace("/", ".")
    if dotted.endswith("__main__"):
        return {}
    return vars(importlib.import_module(dotted.removesuffix(".__init__")))


def _value(node, names):
    """Evaluate a name or a call at a module's top; None for what is not there."""
    try:
        return eval(ast.unparse(node), dict(names))
    except (NameError, AttributeError, TypeError):
        return None


def _tables(module):
    """Give the members that each table of a module has, by enum."""
    names = _names_of(module)
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Dict) or not node.keys:
            continue
        if not all(key is None or isinstance(key, ast.Attribute) for key in node.keys):
            continue
        members = {_value(key, names) for key in node.keys if key is not None}
        kinds = {type(member) for member in members}
        if len(kinds) == 1 and issubclass(*kinds, enum.Enum):
            for key, value in zip(node.keys, node.values, strict=True):
                members |= set(_value(value, names)) if key is None else set()
            yield *kinds, members


def test_every_table_keyed_by_an_enum_has_every_member():
    found = [
        (f"{module.name} {kind.__name__}", {each.name for each in set(kind) - members})
        for module in source()
        for kind, members in _tables(module)
    ]
    assert len(found) > 20, "the tables are not found any more"
    partial = {where for where, missing in found if missing}
    assert partial == _MEANT_PARTIAL, [each for each in found if each[1]]


def _members_named(pattern, names):
    """Give the members of enums and unions that a pattern names."""
    for node in ast.walk(pattern):
        if isinstance(node, ast.MatchValue):
            value = _value(node.value, names)
            if isinstance(value, enum.Enum):
                yield value
        if isinstance(node, ast.MatchClass):
            yield _value(node.cls, names)


def _unions():
    """Give every class of the package that is one of several in a union with a name."""
    return {
        each
        for module in source()
        for value in _names_of(module).values()
        if isinstance(value, types.UnionType)
        for each in value.__args__
        if each.__module__.startswith("kawe.")
    }


def _is_never(case):
    return "assert_never(" in ast.unparse(case.body[-1])


def test_no_match_over_an_enum_or_a_union_has_a_case_for_the_rest():
    unions = _unions()
    swallowing, matches = [], 0
    for module in source():
        names = _names_of(module)
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Match):
                continue
            named = [m for case in node.cases for m in _members_named(case, names)]
            if not any(isinstance(m, enum.Enum) or m in unions for m in named):
                continue
            matches += 1
            swallowing += [
                f"{module.name}:{case.pattern.lineno}"
                for case in node.cases
                if isinstance(case.pattern, ast.MatchAs)
                and case.pattern.pattern is None
                and case.guard is None
                and not _is_never(case)
            ]
    assert matches > 30, "the matches are not found any more"
    assert swallowing == []


def test_asking_a_content_for_its_type_becomes_rarer_only():
    contents = {each.__name__ for each in Content.__args__}
    asked = Counter(
        module.name
        for module in source()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id == "isinstance"
        if contents & {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)}
    )
    assert dict(asked) == _ASKS_CONTENT, _CEILING


def test_comparing_a_kind_of_sheet_becomes_rarer_only():
    asked = Counter(
        module.name
        for module in source()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Compare)
        for each in node.comparators
        if any(isinstance(n, ast.Name) and n.id == "SheetKind" for n in ast.walk(each))
    )
    assert dict(asked) == _ASKS_SHEET_KIND, _CEILING


@pytest.mark.parametrize("state", State)
def test_a_state_is_in_one_part_of_a_rows_life(state):
    parts = (BEFORE_CREATE, UNSENT, IN_DOUBT, AFTER_SEND, *_REST)
    assert sum(state in part for part in parts) == 1
