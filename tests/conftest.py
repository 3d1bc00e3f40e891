"""What holds for every test."""

from __future__ import annotations

import pytest
from hypothesis import settings

# No test is timed: a busy machine is no fault of the code. A change is judged by the
# same examples before and after; campaigns look for others.
settings.register_profile("kawe", deadline=None, derandomize=True)
settings.register_profile("searching", deadline=None, print_blob=True)
settings.load_profile("kawe")


@pytest.fixture(autouse=True, scope="session")
def _a_state_folder_of_its_own(tmp_path_factory):
    """Keep what runs in this process out of the folders of whoever tests."""
    with pytest.MonkeyPatch.context() as surroundings:
        surroundings.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield
