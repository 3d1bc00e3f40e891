"""Spoiled workbooks: each is read, or refused in one plain sentence.

tests/campaigns/fuzz_workbooks.py is the long version.
"""

import json
import os
import subprocess
import sys

import pytest

from architecture.house import ROOT

FEW = 600

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the tool forks")


@pytest.mark.short_campaign
def test_hundreds_of_spoiled_workbooks_are_read_or_refused_plainly():
    words = ["campaigns.fuzz_workbooks", str(FEW), "20261121", "--json"]
    ran = subprocess.run(
        [sys.executable, "-m", *words],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "tests"},
        stdout=subprocess.PIPE,
        text=True,
    )
    # What failed is told before the figures.
    *failures, told = ran.stdout.splitlines()
    assert (ran.returncode, failures) == (0, []), ran.stdout
    figures = json.loads(told)
    assert (figures["workbooks"], figures["failures"]) == (FEW, 0)
