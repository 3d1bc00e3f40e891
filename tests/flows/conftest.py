"""A scene for each test: a twin of its own, and a person at it."""

import pytest

from doubles.scene import Scene
from kawe_twin.serving import TwinOptions, start_twin


@pytest.fixture
def scene_with(tmp_path):
    """Give a function that starts a twin and puts a person in front of it."""
    started = []

    def start(**options):
        running = start_twin(
            TwinOptions(folder=tmp_path / "twin", **{"rate_limit": 100_000, **options})
        )
        started.append(running)
        return Scene(twin=running)

    yield start
    for running in started:
        running.stop()
