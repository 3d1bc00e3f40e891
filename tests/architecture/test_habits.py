"""The habits of the house, each held where a reviewer could miss it."""

from __future__ import annotations

import ast
import re

import pytest

from architecture.house import modules_in, source

_LEFT_BEHIND = re.compile(r"#.*\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")


def test_only_one_place_catches_everything():
    broad = [
        module.name
        for module in source()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler) and "Exception" in _caught(node)
    ]
    assert broad == ["src/kawe/cli/output/exit.py"]


def test_base_exceptions_go_on_or_say_where_they_went():
    swallowed = [
        f"{module.name}:{node.lineno}"
        for module in source()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler)
        if node.type is None or "BaseException" in _caught(node)
        if not any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
        if "noqa: BLE001 - " not in module.text.splitlines()[node.lineno - 1]
    ]
    assert swallowed == []


def test_nothing_prints_past_click():
    prints = [
        f"{module.name}:{node.lineno}"
        for module in source()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        if ast.unparse(node.func) in {"print", "sys.stdout.write", "sys.stderr.write"}
    ]
    assert prints == []


def test_imports_are_absolute():
    relative = [
        f"{module.name}:{node.lineno}"
        for module in source()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


def test_every_module_says_what_it_owns():
    silent = [m.name for m in source() if not ast.get_docstring(m.tree)]
    assert silent == []


@pytest.mark.parametrize("room", ["domain", "ports", "contract"])
def test_values_are_frozen_slotted_and_given_by_name(room):
    loose = [
        f"{module.name} {name}"
        for module in source()
        if module.room == room
        for name, words in _dataclasses(module.tree)
        if not words >= {"frozen", "slots", "kw_only"}
    ]
    assert loose == []


def test_errors_are_never_frozen():
    frozen = [
        name
        for module in source()
        if module.room == "errors"
        for name, words in _dataclasses(module.tree)
        if "frozen" in words
    ]
    assert frozen == []


def test_nothing_is_left_for_later():
    left = [
        f"{module.name}:{number}"
        for module in (*source(), *modules_in("tests"), *modules_in("tools"))
        for number, line in enumerate(module.text.splitlines(), start=1)
        if _LEFT_BEHIND.search(line)
    ]
    assert left == []


def test_nothing_changes_where_modules_are_looked_for():
    changed = [
        f"{module.name}:{node.lineno}"
        for folder in ("tests", "tools", "bench")
        for module in modules_in(folder)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.path"
    ]
    assert changed == []


def test_no_test_replaces_parts_of_the_code_at_run_time():
    patched = [
        f"{module.name}:{node.lineno}"
        for module in modules_in("tests")
        for node in ast.walk(module.tree)
        if (
            isinstance(node, (ast.Import, ast.ImportFrom))
            and "mock" in ast.unparse(node)
        )
        or _patches_behaviour(node)
    ]
    assert patched == []


def test_unit_tests_never_sleep():
    asleep = [
        f"{module.name}:{node.lineno}"
        for module in modules_in("tests/unit")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        if ast.unparse(node.func) in {"time.sleep", "asyncio.sleep"}
    ]
    assert asleep == []


def _patches_behaviour(node):
    # A bound in capitals may be set lower; what code does may not be replaced.
    if not isinstance(node, ast.Call):
        return False
    if ast.unparse(node.func) not in {"monkeypatch.setattr", "mocker.patch"}:
        return False
    names = [each.value for each in node.args if isinstance(each, ast.Constant)]
    return not (names and re.fullmatch(r"[\w.]*?_?[A-Z][A-Z_]+", str(names[0])))


def _caught(handler):
    if handler.type is None:
        return set()
    return {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}


def _dataclasses(tree):
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for decorator in node.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            name = decorator if call is None else call.func
            if isinstance(name, ast.Name) and name.id == "dataclass":
                yield (
                    node.name,
                    {
                        word.arg
                        for word in (call.keywords if call else [])
                        if isinstance(word.value, ast.Constant) and word.value.value
                    },
                )
