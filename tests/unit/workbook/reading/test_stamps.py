"""A workbook that `kawe template` made is known by its stamp."""

import io

import openpyxl
import pytest

from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.schemas.catalog import load_columns
from kawe.workbook.own_words import STAMP_SHEET, TEMPLATE_VERSION
from kawe.workbook.reading.reader import CalamineReader
from kawe.workbook.templates.template import template_bytes

COLUMNS = {kind: load_columns(kind) for kind in (PROJECTS, INVITATIONS)}


@pytest.fixture
def read(tmp_path):
    def reading(change=lambda _: None):
        data = template_bytes(PROJECTS, COLUMNS[PROJECTS], rows=[{"name": "Culvert"}])
        book = openpyxl.load_workbook(io.BytesIO(data))
        change(book)
        path = tmp_path / "projects.xlsx"
        book.save(path)
        return CalamineReader(COLUMNS).read(path, kind=None, sheet=None)

    return reading


def stamped(version, *, without=None):
    def change(book):
        book[STAMP_SHEET]["B2"] = version
        if without is not None:
            book.worksheets[0].delete_cols(without)

    return change


def old(table):
    return [each for each in table.findings if each.rule.startswith("template-")]


def test_a_template_is_said_to_be_one(read):
    table = read()
    assert (table.read_as.template, list(table.read_as.lines()), old(table)) == (
        TEMPLATE_VERSION,
        ["32 columns under their own names"],
        [],
    )


@pytest.mark.parametrize("change", [stamped(0), stamped(1, without=31)])
def test_a_template_of_an_older_kawe_or_without_a_column_is_not_warned_of(read, change):
    assert old(read(change)) == []


def test_a_template_of_a_newer_kawe_is_warned_of(read):
    assert [each.rule for each in old(read(stamped(2)))] == ["template-new"]


@pytest.mark.parametrize("version", ["one", None, -1, 1e300, 10**9])
def test_a_stamp_that_says_nothing_is_none(read, version):
    assert read(stamped(version)).read_as.template is None


def test_a_stamp_of_another_kind_is_none(read):
    def change(book):
        book[STAMP_SHEET]["B1"] = "invitations"

    assert read(change).read_as.template is None


def test_a_sheet_of_the_persons_with_that_name_is_no_stamp(read):
    def change(book):
        del book[STAMP_SHEET]
        book.create_sheet(STAMP_SHEET).append(["our notes"])

    assert read(change).read_as.template is None
