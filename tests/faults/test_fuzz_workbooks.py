"""Spoiled workbooks: each is read, or refused in one plain sentence.

`make campaign` runs the long version; KAWE_FUZZ says how many.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "fuzz_workbooks.py"
SEED = "20261121"
COUNT = os.environ.get("KAWE_FUZZ", "20000")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the tool forks")


def fuzz(count: str, *, seed: str) -> tuple[int, str]:
    ran = subprocess.run(
        [sys.executable, str(TOOL), count, seed],
        check=False,
        capture_output=True,
        text=True,
    )
    return ran.returncode, ran.stdout + ran.stderr


def test_four_hundred_spoiled_workbooks_are_read_or_refused_plainly():
    code, said = fuzz("400", seed=SEED)

    assert (code, said.startswith("400 spoiled workbooks")) == (0, True), said


@pytest.mark.campaign
def test_thousands_of_spoiled_workbooks_are_read_or_refused_plainly():
    code, said = fuzz(COUNT, seed="7")

    print(said)  # noqa: T201 - a campaign prints its figures
    assert (code, said.startswith(f"{COUNT} spoiled workbooks")) == (0, True), said
