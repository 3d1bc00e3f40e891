"""Names that stand as surname and first name, and those that only look so."""

import pytest

from kawe.domain.sheet.findings import NAME_TURNED, Severity
from kawe.workbook.cells.readers import as_called, surnames_first

TURNED = [(Severity.NOTE, NAME_TURNED)]
COMMA = [(Severity.WARNING, "name-comma")]


def called(name, *, share):
    said, remarks = as_called(name, share=share)
    return said, [(each.severity, each.rule) for each in remarks]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Ngata, Hana", "Hana Ngata"),
        ("Tūhoro,Hēmi", "Hēmi Tūhoro"),
        ("NGATA, Hana", "Hana NGATA"),
        ("Te Rangi, Mere-Ana", "Mere-Ana Te Rangi"),
        ("van der Berg, Anna Maria", "Anna Maria van der Berg"),
        ("O’Brien, J. P.", "J. P. O’Brien"),
        ("St. John, Tom", "Tom St. John"),
    ],
)
def test_where_most_stand_so_a_name_is_turned_and_that_is_noted(typed, said):
    assert called(typed, share=0.6) == (said, TURNED)


@pytest.mark.parametrize(
    "typed",
    [
        "Smith, Jr",
        "Ngata, QSM",
        "Beca, Ltd",
        "Smith, Jones and Partners",
        "Hana Ngata, Kaumātua",
        "Ngata, Planner",
        "Ngata, Hana, Ms",
        "Ngata, 2",
    ],
)
def test_a_suffix_an_organisation_and_a_post_are_no_first_name(typed):
    assert called(typed, share=0.0) == (typed, [])
    assert called(typed, share=0.9) == (typed, COMMA)


def test_where_few_stand_so_none_is_turned_and_each_is_asked_about():
    assert called("Ngata, Hana", share=0.5) == ("Ngata, Hana", COMMA)
    assert called("Hana Ngata", share=0.5) == ("Hana Ngata", [])


def test_the_share_counts_each_name_once_and_no_empty_cell():
    names = ["Ngata, Hana", "Ngata, Hana ", "Tom Brown", "Smith, Jr", None, 3.0]

    assert surnames_first(names[:2]) == 1
    assert surnames_first(names[1:]) == pytest.approx(1 / 3)
    assert surnames_first([None]) == 0
