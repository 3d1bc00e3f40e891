"""The published figures are those that are kept, and nothing else is published."""

import json
import re
from dataclasses import fields

import pytest

from architecture.house import ROOT
from doubles.figures import RUN, USUAL, Figures
from write_figures import CAMPAIGNS, KEPT, MEASURED, PAGES, published, written

NAMES = {each.name for each in CAMPAIGNS}
GUIDE = (ROOT / "docs" / "reference" / "campaigns.md").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
SIZES = re.findall(r"`([A-Z_]+)` \((\d+)\)", GUIDE)
TOLD = {
    "campaign": "kills",
    "what": "killed",
    "command": f"{RUN}.kill",
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


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_has_the_figures_that_are_kept(path):
    page = path.read_text("utf-8")
    assert page == written(page), "run python tools/write_figures.py --kept"
    assert "figures -->" in page


def test_figures_are_read_from_where_campaigns_leave_them():
    assert MEASURED == ROOT / "build" / "campaign" == USUAL


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


def test_what_every_command_begins_with_is_said_once(tmp_path):
    assert lines_with(f"`{RUN}.`", folder=tmp_path) != []


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
    (how,) = lines_with("`kill` |", folder=tmp_path)
    assert row.endswith(line)
    assert how == "| `kill` | [2026-11-21](figures/kills.json) |"


def test_what_happened_besides_among_several_people_is_told_on_the_page(tmp_path):
    told = {**TOLD, "campaign": "simulation-people", "note": "8 rows left a queue"}
    (tmp_path / "simulation-people.json").write_text(json.dumps(told), "utf-8")
    (line,) = lines_with("8 rows left a queue", folder=tmp_path)
    assert line == (
        "Of the simulation with several people, a computer and a copy each: "
        "8 rows left a queue."
    )


def test_make_campaign_runs_every_campaign_and_each_is_described():
    described = set(re.findall(r"^\| `(\w+)` \|", GUIDE, re.MULTILINE))
    recipe = MAKEFILE.partition("\ncampaign:")[2].partition("\n\n")[0]
    run = set(re.findall(r"\$\(CAMPAIGNS\)\.(\w+)", recipe))
    there = {path.stem for path in (ROOT / "tests" / "campaigns").glob("*.py")}
    assert (run, described) == (there, there)


def test_campaigns_are_started_everywhere_in_the_one_way_that_is_described():
    form = re.search(r"^CAMPAIGNS := (.*)$", MAKEFILE, re.MULTILINE)
    assert form is not None
    assert form[1].replace("$(BIN)", ".venv/bin") == RUN
    assert f"\n{RUN}.kill --help\n" in GUIDE
    odd = [
        name
        for name, told in published().items()
        if not told["command"].startswith(f"{RUN}.")
    ]
    assert odd == []


def test_the_sizes_of_the_campaigns_are_described_as_they_are():
    assert dict(SIZES) == dict(
        re.findall(r"^([A-Z_]+) \?= (\d+)$", MAKEFILE, re.MULTILINE)
    )
