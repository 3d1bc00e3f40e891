"""Modules and functions stay small enough to be read at one sitting."""

from __future__ import annotations

import ast

from architecture.house import modules_in, source

_FORKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def test_no_module_is_longer_than_400_lines():
    long = {
        module.name: lines
        for module in (
            *source(),
            *modules_in("tools"),
            *modules_in("tests/campaigns"),
            *modules_in("tests/faults/fuzzing"),
        )
        if (lines := len(module.text.splitlines())) > 400
    }
    assert long == {}


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
    is_rest = isinstance(node.pattern, ast.MatchAs) and node.pattern.pattern is None
    return not is_rest


def _by_place(function):
    arguments = [*function.args.posonlyargs, *function.args.args]
    return [each for each in arguments if each.arg not in {"self", "cls"}]
