"""One twin and one desk for the tests of a file."""

import pytest

from doubles.command import Person
from doubles.desk import Desk
from kawe_twin.serving import TwinOptions, start_twin


@pytest.fixture(scope="module")
def person(tmp_path_factory):
    """Give somebody before a twin of their own."""
    folder = tmp_path_factory.mktemp("desk")
    options = TwinOptions(folder=folder / "twin", rate_limit=100_000, tokens=3)
    (folder / "person").mkdir()
    with start_twin(options) as twin:
        yield Person(folder=folder / "person", twin=twin)


@pytest.fixture(scope="module")
def desk(person):
    """Give the desk of this person, open."""
    with Desk(person) as opened:
        yield opened
