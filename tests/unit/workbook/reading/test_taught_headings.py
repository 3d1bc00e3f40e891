"""Headings that the settings teach win over what kawe knows by itself."""

from __future__ import annotations

import pytest

from kawe.domain.sheet.findings import Severity
from kawe.kinds.projects import PROJECTS
from kawe.workbook.reading.grids import Grid, GridFacts
from kawe.workbook.reading.headings import Recogniser
from unit.workbook.books import COLUMNS

TAUGHT = Recogniser(
    COLUMNS,
    taught={PROJECTS: {"Kaupapa": "description", "Type": "name"}},
)


def _read(*texts):
    grid = Grid(sheet="Projects", rows=[(1, texts)], facts=GridFacts())
    found = TAUGHT.find(grid, kind=PROJECTS)
    assert found is not None
    means = [each.means.field if each.means else None for each in found.headings]
    return means, TAUGHT.findings(found, sheet="Projects")


@pytest.mark.parametrize("text", ["Kaupapa", "KAUPAPA *", "Kaupapa (short)"])
def test_a_taught_heading_means_its_column_in_any_spelling(text):
    means, _ = _read("Start date", text)
    assert means == ["start_date", "description"]


def test_what_is_taught_wins_over_what_is_known():
    means, _ = _read("Start date", "Type")
    assert means == ["start_date", "name"]


def test_each_taught_heading_is_said_to_be_read_so():
    _, findings = _read("Start date", "Kaupapa")
    (said,) = [each for each in findings if each.rule == "heading-taught"]
    assert (str(said.where), said.severity, said.message) == (
        "Projects!B1",
        Severity.NOTE,
        "Column “Kaupapa” is read as Description, as kawe.toml says.",
    )


def test_a_heading_that_is_known_anyhow_is_not_said():
    _, findings = _read("Start date", "Details")
    assert [each for each in findings if each.rule == "heading-taught"] == []


def test_a_taught_heading_beside_the_known_one_is_one_too_many():
    _, findings = _read("Start date", "Description", "Kaupapa")
    assert "heading-twice" in [each.rule for each in findings]
