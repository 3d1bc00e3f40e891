"""The page about the switchboard names every kind and every field."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from kawe_twin.faults.ledger import SeenRequest
from kawe_twin.faults.switchboard import KINDS
from kawe_twin.faults.wrapping import Trigger

PAGE = (Path(__file__).parents[2] / "docs/reference/switchboard.md").read_text("utf-8")


def row_of(kind):
    (row,) = re.findall(rf"^\| `{kind}` \|.*$", PAGE, re.MULTILINE)
    return row


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_has_its_row_and_every_field_its_default(kind):
    row = row_of(kind)
    for name, default in (KINDS[kind].__kwdefaults__ or {}).items():
        assert f"`{name}`" in row
        if isinstance(default, int | float):
            assert f"`{name}` {str(default).replace('-', '−')}" in row


def test_the_page_names_no_kind_that_is_not_there():
    begin, end = PAGE.index("## Kinds"), PAGE.index("## The ledger")
    told = re.findall(r"^\| `(\w+)` \|", PAGE[begin:end], re.MULTILINE)
    assert sorted(told) == sorted(KINDS)


@pytest.mark.parametrize("described", [Trigger, SeenRequest])
def test_every_field_of_a_trigger_and_of_a_line_is_told(described):
    assert [one.name for one in fields(described) if f"`{one.name}`" not in PAGE] == []
