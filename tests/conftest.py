"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# No test is timed: a busy machine is no fault of the code.
settings.register_profile("kawe", deadline=None, print_blob=True)
settings.load_profile("kawe")
