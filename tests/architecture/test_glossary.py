"""The glossary speaks of everything that the domain knows."""

import ast
import re

from architecture.house import ROOT, source
from docs_pages import Page
from kawe.domain.batch.outcomes import Outcome

PAGE = Page(
    name="docs/glossary.md", text=(ROOT / "docs/glossary.md").read_text("utf-8")
)


def test_every_public_class_of_the_domain_is_in_the_glossary():
    assert _public_classes() - _named() == set()


def test_the_glossary_names_no_class_that_is_gone():
    code = {
        word
        for line in PAGE.lines()
        for word in line.spans
        if re.fullmatch(r"(?:[A-Z][a-z0-9]+)+", word)
    }
    assert code - _public_classes() == set()


def test_every_outcome_is_explained():
    explained = {
        line.text.split("|")[1].strip()
        for line in PAGE.section("How a row stands after a run")
        if line.text.startswith("| ")
    }
    assert {outcome.value for outcome in Outcome} - explained == set()


def _named():
    return {word for line in PAGE.lines() for word in line.spans}


_PLACES = "src/kawe_places/values.py"


def _public_classes():
    return {
        node.name
        for module in source()
        if module.room == "domain" or module.name == _PLACES
        for node in module.tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    }
