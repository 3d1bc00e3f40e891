"""A person at a terminal in front of a fresh twin."""

from contextlib import ExitStack

import pytest

from doubles.at_the_twin import end_meanwhile, wait_for_ends
from doubles.command import at_a_twin
from doubles.hosts import started_twins
from doubles.newcomer import NewSheet
from doubles.office import open_office
from doubles.postgres import running_postgres


@pytest.fixture(autouse=True, scope="session")
def _twins_end():
    yield
    wait_for_ends()


@pytest.fixture
def person_with(tmp_path):
    """Give a function that starts a twin and sits a person before it."""
    stack = ExitStack()
    yield lambda **options: stack.enter_context(at_a_twin(tmp_path, **options))
    end_meanwhile(stack.close)


@pytest.fixture
def person(person_with):
    """Give a person with nine tokens."""
    return person_with(tokens=9)


@pytest.fixture
def newcomer(tmp_path):
    """Give somebody with an empty home."""
    home = tmp_path / "newcomer"
    someone = NewSheet(home=home, folder=home / "work")
    someone.folder.mkdir(parents=True)
    return someone


@pytest.fixture
def office(tmp_path):
    """Give an office with two computers and a service that counts."""
    opened = open_office(tmp_path)
    yield opened
    end_meanwhile(opened.twin.stop)


@pytest.fixture
def twins(tmp_path):
    with started_twins(tmp_path) as started:
        yield started


@pytest.fixture(scope="module")
def postgres():
    """Give a PostgreSQL server, one for each file of tests."""
    with running_postgres() as running:
        yield running


@pytest.fixture
def database(postgres):
    """Give a database with nothing in it."""
    return postgres.fresh()
