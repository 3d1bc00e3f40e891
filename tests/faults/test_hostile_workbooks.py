"""Files that mean harm, each checked as a person would, by a real process.

`python tools/hostile_workbooks.py` measures what they cost.
"""

import os

import pytest

from architecture.house import ROOT
from doubles.cases import cases
from hostile_workbooks import HOSTILE, PUBLISHED
from process_cost import cost_of

LONG = {"a million formatted rows", "100,000 merged areas"}
MOST_BYTES = 300 * 2**20

pytestmark = pytest.mark.skipif(not hasattr(os, "wait4"), reason="no peak to be had")


@pytest.mark.parametrize(
    "hostile", cases({each.what: each for each in HOSTILE}, long=LONG)
)
def test_a_hostile_file_is_refused_or_read_in_bounds_with_one_sentence(
    hostile, tmp_path
):
    path = tmp_path / hostile.name
    path.write_bytes(hostile.make())

    cost = cost_of(path, folder=tmp_path)

    # What is refused takes one line: what it is, and what to do.
    lines = cost.said.splitlines()
    says = [line for line in lines if hostile.says in line]
    is_refused = [len(lines) == 1 and lines[0].startswith("kawe: ")]
    assert (cost.code, len(says), is_refused, cost.peak_bytes < MOST_BYTES) == (
        hostile.code,
        1,
        [hostile.code == 5],
        True,
    ), cost


def test_every_hostile_file_is_in_the_published_table():
    assert PUBLISHED.parent == ROOT / "docs" / "reference"
    page = PUBLISHED.read_text("utf-8")
    assert [each.what for each in HOSTILE if f"| {each.what} |" not in page] == []
