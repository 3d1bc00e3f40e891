"""Places do not depend on what else is set up on a machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    "environment",
    [
        {"PROJ_NETWORK": "ON"},
        {"PROJ_DATA": "{empty}"},
        {"PROJ_DATA": "{empty}/missing", "PROJ_LIB": "{empty}/missing"},
        {"PROJ_NETWORK": "ON", "PROJ_NETWORK_ENDPOINT": "http://127.0.0.1:9"},
    ],
    ids=" ".join,
)
def test_the_control_points_are_met_whatever_proj_is_told(environment, tmp_path):
    told = {name: text.format(empty=tmp_path) for name, text in environment.items()}

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "unit/geo/test_projector.py"],
        cwd=TESTS,
        env={**os.environ, **told},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
