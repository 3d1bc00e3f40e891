"""The message of rows that have none: one text with fields, on the sheet Message."""

import json

import pytest
from openpyxl import Workbook

from doubles.command import HEADINGS, csv_row
from doubles.consulted import Consulted

TEXT = [
    "Tēnā koutou,",
    None,
    "{Name} begins on {start}. Please answer by {respond by} ({reference}).",
    "Nāku noa, nā Kāpiti",
]
FILLED = (
    "Tēnā koutou,\n\nŌtāhuhu culvert 1 begins on 1 March 2030. Please answer by "
    "1 April 2030 (R-1).\nNāku noa, nā Kāpiti"
)
OWN = "Our own words: {name}."


def write_book(person, rows, *, text=TEXT, title="Message"):
    book = Workbook()
    sheet = book.active
    sheet.title = "Projects"
    sheet.append([*HEADINGS, "Message"])
    for row in rows:
        sheet.append(row)
    words = book.create_sheet(title)
    for number, each in enumerate(text, start=2):
        words.cell(row=number, column=1, value=each)
    book.save(person.folder / "monthly.xlsx")


def test_a_message_with_fields_is_shown_as_it_leaves_and_leaves_so(person):
    write_book(person, [[*csv_row(1), None], [*csv_row(2), OWN], [*csv_row(3), None]])
    planned = person.run("plan", "monthly.xlsx")
    document = person.document("plan", "monthly.xlsx")
    done = person.run("submit", "monthly.xlsx", "--yes", "3", "--no-input")
    assert done.returncode == 0, done.stdout + done.stderr

    shown = "\n".join(f"    {each}" for each in FILLED.split("\n"))
    assert f"The message of R-1, as it will leave:\n{shown}\n" in planned.stdout
    assert "    and 1 more like it\n" in planned.stdout
    assert [*document["messages"].items()] == [
        ("R-1", FILLED),
        ("R-3", FILLED.replace("culvert 1", "culvert 3").replace("R-1", "R-3")),
    ]
    note = "The row goes with the message of the sheet Message."
    assert planned.stdout.count(note) == done.stdout.count(note) == 1
    sent = {each["reference"]: each["message"] for each in messages(person)}
    assert sent == {**document["messages"], "R-2": OWN}


def messages(person):
    """Give what iwi read of each project, as the twin has it."""
    colleague = Consulted(person.twin)
    found = [
        {"reference": project["reference"], "message": colleague.message(project["id"])}
        for project in person.state()["projects"]
    ]
    colleague.close()
    return found


@pytest.mark.parametrize("command", ["check", "plan", "submit"])
def test_a_field_that_there_is_not_is_an_error_that_names_the_cell(person, command):
    write_book(person, [[*csv_row(1), None]], text=["Tēnā koe,", "{recipient}: {name}"])
    done = person.run(command, "monthly.xlsx", "--no-input")
    assert (done.returncode, person.state()["projects"]) == (5, [])
    assert "Message!A3: {recipient} is no field." in done.stderr
    assert "These are: {name}, {reference}," in " ".join(done.stderr.split())


def test_a_row_that_lacks_what_the_message_names_is_to_correct(person):
    write_book(person, [[*csv_row(1), None], [*csv_row(2), OWN]], text=["{address}"])
    checked = person.run("check", "monthly.xlsx")
    text = (person.folder / "monthly.result.json").read_text("utf-8")
    rows = [each["outcome"] for each in json.loads(text)["rows"]]
    assert (checked.returncode, rows) == (3, ["to correct", "ready"])
    said = "The sheet Message names the address, and the row has none."
    assert said in " ".join(checked.stdout.split())


def test_a_sheet_of_another_name_has_no_message(person):
    write_book(person, [[*csv_row(1), None]], title="Letters", text=["{nothing}"])
    assert person.document("plan", "monthly.xlsx")["messages"] == {}
