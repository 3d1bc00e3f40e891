"""Every bench still runs to its end; what it measures is not looked at here."""

import os
import re
import subprocess
import sys

import pytest

from architecture.house import ROOT

BENCHES = ROOT / "bench"
# test_offices_bench.py runs that one, and looks at what it says.
# The last one needs an environment of its own.
ELSEWHERE = {"run", "rounds", "offices_coma"}
NAMES = sorted({path.stem for path in BENCHES.glob("[!_]*.py")} - ELSEWHERE)


def test_there_is_something_to_run():
    assert len(NAMES) >= 6


@pytest.mark.short_campaign
@pytest.mark.parametrize("name", NAMES)
def test_a_bench_runs_to_its_end_and_prints_its_figures(name):
    ran = subprocess.run(
        [sys.executable, str(BENCHES / "run.py"), "--tiny", name],
        check=False,
        capture_output=True,
        text=True,
    )

    head, *told = ran.stdout.splitlines() or [""]
    figures = [line for line in told if re.search(r"\d\.\d", line)]
    assert (ran.returncode, ran.stderr, head, figures != []) == (
        0,
        "",
        f"== {name}",
        True,
    ), ran.stdout


@pytest.mark.short_campaign
def test_the_bench_of_hosts_has_every_row_of_every_account_sent():
    ran = subprocess.run(
        [sys.executable, str(BENCHES / "_hosts.py"), "--tiny"],
        env=os.environ | {"PYTHONPATH": str(ROOT / "tests")},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    accounts, workers, rows, speed = ran.stdout.splitlines()[1].split()
    assert (accounts, workers, rows, float(speed) > 0.1) == ("2", "1", "6", True)


def test_a_bench_that_breaks_is_told_and_the_rest_still_run(tmp_path):
    copy = tmp_path / "run.py"
    copy.write_text((BENCHES / "run.py").read_text("utf-8"), "utf-8")
    (tmp_path / "broken.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "whole.py").write_text("print('3.5 of the limit')\n")

    ran = subprocess.run(
        [sys.executable, str(copy)], check=False, capture_output=True, text=True
    )

    assert (ran.returncode, ran.stdout.splitlines()) == (
        1,
        ["== broken", "== whole", "3.5 of the limit", "did not run to the end: broken"],
    )
