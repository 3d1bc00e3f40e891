"""Every operation of the contract has a rule, and every rule an operation."""

from kawe_contract.operations import OPERATIONS
from kawe_twin.api.registry import RULES


def test_every_operation_has_its_rule():
    assert set(RULES) == set(OPERATIONS)
