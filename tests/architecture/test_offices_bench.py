"""What bench/offices.py measures: offices that answer and correct as people do."""

from __future__ import annotations

import subprocess
import sys

import pytest

from architecture.house import ROOT


@pytest.mark.short_campaign
def test_three_offices_need_no_round_and_lose_no_column():
    ran = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "run.py"), "--tiny", "offices"],
        check=False,
        capture_output=True,
        text=True,
    )

    lines = [" ".join(line.split()) for line in ran.stdout.splitlines()]
    assert (ran.returncode, ran.stderr) == (0, "")
    assert lines == [
        "== offices",
        "understood asked rounds lost taken",
        "10 of 10 0 0 0 0 unitary council, CSV with semicolons in Windows-1252",
        "9 of 9 0 0 0 0 lines company, headings on two lines and a total",
        "5 of 5 0 0 0 0 engineering consultant, people on a sheet called Projects",
        "0.0 rounds for each workbook, at most 0; 1 is the aim",
        "1.00 of the headings that matter understood at once",
        "0 columns lost in silence",
    ]
