"""Headings that the settings teach win over what kawe knows by itself."""

from __future__ import annotations

import pytest

from kawe.kinds.projects import PROJECTS
from kawe.workbook.reading.grids import Grid, GridFacts
from kawe.workbook.reading.headings import Recogniser
from unit.workbook.books import COLUMNS

TAUGHT = Recogniser(
    COLUMNS,
    taught={PROJECTS: {"Kaupapa": "description", "Type": "name", "Start": None}},
)


def _read(*texts):
    grid = Grid(sheet="Projects", rows=[(1, texts)], facts=GridFacts())
    found = TAUGHT.find(grid, kind=PROJECTS)
    assert found is not None
    means = [each.means.field if each.means else None for each in found.headings]
    said = [str(each) for each in TAUGHT.read_columns(found) if not each.is_plain]
    return means, said, TAUGHT.findings(found, sheet="Projects")


@pytest.mark.parametrize("text", ["Kaupapa", "KAUPAPA *", "Kaupapa (short)"])
def test_a_taught_heading_means_its_column_in_any_spelling(text):
    means, _, _ = _read("Start date", text)
    assert means == ["start_date", "description"]


def test_what_is_taught_wins_over_what_is_known():
    means, _, _ = _read("Start date", "Type")
    assert means == ["start_date", "name"]


def test_each_taught_heading_is_said_to_be_read_so():
    _, said, _ = _read("Start date", "Kaupapa")
    assert said == ["“Kaupapa” → Description (taught)"]


def test_a_heading_that_is_known_anyhow_is_not_said_to_be_taught():
    _, said, _ = _read("Start date", "Details")
    assert said == ["“Details” → Description"]


@pytest.mark.parametrize("text", ["Start", "start *", "Start (day)"])
def test_a_heading_that_is_taught_to_mean_nothing_is_not_read(text):
    means, _, findings = _read("Name", "Kaupapa", text)
    assert means == ["name", "description", None]
    assert [each.rule for each in findings] == ["heading-missing", "heading-missing"]


def test_a_taught_heading_beside_the_known_one_is_one_too_many():
    _, _, findings = _read("Start date", "Description", "Kaupapa")
    assert "heading-twice" in [each.rule for each in findings]
