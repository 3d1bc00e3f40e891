"""Spoiled workbooks: each is read, or refused in one plain sentence.

`make campaign` runs the long version; KAWE_FUZZ says how many.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from doubles.figures import Figures, record

TOOL = Path(__file__).resolve().parents[2] / "tools" / "fuzz_workbooks.py"
FEW, SEED = 5_000, "20261121"
MANY, CAMPAIGN_SEED = int(os.environ.get("KAWE_FUZZ", "100000")), "7"

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the tool forks")


def fuzz(count: int, *, seed: str) -> dict[str, Any]:
    ran = subprocess.run(
        [sys.executable, str(TOOL), str(count), seed, "--json"],
        check=False,
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


@pytest.mark.campaign
def test_a_hundred_thousand_spoiled_workbooks_are_read_or_refused_plainly():
    told = fuzz(MANY, seed=CAMPAIGN_SEED)

    record(
        Figures(
            campaign="workbooks",
            what="spoiled workbooks and CSV files, each read or refused plainly",
            command=f"python tools/fuzz_workbooks.py {MANY} {CAMPAIGN_SEED}",
            runs=told["workbooks"],
            rows=0,
            faults=told["changes"],
            lost=0,
            doubled=0,
            to_a_person=0,
            seconds=told["seconds"],
            seeds=CAMPAIGN_SEED,
            note=(
                f"{told['read']:,} read, {told['refused']:,} refused in one sentence; "
                f"no traceback; slowest {told['slowest_seconds']} s, "
                f"peak {told['peak_mib']} MiB"
            ),
        )
    )
    assert (told["workbooks"], told["failures"]) == (MANY, 0)
