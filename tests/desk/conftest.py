"""One twin and one desk for the tests of a file."""

import pytest

from doubles.command import at_a_twin
from doubles.desk import Desk


@pytest.fixture(scope="module")
def person(tmp_path_factory):
    """Give somebody before a twin of their own."""
    with at_a_twin(tmp_path_factory.mktemp("desk"), tokens=3) as person:
        yield person


@pytest.fixture(scope="module")
def desk(person):
    """Give the desk of this person, open."""
    with Desk(person) as opened:
        yield opened
