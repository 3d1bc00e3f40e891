"""Headings that kawe does not know are asked about once, and never where nobody is."""

from __future__ import annotations

import json
import os
import signal
import tomllib

import openpyxl
import pytest

from doubles.terminal import Terminal

HEAD = "Ref,Name,Description,Type,Start date,End date,Due for iwi,Latitude,Longitude"
ROW = "RC-1,Culvert,A culvert.,Earthworks,1/3/2030,30/9/2030,1/4/2030,-36.8500,174.7600"
DUE, SEND = "Is “Due for iwi” (in it: 1/4/2030) the column Respond by?", "Send?"
READ = (
    "Read as: 7 columns under their own names; “Ref” → Reference; “Due for iwi” → "
    "Respond by (taught)."
)


def write(person, *, more="", values=""):
    (person.folder / "own.csv").write_text(f"{HEAD}{more}\n{ROW}{values}\n", "utf-8")


def taught(newcomer):
    path = newcomer.settings / "kawe.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def test_each_heading_is_asked_about_once_and_the_answer_is_kept(newcomer):
    write(newcomer, more=",Proceed?,Officer", values=",Yes,Aroha")
    first = Terminal(newcomer, "check", "own.csv", "--offline")
    first.answer(DUE, "")
    first.answer("Is “Proceed?” (in it: Yes) the column Send? [y/N]", "y")
    first.answer("Is “Officer” (in it: Aroha) the column Contact name?", "n")
    codes = [first.end()]
    again = Terminal(newcomer, "check", "own.csv", "--offline")
    codes.append(again.end())
    assert (codes, taught(newcomer), "[Y/n]" in again.screen) == (
        [0, 0],
        {
            "columns": {
                "projects": {
                    "Officer": False,
                    "Proceed?": "send",
                    "Due for iwi": "respond_by_date",
                }
            }
        },
        False,
    )
    assert f"Kept in {newcomer.settings / 'kawe.toml'}." in first.screen.replace(
        "\r\n", " "
    )


def test_enter_never_makes_a_column_send(newcomer):
    write(newcomer, more=",Proceed?", values=",Yes")
    terminal = Terminal(newcomer, "check", "own.csv", "--offline")
    terminal.answer(DUE, "")
    terminal.answer("the column Send? [y/N]", "")
    terminal.end()
    assert taught(newcomer)["columns"]["projects"]["Proceed?"] is False


def test_who_stops_at_a_question_is_not_asked_again_what_was_answered(newcomer):
    write(newcomer, more=",Proceed?", values=",Yes")
    terminal = Terminal(newcomer, "check", "own.csv", "--offline")
    terminal.answer(DUE, "y")
    terminal.wait_for("the column Send?")
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert (terminal.end(), taught(newcomer)) == (
        130,
        {"columns": {"projects": {"Due for iwi": "respond_by_date"}}},
    )


@pytest.mark.parametrize("words", [("--no-input",), ()])
def test_where_nobody_can_be_asked_it_is_said_and_nothing_is_kept(newcomer, words):
    write(newcomer)
    done = newcomer.run("check", "own.csv", "--offline", *words)
    assert done.stdout.startswith(
        "Read as: 7 columns under their own names; “Ref” → Reference.\n"
        "Not read: “Due for iwi” (is it Respond by?).\n"
    )
    assert (done.returncode, taught(newcomer), done.stdout.count("Due for iwi")) == (
        3,
        {},
        2,
    )


def test_no_input_asks_nothing_at_a_terminal(newcomer):
    write(newcomer)
    terminal = Terminal(newcomer, "check", "own.csv", "--offline", "--no-input")
    assert (terminal.end(), taught(newcomer)) == (3, {})


def test_the_document_says_what_was_read_and_what_was_not(newcomer):
    write(newcomer, more=",Proceed?,", values=",Yes,extra")
    document = newcomer.document("check", "own.csv", "--offline")
    assert (document["read_as"][0], document["not_read"], document["template"]) == (
        {
            "column": "A",
            "heading": "Ref",
            "field": "reference",
            "title": "Reference",
            "taught": False,
        },
        [
            unread("G", "Due for iwi", ["respond_by_date"]),
            unread("J", "Proceed?", ["send"], yes_no=True),
            unread("K", "", []),
        ],
        None,
    )


def unread(column, heading, nearest, *, yes_no=False):
    return {
        "column": column,
        "heading": heading,
        "nearest": nearest,
        "taken_by": None,
        "yes_no": yes_no,
        "declined": False,
        "same_as": None,
    }


@pytest.fixture
def person(person_with):
    person = person_with(tokens=9)
    write(person, more=",Proceed?", values=",Yes")
    return person


def test_submit_asks_before_anything_is_sent_and_sends_what_was_answered(person):
    terminal = Terminal(person, "submit", "own.csv")
    terminal.answer(DUE, "y")
    terminal.wait_for("the column Send? [y/N]")
    before = person.state()["projects"]
    terminal.type("y\n")
    terminal.answer("Type 1 to", "1")
    assert (before, terminal.end(), person.sends()) == ([], 0, 1)
    summary = openpyxl.load_workbook(person.folder / "own.result.xlsx")["Summary"]
    said = [str(cell.value) for row in summary for cell in row if cell.value]
    assert "How your columns were read" in said
    assert any(text.startswith("Read as: 7 columns under") for text in said)


def test_plan_and_submit_say_it_too_and_a_document_has_it(person):
    person.write_settings("[columns.projects]\n'Due for iwi' = 'respond_by_date'\n")
    said = [person.run(verb, "own.csv", "--no-input") for verb in ("plan", "submit")]
    # Both begin with the same two lines.
    assert [each.stdout.splitlines()[:2] for each in said] == [
        [READ, "Not read: “Proceed?” (only yes and no: is it Send?)."]
    ] * 2
    documents = [person.document(verb, "own.csv") for verb in ("plan", "submit")]
    kept = json.loads((person.folder / "own.result.json").read_text("utf-8"))
    assert [
        [each["heading"] for each in document["not_read"]]
        for document in (*documents, kept)
    ] == [["Proceed?"]] * 3
    assert person.sends() == 0


def test_a_column_that_the_sheet_needs_is_asked_for_once(newcomer):
    (newcomer.folder / "works.csv").write_text(
        "Ref,River,Works,Budget,Description,Type,Start date,To,From,Lodged,"
        "Respond by,Latitude,Longitude,Kupu\n"
        "S-1,Waiora,Stopbank,125000,A stopbank.,Earthworks,1/3/2030,30/9/2030,"
        "1/3/2030,2/1/2030,1/2/2030,-36.8500,174.7600,Upper\n",
        "utf-8",
    )
    first = Terminal(newcomer, "check", "works.csv", "--offline")
    first.answer("Which column is “Works” (in it: Stopbank)?", "")
    first.answer("2 “Kupu” (in it: Upper)", "1")
    first.answer("3 “Lodged” (in it: 2/1/2030)", "1")
    codes = [first.end()]
    again = Terminal(newcomer, "check", "works.csv", "--offline")
    codes.append(again.end())
    assert (codes, taught(newcomer), "Which" in again.screen) == (
        [0, 0],
        {
            "columns": {
                "projects": {"Works": False, "River": "name", "To": "end_date"},
            }
        },
        False,
    )
    shown = " ".join(first.screen.split())
    assert (
        "The sheet has no column Name. Which of these is it? 1 “River” (in it: "
        "Waiora) 2 “Kupu” (in it: Upper)"
    ) in shown
    assert (
        "The sheet has no column End date. Which of these is it? 1 “To” (in it: "
        "30/9/2030) 2 “From” (in it: 1/3/2030) 3 “Lodged” (in it: 2/1/2030)"
    ) in shown
