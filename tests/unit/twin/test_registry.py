"""Every rule belongs to an operation of the contract."""

from __future__ import annotations

from kawe.contract.operations import OPERATIONS
from kawe.twin.registry import RULES


def test_rules_are_named_after_operations():
    assert set(RULES) <= set(OPERATIONS)
