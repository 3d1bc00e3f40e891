"""A person at a terminal in front of a fresh twin."""

import pytest

from doubles.command import Person
from doubles.newcomer import NewSheet
from doubles.office import open_office
from kawe_twin.serving import TwinOptions, start_twin


@pytest.fixture
def person_with(tmp_path):
    """Give a function that starts a twin and sits a person before it."""
    started = []

    def start(**options):
        running = start_twin(
            TwinOptions(folder=tmp_path / "twin", **{"rate_limit": 100_000, **options})
        )
        started.append(running)
        folder = tmp_path / "person"
        folder.mkdir()
        return Person(folder=folder, twin=running)

    yield start
    for running in started:
        running.stop()


@pytest.fixture
def newcomer(tmp_path):
    """Give somebody with an empty home."""
    someone = NewSheet(home=tmp_path / "newcomer")
    someone.folder.mkdir(parents=True)
    return someone


@pytest.fixture
def office(tmp_path):
    """Give an office with two computers and a service that counts."""
    opened = open_office(tmp_path)
    yield opened
    opened.twin.stop()
