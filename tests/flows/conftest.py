"""A scene for each test: a twin of its own, and a person at it."""

from contextlib import ExitStack

import pytest

from doubles.scene import Scene
from kawe_twin.serving import TwinOptions, start_twin


@pytest.fixture
def scene_with(tmp_path):
    """Give a function that starts a twin and puts a person in front of it."""
    with ExitStack() as stack:

        def start(**options):
            given = {"folder": tmp_path / "twin", "rate_limit": 100_000, **options}
            return Scene(twin=stack.enter_context(start_twin(TwinOptions(**given))))

        yield start
