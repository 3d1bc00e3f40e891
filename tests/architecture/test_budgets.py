"""Modules, functions and rooms stay small enough for people to hold.

A room may grow only by what others lose in the same change, and all rooms together
never: `ALL_ROOMS` is their sum when the budgets were made. Raising that is an ADR that
says what goes in exchange.
"""

import ast
from collections import Counter

from architecture.house import ROOT, SOURCE, modules_in, source

_FORKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

_TEXT = {".py", ".sql", ".html", ".css", ".js", ".json"}
"""What holds code or sentences; everything else is data that a program made."""
ALL_ROOMS = 87_300
ROOMS = {
    "modules of kawe itself": 951,
    "cases": 9_020,
    "cli": 8_813,
    "desk": 4_014,
    "domain": 8_661,
    "files": 2_959,
    "flows": 10_942,
    "html": 1_167,
    "journal": 5_831,
    "kawe_contract": 1_136,
    "kawe_places": 1_540,
    "kawe_twin": 8_134,
    "kawe_xlsx": 4_308,
    "kinds": 4_660,
    "machine": 228,
    "notices": 380,
    "ports": 722,
    "schemas": 413,
    "service": 3_024,
    "settings": 2_278,
    "workbook": 8_119,
}
"""The most lines of each room: blank lines, docstrings, SQL and pages included."""
TESTS = 98_540
"""The most lines of tests, doubles and campaigns together; it goes down alone."""


def test_no_room_is_larger_than_its_budget():
    lines = _lines_of_rooms()
    assert {
        room: n - ROOMS.get(room, 0)
        for room, n in lines.items()
        if n > ROOMS.get(room, 0)
    } == {}
    assert lines.keys() == ROOMS.keys()


def test_the_budgets_of_all_rooms_never_grow():
    assert sum(ROOMS.values()) <= ALL_ROOMS


def test_the_tests_have_no_more_lines_than_their_budget():
    paths = (ROOT / "tests").rglob("*.py")
    assert sum(len(each.read_text("utf-8").splitlines()) for each in paths) <= TESTS


def test_no_module_is_longer_than_500_lines():
    long = {
        module.name: lines
        for module in (
            *source(),
            *modules_in("tools"),
            *modules_in("tests/campaigns"),
            *modules_in("tests/faults/fuzzing"),
        )
        if (lines := len(module.text.splitlines())) > 500
    }
    assert long == {}


def test_no_folder_but_a_list_of_one_thing_has_more_than_15_modules():
    folders = Counter(module.path.parent for module in source())
    full = {folder.name for folder, modules in folders.items() if modules > 15}
    # One module for each command.
    assert full == {"cli"}


def test_no_function_is_longer_than_60_lines():
    assert {where: n for where, n in _lengths().items() if n > 60} == {}


def test_nine_functions_in_ten_have_at_most_30_lines():
    lengths = sorted(_lengths().values())
    assert lengths[len(lengths) * 9 // 10] <= 30


def test_no_function_forks_more_than_eight_ways():
    tangled = {
        f"{module.name} {function.name}": forks
        for module in source()
        for function in module.functions()
        if (forks := 1 + _forks(function)) > 8
    }
    assert tangled == {}


def test_no_function_takes_more_than_six_parameters_or_three_by_place():
    greedy = [
        f"{module.name} {function.name}"
        for module in source()
        for function in module.functions()
        if len(_by_place(function)) > 3
        or len(_by_place(function)) + len(function.args.kwonlyargs) > 6
    ]
    assert greedy == []


def test_forks_are_counted():
    code = """
def f(a):
    if a:
        return [b for b in a if b]
    elif a is None:
        match a:
            case 1:
                pass
            case _:
                pass
    return a or 1
"""
    assert _forks(ast.parse(code).body[0]) == 3


def _lines_of_rooms():
    lines = Counter()
    for path in SOURCE.parent.rglob("*"):
        building, *parts = path.relative_to(SOURCE.parent).parts
        first, *below = parts or [""]
        # What is written by `make docs` and a build is no room, and nobody keeps it.
        if path.suffix in _TEXT and first not in {"pages", "_version.py"}:
            room = first if below else "modules of kawe itself"
            if building != SOURCE.name:
                room = building
            lines[room] += len(path.read_text("utf-8").splitlines())
    return dict(lines)


def _lengths():
    return {
        f"{module.name} {function.name}:{function.lineno}": 1
        + (function.end_lineno or function.lineno)
        - function.lineno
        for module in source()
        for function in module.functions()
    }


def _forks(node):
    """Count as McCabe and ruff do: statements that fork, each function by itself."""
    count = 0
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _FUNCTIONS):
            is_fork = isinstance(child, _FORKS) or _is_case(child)
            count += is_fork + _forks(child)
    return count


def _is_case(node):
    if not isinstance(node, ast.match_case):
        return False
    return not (isinstance(node.pattern, ast.MatchAs) and node.pattern.pattern is None)


def _by_place(function):
    arguments = [*function.args.posonlyargs, *function.args.args]
    return [each for each in arguments if each.arg not in {"self", "cls"}]
