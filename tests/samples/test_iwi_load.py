"""The load on each iwi is told wherever a person looks."""

import json
from contextlib import closing

import pytest
from click.testing import CliRunner
from openpyxl import load_workbook

from kawe.cli.app import kawe
from kawe.errors import GuardRefused
from samples.expecting import SAMPLES

SHORT = SAMPLES / "good" / "short" / "projects.xlsx"
WORDS = "This batch sends "


@pytest.fixture
def run(environment, tmp_path):
    def go(*words):
        result = str(tmp_path / "result.xlsx")
        done = CliRunner(env=environment).invoke(
            kawe, [*words, "--result", result, "--quiet"], standalone_mode=False
        )
        if not isinstance(done.exception, GuardRefused | None):
            raise done.exception
        return done.stdout

    return go


def _summary(path):
    with closing(load_workbook(path, read_only=True)) as book:
        return [str(cell) for row in book["Summary"].values for cell in row if cell]


def test_a_check_tells_the_load_on_the_terminal_and_in_the_summary(run, tmp_path):
    (said,) = [line for line in run("check", str(SHORT)).splitlines() if WORDS in line]
    assert any(said in text for text in _summary(tmp_path / "result.xlsx"))


def test_a_check_tells_the_load_in_json(run):
    told = json.loads(run("check", str(SHORT), "--json"))["iwi_load"]
    assert told
    assert all(set(each) == {"iwi", "name", "projects"} for each in told)


def test_an_offline_check_knows_no_load(run):
    assert WORDS not in run("check", str(SHORT), "--offline")


def test_the_plan_of_a_submit_tells_the_load_before_anything_is_sent(run):
    # Nobody agrees, so it ends after the plan.
    assert WORDS in run("submit", str(SHORT), "--no-input")


def test_drafts_burden_nobody(run, tmp_path):
    assert WORDS not in run("submit", str(SHORT), "--drafts-only", "--no-input")
    assert not any(WORDS in text for text in _summary(tmp_path / "result.xlsx"))
