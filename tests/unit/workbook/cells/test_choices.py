"""Cells with one of a few answers."""

import pytest

from kawe.workbook.cells.choices import choice_reader, read_yes_no
from kawe.workbook.cells.reading import CellReading
from unit.workbook.books import ROLE, TYPE

KIND = choice_reader(TYPE)
YES_NO = read_yes_no


@pytest.mark.parametrize(
    "cell", ["Land use consent", "LAND_USE_CONSENT", "land-use  Consent ", "LUC"]
)
def test_a_choice_is_known_by_its_names_however_they_are_spelt(cell):
    assert KIND(cell) == CellReading(value="LAND_USE_CONSENT")


@pytest.mark.parametrize(
    ("cell", "like"),
    [
        ("Land use consents", "Land use consent"),
        ("Water use consent", "Water take consent or Land use consent"),
        ("Other: fibre, see notes", "Other"),
        ("LUC – Water take consent", "Land use consent or Water take consent"),
    ],
)
def test_a_choice_that_is_only_like_others_is_suggested_and_not_taken(cell, like):
    [why] = KIND(cell).remarks
    assert (why.rule, why.advice) == ("not-a-choice", f"Did you mean {like}?")
    assert KIND(cell).value is None


def test_a_choice_like_none_lists_them_where_they_are_few():
    reading = choice_reader(ROLE)("Boss of bosses")

    assert reading.remarks[0].advice == "Choose one of: Owner or Member."


@pytest.mark.parametrize("cell", [12.0, True, "LUC*", "LUC (?)"])
def test_what_names_no_choice_is_refused(cell):
    assert KIND(cell).value is None


def test_yes_and_no_are_understood():
    yes = ["Yes", "yes ", "Y", "TRUE", True, 1.0, "1", "Āe", "ae", "☑\ufe0f"]
    no = ["No", "n", "FALSE", False, 0.0, "0", "Kāo", "kāore", "❌"]
    assert [YES_NO(each).value for each in (*yes, *no)] == [True] * 10 + [False] * 9


@pytest.mark.parametrize("cell", ["x", "Yes…", "Yes*", "☐ yes", 2.0, "yes please", "-"])
def test_what_is_neither_yes_nor_no_is_refused(cell):
    reading = YES_NO(cell)

    assert reading.value is None
    assert reading.remarks[0].rule == "not-yes-or-no"
