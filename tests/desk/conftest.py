"""One twin and one desk for the tests of a file."""

from functools import partial

import pytest

from doubles.command import at_a_twin
from doubles.desk import Desk


@pytest.fixture(scope="module")
def person(request, tmp_path_factory):
    """Give somebody before a twin of their own, or as the file begins with."""
    begins = getattr(request.module, "BEGINS_WITH", partial(at_a_twin, tokens=3))
    with begins(tmp_path_factory.mktemp("desk")) as person:
        yield person


@pytest.fixture(scope="module")
def desk(person):
    """Give the desk of this person, open."""
    with Desk(person) as opened:
        yield opened
