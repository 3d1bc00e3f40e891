"""Headings that are split over two rows: groups above columns, and two lines."""

import json
from datetime import date

import pytest

from kawe.kinds.invitations import INVITATIONS

UPPER = ["Project", "", "", "", "Programme", "", "Consultation", "Grid (NZTM)", "", "C"]
LOWER = ["No.", "Name", "Scope", "Type", "Start", "Finish", "Closes", "E", "N", "$000"]
ROW = ["S-1", "Substation", "Works", "Other", "4 Mar 2030", "5 May 2030"]
ROW += ["1 Feb 2030", "1748000", "5428000", "310"]
READ = {
    "A": ("Project No.", "reference"),
    "B": ("Project Name", "name"),
    "C": ("Scope", "description"),
    "D": ("Project Type", "type"),
    "E": ("Start", "start_date"),
    "F": ("Finish", "end_date"),
    "G": ("Consultation Closes", "respond_by_date"),
    "H": ("NZTM E", "easting"),
    "I": ("NZTM N", "northing"),
}
WORKS = [READ[letter][1] for letter in "BCDEFG"]
PLAIN = ["Reference", "Name", "Description", "Type", "Start", "End", "Respond"]


def read(sheet):
    return {
        each["column"]: (each["heading"], each["field"])
        for each in sheet.head.read_as.as_json()["reading"]["columns"]
        if each["how"] not in {"guess", "unread"}
    }


def unread(sheet):
    return [each.text for each in sheet.head.read_as.unread]


def numbers(sheet):
    return [row.ref.row for row in sheet.table().rows]


def test_a_group_and_its_columns_are_the_headings_together(opened):
    sheet = opened(["Network projects 2030"], UPPER, LOWER, ROW, ROW)

    assert (read(sheet), unread(sheet), numbers(sheet)) == (READ, ["C $000"], [4, 5])


def test_two_rows_of_headings_are_said(opened):
    read_as = opened(["Network projects 2030"], UPPER, LOWER, ROW).head.read_as

    assert next(read_as.lines()) == "“Project No.” → Reference (known name)"
    assert json.loads(json.dumps(read_as.as_json()))["reading"]["heading_rows"] == [
        2,
        3,
    ]


def test_headings_in_one_row_are_said_to_be_in_one(opened):
    read_as = opened(PLAIN, ROW[:7]).head.read_as

    assert read_as.heading_rows == (1,)
    assert [*read_as.lines()] == [
        "“Start” → Start date (known name)",
        "“End” → End date (known name)",
        "“Respond” → not read; is it Respond by? (guess by name)",
        "4 columns under their own names",
    ]


def test_merged_cells_say_how_far_a_group_reaches(opened):
    upper = ["Contact", "", "", "Project", "", "", "", "", "", "Notes"]
    lower = ["Name", "Phone", "Email", "Name", "Scope", "Type", "Start", "Finish"]
    sheet = opened(
        upper,
        [*lower, "Reply by", "of ours"],
        ["Mere", "09 1", "m@example.org", "Culvert", "Works", "Other", "1 May 2030"],
        merges=["A1:C1", "D1:I1"],
    )

    assert {field for _, field in read(sheet).values()} == {
        "contact_name",
        "contact_phone",
        "contact_email",
        *WORKS,
    }


def test_a_heading_merged_over_both_rows_is_one_heading(opened):
    sheet = opened(
        ["Reference", "Name", "Description", "Type", "Dates", "", "", "Our notes"],
        ["", "", "", "", "Start", "Finish", "Reply by", ""],
        [*ROW[:7], "x"],
        merges=["A1:A2", "B1:B2", "C1:C2", "D1:D2", "E1:G1", "H1:H2"],
    )

    assert [field for _, field in read(sheet).values()] == [
        "reference",
        *WORKS,
    ]
    assert (unread(sheet), numbers(sheet)) == (["Our notes"], [3])


def test_a_second_line_ends_a_heading_that_begins_above_it(opened):
    sheet = opened(PLAIN, ["", "", "", "", "date", "date", "by"], ROW[:7])

    assert read(sheet)["G"] == ("Respond by", "respond_by_date")
    assert (read(sheet)["E"], numbers(sheet)) == (("Start date", "start_date"), [3])


def test_a_second_line_is_no_row_even_if_nothing_more_is_known(opened):
    plain = [*PLAIN[:6], "Respond by"]
    sheet = opened(plain, ["", "", "", "", "date", "date", ""], ROW[:7])

    assert (sheet.head.read_as.heading_rows, numbers(sheet)) == ((1,), [3])


@pytest.mark.parametrize(
    "row",
    [
        ["date", "by", "x", "Other", "", "", ""],
        ["", "date", "", "", "", "", ""],
        ["Project", "Name", "Scope", "Type", "Start", "Finish", "4 Mar 2030"],
        ["P-1", "", "", "", "date", "date", "by"],
        ["", "", "", "", "", "", "x@example.org"],
    ],
)
def test_a_row_of_the_list_is_never_taken_for_headings(opened, row):

    assert numbers(opened([*PLAIN[:6], "Respond by"], row, ROW[:7])) == [2, 3]


@pytest.mark.parametrize("cell", [2.5, date(2030, 3, 4), True, "2030-03-04", "3/4/30"])
def test_a_row_with_a_figure_or_a_day_holds_no_headings(opened, cell):
    known = ["Name", "Scope", "Type", "Start", "Finish", "Closes", "E", "N"]
    sheet = opened(UPPER, ["No.", *known, "$000"], ["", *known, cell], ROW)

    assert sheet.head.read_as.heading_rows == (1, 2)


def test_a_title_above_the_headings_is_not_put_before_them(opened):
    sheet = opened(["Contact"], ["Name", "Email", "Role"], ["Mere", "m@example.org"])

    assert (sheet.head.kind, read(sheet), numbers(sheet)) == (
        INVITATIONS,
        {"A": ("Name", "name"), "B": ("Email", "email"), "C": ("Role", "role")},
        [3],
    )


def test_a_name_of_somebody_else_is_not_the_name_of_the_project(opened):
    sheet = opened(
        ["Owner", "", "Project", "", "", "", ""],
        ["Name", "Start", "No.", "Name", "Scope", "Type", "Finish"],
        ["Brown", "1 May 2030", "S-1", "Culvert", "Works", "Other", "2 May 2030"],
    )

    assert (read(sheet)["D"], unread(sheet)) == (
        ("Project Name", "name"),
        ["Owner Name"],
    )
    assert [each.rule for each in sheet.head.findings if "twice" in each.rule] == []


def test_both_rows_that_come_again_are_not_read_and_are_named(opened):
    sheet = opened(UPPER, LOWER, ROW, UPPER, LOWER, ROW)
    table = sheet.table()

    assert numbers(sheet) == [3, 6]
    assert [each.message for each in table.findings if "repeat" in each.message] == [
        "Rows 4 and 5 repeat the headings and are not read."
    ]
