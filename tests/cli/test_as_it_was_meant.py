"""A sheet is read the way its owner meant it: said first, asked, or stopped."""

from __future__ import annotations

from datetime import date

import openpyxl
import pytest

from doubles.terminal import Terminal
from kawe.cases.sheets import is_aside

HEAD = ["Ref", "Name", "Description", "Type", "Start date", "End date", "Respond by"]
PLACE = ["Latitude", "Longitude"]


def row(n, *, start="2027-03-01", end="2027-09-30", respond="2027-02-01"):
    what = [f"R-{n}", f"Culvert {n}", "A culvert is replaced.", "Earthworks"]
    return [*what, start, end, respond, -36.85, f"174.76{n:02}"]


ROWS = [row(1), row(2), row(3)]


def save(person, rows, *, name="works.xlsx", **sheets):
    book = openpyxl.Workbook()
    page = book.active
    page.title = "Works"
    for each in [[*HEAD, *PLACE], *rows]:
        page.append(each)
    for title, more in sheets.items():
        other = book.create_sheet(title.replace("_", " ").strip())
        for each in [[*HEAD, *PLACE], *more]:
            other.append(each)
    book.save(person.folder / name)


def check(person, *words, name="works.xlsx"):
    return person.run("check", name, "--offline", *words)


def rules(person, *words):
    found = person.document("check", "works.xlsx", "--offline", *words)["findings"]
    return {each["rule"]: each["message"] for each in found}


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Name,Email,Role\nMere P,m@x.nz,Member\n", "PEOPLE TO INVITE: 1 row of"),
        (f"{','.join(HEAD)}\n{','.join(map(str, row(1)[:7]))}\n", "PROJECTS: 1 row of"),
    ],
)
def test_the_first_line_says_what_the_rows_are(newcomer, text, first):
    (newcomer.folder / "list.csv").write_text(text, "utf-8")
    said = newcomer.run("check", "list.csv", "--offline").stdout.splitlines()
    assert said[0] == f"{first} “list.csv”, sheet list"


def test_a_start_after_the_end_in_every_row_stops_the_sheet(newcomer):
    turned = [row(n, start="2027-09-30", end="2027-03-01") for n in (1, 2)]
    save(newcomer, [*turned, row(3, start="2027-03-01", end="2027-03-01")])
    assert check(newcomer).returncode == 3
    found = rules(newcomer)
    assert found["columns-swapped"] == (
        "In every row the start, “Start date”, is after the end, “End date”: the two "
        "columns are swapped."
    )
    document = newcomer.document("check", "works.xlsx", "--offline")
    assert document["counts"] == {"to correct": 3}


def test_a_start_after_the_end_in_one_row_is_a_warning_of_that_row(newcomer):
    save(newcomer, [*ROWS, row(4, start="2027-09-30", end="2027-03-01")])
    assert check(newcomer).returncode == 0
    found = rules(newcomer)
    assert ("start-after-end" in found, "columns-swapped" in found) == (True, False)


def test_a_day_to_respond_by_more_than_a_year_away_is_said_as_such(newcomer):
    save(newcomer, [row(1), row(2, end="2038-01-01", respond="2037-02-02")])
    assert "is more than a year away" in rules(newcomer)["respond-by-far-away"]
    far = {"start": "2036-01-01", "end": "2037-01-01", "respond": "2036-02-01"}
    save(newcomer, [row(1), row(2, **far)])
    assert (
        "1 row gives iwi more than a year to respond, at the latest until 1 Feb 2036. "
        "Check the year."
    ) in check(newcomer).stdout
    document = newcomer.document("check", "works.xlsx", "--offline")
    assert any("1 row gives iwi more than a year" in e for e in document["remarks"])


NOTES = [
    [],
    ["Notes"],
    ["1. Dates are indicative."],
    [],
    ["Prepared by", "A. Officer"],
]


def test_notes_below_the_table_are_no_rows_and_are_named_in_one_line(newcomer):
    save(newcomer, [*ROWS, *NOTES])
    document = newcomer.document("check", "works.xlsx", "--offline")
    assert (document["exit_code"], document["counts"]) == (0, {"ready": 3})
    assert rules(newcomer)["lines-left-out"] == (
        "Rows 6–7, 9 look like notes and are not read."
    )


def left_out(person):
    """The counts, and each line that is no row, with how much that weighs."""
    document = person.document("check", "works.xlsx", "--offline")
    said = [
        (each["severity"], each["message"].removesuffix(" not read."))
        for each in document["findings"]
        if each["rule"] == "lines-left-out"
    ]
    return document["exit_code"], document["counts"], said


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


@pytest.mark.parametrize("rows", [ROWS, ROWS[:1]])
@pytest.mark.parametrize("gap", [[[]], []])
def test_notes_may_be_more_than_the_rows(newcomer, rows, gap):
    more = ["Notes", "1. Dates are indicative.", "2. Times are NZST."]
    more += ["(a) at night", "* subject to funding", "Prepared by J. Smith"]
    save(newcomer, [*rows, *gap, *([each] for each in more)])
    code, counts, said = left_out(newcomer)
    assert (code, counts) == (0, {"ready": len(rows)})
    first = len(rows) + len(gap) + 2
    assert said == [
        ("note", f"Rows {first}–{first + 5} look like notes and are"),
    ]


def test_a_legend_longer_than_the_table_is_no_row(newcomer):
    types = [["EW", "Earthworks"], ["LUC", "Land use consent"], ["TC", "Tree consent"]]
    save(newcomer, [*ROWS, [], ["Key"], *types, ["WT", "Water take consent"]])
    assert left_out(newcomer) == (
        0,
        {"ready": 3},
        [("note", "Rows 6–10 look like notes and are")],
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
    assert left_out(newcomer) == (
        0,
        {"ready": 3},
        [("note", "Row 5 looks like a note and is")],
    )


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
    assert (code, counts, said) == (
        3,
        {"ready": 3 + len(after), "to correct": 1},
        [],
    )


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
    assert left_out(newcomer) == (
        0,
        {"ready": 3},
        [("note", "Row 2 looks like a note and is")],
    )


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
        # A line that marks headings alone is read as their second line.
        assert (code, counts) == (0, {"ready": 3})
        assert bool(said) is (hints is not REQUIRED or bool(above))
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


def test_headings_again_below_a_title_of_their_own_begin_another_table(newcomer):
    again = [[*HEAD, *PLACE], row(4), row(5)]
    save(newcomer, [*ROWS, [], ["Completed works 2025"], *again])
    done = check(newcomer)
    assert (done.returncode, "“Works” has 2 tables: A1 with" in done.stderr) == (
        5,
        True,
    )
    save(newcomer, [*ROWS, [], *again])
    assert newcomer.document("check", "works.xlsx", "--offline")["counts"] == {
        "ready": 5
    }


def test_a_line_that_says_send_is_a_row_also_below_a_gap(newcomer):
    rows = [[*each, "Yes"] for each in ROWS]
    late = ["R-9", "Bore", *[None] * 7, "Yes"]
    book = openpyxl.Workbook()
    for each in [[*HEAD, *PLACE, "Send"], *rows, [], late]:
        book.active.append(each)
    book.save(newcomer.folder / "works.xlsx")
    document = newcomer.document("check", "works.xlsx", "--offline")
    assert (document["exit_code"], document["counts"]) == (
        3,
        {"ready": 3, "to correct": 1},
    )


def test_a_folder_cannot_leave_out_the_column_that_says_what_is_sent(newcomer):
    book = openpyxl.Workbook()
    for each in [[*HEAD, *PLACE, "Go?"], *([*each, "No"] for each in ROWS)]:
        book.active.append(each)
    book.save(newcomer.folder / "works.xlsx")
    beside = newcomer.folder / "kawe.toml"
    beside.write_text('[columns.projects]\n"Go?" = false\n', "utf-8")
    done = check(newcomer, "--send")
    assert (done.returncode, "“Go?” (Send?)" in done.stdout) == (5, True)


def test_another_table_below_is_named_and_not_read(newcomer):
    save(
        newcomer,
        [*ROWS, [], [], ["Year", "Budget", "Spent"], [2026, 5, 4], [2027, 6, None]],
    )
    document = newcomer.document("check", "works.xlsx", "--offline")
    assert (document["exit_code"], document["counts"]) == (0, {"ready": 3})
    assert rules(newcomer)["lines-left-out"] == (
        "Rows 7–9 look like another table and are not read."
    )


def test_a_list_of_something_else_below_is_not_read(newcomer):
    contacts = ["Name", "Email", "Role", "Department"]
    save(newcomer, [*ROWS, [], contacts, ["Mere P", "m@x.nz", "Member", "Roads"]])
    document = newcomer.document(
        "check", "works.xlsx", "--offline", "--kind", "projects"
    )
    assert (document["exit_code"], document["counts"]) == (0, {"ready": 3})
    assert (
        "Rows 6–7 look like another table"
        in rules(newcomer, "--kind", "projects")["lines-left-out"]
    )


def test_what_was_said_of_the_columns_is_said_once(newcomer):
    save(newcomer, ROWS)
    said = [check(newcomer).stdout.splitlines()[1] for _ in range(2)]
    assert said == [
        "Read as: 8 columns under their own names; “Ref” → Reference.",
        "Columns as last time: 9 read, 0 not. To see them: kawe columns works.xlsx",
    ]


def test_a_submit_with_nothing_to_do_says_so_in_eight_lines(person_with):
    person = person_with(tokens=9)
    save(person, ROWS)
    words = ["submit", "works.xlsx", "--send", "--yes", "3", "--no-input"]
    first = person.run(*words)
    again = person.run(*words)
    assert (first.returncode, again.returncode, person.sends()) == (0, 0, 3)
    assert len(again.stdout.splitlines()) <= 8


def test_the_question_stands_with_what_it_means_on_one_screen(person_with):
    person = person_with(tokens=90)
    warned = [row(n, start="2027-09-30", end="2027-03-01") for n in range(60, 64)]
    save(person, [*[row(n) for n in range(45)][:-4], *warned])
    terminal = Terminal(person, "submit", "works.xlsx", "--send")
    terminal.wait_for("anything else to stop")
    said = terminal.screen[terminal.screen.index("PROJECTS:") :]
    assert len(said.split("Type 45")[0].splitlines()) <= 25
    assert terminal.screen.count("LIVE") == 1
    terminal.type("no\n")
    terminal.end()


def test_sheets_of_the_past_are_asked_about_or_stop(newcomer):
    save(newcomer, ROWS, Archive=[row(8)], Copy_of_Dec=[row(9)])
    stopped = check(newcomer, "--all-sheets", "--no-input")
    assert stopped.returncode == 5
    assert (
        "“Archive”, “Copy of Dec” look like earlier works, a copy or a draft."
        in stopped.stderr
    )
    left = check(newcomer, "--all-sheets", "--skip-archives").stdout
    assert "Sheet Archive is not read: its name is that of earlier works, a" in left
    both = check(newcomer, "--all-sheets", "--include-archives").stdout
    assert "Checked works.xlsx, sheet Archive:" in both
    terminal = Terminal(newcomer, "check", "works.xlsx", "--offline", "--all-sheets")
    terminal.answer("Type yes to read them too", "")
    terminal.end()
    assert "sheet Archive:" not in terminal.screen


@pytest.mark.parametrize(
    "name",
    [
        *(
            "FY25-26",
            "FY2425",
            "FY26",
            "2024-25",
            "Dec 25",
            "Works 2019",
            "Archive2019",
        ),
        *("Copy of Dec", "Works (2)", "Kua oti", "Backup", "Superseded", "Draft"),
        *("Template", "Works_old", "Last year", "Cancelled works"),
    ],
)
def test_the_name_of_a_sheet_says_that_it_is_over_a_copy_or_a_draft(name):
    assert is_aside(name, today=date(2026, 11, 28))


@pytest.mark.parametrize(
    "name",
    [
        *("FY26-27", "FY2627", "FY27", "2026-27", "2026", "2027", "Dec 26", "Works"),
        *("LTP 2024-34", "Zone 11-12", "Stage 1-2", "Golden Bay", "Otira", "Roti"),
    ],
)
def test_other_names_of_sheets_say_nothing(name):
    assert not is_aside(name, today=date(2026, 11, 28))


def test_a_council_s_year_is_over_at_the_end_of_june():
    days = date(2026, 6, 30), date(2026, 7, 1)
    assert [is_aside("FY25-26", today=day) for day in days] == [False, True]


def test_a_sheet_that_may_be_of_two_kinds_is_asked_about_first(newcomer):
    head = [*HEAD, "Email", "Role", "Department"]
    book = openpyxl.Workbook()
    book.active.append(head)
    book.active.append([*row(1)[:7], "m@x.nz", "Member", "Roads"])
    book.save(newcomer.folder / "works.xlsx")
    stopped = check(newcomer, "--no-input")
    assert (stopped.returncode, "could be a list of" in stopped.stderr) == (5, True)
    terminal = Terminal(newcomer, "check", "works.xlsx", "--offline")
    terminal.answer("What are its rows?", "1")
    terminal.answer("Enter takes this", "")
    terminal.end()
    assert "PROJECTS: 1 row of “works.xlsx”" in terminal.screen


PEOPLE = (
    "First name,Last name,Work email,Portal access\n"
    "Mere,Tīpene,mere@x.nz,Standard\n"
    "Hēmi,Pene,hemi@x.nz,Standard\n"
    "Mere,Tīpene,MERE@x.nz,Standard\n"
)


def test_a_person_on_two_rows_is_invited_once_and_both_rows_say_so(person_with):
    person = person_with()
    (person.folder / "people.csv").write_text(PEOPLE, "utf-8")
    done = person.document("submit", "people.csv", "--yes", "2", "--no-input")
    assert (done["exit_code"], done["counts"]) == (0, {"invited": 3})
    assert [(e["rule"], e["message"]) for e in done["findings"]] == [
        ("row-again", "The same e-mail address as in row 2; it counts once.")
    ]
    again = person.document("submit", "people.csv", "--yes", "0", "--no-input")
    assert (again["exit_code"], again["counts"]) == (0, {"invited": 3})
    invited = [each["email"] for each in person.state()["invitations"]]
    assert sorted(invited) == ["hemi@x.nz", "mere@x.nz"]


def test_a_person_on_two_rows_with_two_roles_is_refused(person_with):
    person = person_with()
    text = PEOPLE.replace("MERE@x.nz,Standard", "MERE@x.nz,Admin")
    (person.folder / "people.csv").write_text(text, "utf-8")
    words = ["submit", "people.csv", "--yes", "9", "--no-input", "--allow-owner"]
    done = person.document(*words)
    assert done["counts"] == {"invited": 1, "to correct": 2}


def test_an_admin_becomes_an_owner_only_by_a_person_s_word(newcomer):
    text = PEOPLE.replace("hemi@x.nz,Standard", "hemi@x.nz,Admin")
    (newcomer.folder / "people.csv").write_text(text, "utf-8")
    found = newcomer.document("check", "people.csv", "--offline")["findings"]
    assert "owner-not-allowed" in {each["rule"] for each in found}


def test_a_role_that_no_row_has_is_asked_for_once(newcomer):
    text = PEOPLE.replace("Standard", "")
    (newcomer.folder / "people.csv").write_text(text, "utf-8")
    terminal = Terminal(newcomer, "check", "people.csv", "--offline")
    terminal.answer("Type a number or a word", "member")
    assert terminal.end() == 0
    assert terminal.screen.count("No row says its Role.") == 1
