"""The habits of the house, each held where a reviewer could miss it."""

import ast
import re

import pytest

from architecture.house import modules_in, nodes, source

# The docstrings of a port say what its methods do.
_SAID_ELSEWHERE = {
    *("cli/shared/progress", "desk/runs", "domain/sheet/content", "files/answers"),
    *("service/acts", "service/lookups", "service/retrying"),
    *("journal/journal", "journal/store/server", "journal/store/sqlite"),
}
_LEFT_BEHIND = re.compile(r"#.*\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")


def test_only_a_command_and_the_work_of_one_account_catch_everything():
    broad = [
        place.partition(":")[0]
        for place, node in nodes("src", "Exception", kind=ast.ExceptHandler)
        if "Exception" in _caught(node)
    ]
    assert sorted(broad) == [
        "src/kawe/cases/batches/working.py",
        "src/kawe/cli/output/exit.py",
    ]


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
        place
        for place, node in nodes("src", "print", ".write")
        if ast.unparse(node.func) in {"print", "sys.stdout.write", "sys.stderr.write"}
    ]
    assert prints == []


def test_imports_are_absolute():
    imports = nodes("src", "from .", kind=ast.ImportFrom)
    assert [place for place, node in imports if node.level] == []


def test_every_module_says_what_it_owns():
    assert [m.name for m in source() if not ast.get_docstring(m.tree)] == []


def test_a_public_function_of_more_than_one_statement_says_what_it_does():
    silent = [
        f"{module.name}:{function.lineno} {function.name}"
        for module in (*source(), *modules_in("tools"))
        if module.name.removeprefix("src/").removeprefix("kawe/").removesuffix(".py")
        not in _SAID_ELSEWHERE
        for function in _public(module.tree)
        if ast.get_docstring(function) is None and not _is_plain(function)
    ]
    assert silent == []


def test_a_function_is_plain_that_has_one_statement_and_no_other_in_it():
    plain = "def f():\n    return 1"
    forked = "def f():\n    if a:\n        return 1"
    port = "def f(): ..."
    two = "def f():\n    a()\n    return 1"
    found = [_is_plain(ast.parse(each).body[0]) for each in (plain, forked, port, two)]
    assert found == [True, False, False, False]


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
        place
        for folder in ("tests", "tools", "bench")
        for place, node in nodes(folder, "sys.path", kind=ast.Attribute)
        if ast.unparse(node) == "sys.path"
    ]
    assert changed == []


def test_no_test_replaces_parts_of_the_code_at_run_time():
    imports = nodes("tests", "mock", kind=(ast.Import, ast.ImportFrom))
    assert [place for place, node in imports if "mock" in ast.unparse(node)] == []
    calls = nodes("tests", ".setattr", ".patch")
    assert [place for place, node in calls if _patches_behaviour(node)] == []


def test_unit_tests_never_sleep():
    asleep = [
        place
        for place, node in nodes("tests/unit", ".sleep")
        if ast.unparse(node.func) in {"time.sleep", "asyncio.sleep"}
    ]
    assert asleep == []


def _public(tree):
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if not node.name.startswith("_"):
                yield node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _public(node)


def _is_plain(function):
    inner = [each for each in ast.walk(function) if isinstance(each, ast.stmt)]
    # Three dots are the promise of a port: only a docstring says what it is.
    return len(inner) == 2 and ast.unparse(function.body[0]) != "..."


def _patches_behaviour(node):
    # A bound in capitals may be set lower; what code does may not be replaced.
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
