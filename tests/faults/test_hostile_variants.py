"""A service that breaks its rules: nothing doubled, or held with the reason."""

import pytest

from doubles.cases import cases
from doubles.hostile_batch import Rehearsal
from doubles.hostile_variants import VARIANTS
from kawe_twin.serving import TwinOptions, start_twin

ROWS = 5
LONG = {"429 in plain text", "a clock that is behind", "lists hide drafts"}
"""They take ten seconds each, and are told by `make faults`."""


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    options = TwinOptions(
        folder=folder / "twin", tokens=100_000, rate_limit=1_000_000, faults=True
    )
    with start_twin(options) as twin:
        rehearsal = Rehearsal(twin=twin, folder=folder)
        rehearsal.fill(projects=110)
        yield rehearsal


@pytest.mark.parametrize(
    "variant", cases({each.name: each for each in VARIANTS}, long=LONG)
)
def test_a_hostile_service_gets_nothing_sent_twice_and_is_named(rehearsal, variant):
    told = rehearsal.go_through(variant, rows=ROWS, seed=4)
    assert (told.faults > 0, told.doubled, told.wrong) == (True, (), ())
