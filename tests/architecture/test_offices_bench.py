"""The sheets of bench/offices.py, and what bench/rounds.py measures with some."""

import json
import subprocess
import sys

import pytest

from architecture.house import ROOT
from doubles.programs import printed_by
from kawe.cases.kinds import KINDS
from kawe.schemas.catalog import load_columns

TELL = """
import json
from _more_offices import more_offices
from _offices import offices
from _public_headings import public_offices
from rounds import Page

every = [*offices(), *more_offices(), *public_offices()]
lists = [(each, Page(s)) for each in every for s in each.sheets if s.kind]
print(json.dumps([
    {
        "who": each.who, "file": each.file, "source": each.source,
        "kind": page.sheet.kind, "means": sorted(filter(None, page.meant.values())),
        "rows": len(page.meanings),
    }
    for each, page in lists
]))
"""


@pytest.fixture(scope="module")
def lists():
    return json.loads(printed_by(TELL, cwd=ROOT / "bench"))


def test_there_are_sixty_workbooks_and_fourteen_have_headings_of_public_data(lists):
    sources = {each["who"]: each["source"] for each in lists}

    assert (len(sources), sum(map(bool, sources.values()))) == (63, 14)
    assert len({each["file"] for each in lists}) == len(sources)


def test_each_truth_is_a_column_of_kawe_for_its_kind(lists):
    fields = {kind.value: {c.field for c in load_columns(kind)} for kind in KINDS}

    unknown = [
        (each["who"], meant)
        for each in lists
        for meant in each["means"]
        if meant.removeprefix("~") not in fields[each["kind"]]
    ]
    assert unknown == []


def test_each_list_has_rows_and_columns_that_mean_something(lists):
    assert [e["who"] for e in lists if e["rows"] < 3 or len(e["means"]) < 3] == []


@pytest.mark.short_campaign
def test_three_offices_need_no_round_and_lose_no_column():
    ran = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "run.py"), "--tiny", "rounds"],
        check=False,
        capture_output=True,
        text=True,
    )

    lines = [" ".join(line.split()) for line in ran.stdout.splitlines()]
    assert (ran.returncode, ran.stderr) == (0, "")
    assert lines == [
        "== rounds",
        "understood asked rounds lost taken",
        "10 of 10 0 0 0 0 unitary council, CSV with semicolons in Windows-1252",
        "9 of 9 0 0 0 0 lines company, headings on two lines and a total",
        "5 of 5 0 0 0 0 engineering consultant, people on a sheet called Projects",
        "0.0 rounds for each workbook, at most 0; 2 is the aim",
        "1.00 of the headings that matter understood at once",
        "0 columns lost in silence",
    ]
