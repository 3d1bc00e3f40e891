"""Every campaign still runs: a trial of each, as the process that a person starts."""

import json
import os
import subprocess
import sys
from typing import Final

import pytest

from architecture.house import ROOT
from doubles.figures import RUN
from write_figures import CAMPAIGNS

# The least that each takes, and the figures that it leaves.
TRIALS: Final = {
    "canary": ("--months 1 --short", {"canary"}),
    "fuzz_twin": ("--examples 1 --account iwi --phases fuzzing", {"twin"}),
    "fuzz_workbooks": ("2", {"workbooks"}),
    "hostile_variants": ("--seeds 1 --only lag", {"hostile-variants"}),
    "io_faults": ("1 --seconds 0.01", {"io-errors"}),
    "kill": ("--kills 1 --recovery 1 --processes 1", {"kills", "kills-in-recovery"}),
    "look": ("--tiny", set()),
    "machines": ("--months 1 --rows 4", {"machines"}),
    "planted": ("--only a-timeout-is-not-done", set()),
    "power_loss": ("1 --seeds 1 --most 1 --every 100 --recoveries 0", {"power-loss"}),
    "receipts": ("--receipts 3 --kills 1", {"receipts"}),
    "simulate": ("--rows 20 --processes 1", {"simulation"}),
    "state_machine": ("--examples 1 --steps 5", {"state-machine"}),
    "tokens": ("--rows 1 --workers 1", {"tokens"}),
    "two_computers": ("--rows 1 --seeds 1 --every 50", {"two-computers"}),
    "watch": ("--projects 101 --changed 6", {"watch"}),
    "wire_cuts": ("100000", {"wire-cuts"}),
    "year_end": ("--scale 0.01", {"year-end"}),
}
PEOPLE: Final = ("--rows 20 --processes 1 --people", {"simulation-people"})
HOSTS: Final = ("--shared --months 1 --rows 2 --machines 2", {"hosts"})

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="campaigns fork")


def test_every_campaign_of_the_folder_is_tried():
    there = {path.stem for path in (ROOT / "tests" / "campaigns").glob("*.py")}
    assert there == TRIALS.keys()


def test_every_published_figure_is_left_by_some_campaign():
    left = set().union(*(figures for _, figures in TRIALS.values()))
    # The latter need a name of their own, every bug, and namespaces.
    left |= PEOPLE[1] | HOSTS[1] | {"simulation-rough", "planted-bugs", "hosts-apart"}
    assert left == {each.name for each in CAMPAIGNS}


@pytest.mark.short_campaign
@pytest.mark.parametrize(
    ("name", "trial"), [*TRIALS.items(), ("simulate", PEOPLE), ("machines", HOSTS)]
)
def test_a_trial_of_a_campaign_ends_well_and_leaves_its_figures(name, trial, tmp_path):
    words, figures = trial
    ran = subprocess.run(
        [sys.executable, "-m", f"campaigns.{name}", *words.split()],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "tests", "CAMPAIGN_FIGURES": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert (ran.returncode, any(map(str.isdigit, ran.stdout))) == (0, True), (
        ran.stdout + ran.stderr
    )
    left = {path.stem: json.loads(path.read_text()) for path in tmp_path.iterdir()}
    assert left.keys() == figures
    for told in left.values():
        assert (told["lost"], told["doubled"]) == (0, 0)
        assert told["command"].startswith(f"{RUN}.{name}")
