"""Rows that a person picked out, and how many may fail."""

import pytest

from kawe.domain.text.next_steps import Given
from kawe.domain.text.row_choice import (
    Allowance,
    RowChoice,
    read_allowance,
    read_row_choice,
)
from kawe.errors import SettingsError

SHEET = ((2, "R-1"), (3, "R-2"), (5, None), (9, "4-B"))


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("4", RowChoice(ranges=((4, 4),))),
        (" 4 , 7-12,", RowChoice(ranges=((4, 4), (7, 12)))),
        ("R-1,KW7F3A9C21QX4M", RowChoice(references=("R-1", "KW7F3A9C21QX4M"))),
        ("3,Pā 7", RowChoice(ranges=((3, 3),), references=("Pā 7",))),
    ],
)
def test_rows_are_named_by_number_by_range_and_by_reference(text, chosen):
    assert read_row_choice(text) == chosen


@pytest.mark.parametrize("text", ["", " , ", "0", "12-7", "0-3"])
def test_what_names_no_rows_is_refused(text):
    with pytest.raises(SettingsError, match=f"{Given.ONLY}"):
        read_row_choice(text)


def test_a_choice_has_the_rows_that_it_names_and_no_others():
    choice = read_row_choice("3-5,R-1")
    assert [choice.has(*row) for row in SHEET] == [True, True, True, False]


@pytest.mark.parametrize(
    ("text", "named"),
    [("4", "4"), ("2,10-12", "10-12"), ("R-1,R-9", "R-9"), ("4,R-9", "4, R-9")],
)
def test_what_the_sheet_does_not_have_is_named(text, named):
    with pytest.raises(SettingsError, match=rf"does not have: {named}\."):
        read_row_choice(text).check_known(SHEET)


def test_a_long_list_of_unknown_rows_is_cut():
    text = ",".join(f"X-{number}" for number in range(13))
    with pytest.raises(SettingsError, match=r"X-9 and 3 more\."):
        read_row_choice(text).check_known(SHEET)


def test_blank_rows_within_a_range_are_no_fault():
    assert read_row_choice("2-9,4-B").check_known(SHEET) is None


@pytest.mark.parametrize(
    ("text", "allowance", "said"),
    [
        ("0", Allowance(rows=0), (0, "0 rows")),
        (" 5 ", Allowance(rows=5), (5, "5 rows")),
        ("2%", Allowance(percent=2), (3, "2% of the rows")),
        ("2.5%", Allowance(percent=2.5), (3, "2.5% of the rows")),
        ("100%", Allowance(percent=100), (150, "100% of the rows")),
    ],
)
def test_an_allowance_is_a_number_or_a_share(text, allowance, said):
    found = read_allowance(text)
    assert (found, (found.of(150), found.words())) == (allowance, said)


@pytest.mark.parametrize("text", ["", "many", "-1", "5,5", "101%", "%", "5 %x", "1e3"])
def test_what_is_no_allowance_is_refused(text):
    with pytest.raises(SettingsError, match=f"{Given.MAX_ERRORS}"):
        read_allowance(text)
