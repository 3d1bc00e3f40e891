"""The message of rows that have none: one text with fields, of a sheet or a file."""

import json

import pytest
from openpyxl import Workbook, load_workbook

from doubles.command import HEADINGS, csv_row
from doubles.consulted import Consulted

TEXT = [
    "Tēnā koutou,",
    None,
    "{Name} begins on {start}. Please answer by {respond by} ({reference}).",
    "Nāku noa,",
    "    nā  Kāpiti",
]
FILLED = (
    "Tēnā koutou,\n\nŌtāhuhu culvert 1 begins on 1 March 2030. Please answer by "
    "1 April 2030 (R-1).\nNāku noa,\n    nā  Kāpiti"
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


@pytest.mark.parametrize("text", ["{name", "name}"])
def test_a_brace_without_its_other_one_does_not_leave(person, text):
    write_book(person, [[*csv_row(1), None]], text=[f"Kia ora {text}"])
    done = person.run("check", "monthly.xlsx")
    assert done.returncode == 5
    assert f"Message!A2: {text.removeprefix('name')} is no field." in done.stderr


def test_a_table_on_the_sheet_is_not_taken_for_the_text(person):
    write_book(person, [[*csv_row(1), None]], text=[])
    book = load_workbook(person.folder / "monthly.xlsx")
    book["Message"].append(["Iwi", "Message"])
    book.save(person.folder / "monthly.xlsx")
    done = person.run("check", "monthly.xlsx")
    assert done.returncode == 5
    assert "Message!B1: the text stands in one column." in done.stderr


def test_a_row_that_lacks_what_the_message_names_is_to_correct(person):
    write_book(person, [[*csv_row(1), None], [*csv_row(2), OWN]], text=["{address}"])
    checked = person.run("check", "monthly.xlsx")
    text = (person.folder / "monthly.result.json").read_text("utf-8")
    rows = [each["outcome"] for each in json.loads(text)["rows"]]
    assert (checked.returncode, rows) == (3, ["to correct", "ready"])
    said = "The message of the sheet Message names the address; the row has none."
    assert said in " ".join(checked.stdout.split())


def test_a_sheet_of_another_name_has_no_message(person):
    write_book(person, [[*csv_row(1), None]], title="Letters", text=["{nothing}"])
    assert person.document("plan", "monthly.xlsx")["messages"] == {}


def as_sent(person, name="monthly.result.xlsx"):
    """Give what the result workbook says that iwi read, by the row's reference."""
    sheet = load_workbook(person.folder / name)["Projects"]
    headings, *rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    if "Message as sent" not in headings:
        return None
    reference, message = map(headings.index, ("Reference", "Message as sent"))
    return {row[reference]: row[message] for row in rows}


def test_the_result_has_each_message_that_the_row_does_not_have(person):
    write_book(person, [[*csv_row(1), None], [*csv_row(2), OWN]])
    assert person.run("check", "monthly.xlsx").returncode == 0
    assert as_sent(person) is None

    person.run("submit", "monthly.xlsx", "--yes", "2", "--no-input")
    assert as_sent(person) == {"R-1": FILLED, "R-2": None}
    assert as_sent(person)["R-1"] == messages(person)[0]["message"]
    text = (person.folder / "monthly.result.json").read_text("utf-8")
    assert [each["message_as_sent"] for each in json.loads(text)["rows"]] == [
        FILLED,
        None,
    ]


def test_the_result_has_the_message_that_left_after_the_text_was_changed(person):
    write_book(person, [[*csv_row(1), None]])
    person.run("submit", "monthly.xlsx", "--yes", "1", "--no-input")
    write_book(person, [[*csv_row(1), None]], text=["Kia ora, {name}"])
    again = person.run("submit", "monthly.xlsx", "--yes", "1", "--no-input")
    assert (as_sent(person), len(messages(person))) == ({"R-1": FILLED}, 1), again

    submitted = person.run("submit", "monthly.result.xlsx", "--no-input")
    assert "Message as sent" not in submitted.stdout + submitted.stderr
    assert as_sent(person) == {"R-1": FILLED}


def write_letter(person, data):
    (person.folder / "letter.txt").write_bytes(data)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_has_the_message_before_the_sheet(person, encoding):
    write_book(person, [[*csv_row(1), None], [*csv_row(2), OWN]], text=["Kia ora"])
    lines = ["", *(each or "" for each in TEXT), ""]
    write_letter(person, "\r\n".join(lines).encode(encoding))
    with_it = "monthly.xlsx", "--message", "letter.txt"
    planned = person.document("plan", *with_it, "-o", "plan.json")
    done = person.run("submit", "plan.json", "--yes", "2", "--no-input")
    assert (done.returncode, planned["messages"]) == (0, {"R-1": FILLED})
    assert "The row goes with the message of letter.txt." in done.stdout
    sent = {each["reference"]: each["message"] for each in messages(person)}
    assert sent == {"R-1": FILLED, "R-2": OWN}
    assert as_sent(person) == {"R-1": FILLED, "R-2": None}


def test_a_plan_is_stale_when_its_message_was_changed(person):
    for way in ((), ("--message", "letter.txt")):
        write_letter(person, b"Kia ora, {name}")
        write_book(person, [[*csv_row(1), None]])
        person.run("plan", "monthly.xlsx", *way, "-o", "plan.json")
        write_book(person, [[*csv_row(1), None]], text=["Kia ora, {reference}"])
        write_letter(person, b"Kia ora, {reference}")
        stale = person.run("submit", "plan.json", "--yes", "1", "--no-input")
        assert (stale.returncode, "The plan is stale" in stale.stderr) == (2, True)
        assert "Changed in cells, files, iwi or draft" in stale.stderr
    assert person.state()["projects"] == []


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "--message: kawe cannot read “letter.txt” as a text."),
        (b"", "--message: kawe cannot read “letter.txt” as a text."),
        ("Tēnā".encode("cp1257"), "--message: kawe cannot read “letter.txt”"),
        (b"PK\3\4\0\0", "--message: kawe cannot read “letter.txt” as a text."),
        (b"a" * 100_001, "--message: kawe cannot read “letter.txt” as a text."),
        (b"Kia ora,\n{recipient}", "letter.txt, line 2: {recipient} is no field."),
    ],
)
def test_a_file_that_is_no_message_is_refused(person, data, said):
    write_book(person, [[*csv_row(1), None]])
    if data is not None:
        write_letter(person, data)
    done = person.run("submit", "monthly.xlsx", "--message", "letter.txt", "--no-input")
    assert (done.returncode, person.state()["projects"]) == (5, [])
    assert said in " ".join(done.stderr.split())
