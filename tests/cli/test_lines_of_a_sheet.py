"""Lines of a sheet that are no rows, and lines that may be projects and are rows."""

import openpyxl
import pytest

from doubles.works import (
    COLUMNS,
    ROWS,
    checked,
    ended,
    lay,
    messages,
    row,
    rules,
    save,
    stopped,
)

NOTES = [[], ["Notes"], ["1. Dates are indicative."], [], ["Prepared by", "A. Officer"]]


def test_notes_below_the_table_are_no_rows_and_are_named_in_one_line(newcomer):
    save(newcomer, [*ROWS, *NOTES])
    assert left_out(newcomer) == fine(3, "Rows 6, 7 and 9 look like notes and are")


def left_out(person):
    """The counts, and each line that is no row, with how much that weighs."""
    document = checked(person)
    said = [
        (each["severity"], each["message"].removesuffix(" not read."))
        for each in document["findings"]
        if each["rule"] == "lines-left-out"
    ]
    return document["exit_code"], document["counts"], said


def fine(rows, line, *, weight="note"):
    """What a check says where all rows are ready, and such lines are none."""
    return 0, {"ready": rows}, [(weight, line)]


def test_a_row_below_a_note_is_a_row_and_a_title_has_a_warning(newcomer):
    save(newcomer, [*ROWS, [], ["North of the river"], row(4), ["R-5"]])
    assert left_out(newcomer) == (
        3,
        {"ready": 4, "to correct": 1},
        [("warning", "Row 6 has too few cells for a row and is")],
    )


@pytest.mark.parametrize(
    "late",
    [
        ["R-4", "Late culvert"],
        ["R-4"],
        ["r 4", "Late culvert"],
        ["R-B04", "Late bridge"],
        ["R-4", "Late culvert", None, None, "TBC"],
        ["TBC", "Late culvert"],
        [None, "Late culvert", "A culvert is replaced."],
        [None, "Late culvert", None, "Earthworks"],
        [None, "Late culvert", None, None, "2027-03-01"],
    ],
)
@pytest.mark.parametrize("above", [[[]], [[], []], [[], ["Notes"], ["1. Dates"], []]])
def test_a_line_below_a_gap_that_may_be_a_project_is_refused_and_not_left_out(
    newcomer, late, above
):
    save(newcomer, [*ROWS, *above, late])
    code, counts, _ = left_out(newcomer)
    assert (code, counts) == (3, {"ready": 3, "to correct": 1})


def test_a_line_that_says_that_rows_are_off_has_a_warning_of_its_own(newcomer):
    off = [["Cancelled"], row(4), [], ["Notes"], ["Rows in red are on hold."]]
    save(newcomer, [*ROWS, *off, ["Completed works are on another sheet."]])
    left = "Row 9 says “Rows in red are on hold.”. kawe still reads the other rows."
    few = "Row 5 has too few cells for a row and is"
    notes = ("note", "Rows 8 and 10 look like notes and are")
    counts = {"ready": 3, "to correct": 1}
    warned = [("warning", few), ("warning", left)]
    assert left_out(newcomer) == (3, counts, [*warned, notes])


@pytest.mark.parametrize("name", ["Total North", "Subtotal roads"])
def test_a_total_of_any_name_is_one_beside_figures_alone(newcomer, name):
    save(newcomer, [*ROWS, [name, 3], row(4), [name, None, 4]])
    assert left_out(newcomer) == fine(4, "Rows 5 and 7 are total lines and are")


@pytest.mark.parametrize("name", ["Total Reserve", None])
@pytest.mark.parametrize("gap", [[[]], []])
def test_a_latitude_is_no_sum(newcomer, name, gap):
    save(newcomer, [*ROWS, *gap, [None, name, *[None] * 5, -36.85]])
    assert left_out(newcomer) == (3, {"ready": 3, "to correct": 1}, [])


def test_headings_again_below_the_number_of_a_page_go_on_with_the_table(newcomer):
    save(newcomer, [*ROWS, ["Page 1 of 2"], COLUMNS, row(4), ["Page 2 of 2"]])
    assert left_out(newcomer) == (
        0,
        {"ready": 4},
        [
            ("note", "Rows 5 and 8 look like notes and are"),
            ("note", "Row 6 repeats the headings and is"),
        ],
    )


def test_a_key_beside_the_table_may_be_longer_than_it(newcomer):
    key = [["EW", "Earthworks"], ["LUC", "Land use"], ["TC", "Tree"], ["WT", "Water"]]
    beside = [["Key", "Meaning"], *key]
    lines = zip([COLUMNS, *ROWS, [None] * 9], beside, strict=True)
    lay(newcomer, [[*left, None, *right] for left, right in lines])
    assert left_out(newcomer) == fine(
        3, "Row 5 has too few cells for a row and is", weight="warning"
    )


def test_a_sheet_with_hints_alone_has_no_rows(newcomer):
    save(newcomer, [["text", None, None, "list", "d/m/y"]])
    assert "no-rows" in rules(newcomer)


@pytest.mark.parametrize("word", ["Example", "EXAMPLE ROW:", "e.g. R-1"])
def test_an_example_below_the_headings_is_not_sent(newcomer, word):
    save(newcomer, [[word, *row(9)[1:]], *ROWS, ["R-7", "Example Road", *row(7)[2:]]])
    assert left_out(newcomer) == fine(4, "Row 2 says what to fill in and is")


def test_two_lines_with_a_name_and_a_place_alone_are_no_other_table(newcomer):
    late = [[None, f"Late {n}", *[None] * 5, "-36.85", "174.7"] for n in (1, 2)]
    save(newcomer, [*ROWS, [], *late])
    assert left_out(newcomer) == (3, {"ready": 3, "to correct": 2}, [])


@pytest.mark.parametrize("rows", [ROWS, ROWS[:1]])
@pytest.mark.parametrize("gap", [[[]], []])
def test_notes_may_be_more_than_the_rows(newcomer, rows, gap):
    more = ["Notes", "1. Dates are indicative.", "2. Times are NZST."]
    more += ["(a) at night", "* subject to funding", "Prepared by J. Smith"]
    save(newcomer, [*rows, *gap, *([each] for each in more)])
    first = len(rows) + len(gap) + 2
    said = f"Rows {first} to {first + 5}, 6 in all look like notes and are"
    assert left_out(newcomer) == fine(len(rows), said)


def test_a_legend_longer_than_the_table_is_no_row(newcomer):
    types = [["EW", "Earthworks"], ["LUC", "Land use consent"], ["TC", "Tree consent"]]
    save(newcomer, [*ROWS, [], ["Key"], *types, ["WT", "Water take consent"]])
    assert left_out(newcomer) == fine(
        3, "Rows 6 to 10, 5 in all look like notes and are"
    )


@pytest.mark.parametrize("column", [0, 1])
@pytest.mark.parametrize(
    "text",
    [
        "Prepared by J. Smith, June 2026",
        "* dates to be confirmed",
        "Note: all dates are indicative",
        "Source: asset register, 12 May 2026",
        "All works subject to funding approval.",
        "Dates in italics are provisional",
        "Last updated 3 June 2026",
        "Page 1 of 2",
        "© Council 2026",
    ],
)
def test_a_note_right_below_the_last_row_is_no_row(newcomer, text, column):
    save(newcomer, [*ROWS, [*[None] * column, text]])
    assert left_out(newcomer) == fine(3, "Row 5 looks like a note and is")


@pytest.mark.parametrize(
    "name",
    [
        "Notes Creek bridge",
        "Prepared ground at Kaiti",
        "Source of the Waikato",
        "Key Street",
        "Page Street culvert",
        "Last Chance Creek",
        "2 Main Street",
    ],
)
@pytest.mark.parametrize("after", [[], [row(9)]])
def test_a_name_alone_among_the_rows_is_a_row_whatever_it_begins_with(
    newcomer, name, after
):
    save(newcomer, [*ROWS, [None, name], *after])
    code, counts, said = left_out(newcomer)
    assert (code, counts, said) == (3, {"ready": 3 + len(after), "to correct": 1}, [])


def test_a_mark_that_every_name_has_makes_no_note(newcomer):
    starred = [[each[0], f"* {each[1]}", *each[2:]] for each in ROWS]
    save(newcomer, [*starred, [None, "* Bore"]])
    assert left_out(newcomer) == (3, {"ready": 3, "to correct": 1}, [])


def test_a_merged_line_among_the_rows_is_a_title(newcomer):
    save(newcomer, [["North"], *ROWS])
    path = newcomer.folder / "works.xlsx"
    book = openpyxl.load_workbook(path)
    book.active.merge_cells("A2:I2")
    book.save(path)
    assert left_out(newcomer) == fine(3, "Row 2 looks like a note and is")


REQUIRED = ["(optional)", *["(required)"] * 5, "(optional)", "(required)", "(required)"]


@pytest.mark.parametrize(
    "hints",
    [
        ["text", None, None, "choose from list", "dd/mm/yyyy", "dd/mm/yyyy"],
        ["Ref no.", "As iwi see it", "What happens", "See list", "dd/mm/yyyy"],
        [None, "text", "text", None, "date", "date", "date", "decimal", "decimal"],
        [*[None] * 4, "d/m/y", "d/m/y", "d/m/y", "deg", "deg"],
        ["text", "text", "text", "list", "date", "date", "date", "number", "number"],
        REQUIRED,
        [*[None] * 7, "m", "m"],
        [*[None] * 7, "NZTM"],
        ["e.g. R-1", "e.g. Main St", None, "e.g. Earthworks", "e.g. 1/3/2027"],
    ],
)
def test_units_below_the_headings_are_no_row(newcomer, hints):
    for above in ([], [REQUIRED]):
        save(newcomer, [*above, hints, *ROWS])
        code, counts, said = left_out(newcomer)
        assert (code, counts) == (0, {"ready": 3})
        assert said
        assert all(each == "note" and "to fill in" in why for each, why in said)


@pytest.mark.parametrize(
    ("cells", "count"),
    [
        (["R-9", "Text", "Optional", *row(9)[3:]], {"ready": 4}),
        (["R-9", "Text"], {"ready": 3, "to correct": 1}),
        ([*row(9)[:6], "dd/mm/yyyy", "-36.85", "174.77"], None),
    ],
)
def test_a_row_that_has_a_word_of_the_hints_is_a_row(newcomer, cells, count):
    save(newcomer, [cells, *ROWS])
    _, counts, said = left_out(newcomer)
    assert (counts, said) == (count or {"ready": 3, "to correct": 1}, [])


def test_another_table_below_is_named_and_not_read(newcomer):
    save(
        newcomer,
        [*ROWS, [], [], ["Year", "Budget", "Spent"], [2026, 5, 4], [2027, 6, None]],
    )
    assert ended(newcomer) == (0, {"ready": 3})
    said = "Rows 7 to 9 look like another table and are not read."
    assert rules(newcomer)["lines-left-out"] == said


def test_a_list_of_something_else_below_is_not_read(newcomer):
    contacts = ["Name", "Email", "Role", "Department"]
    save(newcomer, [*ROWS, [], contacts, ["Mere P", "m@x.nz", "Member", "Roads"]])
    assert ended(newcomer, "--kind", "projects") == (0, {"ready": 3})
    said = rules(newcomer, "--kind", "projects")["table-not-read"]
    assert said.startswith("Not read: the table at A6 with row 7")


@pytest.mark.parametrize(
    "signed",
    [
        ["Prepared by", "J Smith", "12/3/2026"],
        ["Approved by:", "A Boss", None, None, "2026-03-12"],
        ["Prepared by", "J Smith", "Date", "12/3/2026", "2026-03-12"],
    ],
)
@pytest.mark.parametrize("gap", [[[]], []])
def test_a_line_that_is_signed_is_no_row_however_many_cells_it_has(
    newcomer, signed, gap
):
    save(newcomer, [*ROWS, *gap, signed])
    said = f"Row {5 + len(gap)} looks like a note and is"
    assert left_out(newcomer) == fine(3, said)


def test_names_of_groups_in_the_column_of_names_are_no_rows(newcomer):
    north, south = [None, "Kaiti"], [None, "Uawa"]
    save(newcomer, [north, *ROWS, south, row(4)])
    few = [("warning", "Rows 2 and 6 have too few cells for rows and are")]
    assert left_out(newcomer) == (0, {"ready": 4}, few)
    save(newcomer, [["North Rd"], *ROWS, ["South Rd"], row(4), *NOTES])
    notes = [("note", "Rows 9, 10 and 12 look like notes and are")]
    assert left_out(newcomer) == (0, {"ready": 4}, [*few, *notes])
    save(newcomer, [*ROWS, [None, "Southern Ward"], row(4)])
    few = [("warning", "Row 5 has too few cells for a row and is")]
    assert left_out(newcomer) == (0, {"ready": 4}, few)


@pytest.mark.parametrize("gap", [[[]], []])
@pytest.mark.parametrize("at", [0, 1])
def test_blocks_with_a_title_and_the_same_headings_are_one_table(newcomer, gap, at):
    north, south = ([*[None] * at, each] for each in ("North", "South of the river"))
    again = COLUMNS
    save(newcomer, [*ROWS, *gap, north, again, row(4), *gap, south, again, row(5)])
    first = 5 + len(gap)
    last = first + 3 + len(gap)
    assert left_out(newcomer) == (
        0,
        {"ready": 5},
        [
            ("note", f"Rows {first} and {last} are titles and are"),
            ("note", f"Rows {first + 1} and {last + 1} repeat the headings and are"),
        ],
    )


@pytest.mark.parametrize("title", ["Completed works", "Works 2025", "FY25-26"])
def test_a_block_of_works_that_are_over_is_another_table(newcomer, title):
    save(newcomer, [*ROWS, [], [title], COLUMNS, row(4)])
    assert "has 2 tables" in stopped(newcomer)


def test_the_name_of_a_team_above_its_people_is_no_person(newcomer):
    people = ["Hana Ngata,1,hana@x.nz", "Mere Pere,2,mere@x.nz", "Roading team,,"]
    text = "\n".join(["Name,Ext,Email", *people, "Tom,3,t@x.nz"])
    (newcomer.folder / "people.csv").write_text(text, "utf-8")
    document = checked(newcomer, "--role", "member", name="people.csv")
    assert document["counts"] == {"ready": 3}
    left = messages(newcomer, "lines-left-out", "people.csv")
    assert left == ["Row 4 has too few cells for a row and is not read."]
