"""Rows that the service has already, and that say something else by now."""

import json

import openpyxl

from doubles.command import HEADINGS, csv_row, write_csv

BRIDGE = {"Name": "Māngere bridge"}
YES = ("--yes", "9", "--no-input")
FEBRUARY = {
    "Name": "FEB bridge",
    "Start date": "2031-02-01",
    "End date": "2031-12-20",
    "Respond by": "2031-04-14",
}


def test_a_reference_of_last_month_is_an_error_and_not_a_row_that_was_sent(person):
    write_csv(person.folder / "jan.csv", [csv_row(1), csv_row(2)])
    person.run("submit", "jan.csv", *YES)
    write_csv(person.folder / "feb.csv", [csv_row(1, **FEBRUARY), csv_row(3)])
    planned = person.run("plan", "feb.csv")
    done = person.run("submit", "feb.csv", *YES)
    used = "The reference R-1 was used already, for “Ōtāhuhu culvert 1”, sent on "
    why, gone = f"feb!A2 [error] Reference: {used}", "no longer in the workbook"
    said = [(e.returncode, why in e.stdout, gone in e.stdout) for e in (planned, done)]
    assert said == [(3, True, False)] * 2
    told = [line.strip() for line in done.stdout.splitlines() if line.startswith("   ")]
    assert told == ["1 sent to iwi", "1 to correct", "2 rows in all"]
    assert person.sends() == 3


def test_other_projects_under_references_that_were_sent_are_errors_whatever_their_dates(
    person,
):
    write_csv(person.folder / "culverts.csv", [csv_row(n) for n in range(1, 4)])
    person.run("submit", "culverts.csv", *YES)
    rows = [
        csv_row(1, **BRIDGE, Latitude="-36.8600"),
        csv_row(2, **BRIDGE, Description="A bridge is strengthened."),
        csv_row(3, **BRIDGE, Description="A bridge is moved.", Type="Something"),
    ]
    write_csv(person.folder / "bridges.csv", rows)
    planned = person.run("plan", "bridges.csv")
    done = person.document("submit", "bridges.csv", *YES)
    assert (
        planned.returncode,
        done["exit_code"],
        [row["outcome"] for row in done["rows"]],
        [
            [f["where"] for f in row["findings"] if f["rule"] == "reference-used"]
            for row in done["rows"]
        ],
        [row["project_id"] for row in done["rows"]],
        person.sends(),
    ) == (
        3,
        3,
        ["to correct"] * 3,
        [["bridges!A2"], ["bridges!A3"], ["bridges!A4"]],
        [None] * 3,
        3,
    )


def test_another_project_under_the_reference_of_a_draft_is_not_sent_with_the_draft(
    person,
):
    write_csv(person.folder / "culverts.csv", [csv_row(n) for n in range(1, 4)])
    person.run("submit", "culverts.csv", *YES, "--max-tokens", "0")
    rows = [csv_row(1, **BRIDGE, Description="A bridge is moved."), csv_row(9)]
    write_csv(person.folder / "bridges.csv", rows)
    person.run("submit", "bridges.csv", *YES)
    person.run("submit", "culverts.csv", *YES)
    told = person.document("status", "--write", "bridges")
    words = (
        "The reference R-1 was used for “Ōtāhuhu culvert 1”, which is sent. Give this "
        "project a reference of its own."
    )
    assert [
        (row["outcome"], words in row["what_to_do"], row["project_id"] is None)
        for row in told["rows"]
    ] == [("to correct", True, True), ("sent", False, False)]
    assert told["counts"] == {"to correct": 1, "sent": 1}
    assert person.sends() == 4


def test_a_change_that_is_not_applied_stands_on_its_row_and_is_counted(person):
    path = person.folder / "m.csv"
    write_csv(path, [csv_row(n) for n in range(1, 5)])
    person.run("submit", "m.csv", *YES)
    rows = [csv_row(1), csv_row(2, Description="Else."), csv_row(3, Type="?")]
    write_csv(path, [*rows, csv_row(4)])
    planned = person.run("plan", "m.csv")
    done = person.run("submit", "m.csv", *YES)
    told = [line.strip() for line in done.stdout.splitlines() if line.startswith("   ")]
    result = json.loads((person.folder / "m.result.json").read_text("utf-8"))
    table = (person.folder / "m.result.csv").read_text("utf-8-sig")
    stand = person.run("status")
    assert (planned.returncode, done.returncode, stand.returncode, told) == (
        3,
        3,
        3,
        [
            "4 sent to iwi",
            "4 rows in all",
            "2 of them sent before, and changed since: the changes are not applied",
        ],
    )
    what_to_do = [row["what_to_do"] for row in result["rows"]]
    words = (
        "This row was already sent as Ōtāhuhu culvert 2 (R-2); the edit is not "
        "applied. Undo the edit here, or make it in a sheet of acts."
    )
    assert (what_to_do[:2], "R-3 was already sent" in what_to_do[2]) == (
        ["", words],
        True,
    )
    assert (result["changed_too_late"], result["counts"], words in table) == (
        2,
        {"sent": 4},
        True,
    )
    sheet = openpyxl.load_workbook(person.folder / "m.result.xlsx")["m"]
    column = [cell.value for cell in sheet[1]].index("What to do")
    colours = [row[column].fill.fgColor.rgb for row in sheet["A2:Z5"]]
    red = sheet["C3"].fill.fgColor.rgb
    assert [colour == red for colour in colours] == [False, True, True, False]


def test_an_iwi_in_other_letters_is_no_change_of_what_was_sent_or_drafted(person):
    for iwi, send in (("", "no"), ("ALL", "yes")):
        rows = [[*csv_row(1), iwi], [*csv_row(2, Send=send), iwi]]
        write_csv(person.folder / "m.csv", rows, headings=[*HEADINGS, "Iwi"])
        done = person.document("submit", "m.csv", *YES)
    assert (done["counts"], done["exit_code"], person.sends()) == ({"sent": 2}, 0, 2)


def test_a_row_that_was_corrected_is_left_to_correct_in_no_batch(person):
    right = [csv_row(n) for n in range(1, 9)]
    wrong = [*right[:7], csv_row(8, Type="?")]
    for name, rows in (("may", right[:4]), ("june", wrong), ("june", right)):
        write_csv(person.folder / f"{name}.csv", rows)
        done = person.document("submit", f"{name}.csv", *YES)
    stand = person.run("status")
    assert (done["batch"], stand.returncode, person.sends()) == ("june", 0, 8)


def test_rows_that_were_sent_or_drafted_are_known_again_although_they_have_mistakes(
    person,
):
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2, Send="no")])
    first = person.document("submit", "m.csv", *YES)
    wrong = {"Respond by": "x"}
    write_csv(
        person.folder / "m.csv",
        [csv_row(1, **wrong), csv_row(2, Send="no", **wrong), csv_row(3, **wrong)],
    )
    planned = person.run("plan", "m.csv").stdout
    again = person.document("submit", "m.csv", *YES)
    ids = [row["project_id"] for row in first["rows"]]
    assert [
        (row["outcome"], row["reference"], row["project_id"]) for row in again["rows"]
    ] == [
        ("sent", "R-1", ids[0]),
        ("to correct", "R-2", ids[1]),
        ("to correct", None, None),
    ]
    told = [row["what_to_do"].partition("R-")[2][:18] for row in again["rows"]]
    has_draft = ["The row has a draft" in row["what_to_do"] for row in again["rows"]]
    assert told == ["1 was already sent", "", ""]
    assert has_draft == [False, True, False]
    said = "1 row was changed after it was sent, and the change is not applied: m!G2."
    assert (again["remarks"], again["orphans"], again["exit_code"]) == ([said], [], 3)
    assert f"{said}\n" in planned
    assert "1 will be left alone: changed after it was done" in planned
    assert "2 will be left out: to correct" in planned


def test_a_draft_that_asks_to_be_sent_is_told_how_it_goes_on(person):
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2, Send="no")])
    made = person.document("submit", "m.csv", "--drafts-only", "--no-input")
    words = "It is a draft and not sent yet: submit the workbook without {} to send it."
    assert [row["what_to_do"] for row in made["rows"]] == [
        words.format("--drafts-only"),
        "Nothing; to send it, write Yes in the column “Send”, and submit again.",
    ]


def test_the_load_of_iwi_counts_what_this_run_sends_and_nothing_else(person_with):
    person = person_with(tokens=2)
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2, Send="no")])
    person.run("submit", "m.csv", *YES)
    edit = {"Description": "Else."}
    rows = [csv_row(1, **edit), csv_row(2, **edit), csv_row(3), csv_row(4)]
    write_csv(person.folder / "m.csv", rows)
    done = person.document("submit", "m.csv", *YES)
    # One was sent before and one is held; of two that are new, one waits.
    assert [row["outcome"] for row in done["rows"]] == [
        "sent",
        "held",
        "sent",
        "deferred",
    ]
    assert {share["projects"] for share in done["iwi_load"]} == {1}
    changed = "1 row was changed after its draft was made, and the change is not"
    assert f"{changed} applied: m!C3." in done["remarks"]
