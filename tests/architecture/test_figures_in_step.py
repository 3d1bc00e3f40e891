"""The published figures are those that are kept, and nothing else is published."""

from __future__ import annotations

import json
import re
from dataclasses import fields

import pytest

from architecture.house import ROOT
from doubles.figures import Figures
from write_reliability import CAMPAIGNS, KEPT, PAGE, published, written

NAMES = {each.name for each in CAMPAIGNS}
GUIDE = (ROOT / "docs" / "reference" / "campaigns.md").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TOLD = {
    "campaign": "kills",
    "what": "killed",
    "command": "python tools/kill.py",
    "runs": 4_000,
    "rows": 2_000,
    "faults": 1_000,
    "lost": 0,
    "doubled": 3,
    "to_a_person": 5,
    "seconds": 61.4,
    "seeds": "7",
    "note": "",
    "date": "2026-11-21",
}


def test_the_page_has_the_figures_that_are_kept():
    page = PAGE.read_text("utf-8")
    assert page == written(page), "run python tools/write_reliability.py --kept"


def test_every_kept_figure_is_whole_and_of_a_known_campaign():
    keys = {each.name for each in fields(Figures)} | {"date"}
    strange = [
        name
        for name, told in published().items()
        if name not in NAMES or told.keys() != keys or told["campaign"] != name
    ]
    assert (strange, len(published()) > 0, KEPT.name) == ([], True, "figures")


def lines_with(words, *, folder):
    page = written("<!-- figures -->\n<!-- end -->", folder=folder)
    return [line for line in page.splitlines() if words in line]


def test_a_campaign_without_figures_says_so(tmp_path):
    assert len(lines_with("not measured yet", folder=tmp_path)) == len(CAMPAIGNS)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "| 4,000 | 2,000 | 1,000 | 0 | 3 | 5 (0.25 %) |"),
        ({"to_a_person": 0}, "| 4,000 | 2,000 | 1,000 | 0 | 3 | 0 (0 %) |"),
        ({"rows": 0}, "| 4,000 | – | 1,000 | – | – | – |"),
    ],
    ids=["rows", "nobody waits", "no rows"],
)
def test_what_was_measured_is_published_as_it_is(tmp_path, changes, line):
    (tmp_path / "kills.json").write_text(json.dumps({**TOLD, **changes}), "utf-8")
    (row,) = lines_with("| 10,000 kills |", folder=tmp_path)
    (how,) = lines_with("| 61 s |", folder=tmp_path)
    assert (row.endswith(line), "`python tools/kill.py`; seeds 7; killed" in how) == (
        True,
        True,
    )


def test_make_campaign_runs_every_tool_that_is_described():
    described = set(re.findall(r"^\| `python (tools/\w+\.py)` \|", GUIDE, re.MULTILINE))
    recipe = MAKEFILE.partition("\ncampaign:")[2].partition("\n\n")[0]
    # Spoiled workbooks are run by the test that is marked so.
    run = set(re.findall(r"tools/\w+\.py", recipe)) | {"tools/fuzz_workbooks.py"}
    assert run - {"tools/write_reliability.py"} == described


def test_the_sizes_of_the_campaigns_are_described_as_they_are():
    described = dict(re.findall(r"^\| `([A-Z_]+)` \| (\d+) \|", GUIDE, re.MULTILINE))
    assert described == dict(
        re.findall(r"^([A-Z_]+) \?= (\d+)$", MAKEFILE, re.MULTILINE)
    )
