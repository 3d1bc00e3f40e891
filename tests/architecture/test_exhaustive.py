"""Who adds a kind of sheet, a state, a step or a verdict is told where it is missing.

mypy tells it of each `match` (its error code `exhaustive-match`) that names every
member; these tests hold that there is nothing else: no `case _` that swallows a new
member, no table that lacks one, no question for the type of a content.
"""

import ast
import enum
import importlib
import types

import pytest

from architecture.house import source
from kawe.cases.kinds import KINDS
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
_REST = (
    {State.INVITED, State.DONE, State.ALREADY_THERE},
    {State.HELD},
    {State.ABANDONED},
)


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
    assert matches > 15, "the matches are not found any more"
    assert swallowing == []


# Whoever asks one of these which it is knows a kind of sheet.
_KINDS = {"SheetKind", *(kind.upper() for kind in KINDS)}
_CONTENTS = {"Content", "PlainContent", *(kind.content.__name__ for kind in KINDS)}


def _names_in(node):
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _questions_for_a_kind(tree):
    """Give the places that ask a content, or a kind, which it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            asks = node.func.id in {"isinstance", "issubclass"}
            if asks and _names_in(node.args[1]) & (_CONTENTS | _KINDS):
                yield ast.unparse(node)
        if isinstance(node, ast.MatchClass) and _names_in(node.cls) & _CONTENTS:
            yield ast.unparse(node)
        if isinstance(node, ast.Compare):
            compared = {name for each in node.comparators for name in _names_in(each)}
            if compared & (_CONTENTS | _KINDS):
                yield ast.unparse(node)
        if isinstance(node, ast.MatchValue) and _names_in(node.value) & _KINDS:
            yield ast.unparse(node)


def test_nobody_outside_the_kinds_asks_which_kind_it_is():
    asked = {
        (module.name, question)
        for module in source()
        if module.room != "kinds"
        for question in _questions_for_a_kind(module.tree)
    }
    assert asked == set()


@pytest.mark.parametrize(
    "question",
    [
        "isinstance(content, ProjectContent)",
        "kind is PROJECTS",
        "table.kind == SheetKind.named('projects')",
        "match content:\n    case InvitationContent():\n        pass",
        "match kind:\n    case kinds.INVITATIONS:\n        pass",
    ],
)
def test_a_question_for_a_kind_is_found(question):
    question = question.replace("kinds.INVITATIONS", "SheetKind.INVITATIONS")
    assert list(_questions_for_a_kind(ast.parse(question))) != []


def test_only_the_table_names_the_kinds():
    naming = {
        module.name
        for module in source()
        if module.room != "kinds"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom)
        if (node.module or "").startswith("kawe.kinds")
    }
    assert naming == {"src/kawe/cases/kinds.py"}


@pytest.mark.parametrize("state", State)
def test_a_state_is_in_one_part_of_a_rows_life(state):
    parts = (BEFORE_CREATE, UNSENT, IN_DOUBT, AFTER_SEND, *_REST)
    assert sum(state in part for part in parts) == 1
