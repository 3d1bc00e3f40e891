"""The diagrams in docs/journal.md are the table that the journal enforces."""

import re
from collections import Counter
from pathlib import Path

from kawe.domain.service.states import TRANSITIONS

PAGE = Path(__file__).parents[2] / "docs" / "journal.md"
_DIAGRAM = re.compile(r"```mermaid\nstateDiagram-v2\n(.*?)```", re.DOTALL)
_WAY = re.compile(r"^    (\w+) --> (\w+)$", re.MULTILINE)


def _drawn():
    diagrams = _DIAGRAM.findall(PAGE.read_text("utf-8"))
    return Counter(way for diagram in diagrams for way in _WAY.findall(diagram))


def test_every_way_that_is_drawn_is_allowed_and_every_one_allowed_is_drawn():
    allowed = {
        (before.value, after.value)
        for before, ways in TRANSITIONS.items()
        for after in ways
    }
    assert set(_drawn()) == allowed


def test_no_way_is_drawn_twice():
    assert [way for way, times in _drawn().items() if times > 1] == []
