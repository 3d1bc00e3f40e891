"""What a command says of options, results and runs is true, and nothing is lost."""

import json
import time

import pytest

from doubles.command import HEADINGS, csv_row, write_csv
from doubles.switchboard import Switchboard
from doubles.typed_commands import start_command
from unit.workbook.books import book

YES = ("--yes", "9", "--no-input", "--settle", "1")
STAFF = "Name,Email,Role\nMere Pene,mere@example.org,Member\n"


def notes(done):
    return [line for line in done.stderr.splitlines() if line.startswith("Note: ")]


def of_sheet(person, name):
    document = json.loads((person.folder / name).read_text("utf-8"))
    return document["workbook"], document["sheet"]


@pytest.mark.parametrize("command", ["check", "plan", "submit"])
@pytest.mark.parametrize("words", [(), ("--json",), ("--all-sheets",)])
def test_send_for_a_sheet_of_people_is_said_to_change_nothing(person, command, words):
    (person.folder / "staff.csv").write_text(STAFF, "utf-8")
    yes = ("--yes", "1") if command == "submit" else ()
    done = person.run(command, "staff.csv", "--send", "--no-input", *words, *yes)
    assert (done.returncode, notes(done)) == (
        0,
        ["Note: --send changes nothing for a sheet of invitations."],
    )


def test_a_role_for_a_sheet_of_projects_is_said_to_change_nothing(person):
    write_csv(person.folder / "m.csv", [csv_row(1)])
    done = person.run("check", "m.csv", "--role", "member", "--send")
    assert notes(done) == ["Note: --role changes nothing for a sheet of projects."]


def test_an_option_for_one_of_several_sheets_needs_no_word(person):
    staff = [line.split(",") for line in STAFF.splitlines()]
    roads = [list(row) for row in (HEADINGS, csv_row(1))]
    (person.folder / "all.xlsx").write_bytes(book({"Roads": roads, "Staff": staff}))
    words = ("--all-sheets", "--send", "--role", "member")
    assert notes(person.run("check", "all.xlsx", *words)) == []


def test_a_result_of_another_sheet_stays_and_the_new_one_goes_beside_it(person):
    roads, rail = ([list(HEADINGS), csv_row(number)] for number in (1, 2))
    (person.folder / "w.xlsx").write_bytes(book({"Roads": roads, "Rail": rail}))
    for sheet in ("Roads", "Rail", "Roads", "Rail"):
        person.run("check", "w.xlsx", "--sheet", sheet, "--result", "r.xlsx")
    written = sorted(each.name for each in person.folder.glob("r*.json"))
    assert [(name, of_sheet(person, name)) for name in written] == [
        ("r (2).json", ("w.xlsx", "Rail")),
        ("r.json", ("w.xlsx", "Roads")),
    ]


def test_a_csv_and_a_workbook_of_one_name_do_not_share_a_result(person):
    write_csv(person.folder / "m.csv", [csv_row(1)])
    (person.folder / "m.xlsx").write_bytes(book({"m": [list(HEADINGS), csv_row(2)]}))
    for name in ("m.csv", "m.xlsx", "m.csv", "m.xlsx"):
        person.run("check", name)
    written = sorted(each.name for each in person.folder.glob("m.result*.json"))
    assert [(name, of_sheet(person, name)[0]) for name in written] == [
        ("m.result (2).json", "m.xlsx"),
        ("m.result.json", "m.csv"),
    ]


def test_a_run_whose_sends_were_all_refused_used_no_token(person_with):
    person = person_with(tokens=9, faults=True)
    board = Switchboard(person.twin.address)
    board.set("server_error", "project_send", status_code=503, when="before")
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2)])
    done = person.run("submit", "m.csv", *YES)
    (run,) = person.document("status")["runs"]
    said = person.run("status").stdout.splitlines()[2].split("; ")[:2]
    assert (done.returncode, run["counts"], run["tokens"], "; ".join(said)) == (
        4,
        {"held": 2},
        0,
        "    2 rows: 2 held; no token",
    )


def test_attempts_that_ended_alike_are_one_line_and_many_held_rows_fit_on_a_screen(
    person_with,
):
    person = person_with(tokens=90, faults=True)
    board = Switchboard(person.twin.address)
    board.set("server_error", "project_send", status_code=503, when="before")
    rows = [csv_row(n, Latitude=f"-36.85{n:02}") for n in range(1, 31)]
    write_csv(person.folder / "m.csv", rows)
    person.run("submit", "m.csv", "--yes", "30", *YES[2:])
    short = person.run("waiting").stdout.splitlines()
    every = person.run("waiting", "--verbose").stdout.splitlines()
    assert len(short) < 60
    tried = [line for line in every if line.endswith("(3 times)")]
    assert (len(tried), sum(" of batch m" in line for line in every)) == (30, 30)


def test_a_report_after_a_purge_does_not_say_that_the_workbook_is_gone(person):
    write_csv(person.folder / "m.csv", [csv_row(1)])
    person.run("submit", "m.csv", *YES)
    person.run("journal", "purge", "--older-than", "0")
    told = person.run("status", "--write", "m").stdout
    assert ("no longer where" in told, "kawe journal purge" in told) == (False, True)


def test_a_plan_that_sends_nothing_is_said_loudly_when_it_is_carried_out(person_with):
    person = person_with(tokens=0)
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2)])
    person.run("plan", "m.csv", "-o", "p.json")
    told = person.run("submit", "p.json", *YES).stdout.splitlines()
    assert "NOTHING WILL BE SENT. 0 of 2 will be sent to iwi." in told


def test_a_result_that_is_not_written_is_told_with_what_was_sent(person_with):
    person = person_with(tokens=9, faults=True)
    board, out = Switchboard(person.twin.address), person.folder / "out"
    board.set("latency", "project_send", seconds=2)
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2)])
    out.mkdir()
    process = start_command(
        ("submit", "m.csv", "--result", "out/r.xlsx", *YES),
        folder=person.folder,
        environment=person.surroundings(),
        screen=str(person.folder / "screen.txt"),
        errors=str(person.folder / "errors.txt"),
    )
    while not person.state()["projects"]:
        time.sleep(0.05)
    out.rmdir()
    code, said = process.wait(60), (person.folder / "errors.txt").read_text("utf-8")
    ended = "file or directory. The run ended with 2 rows: 2 sent; 2 tokens. Check that"
    assert (code, ended in said) == (5, True)
