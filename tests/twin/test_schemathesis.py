"""A short run of the fuzzer; tests/campaigns/fuzz_twin.py is the long one."""

import pytest

from campaigns.fuzz_twin import fuzz
from kawe_contract.operations import OPERATIONS


@pytest.mark.short_campaign
def test_no_answer_is_outside_the_published_document(capfd):
    outcome = fuzz(examples=2, seed=7, phases="examples,fuzzing,stateful")
    assert outcome.is_good, capfd.readouterr().out
    assert outcome.operations == len(OPERATIONS)
