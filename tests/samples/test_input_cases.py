"""Whatever people put in has a sample or a test, and every sample is listed."""

import ast

import pytest

from architecture.house import ROOT
from input_cases import rows_by_table
from samples.expecting import samples

TABLES = rows_by_table()
ROWS = [row for rows in TABLES.values() for row in rows]
SHOWN = sorted({shown for row in ROWS for shown in row.samples}, key=str)


def test_no_row_has_been_lost():
    # By table: whoever takes a row away has to say so here too.
    assert [len(rows) for rows in TABLES.values()] == [
        *(14, 9, 10, 10, 4),
        *(31, 15, 9, 5, 10, 30),
        *(15, 7, 4),
        *(8, 4, 9, 8, 8, 3),
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.what)
def test_every_row_is_shown(row):
    assert row.samples or row.tests


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: f"{shown.sample}")
def test_every_sample_that_a_row_names_is_there_and_its_cell_says_something(shown):
    assert (shown.folder / "expected.json").is_file()
    # A cell may be empty because that is what is found.
    assert not shown.address or shown.value() or shown.findings()


def test_every_sample_stands_in_a_row():
    listed = {shown.sample for shown in SHOWN}
    assert {str(sample) for sample in samples()} == listed


def test_a_cell_of_a_bad_sample_that_stands_in_a_row_is_found_or_is_right():
    # Cells that are right although their sample is not.
    assert [
        f"{shown.sample} {shown.address}"
        for shown in SHOWN
        if shown.sample.startswith("bad/") and shown.address and not shown.findings()
    ] == ["bad/month-before-day F4"]


@pytest.mark.parametrize("named", sorted({test for row in ROWS for test in row.tests}))
def test_every_test_that_a_row_names_is_there(named):
    path, _, name = named.partition("::")
    assert name in {
        each.name
        for each in ast.parse((ROOT / path).read_text(encoding="utf-8")).body
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }
