"""Spoiled workbooks: each is read, or refused in one plain sentence.

tests/campaigns/fuzz_workbooks.py is the long version.
"""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from architecture.house import ROOT

FEW, SEED = 1_000, "20261121"

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the tool forks")


def fuzz(count: int, *, seed: str) -> dict[str, Any]:
    ran = subprocess.run(
        [sys.executable, "-m", "campaigns.fuzz_workbooks", str(count), seed, "--json"],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "tests"},
        stdout=subprocess.PIPE,
        text=True,
    )
    # What failed is told before the figures.
    *failures, told = ran.stdout.splitlines()
    assert (ran.returncode, failures) == (0, []), ran.stdout
    figures: dict[str, Any] = json.loads(told)
    return figures


@pytest.mark.short_campaign
def test_thousands_of_spoiled_workbooks_are_read_or_refused_plainly():
    told = fuzz(FEW, seed=SEED)

    assert (told["workbooks"], told["failures"]) == (FEW, 0)
