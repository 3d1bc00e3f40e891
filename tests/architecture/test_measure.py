"""The house can be measured, so that two states of it can be compared."""

import subprocess
import sys

import pytest

from architecture.house import ROOT
from architecture.measure import FIGURES


@pytest.mark.short_campaign
def test_every_figure_of_a_checkout_is_printed_beside_the_same_of_another():
    ran = subprocess.run(
        [sys.executable, "-m", "architecture.measure", str(ROOT), str(ROOT)],
        cwd=ROOT / "tests",
        check=False,
        capture_output=True,
        text=True,
    )
    rows = {line[:40].rstrip(): line[40:] for line in ran.stdout.splitlines()}
    halves = {words[:19].strip() == words[19:].strip() for words in rows.values()}
    assert (ran.returncode, ran.stderr, list(rows), halves) == (
        0,
        "",
        list(FIGURES),
        {True},
    )
