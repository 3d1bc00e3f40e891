"""A workbook that is carried into a new template says the same as before."""

import asyncio
import hashlib
import shutil

import pytest
from click.testing import CliRunner

from kawe.cli.app import kawe
from kawe.domain.batch.readings import Reading
from kawe.errors import ResultNotWritable
from samples.expecting import SAMPLES, samples

CARRIED = [
    each
    for each in [*samples("good"), *samples("odd")]
    if "invitations" not in each.folder.name
    # No cell of a template can hold it, and that is said.
    and each.folder.name != "text-longer-than-a-cell"
]


def _run(environment, *words):
    return CliRunner(env=environment).invoke(
        kawe,
        ["template", *map(str, words)],
        standalone_mode=False,
        catch_exceptions=False,
    )


def _contents(toolkit, workbook, root):
    reading = Reading(workbook=workbook, files_root=root)
    checked = asyncio.run(toolkit.check(reading, service=None, journal=None))
    return [row.content for row in checked.rows]


@pytest.fixture
def carry_over(environment, tmp_path):
    def go(kind, old):
        new = tmp_path / "new.xlsx"
        _run(environment, kind, "--from", old, "-o", new)
        return new

    return go


@pytest.mark.parametrize("sample", CARRIED, ids=str)
def test_the_rows_mean_the_same_in_the_new_template(sample, toolkit, carry_over):
    new = carry_over("projects", sample.workbook)
    assert _contents(toolkit, new, sample.folder) == _contents(
        toolkit, sample.workbook, sample.folder
    )


def test_people_are_carried_over_too(toolkit, environment, tmp_path):
    old, new = SAMPLES / "good/invitations/invitations.xlsx", tmp_path / "new.xlsx"
    done = _run(environment, "invitations", "--from", old, "-o", new)
    assert "230 rows carried over from invitations.xlsx." in done.stdout
    assert _contents(toolkit, new, None) == _contents(toolkit, old, None)


def test_columns_that_are_not_known_are_named(environment, tmp_path):
    old = tmp_path / "old.csv"
    old.write_text("Name,Type,Remarks,Mesage,Lot\nA,Other,see map,Kia ora,\n", "utf-8")
    done = _run(environment, "projects", "--from", old, "-o", tmp_path / "new.xlsx")
    assert (
        "  3  Remarks             see map             not read\n"
        "  4  Mesage              Kia ora             Message?        guess by name\n"
        "And 2 columns under their own names.\n"
        f"What was not read stays in old.csv. To read it too: kawe columns {old}\n"
    ) in done.stdout


def test_cells_without_a_value_are_named(environment, tmp_path):
    old = SAMPLES / "bad/formula-without-value/projects.xlsx"
    done = _run(environment, "projects", "--from", old, "-o", tmp_path / "new.xlsx")
    assert "Projects!G3 [error]" in done.stdout


def test_the_old_workbook_is_never_written_over(environment, tmp_path):
    old = tmp_path / "projects.xlsx"
    shutil.copy(SAMPLES / "good/short/projects.xlsx", old)
    before = hashlib.sha256(old.read_bytes()).hexdigest()
    with pytest.raises(ResultNotWritable):
        _run(environment, "projects", "--from", old, "-o", old)
    assert hashlib.sha256(old.read_bytes()).hexdigest() == before
