"""A sheet is read the way its owner meant it: said first, asked, or stopped."""

import json
from datetime import date

import openpyxl
import pytest

from doubles.command import HEADINGS, csv_row, write_csv
from doubles.terminal import Terminal
from doubles.works import (
    COLUMNS,
    HEAD,
    PLACE,
    ROWS,
    check,
    checked,
    ended,
    lay,
    messages,
    reading,
    row,
    rules,
    save,
    stopped,
)
from kawe.domain.sheet.aside import is_aside


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
    assert rules(newcomer)["columns-swapped"] == (
        "In every row the start, “Start date”, is after the end, “End date”: the two "
        "columns are swapped."
    )
    assert checked(newcomer)["counts"] == {"to correct": 3}


def test_an_end_in_place_of_the_day_to_respond_by_is_told_as_that(newcomer):
    save(newcomer, [row(n, end="2027-02-01", respond="2027-09-30") for n in (1, 2)])
    assert rules(newcomer)["columns-swapped"] == (
        "In every row the day to respond by, “Respond by”, is after the end, “End "
        "date”: the two columns are swapped."
    )


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
        "1 row gives iwi more than a year to respond, up to 1 Feb 2036. Check the year."
    ) in check(newcomer).stdout
    document = checked(newcomer)
    assert any("1 row gives iwi more than a year" in e for e in document["remarks"])


def test_headings_again_below_a_title_of_their_own_begin_another_table(newcomer):
    again = [COLUMNS, row(4), row(5)]
    save(newcomer, [*ROWS, [], ["Completed works 2025"], *again])
    assert "“Works” has 2 tables: A1 with" in stopped(newcomer)
    save(newcomer, [*ROWS, [], *again])
    assert checked(newcomer)["counts"] == {"ready": 5}


def test_a_line_that_says_send_is_a_row_also_below_a_gap(newcomer):
    rows = [[*each, "Yes"] for each in ROWS]
    late = ["R-9", "Bore", *[None] * 7, "Yes"]
    lay(newcomer, [[*COLUMNS, "Send"], *rows, [], late])
    assert ended(newcomer) == (3, {"ready": 3, "to correct": 1})


def test_a_folder_cannot_leave_out_the_column_that_says_what_is_sent(newcomer):
    lay(newcomer, [[*COLUMNS, "Go?"], *([*each, "No"] for each in ROWS)])
    beside = newcomer.folder / "kawe.toml"
    beside.write_text('[columns.projects]\n"Go?" = false\n', "utf-8")
    done = check(newcomer, "--send")
    assert (done.returncode, "“Go?” (Send?)" in done.stdout) == (5, True)
    note = "Note: The kawe.toml of this folder cannot leave “Go?” unread; you can: "
    assert note in done.stderr
    shown = newcomer.run("doctor", "--settings").stdout
    assert "[columns.projects] Go?  ignored" in shown


@pytest.mark.parametrize(
    ("table", "first"), [("A1", "PROJECTS: 3 rows"), ("A7", "PEOPLE TO INVITE: 1 row")]
)
def test_the_table_that_is_named_settles_what_its_rows_are(newcomer, table, first):
    people = [["Name", "Email", "Role"], ["Mere P", "m@x.nz", "Member"]]
    save(newcomer, [*ROWS, [], ["Staff"], *people])
    assert check(newcomer).returncode == 5
    done = check(newcomer, "--table", table)
    assert (done.returncode, done.stdout.startswith(first)) == (0, True), done.stdout


def test_what_was_said_of_the_columns_is_said_once(newcomer):
    save(newcomer, ROWS)
    said = [check(newcomer).stdout.splitlines()[1:4] for _ in range(2)]
    assert ([" ".join(line.split()) for line in said[0]], said[1][0]) == (
        [
            "Heading First values Read as How sure",
            "1 Ref R-1; R-2; R-3 Reference known name",
            "And 8 columns under their own names.",
        ],
        "Columns as last time: 9 read, 0 not. To see them: kawe columns works.xlsx",
    )


def test_a_submit_with_nothing_to_do_says_so_in_eight_lines(person):
    far = {"start": "2036-01-01", "end": "2037-01-01", "respond": "2036-02-01"}
    save(person, [row(1), row(2), row(3, **far)])
    words = ["submit", "works.xlsx", "--send", "--yes", "3", "--no-input"]
    first = person.run(*words)
    again = person.run(*words)
    assert (first.returncode, again.returncode, person.sends()) == (0, 0, 3)
    checked = person.run("check", "works.xlsx")
    is_said = ["1 row gives iwi more" in each.stdout for each in (first, checked)]
    assert is_said == [True, False]
    assert len(again.stdout.splitlines()) <= 8


def test_seven_sheets_with_nothing_to_do_are_said_in_eight_lines(person_with):
    person = person_with(tokens=9)
    more = {f"Ward_{n}": [row(n)] for n in range(2, 8)}
    save(person, [row(1)], **more)
    book = openpyxl.load_workbook(person.folder / "works.xlsx")
    for title in ("Guide to it", "Other"):
        book.create_sheet(title).append(["Words"])
    book.save(person.folder / "works.xlsx")
    words = ["submit", "works.xlsx", "--send", "--all-sheets", "--no-input"]
    first = person.run(*words, "--yes", "7")
    again = person.run(*words)
    assert (first.returncode, again.returncode, person.sends()) == (0, 0, 7)
    said = again.stdout.splitlines()
    assert said[1:] == [
        "Sheet Works (projects): 1 row, all done already.",
        *(f"Sheet Ward {n} (projects): 1 row, all done already." for n in (2, 3, 4)),
        "And 3 more sheets, all done already.",
        "Sheet Guide to it is not read: kawe found no headings in it that it knows.",
        "And 1 more sheet not read.",
    ]


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
    said = "“Archive”, “Copy of Dec” look like earlier works, a copy or a draft."
    assert said in stopped(newcomer, "--all-sheets")
    left = check(newcomer, "--all-sheets", "--skip-archives").stdout
    assert "Sheet Archive is not read: its name is that of earlier works, a" in left
    both = check(newcomer, "--all-sheets", "--include-archives").stdout
    assert "of “works.xlsx”, sheet Archive" in both
    terminal = Terminal(newcomer, "check", "works.xlsx", "--offline", "--all-sheets")
    terminal.answer("Type yes to read them too", "")
    terminal.end()
    assert "sheet Archive:" not in terminal.screen


@pytest.mark.parametrize(
    "name",
    [
        *("FY25-26", "FY2425", "FY26", "2024-25", "Dec 25", "Works 2019"),
        *("Copy of Dec", "Works (2)", "Kua oti", "Backup", "Superseded", "Draft"),
        *("Template", "Works_old", "Last year", "Cancelled works", "Archive2019"),
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
    lay(newcomer, [head, [*row(1)[:7], "m@x.nz", "Member", "Roads"]])
    assert "could be a list of" in stopped(newcomer)
    terminal = Terminal(newcomer, "check", "works.xlsx", "--offline")
    terminal.answer("What are its rows?", "1")
    terminal.answer("Enter takes this", "")
    terminal.end()
    assert "PROJECTS: 1 row of “works.xlsx”" in terminal.screen


@pytest.mark.parametrize(
    "more",
    [
        ["Start date", "End date", *PLACE],
        ["Start", "Finish", "Location"],
        ["From", "To", "Site address"],
        ["Begin", "Completion", "Suburb"],
    ],
)
def test_projects_with_somebody_s_address_and_role_are_no_list_of_people(
    newcomer, more
):
    place = {"Latitude": [-36.85, 174.76]}.get(more[2], ["12 Main St"])
    last = ["Member", "2027-03-01", "2027-09-30", *place]
    rows = [[f"Culvert {n}", f"p{n}@x.nz", *last] for n in (1, 2, 3)]
    lay(newcomer, [["Name", "Email", "Role", *more], *rows])
    assert "could be a list of" in stopped(newcomer)


@pytest.mark.parametrize(
    "more",
    [
        {"Start date": "2027-03-01", "Department": "Roads"},
        {"Phone": "021 555 111", "Organisation": "Council", "Start date": "2027-03-01"},
        {"Location": "Auckland", "Start date": "2027-03-01"},
    ],
)
def test_people_with_a_first_day_are_people(newcomer, more):
    text = f"Name,Email,Role,{','.join(more)}\nMere P,m@x.nz,Member,"
    (newcomer.folder / "works.csv").write_text(f"{text}{','.join(more.values())}\n")
    said = check(newcomer, "--no-input", name="works.csv").stdout
    assert said.startswith("PEOPLE TO INVITE: 1 row")


PEOPLE = (
    "First name,Last name,Work email,Portal access\n"
    "Mere,Tīpene,mere@x.nz,Standard\n"
    "Hēmi,Pene,hemi@x.nz,Standard\n"
    "Mere,Tīpene,MERE@x.nz,Standard\n"
)


def test_a_person_on_two_rows_is_invited_once_and_both_rows_say_so(person_with):
    person = person_with()
    (person.folder / "people.csv").write_text(PEOPLE, "utf-8")
    person.run("plan", "people.csv", "-o", "plan.json")
    told = person.run("submit", "people.csv", "--no-input").stdout
    assert "3 rows read; 1 repeat of another row; 2 people to invite." in told
    done = person.document("submit", "plan.json", "--yes", "2", "--no-input")
    assert (done["exit_code"], done["counts"]) == (0, {"invited": 3})
    assert [(e["rule"], e["message"]) for e in done["findings"]] == [
        ("row-again", "The same e-mail address as in row 2; it counts once.")
    ]
    again = person.document("submit", "people.csv", "--yes", "0", "--no-input")
    assert (again["exit_code"], again["counts"]) == (0, {"invited": 3})
    assert person.invited() == ["hemi@x.nz", "mere@x.nz"]


def test_a_person_on_two_rows_without_a_role_is_no_mistake_of_the_rows(newcomer):
    text = "\n".join(e.rpartition(",")[0] for e in PEOPLE.splitlines())
    (newcomer.folder / "people.csv").write_text(text, "utf-8")
    found = checked(newcomer, name="people.csv")["findings"]
    assert [each["rule"] for each in found] == ["heading-missing", "row-again"]


def test_a_person_on_two_rows_with_two_roles_is_refused(person_with):
    person = person_with()
    text = PEOPLE.replace("MERE@x.nz,Standard", "MERE@x.nz,Admin")
    (person.folder / "people.csv").write_text(text, "utf-8")
    words = ["submit", "people.csv", "--yes", "9", "--no-input", "--allow-owner"]
    done = person.document(*words)
    assert done["counts"] == {"invited": 1, "to correct": 2}
    said = {each["message"] for each in done["findings"]}
    again = "as well (same e-mail address), with another Portal access."
    assert said == {f"The same row stands in row {n} {again}" for n in (2, 4)}


def test_an_admin_becomes_an_owner_only_by_a_person_s_word(newcomer):
    text = PEOPLE.replace("hemi@x.nz,Standard", "hemi@x.nz,Admin")
    (newcomer.folder / "people.csv").write_text(text, "utf-8")
    found = checked(newcomer, name="people.csv")["findings"]
    assert "owner-not-allowed" in {each["rule"] for each in found}


def test_a_role_that_no_row_has_is_asked_for_once(newcomer):
    (newcomer.folder / "people.csv").write_text(PEOPLE.replace("Standard", ""), "utf-8")
    terminal = Terminal(newcomer, "check", "people.csv", "--offline")
    terminal.answer("Type a number or a word", "member")
    assert terminal.end() == 0
    assert terminal.screen.count("No row says its Role.") == 1


@pytest.mark.parametrize(
    ("column", "meant"),
    [
        (("Who", "Ngāti Whātua; Waikato-Tainui", "Te Kawerau ā Maki"), "iwi"),
        (("Group", "ngati-whatua-orakei", "Taranaki Iwi"), "iwi"),
        (("Who", "Te Atiawa", "Te Whānau-ā-Apanui"), "iwi"),
        (("Go?", 1, 0), "send"),
        (("Go?", 1, None), "send"),
        (("Go?", "x", None), "send"),
        (("Sent to iwi", "Yes", "No"), "send"),
        (("Do not send", "Y", "N"), "send"),
        (("Don't notify", "Y", "N"), "send"),
        (("Kaua e tuku", "Āe", "Kāo"), "send"),
        (("Hold, no send", "x", None), "send"),
        (("Kua tukuna", "Āe", "Kāo"), "send"),
        (("Ward", "Taranaki", "Te Atatū"), None),
        (("Lots", 1, 2), None),
        (("Lots", 1, 1), None),
    ],
)
def test_a_column_that_may_be_send_or_iwi_stops_without_a_person(
    newcomer, column, meant
):
    heading, *values = column
    rows = [[*row(n), value] for n, value in enumerate(values, 1)]
    code, columns = reading(newcomer, [*COLUMNS, heading], rows)
    how, guess, others = columns[heading]
    may_be = [*others] if guess is None else [guess]
    assert (code, may_be) == ((0, []) if meant is None else (5, [meant]))
    # What says that something was done already is never guessed to ask for it.
    assert how == ("guess" if meant == "iwi" else "unread")


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("Works begin", "Works complete"),
        ("Construction begins", "Construction completes"),
        ("Mobilise", "Demobilise"),
    ],
)
def test_dates_under_plain_headings_are_swapped_by_nobody(newcomer, first, last):
    head = [*HEAD[:4], first, last, HEAD[6], *PLACE]
    turned = [row(n, start="2027-09-30", end="2027-03-01") for n in (1, 2)]
    meant = {first: ("guess", "start_date", []), last: ("guess", "end_date", [])}
    assert reading(newcomer, head, ROWS) == (5, meant)
    assert reading(newcomer, head, turned) == (5, meant)
    terminal = Terminal(newcomer, "check", "works.xlsx", "--offline")
    terminal.answer("Type yes if all is as it", "yes")
    assert terminal.end() == 3
    assert "the two columns are swapped" in " ".join(terminal.screen.split())


def test_the_number_of_a_stage_is_no_year(newcomer):
    turned = [*HEAD[:4], "Stage 11 start", "Stage 10 start", *HEAD[5:], *PLACE]
    rows = [[*e[:5], date(2026, 3, n), *e[5:]] for n, e in enumerate(ROWS, 1)]
    _, columns = reading(newcomer, turned, rows)
    assert columns["Stage 10 start"][:2] == ("guess", "start_date")


@pytest.mark.parametrize(
    "both",
    ["Start 25/26|Start 26/27", "Start (2026)|Start (2027)", "FY26 start|FY27 start"],
)
def test_which_year_is_meant_is_said_by_a_person(newcomer, both):
    earlier, later = both.split("|")
    turned = [*HEAD[:4], later, earlier, *HEAD[5:], *PLACE]
    rows = [[*e[:5], date(2026, 3, n), *e[5:]] for n, e in enumerate(ROWS, 1)]
    unread = "unread", None
    meant = {later: (*unread, ["start_date"]), earlier: (*unread, [])}
    assert reading(newcomer, turned, rows) == (5, meant)
    assert "heading-missing" not in rules(newcomer)


def test_a_day_of_the_past_is_no_day_to_respond_by(newcomer):
    head = [*HEAD[:6], "Let us know by", *PLACE, "Received"]
    assert reading(newcomer, head, [[*row(n), "2026-01-09"] for n in (1, 2)]) == (
        5,
        {
            "Let us know by": ("guess", "respond_by_date", []),
            "Received": ("unread", None, []),
        },
    )


@pytest.mark.parametrize("shape", ["Point", "POINT (174.7 -36.8)", None])
def test_a_pair_of_degrees_is_read_beside_a_shape(newcomer, shape):
    rows = [[shape, *row(n)] for n in (1, 2)]
    code, columns = reading(newcomer, ["Shape", *HEAD, *PLACE], rows)
    assert (code, columns) == (0, {"Shape": ("unread", None, [])} if shape else {})


@pytest.mark.parametrize(
    "heading", ["PROJ_ID", "ID", "Unique ID", "Asset ID", "Tau", "WO", "Folio"]
)
@pytest.mark.parametrize("value", ["A-{}", "{}", "2026{:05}"])
def test_numbers_that_tell_rows_apart_may_be_the_reference(newcomer, heading, value):
    rows = [[value.format(n), *row(n)[1:]] for n in (1, 2, 3)]
    meant = {heading: ("guess", "reference", [])}
    assert reading(newcomer, [heading, *HEAD[1:], *PLACE], rows) == (5, meant)


@pytest.mark.parametrize(
    "heads",
    [("Doc 1", "Doc 2", "Files"), ("Iwi", "2", None)],
)
def test_a_second_column_is_not_left_out_without_a_word(newcomer, heads):
    first, second, what = heads
    cells = ["a.pdf", "b.pdf"] if what == "Files" else ["Ngāti Toa", "Taranaki Iwi"]
    reading(newcomer, [*COLUMNS, first, second], [[*row(1), *cells]])
    said = f"“{second}” is not read: “{first}” is taken for the whole {what}."
    assert messages(newcomer, "heading-part") == ([said] if what else [])


@pytest.mark.parametrize(("last", "said"), [("4/9/2027", [True]), ("14/9/2027", [])])
def test_dates_of_which_none_says_its_order_are_warned_of(newcomer, last, said):
    save(newcomer, [row(1, start="3/1/2027", end=last, respond="2/1/2027")])
    told = messages(newcomer, "dates-either")
    assert ["“3/1/2027” is taken for 3 Jan 2027" in each for each in told] == said


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        (["6/25/2027", "7/28/2027"], "EG"),
        (["28/6/2027", "25/7/2027"], "EG"),
        (["28/6/2027", "5/7/2027"], ""),
    ],
    ids=["month first in a day-first Excel", "the other way", "typed so"],
)
def test_dates_that_excel_turned_are_told_by_those_that_it_left(newcomer, ends, said):
    respond = date(2027, 2, 3)
    rows = [
        row(n, start=date(2027, 3 + n, 3), end=end, respond=respond)
        for n, end in enumerate(ends, 1)
    ]
    save(newcomer, rows)
    found = checked(newcomer)["findings"]
    told = {each["where"][6] for each in found if each["rule"] == "date-turned"}
    assert told == {*said}


def test_who_iwi_are_reached_by_is_not_whom_iwi_can_talk_to(newcomer):
    head = [*COLUMNS, "Iwi contact", "Iwi phone", "Our planner", "Planner email"]
    cells = ["Hēmi Paki", "021 999 1234", "M Potae", "m.potae@council.example"]
    _, meant = reading(newcomer, head, [[*row(n), *cells] for n in (1, 2)])
    assert {heading: field for heading, (_, field, _) in meant.items()} == {
        "Iwi contact": None,
        "Iwi phone": None,
        "Our planner": "contact_name",
        "Planner email": "contact_email",
    }


def test_what_rows_share_is_not_the_name_where_another_column_differs(newcomer):
    head = ["Ref", "Area", "Work", *HEAD[2:], *PLACE]
    rows = [[*row(n)[:1], "North", *row(n)[1:]] for n in (1, 2, 3)]
    code, meant = reading(newcomer, head, rows)
    assert (code, meant["Area"], meant["Work"][:2]) == (
        5,
        ("unread", None, []),
        ("guess", "name"),
    )


@pytest.mark.parametrize("heads", [("Files", "Files 2"), ("Plans 1", "Plans 2")])
def test_columns_of_a_list_that_are_counted_are_one_list(newcomer, heads):
    rows = [[*row(1), "a.pdf", "b.pdf"], [*row(2), None, "c.pdf"]]
    assert reading(newcomer, [*COLUMNS, *heads], rows) == (3, {})
    missing = messages(newcomer, "file-missing")
    assert [e.split("“")[1][:5] for e in missing] == ["a.pdf", "b.pdf", "c.pdf"]
    newcomer.run("template", "projects", "--from", "works.xlsx", "-o", "next.xlsx")
    sheet = openpyxl.load_workbook(newcomer.folder / "next.xlsx")["Projects"]
    (carried,) = (each for each in sheet.columns if each[0].value == "Files")
    assert [each.value for each in carried[1:3]] == ["a.pdf; b.pdf", "c.pdf"]


@pytest.mark.parametrize(
    ("units", "cells"),
    [
        (("deg", "min"), (-36, 51.3, 174, 45.6)),
        (("degrees", "minutes", "seconds"), (-36, 51, 18, 174, 45, 36)),
    ],
)
def test_degrees_and_minutes_in_columns_are_one_place(newcomer, units, cells):
    place = [f"{axis} {unit}" for axis in ("Lat", "Long") for unit in units]
    assert reading(newcomer, [*HEAD, *place], [[*row(1)[:7], *cells]]) == (0, {})
    newcomer.run("check", "works.xlsx", "--offline", "--geojson", "map.geojson")
    drawn = json.loads((newcomer.folder / "map.geojson").read_text("utf-8"))
    there = pytest.approx([174.76, -36.855])
    assert drawn["features"][0]["geometry"]["coordinates"] == there


def test_degrees_without_minutes_are_asked_about(newcomer):
    rows = [[*row(1)[:7], -36.8512, 174.7612]]
    meant = {
        "Lat deg": ("guess", "latitude", []),
        "Long deg": ("guess", "longitude", []),
    }
    assert reading(newcomer, [*HEAD, "Lat deg", "Long deg"], rows) == (5, meant)


@pytest.mark.parametrize("values", [("7", "7", "8"), ("7", None, "8")])
def test_numbers_that_tell_no_rows_apart_are_no_reference(newcomer, values):
    rows = [[value, *row(n)[1:]] for n, value in enumerate(values, 1)]
    meant = {"Asset ID": ("unread", None, [])}
    assert reading(newcomer, ["Asset ID", *HEAD[1:], *PLACE], rows) == (0, meant)


@pytest.mark.parametrize(
    ("values", "said"),
    [(("Consulted", "Not yet", "N/A"), "with “Consulted”"), (("Yes", "No"), "Send?")],
)
def test_iwi_over_other_words_is_said_once_with_the_first(newcomer, values, said):
    rows = [[*row(n), value] for n, value in enumerate(values, 1)]
    reading(newcomer, [*COLUMNS, "Iwi"], rows)
    found = checked(newcomer)["findings"]
    words = (
        f"kawe is not sure what “Iwi” ({said}) is. It decides what reaches people, so "
        "nothing goes on before a person has said it."
    )
    assert [e["message"] for e in found if e["severity"] == "error"] == [words]


IWI, SEND = ("unread", None, ["iwi"]), ("unread", None, ["send"])
ADDRESS = ("unread", None, ["address"])
FILES = ("guess", "files", [])


@pytest.mark.parametrize(
    ("column", "meant"),
    [
        # A list of iwi without the name of one, also of yes and no.
        (["Mana whenua", "Y", "N"], ("guess", "send", [])),
        *(
            ([heading, *values], IWI)
            for heading in ("Mana whenua", "Iwi")
            for values in (
                ("Consulted", "Not yet", "Complete"),
                ("Pending", "N/A", "Yes"),
                ("12/3/2026", "14/3/2026", "1/4/2026"),
                ("Letter sent 3/2", "To do", "Kua tukuna"),
            )
        ),
        # Names with a few other words are iwi.
        (["Mana whenua", "Ngāti Toa", "N/A", "Te Ākitai Waiohua"], None),
        (["Iwi", "Ngāti Toa", "N/A", "Te Ākitai Waiohua"], None),
        (["Iwi", "Patuharakeke", "N/A", "Te Parawhau"], None),
        # What iwi cannot read.
        (["Cover letter", "one.pdf", "letter 2.pdf"], FILES),
        (["Cover letter", "Yes", "No"], SEND),
        (["Message", "Yes", "No"], SEND),
        (["Message", "3/10/2026", "4/10/2026"], ("unread", None, ["message"])),
        (["Letter to iwi", "Sent 3/10", "Not yet"], IWI),
        (["Site", "12", "14"], ADDRESS),
        (["Site", "-36.85, 174.76", "-36.9, 174.8"], ADDRESS),
        # A message may have addresses, and some may be lacking.
        (["Cover letter", "Write to mere@x.nz or see www.x.govt.nz"], None),
        (["Cover letter", "Kia ora koutou, tell us of this place.", None], None),
    ],
)
def test_what_reaches_iwi_is_asked_about_unless_its_cells_are_that(
    newcomer, column, meant
):
    heading, *values = column
    rows = [[*row(n), value] for n, value in enumerate(values, 1)]
    found = (5, {heading: meant}) if meant else (0, {})
    assert reading(newcomer, [*COLUMNS, heading], rows) == found


@pytest.mark.parametrize("values", [("R-1", None), ("7", "7"), ("No 1", "No 2")])
def test_a_reference_is_read_whatever_stands_in_its_column(newcomer, values):
    rows = [[value, *row(n)[1:]] for n, value in enumerate(values, 1)]
    code, columns = reading(newcomer, ["Ref no", *HEAD[1:], *PLACE], rows)
    assert (code in {0, 3}, columns) == (True, {})


def test_notes_of_the_office_are_left_out_without_a_question(newcomer):
    rows = [[*row(1), "Call Mere first", "?"], [*row(2), "Ask again", "None"]]
    code, columns = reading(newcomer, [*COLUMNS, "Notes", "Comments"], rows)
    unread = ("unread", None, [])
    assert (code, columns) == (0, {"Notes": unread, "Comments": unread})


@pytest.mark.parametrize("at", [1, 2])
def test_numbers_and_files_are_no_name_and_no_description(newcomer, at):
    head, heading = [*COLUMNS], {1: "Project", 2: "Details"}[at]
    head[at] = heading
    rows = [row(n) for n in (1, 2)]
    for n, each in enumerate(rows):
        each[at] = {1: 101 + n, 2: f"plan{n}.pdf"}[at]
    field = {1: ("unread", None, ["name"]), 2: ("guess", "files", [])}[at]
    assert reading(newcomer, head, rows) == (5, {heading: field})


TWO = "1748735, 5427916", "E1748745 N5427926"
LINKS = [f"https://maps.google.com/?q=-41.2{n},174.77" for n in (1, 2)]


@pytest.mark.parametrize(
    ("column", "meant"),
    [
        (("NZTM (E, N)", *TWO), ("name", "easting", [])),
        (("Easting/Northing", *TWO), ("name", "easting", [])),
        (("Location (NZTM)", *TWO), ("guess", "easting", ["northing"])),
        (("Where it is", *TWO), ("guess", "easting", ["northing"])),
        (("Map link", *LINKS), ("guess", "latitude", ["longitude"])),
        (("GPS location", "-41.21, 174.77", "41.2S 174.7E"), ("name", "latitude", [])),
    ],
)
def test_both_numbers_of_a_place_in_one_cell_are_read_or_asked_about(
    newcomer, column, meant
):
    heading, *values = column
    rows = [[*row(n)[:7], value] for n, value in enumerate(values, 1)]
    code, columns = reading(newcomer, [*HEAD, heading], rows)
    is_known = meant[0] == "name"
    assert (code, columns) == ((0, {}) if is_known else (5, {heading: meant}))


@pytest.mark.parametrize(
    ("column", "meant"),
    [
        (["Legal description", "Lot 1 DP 123", "Lot 2 DP 123"], ("unread", "address")),
        (["Harvest method", "Cable, hauler", "Ground based"], ("unread", None)),
        (["Consultation from", "2026-12-01", "2026-12-02"], ("unread", None)),
        (["PRJ_MGR", "Mere Pene", "Ana Tau"], ("guess", "contact_name")),
        (["Ph", "021 555 123", "021 555 124"], ("name", "contact_phone")),
    ],
)
def test_what_an_office_calls_its_columns_is_no_guess_of_another(
    newcomer, column, meant
):
    heading, *values = column
    rows = [[*row(n)[2:], value] for n, value in enumerate(values, 1)]
    contact = ["a@x.nz"]
    _, columns = reading(
        newcomer, [*HEAD[2:], *PLACE, heading, "Email"], [[*e, *contact] for e in rows]
    )
    how, field, others = columns.get(heading, ("name", meant[1], []))
    assert (how, field or next(iter(others), None)) == meant


def test_a_role_of_jobs_is_what_people_do_and_the_role_in_the_team_is_missing(newcomer):
    head, people = ["Name", "Email", "Role"], [("Mere", "Planner"), ("Ana", "Engineer")]
    rows = [[f"{name} Pene", f"{name}@x.nz", job] for name, job in people]
    assert reading(newcomer, head, rows) == (3, {"Role": ("guess", "org_role", [])})
    found = checked(newcomer)["findings"]
    assert [each["message"] for each in found] == [
        "The sheet has no column “Role”. “Role” in row 1 has something else below it."
    ]
    misspelt = [[*rows[0][:2], "Membr"], rows[1]]
    assert reading(newcomer, head, misspelt) == (3, {})


def test_how_somebody_is_addressed_is_no_role(newcomer):
    who = ("Ms", "Mere"), ("Mr", "Hēmi"), ("Dr", "Ana")
    rows = [[*each, "Pene", f"{each[1][0]}@x.nz", "Member"] for each in who]
    lay(newcomer, [["Title", "First name", "Surname", "Email", "Role"], *rows])
    assert checked(newcomer)["reading"]["columns"][0]["field"] is None


def test_a_day_before_the_known_start_is_no_end(newcomer):
    head = [*COLUMNS]
    head[5:7] = "Due", "Iwi to reply"
    _, columns = reading(newcomer, head, [row(n) for n in (1, 2)])
    assert columns["Iwi to reply"][:2] == ("unread", None)


@pytest.mark.parametrize(
    ("head", "of_each"),
    [
        (["Name", "Email", "Role"], ["Member"]),
        (["Name", "Email", "Position", "Phone", "Department"], ["Planner", "1", "R"]),
        (["Name", "Email", "Title", "Site", "Mobile"], ["Planner", "Depot", "1"]),
    ],
)
def test_a_list_of_staff_with_their_days_is_a_list_of_people(newcomer, head, of_each):
    names = ("Mere Pene", "Hēmi Rua", "Ana Toa", "Jo Smith")
    who = ("mere.pene", "hrua", "ana", "info")
    lines = [
        f"{name},{one}@x.nz,{','.join(of_each)}"
        for name, one in zip(names, who, strict=True)
    ]
    days = "2024-03-01,2027-03-01"
    text = "\n".join(f"{each},{days}" for each in lines)
    (newcomer.folder / "works.csv").write_text(
        f"{','.join(head)},Start date,End date\n{text}\n", "utf-8"
    )
    said = check(newcomer, "--no-input", "--role", "member", name="works.csv").stdout
    assert said.startswith("PEOPLE TO INVITE: 4 rows")


def test_rows_whose_addresses_name_others_may_be_projects_and_are_asked_about(newcomer):
    lines = [f"Culvert {n},p{n}@x.nz,Member,2027-03-01,2027-03-01" for n in range(4)]
    text = "\n".join(["Name,Email,Role,Start date,End date", *lines])
    (newcomer.folder / "works.csv").write_text(text, "utf-8")
    assert "could be a list of" in stopped(newcomer, name="works.csv")


@pytest.mark.parametrize(
    ("head", "person"),
    [
        (["Name", "Email", "Role"], ["Mere P", "m@x.nz", "Planner"]),
        (["Name", "Organisation", "Email"], ["Mere P", "Council", "m@x.nz"]),
        (["Contact", "Phone", "Email"], ["Mere P", "021 555 0101", "m@x.nz"]),
    ],
)
def test_contacts_below_projects_are_named_and_no_list(newcomer, head, person):
    save(newcomer, [*ROWS, [], ["Contacts"], head, person])
    done = check(newcomer, "--no-input")
    assert (done.returncode, done.stdout.splitlines()[0][:16]) == (
        0,
        "PROJECTS: 3 rows",
    )
    named = ", ".join(f"“{each}”" for each in head)
    said = f"Not read: the table at A7 with row 8 ({named})."
    assert (rules(newcomer)["table-not-read"], said in done.stdout) == (said, True)


def save_below(person, *above):
    """Write lines above the table of projects."""
    lay(person, [*above, [], COLUMNS, *ROWS])


def test_contacts_above_projects_are_named_and_no_list(newcomer):
    contacts = [["Contacts"], ["Name", "Email", "Phone"], ["Mere P", "m@x.nz", "021"]]
    save_below(newcomer, *contacts, [], ["Programme"])
    done = check(newcomer, "--no-input")
    said = "Not read: the table at A2 with row 3 (“Name”, “Email”, “Phone”)."
    assert (done.returncode, done.stdout.count(said)) == (0, 1)
    assert done.stdout.startswith("PROJECTS: 3 rows")


def test_a_shorter_table_of_projects_above_is_asked_about(newcomer):
    slip = ["U1", "Slip at Mill Road", "2030-03-04", "2030-05-04"]
    save_below(newcomer, ["Reference", "Name", "Start date", "End date"], slip)
    assert "has 2 tables: A4" in stopped(newcomer)
    upper = check(newcomer, "--no-input", "--table", "A1")
    assert upper.stdout.startswith("PROJECTS: 1 row")


@pytest.mark.parametrize(
    "above",
    [
        [["Name", "Works of 2030"], ["Contact", "m@x.nz"], ["Email"]],
        [["Project", "Roads", "Contact", "Mere P"], ["Start", "2030", "End", "2031"]],
    ],
)
def test_what_is_said_above_the_headings_is_no_table(newcomer, above):
    save_below(newcomer, *above)
    assert check(newcomer, "--no-input").returncode == 0
    assert "table-not-read" not in rules(newcomer)


def test_contacts_below_projects_with_days_that_are_guessed_are_no_list(newcomer):
    head = [*HEAD[:4], "Works begin", "Works end", *HEAD[6:], *PLACE]
    contacts = [["Contact", "Role", "Email"], ["Mere P", "Planner", "m@x.nz"]]
    lay(newcomer, [head, *ROWS, [], *contacts])
    assert check(newcomer, "--no-input").stdout.startswith("PROJECTS: 3 rows")


STRANGE = [["Foo", "Bar", "Baz", "Qux"], *([n, "K", 3.5 * n, "zz"] for n in range(4))]


def test_a_sheet_without_a_known_heading_is_asked_about_like_any_other(newcomer):
    lay(newcomer, STRANGE)
    said = "Row 1 looks like headings: “Foo”, “Bar”, “Baz”, “Qux”."
    assert said in stopped(newcomer)
    terminal = Terminal(newcomer, "columns", "works.xlsx")
    terminal.answer("What are its rows?", "2")
    terminal.answer("Enter takes this; or type", "")
    assert terminal.end() == 0
    terminal = Terminal(newcomer, "check", "works.xlsx", "--offline")
    terminal.answer("What are its rows?", "1")
    terminal.answer("Enter takes this; or type", "2 Name")
    terminal.answer("Enter keeps this; or type", "")
    terminal.end()
    assert "  2  Bar                 K                   Name" in terminal.screen
    assert terminal.screen.count("How sure") == 2


_OFF = (
    "Applicant withdrew 3/11; Go/No go|No go; Approved by manager|N; Withdrawn; On "
    "hold (s92); On hold: no funds; withdrawn by applicant, 3 May; Cancelled 3 May; "
    "Withdrawn?|Y; Date cancelled|3/05/2026; Already sent?|x; Status|Cancelled; "
    "State|Deferred; Iwi progress|Emailed 3 May; Iwi notified|4/03/2026; Don’t send "
    "yet; Hold for the hui; Done|4/03/2026; Status|Declined; Kua tukuna|Āe; Ready|Not "
    "yet; OK to send|No; Deferred to 27/28; WO_STATUS|COMP; Status|s92 on hold; "
    "Status|No longer required; Tūnga|Kua oti; Kua whakakorea; OK to send|Pending"
)
_ON = (
    "Ford~Shall this be sent to iwi?|Yes; Ford~Withdrawn?|No; Ford~Skip iwi|x; "
    "Ford~Phase|Withdrawn; Ford~Stage|Withdrawn; Duplicate 3 culverts~n/a; Left-bank "
    "stopbank~Left; Cancelled Creek bridge~Not cancelled"
)


@pytest.mark.parametrize(
    ("said", "cell"),
    [
        *((("Ford", each), "K2") for each in _OFF.split("; ")),
        *((each.split("~"), "") for each in _ON.split("; ")),
    ],
)
def test_a_row_that_says_it_is_off_does_not_go_on(newcomer, said, cell):
    head, _, state = said[1].rpartition("|")
    row = [*csv_row(1, Name=said[0]), state]
    headings = [*HEADINGS, head or "State"]
    write_csv(newcomer.folder / "list.csv", [row], headings=headings)
    found = checked(newcomer, name="list.csv")["findings"]
    where = [(e["where"], e["severity"]) for e in found if e["rule"] == "row-off"]
    assert where == [(f"list!{cell}", "error")] * bool(cell)


def test_a_name_says_that_a_row_is_off_or_a_test(newcomer):
    off = "DRAFT Ford|[DRAFT] Ford|Ford TEST|Ford (draft)|test 1|Example|Test: x"
    off += "|CANCELLED – ford at a road|(Duplicate) Ford|CANCELLED Ford|Ford (on hold)"
    on = "Test pits|Soil – testing|Draft District Plan 4|Plan – draft for consultation"
    names = f"{off}|{on}|Ford at Mill Road - CANCELLED".split("|")
    save(newcomer, [[f"R-{n}", e, *row(n)[2:]] for n, e in enumerate(names)])
    rows = [e["rows"] for e in checked(newcomer)["findings"] if e["rule"] == "row-off"]
    assert rows == [[*range(2, 13), 17]]


def test_rows_below_a_title_that_says_they_are_off_do_not_go_on(newcomer):
    titles = [["Works completed"], row(2), ["Old Mill Road"], row(3)]
    lay(newcomer, [COLUMNS, ["North"], row(1), *titles])
    assert ended(newcomer) == (3, {"ready": 2, "to correct": 1})
    assert rules(newcomer)["row-off"] == "Row 4 above it says “Works completed”."


def test_applicants_with_proposals_are_not_taken_for_people_to_invite(newcomer):
    rows = ["Application,Name,Email,Lodged,Proposal,Location"]
    rows += [f"RC-{n},P{n} Q,p{n}@x.nz,2026-10-01,A ford,Levin" for n in (1, 2)]
    (newcomer.folder / "list.csv").write_text("\n".join(rows), "utf-8")
    assert "could be a list of" in stopped(newcomer, name="list.csv")
    for kind in ("projects", "invitations"):
        assert checked(newcomer, "--kind", kind, name="list.csv")["kind"] == kind


def test_a_table_with_its_headings_below_each_other_is_told_to_be_turned(newcomer):
    lay(newcomer, [*zip(HEADINGS, csv_row(1), csv_row(2), strict=True)])
    assert "Transpose" in stopped(newcomer)


@pytest.mark.parametrize(
    "column",
    ["Status,Left,Active", "AccountEnabled,FALSE,TRUE", "Last working day,3/05/2026,"],
)
def test_a_person_who_left_has_a_warning(newcomer, column):
    text = "First name,Surname,Email,Role,{}\n"
    text += "P,Left,p@x.nz,Member,{}\nR,Left,r@x.nz,Member,{}"
    (newcomer.folder / "list.csv").write_text(text.format(*column.split(",")), "utf-8")
    found = checked(newcomer, name="list.csv")["findings"]
    assert [(e["where"], e["rule"]) for e in found] == [("list!E2", "row-off")]


def test_a_text_that_may_be_two_days_is_shown_with_the_day_that_it_is_read_as(newcomer):
    save(newcomer, [row(1, start="3/4/2027", respond="12 Feb 2027")])
    columns = checked(newcomer)["reading"]["columns"]
    shown = {each["heading"]: each["values"] for each in columns}
    assert [shown[each] for each in HEAD[4:]] == [
        ["3/4/2027 (3 Apr 2027)"],
        ["2027-09-30"],
        ["12 Feb 2027"],
    ]


def test_a_place_that_cannot_be_read_is_not_said_to_be_empty_as_well(newcomer):
    save(newcomer, [[*row(1)[:7], "#REF!", 174.76]])
    found = checked(newcomer)["findings"]
    errors = [each["rule"] for each in found if each["severity"] == "error"]
    assert errors == ["cell-error"]


def test_what_casts_doubt_on_a_row_is_shown_above_the_question(person_with):
    person = person_with(tokens=1)
    rows = [[*csv_row(1, **{"Start date": "3/4/2030"}), "Y"]]
    write_csv(person.folder / "list.csv", rows, headings=[*HEADINGS, "Withdrawn?"])
    meant = "list.csv", "--accept", "off"
    assert person.run("plan", "list.csv").returncode == 3
    said = person.run("plan", *meant).stdout
    assert ("is taken for 3 Apr 2030" in said, "says that it is off" in said) == (
        True,
        True,
    )
    assert "1 row has a warning: 1 called off." in said
    person.run("submit", *meant, "--yes", "1")
    # What was sent before is done, whatever it says now.
    assert person.document("check", "list.csv")["counts"] == {"sent": 1}


def test_dates_of_a_column_that_is_not_read_say_which_order_the_sheet_has(newcomer):
    days = {"start": "3/2/2027", "end": "7/3/2027", "respond": "1/2/2027"}

    def found(created):
        rows = [[*HEAD, *PLACE, "Created"], [*row(1, **days), created]]
        text = "\n".join(",".join(map(str, each)) for each in rows)
        (newcomer.folder / "works.csv").write_text(text, "utf-8")
        document = newcomer.document("check", "works.csv", "--offline")
        return {e["rule"] for e in document["findings"] if e["rule"][:4] == "date"}

    assert found("11/20/2026 9:05:12 PM") == {"date-ambiguous"}
    assert found("20/11/2026 9:05") == set()
    assert found("3/11/2026") == {"dates-either"}


def test_who_answered_a_form_is_neither_a_project_nor_its_contact(newcomer):
    form = ["Id", "Start time", "Completion time", "Email", "Name"]
    head = [*form, "Name of the project", *HEAD[2:], *PLACE]
    rows = [[n, "x", "y", "m@x.nz", "Mere P", *row(n)[1:]] for n in (1, 2)]
    _, columns = reading(newcomer, head, rows)
    assert [columns.get(each) for each in form[1:]] == [("unread", None, [])] * 4
    assert columns["Name of the project"][:2] == ("guess", "name")
    rows = [["11/1/2026 9:12:01", "m@x.nz", *row(n)[1:]] for n in (1, 2)]
    _, columns = reading(newcomer, ["Timestamp", "Email Address", *COLUMNS[1:]], rows)
    assert columns["Email Address"] == ("unread", None, [])


def test_dates_with_the_month_first_are_taken_by_one_word(newcomer):
    days = ("3/13/2027", "9/1/2027", "2/3/2027")
    rows = [row(n, start=s, end="9/30/2027", respond=s) for n, s in enumerate(days)]
    save(newcomer, [*rows, row(9, start=date(2027, 3, 5), respond="2/3/2027")])
    found = checked(newcomer, "--accept", "months-first")["findings"]
    said = [(e["rule"], e["severity"], e["message"]) for e in found]
    read = "“2/3/2027” is read as 3 Feb 2027: its month is first."
    assert ("date-month-first", "warning", read) in said
    # Excel may have turned what it took for a date.
    assert [e[0] for e in said if e[1] == "error"] == ["date-turned"]


@pytest.mark.parametrize("mark", ["x", "●", "Yes"])
def test_marks_below_names_of_iwi_or_months_are_not_dropped(newcomer, mark):
    head = [*COLUMNS, "Ngāti Tauira ki te Raki", "Ngāi Tahu"]
    code, columns = reading(newcomer, head, [[*e, mark, mark] for e in ROWS])
    assert (code, [e[2][0] for e in columns.values()]) == (5, ["iwi", "iwi"])
    found = checked(newcomer)["findings"]
    advice = next(e["advice"] for e in found if e["rule"] == "columns-open")
    assert advice.startswith("Marks below names of iwi or months are not read: ")


def test_the_day_that_iwi_are_given_goes_before_a_due_date_of_the_works(newcomer):
    head = [*HEAD[:5], "Due date", "Iwi response due", *PLACE]
    _, columns = reading(newcomer, head, ROWS)
    assert columns == {"Due date": ("guess", "end_date", [])}


def test_metres_along_a_road_are_not_taken_for_days(newcomer):
    head = [*HEAD[:4], "Start (m)", "End (m)", *HEAD[6:], *PLACE]
    rows = [[*each[:4], 46_200, 46_250, *each[6:]] for each in ROWS]
    code, columns = reading(newcomer, head, rows)
    assert (code, [*columns]) == (5, ["Start (m)", "End (m)"])


def test_degrees_of_the_old_datum_are_not_taken_for_those_of_today(newcomer):
    head = [*HEAD, "Latitude (NZGD49)", "Longitude (NZGD49)"]
    _, columns = reading(newcomer, head, ROWS)
    assert columns == dict.fromkeys(head[-2:], ("unread", None, []))


@pytest.mark.parametrize("text", ["-", "Ditto", "as above", '"'])
def test_what_stands_for_no_text_is_not_sent_as_one(newcomer, text):
    write_csv(newcomer.folder / "list.csv", [csv_row(1, Description=text)])
    found = newcomer.document("check", "list.csv", "--offline")["findings"]
    assert [(e["rule"], e["message"]) for e in found] == [
        ("text-none", f"“{text}” is no description.")
    ]
