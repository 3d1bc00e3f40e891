"""Places do not depend on what else is set up on a machine."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
# Metres of all three grids, which agreement turns into degrees.
METRES = TESTS.parent / "samples/bad/metres-of-three-grids-as-degrees/projects.xlsx"
TAKEN = re.compile(r"was taken as (-?[0-9.]+), (-?[0-9.]+),")
ELSEWHERE = pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"PROJ_NETWORK": "ON"}, marks=pytest.mark.short_campaign),
        pytest.param({"PROJ_DATA": "{empty}"}, marks=pytest.mark.short_campaign),
        {"PROJ_DATA": "{empty}/missing", "PROJ_LIB": "{empty}/missing"},
        {"PROJ_NETWORK": "ON", "PROJ_NETWORK_ENDPOINT": "http://127.0.0.1:9"},
    ],
    ids=" ".join,
)


@ELSEWHERE
def test_the_control_points_are_met_whatever_proj_is_told(environment, tmp_path):
    told = {name: text.format(empty=tmp_path) for name, text in environment.items()}

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "places/test_projector.py"],
        cwd=TESTS,
        env={**os.environ, **told},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@ELSEWHERE
def test_a_check_says_the_same_whatever_proj_is_told(environment, tmp_path):
    told = {name: text.format(empty=tmp_path) for name, text in environment.items()}

    done = subprocess.run(
        [
            *(sys.executable, "-m", "kawe", "check", str(METRES), "--offline"),
            *("--accept", "coordinates", "--json"),
            *("--result", str(tmp_path / "result.xlsx")),
        ],
        env={**os.environ, **told},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    said = [row["findings"][0]["message"] for row in json.loads(done.stdout)["rows"]]
    assert [TAKEN.search(each).groups() for each in said] == [
        ("-40.7584127", "175.1501153"),
        ("-41.2706075", "173.2840355"),
        ("-38.6624163", "178.0176509"),
        ("-43.9518395", "-176.5612674"),
    ]
