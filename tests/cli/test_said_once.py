"""What many rows have is said once, wherever kawe says it."""

import csv
import json

import openpyxl
import pytest

from doubles.command import HEADINGS, csv_row, write_csv
from doubles.terminal import Terminal
from kawe.domain.text.shell import quoted

DATES = ("Start date", "End date", "Respond by")
AGREED = ("--yes", "500", "--no-input", "-q")


def _without(path, rows, *left_out):
    kept = [at for at, heading in enumerate(HEADINGS) if heading not in left_out]
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = [HEADINGS, *rows]
        csv.writer(file).writerows([line[at] for at in kept] for line in lines)


def _people(path, rows, *, headings):
    lines = [headings, *([f"Mere {n}", f"m{n}@example.org"] for n in range(rows))]
    path.write_text("".join(f"{','.join(line)}\n" for line in lines), "utf-8")


def _problems(path):
    return [
        {"cell": line[1].value, "rows": line[2].value, "heading": line[3].value}
        for line in openpyxl.load_workbook(path)["Problems"].iter_rows(min_row=2)
    ]


def _rows_of(document):
    return {
        each["heading"]: each["rows"]
        for each in document["findings"]
        if each["rule"] == "heading-missing"
    }


@pytest.mark.parametrize(
    "command", [("check",), ("check", "--offline"), ("submit", *AGREED)]
)
def test_a_missing_column_is_one_finding_whatever_the_rows(person, command):
    _without(person.folder / "m.csv", [csv_row(n) for n in range(450)], *DATES)
    words = (command[0], "m.csv", *command[1:])
    done, document = person.run(*words), person.document(*words)
    written = json.loads((person.folder / "m.result.json").read_text("utf-8"))
    every = {each: list(range(2, 452)) for each in DATES}
    assert (
        done.returncode,
        [line.split(": ")[0] for line in done.stdout.splitlines() if "[error]" in line],
        [each["rule"] for row in document["rows"] for each in row["findings"]],
        _rows_of(document),
        _rows_of(written),
        [each["heading"] for each in _problems(person.folder / "m.result.xlsx")],
        len(done.stdout) < 2_000,
    ) == (
        3,
        [f"m!1 [error] {each} (rows 2 to 451, 450 in all)" for each in DATES],
        ["place-on-many-rows"],
        every,
        every,
        [*DATES, "Latitude"],
        True,
    )


def test_a_plan_says_a_missing_column_once(person):
    _without(person.folder / "m.csv", [csv_row(n) for n in range(45)], *DATES)
    assert person.stdout_of("plan", "m.csv", code=3).count("[error]") == 3


@pytest.mark.parametrize("more", [(), ("--offline",)])
def test_a_missing_column_of_people_is_one_finding(person, more):
    _people(person.folder / "p.csv", 40, headings=["Name", "Email"])
    done = person.run("check", "p.csv", *more)
    assert (
        done.returncode,
        [line.split(": ")[0] for line in done.stdout.splitlines() if "[error]" in line],
    ) == (3, ["p!1 [error] Role (rows 2 to 41, 40 in all)"])


def test_an_empty_cell_of_a_column_that_is_there_is_still_named(person):
    rows = [csv_row(n, Name="" if n in {1, 3} else f"Culvert {n}") for n in range(5)]
    _without(person.folder / "m.csv", rows)
    assert "m!B3 [error] Name (rows 3 and 5): Name is missing." in (
        person.run("check", "m.csv").stdout
    )


def test_one_sentence_of_many_rows_has_a_link_and_marks_every_cell(person):
    rows = [csv_row(n, **{"Start date": "soon"}) for n in (1, 2, 3, 5, 8)]
    write_csv(person.folder / "m.csv", rows)
    done = person.run("check", "m.csv", "--offline")
    book = openpyxl.load_workbook(person.folder / "m.result.xlsx")
    fills = {book["m"][f"E{row}"].fill.fgColor.rgb for row in range(2, 7)}
    summary = [cell for line in book["Summary"].iter_rows() for cell in line]
    plain = book["m"]["D2"].fill.fgColor.rgb
    assert (
        done.stdout.count("[error]"),
        _problems(person.folder / "m.result.xlsx")[0],
        book["Problems"]["B2"].hyperlink.location,
        len(fills),
        fills == {plain},
        any("1 problem to correct" in f"{cell.value}" for cell in summary),
    ) == (
        1,
        {"cell": "E2", "rows": "2 to 6, 5 in all", "heading": "Start date"},
        "'m'!E2",
        1,
        False,
        True,
    )


def test_a_sent_row_stays_sent_when_its_sheet_loses_a_column(person):
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2)])
    person.run("submit", "m.csv", *AGREED)
    _without(person.folder / "m.csv", [csv_row(1), csv_row(2), csv_row(3)], *DATES)
    document = person.document("submit", "m.csv", *AGREED)
    assert (document["counts"], person.sends()) == ({"sent": 2, "to correct": 1}, 2)


def _attached(person, folder, names):
    (person.folder / folder).mkdir()
    for name in names:
        (person.folder / folder / name).write_bytes(b"%PDF-1.4\n")
    headings = [*HEADINGS, "Files"]
    with (person.folder / "m.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [[*csv_row(n), name] for n, name in enumerate(names)]
        csv.writer(file).writerows([headings, *rows])


@pytest.mark.parametrize("more", [(), ("--offline",)])
def test_files_that_all_lie_in_one_folder_are_one_line_with_the_option(person, more):
    _attached(person, "site docs", [f"plan {n}.pdf" for n in range(25)])
    done = person.run("check", "m.csv", *more)
    right = person.run("check", "m.csv", "--files", "site docs", *more)
    errors = [line for line in done.stdout.splitlines() if "[error]" in line]
    words = "All 25 files that are missing lie in site docs. Add --files "
    assert ([line.partition("): ")[2] for line in errors], right.returncode) == (
        [f"{words}{quoted('site docs')} to the command."],
        0,
    )


def test_a_terminal_shows_colour_and_words_whole_and_who_wants_none_gets_none(person):
    rows = [csv_row(n, **{"Start date": "soon"}) for n in range(3)]
    write_csv(person.folder / "m.csv", rows)
    shown = []
    for more in ((), ("--no-color",)):
        terminal = Terminal(person, "check", "m.csv", "--offline", *more)
        terminal.end()
        shown.append(terminal.screen)
    assert (
        ["\x1b[31m\x1b[1m[error]\x1b[0m" in each for each in shown],
        "\x1b" in shown[1],
        "\x1b" in person.run("check", "m.csv", "--offline").stdout,
        max(len(line) for line in shown[1].splitlines()) <= 80,
    ) == ([True, False], False, False, True)
