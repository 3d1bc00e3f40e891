"""Public names use the words of the glossary."""

import ast
import re
from collections import Counter

import pytest

from architecture.house import ROOT, source
from docs_pages import Page
from docs_words import GLOSSARY, ruled_out

_PARTS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
# Besides the words of the glossary: names that say nothing about a part.
_SAY_NOTHING = {"base", "common", "handler", "helper", "misc", "util"}


def _never():
    page = Page(name=GLOSSARY, text=(ROOT / GLOSSARY).read_text("utf-8"))
    return set(ruled_out(page)) | _SAY_NOTHING


def _parts(name):
    return {part.casefold() for part in _PARTS.findall(name)}


def _public_names():
    for module in source():
        for part in module.path.with_suffix("").parts[-2:]:
            yield f"{module.name}", part
        for node in ast.walk(module.tree):
            if isinstance(
                node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
            ) and not node.name.startswith("_"):
                yield f"{module.name}:{node.lineno}", node.name


def test_no_public_name_has_a_word_that_the_glossary_rules_out():
    never = _never()
    plurals = {f"{word}s" for word in never}
    wrong = [
        f"{where} {name}"
        for where, name in _public_names()
        if _parts(name) & (never | plurals)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("SqliteStore", {"sqlite", "store"}),
        ("open_job", {"open", "job"}),
        ("HTTPMock", {"http", "mock"}),
    ],
)
def test_names_are_taken_apart(name, parts):
    assert _parts(name) == parts


def test_a_public_class_name_stands_once():
    names = Counter(
        node.name
        for module in source()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, times in names.items() if times > 1} == set()


def test_instants_and_days_say_which_they_are():
    wrong = [
        f"{module.name}:{node.lineno} {node.target.id}"
        for module in source()
        if module.room in {"domain", "ports", "flows"}
        for node in ast.walk(module.tree)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        if not _is_well_named(node.target.id, ast.unparse(node.annotation))
    ]
    assert wrong == []


def _is_well_named(name, annotation):
    kinds = set(annotation.replace("|", " ").split()) - {"None"}
    if kinds == {"datetime"}:
        return name == "at" or name.endswith("_at")
    if kinds == {"date"}:
        return name in {"on", "today"} or name.endswith("_on")
    return True
