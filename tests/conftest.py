"""What holds for every test."""

from __future__ import annotations

import pytest
from hypothesis import settings

# No test is timed: a busy machine is no fault of the code.
settings.register_profile("kawe", deadline=None, print_blob=True)
settings.load_profile("kawe")


@pytest.fixture(autouse=True, scope="session")
def _a_state_folder_of_its_own(tmp_path_factory):
    """Keep what runs in this process out of the folders of whoever tests."""
    with pytest.MonkeyPatch.context() as surroundings:
        surroundings.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield
