"""How many rows are sent, why none is, whom they reach, and which are warned of."""

import csv
import json

import openpyxl
import pytest

from doubles.command import HEADINGS, csv_row, write_csv
from doubles.terminal import Terminal

LOUD = "NOTHING WILL BE SENT. 0 of 2 will be sent to iwi: "
NO_COLUMN = f"{LOUD}no column says so. Add a column Send, or use --send."
BOTH_SAY = "--send (at the desk: “Send every row that is ready”)"
"""In files that people keep."""
TO_SEND = f"Nothing; to send it, add a column Send, or use {BOTH_SAY}."
WAS_NOT = (
    "NOTHING WAS SENT. 0 of 2 were sent to iwi: no column says so. Add a column Send, "
    f"or use {BOTH_SAY}."
)
SATURDAY = "2030-03-30"
RAKI = "Ngāti Tauira ki te Raki"
WAENGA = "Ngāti Tauira ki te Waenganui"
BOTH = {"Latitude": "-37.2000", "Longitude": "174.7600"}


def write_without_send(person, *rows):
    with (person.folder / "m.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(row[:-1] for row in (HEADINGS, *rows))


def summary(person, name="m.result.xlsx"):
    book = openpyxl.load_workbook(person.folder / name)
    return [
        str(cell)
        for row in book["Summary"].iter_rows(values_only=True)
        for cell in row
        if cell is not None
    ]


def results(person, name="m.result.csv"):
    with (person.folder / name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("words", [("check",), ("check", "--offline"), ("plan",)])
def test_a_sheet_without_a_send_column_is_said_to_send_nothing(person, words):
    write_without_send(person, csv_row(1), csv_row(2))
    told = person.run(words[0], "m.csv", *words[1:]).stdout
    document = person.document(words[0], "m.csv", *words[1:])
    both = document["ready_to_send"], document["ready_to_draft"]
    assert NO_COLUMN in told.splitlines()
    assert (both, document["remarks"][0]) == ((0, 2), NO_COLUMN)
    assert "2 ready: 0 to be sent, 2 to be kept as drafts" in told


def test_a_submit_that_sends_nothing_says_so_and_the_summary_names_no_column(person):
    write_without_send(person, csv_row(1), csv_row(2))
    told = person.run("submit", "m.csv", "--no-input").stdout
    said = summary(person)
    (step,) = {each["What to do"] for each in results(person)}
    assert (
        NO_COLUMN in told.splitlines(),
        f"• {WAS_NOT}" in said,
        TO_SEND in said,
        step,
        [each for each in said if "column Send" in each and "rite Yes" in each],
        person.sends(),
    ) == (True, True, True, TO_SEND, [], 0)


def test_a_check_says_it_again_of_drafts_that_are_there(person):
    write_without_send(person, csv_row(1), csv_row(2))
    person.run("submit", "m.csv", "--no-input")
    assert NO_COLUMN in person.run("check", "m.csv").stdout.splitlines()


NO_OR_NOTHING = (
    "in the column “Send” the rows say no, or nothing. Write Yes to send, or use "
    "--send for every row whose cell is empty."
)
NO = "in the column “Send” the rows say no. Write Yes to send."


@pytest.mark.parametrize(("cell", "why"), [("", NO_OR_NOTHING), ("no", NO)])
def test_a_column_that_says_no_or_nothing_is_named(person, cell, why):
    write_csv(person.folder / "m.csv", [csv_row(1, Send=cell), csv_row(2, Send="No")])
    asked = person.run("check", "m.csv").stdout
    offline = person.run("check", "m.csv", "--offline").stdout
    told = [f"{LOUD}{why}" in each.splitlines() for each in (asked, offline)]
    assert told == [True, True]


@pytest.mark.parametrize("command", ["plan", "submit"])
def test_drafts_only_is_named_as_the_reason(person, command):
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2)])
    told = person.run(command, "m.csv", "--drafts-only").stdout
    reason = "--drafts-only was given. Leave it out to send."
    assert f"{LOUD}{reason}" in told.splitlines()


@pytest.mark.parametrize("words", [(), ("--offline",)])
def test_send_takes_empty_cells_and_a_no_wins_and_is_named(person, words):
    rows = [csv_row(n, Send=said) for n, said in enumerate(("yes", "no", ""), 1)]
    write_csv(person.folder / "m.csv", rows)
    told = person.run("check", "m.csv", "--send", *words).stdout
    assert "3 ready: 2 to be sent, 1 to be kept as drafts" in told
    assert "1 cell says no, and its row is not sent: m!J3." in told.splitlines()


def test_without_tokens_nothing_is_sent_and_that_is_said_loudly(person_with):
    person = person_with(tokens=0)
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2)])
    told = [person.run(command, "m.csv").stdout for command in ("plan", "submit")]
    packs = "1 pack of 5 would do, with 3 left over; so would 2 packs of 1."
    said = {f"{LOUD[:-2]}.", f"2 rows wait: 2 tokens are missing; {packs}"}
    assert [said - {*each.splitlines()} for each in told] == [set(), set()]


def test_what_send_takes_is_agreed_to_by_its_count(person):
    write_csv(person.folder / "m.csv", [csv_row(n, Send="") for n in (1, 2)])
    refused = person.run("submit", "m.csv", "--send", "--yes", "1", "--no-input")
    before = person.sends()
    done = person.run("submit", "m.csv", "--send", "--yes", "2", "--no-input")
    assert (refused.returncode, before, done.returncode, person.sends()) == (2, 0, 0, 2)


def test_the_question_has_both_counts(person):
    rows = [csv_row(1), csv_row(2), csv_row(3, Send="no", **{"Respond by": SATURDAY})]
    write_csv(person.folder / "m.csv", rows)
    terminal = Terminal(person, "submit", "m.csv")
    terminal.wait_for("3 ready: 2 to be sent, 1 to be kept as drafts.")
    terminal.wait_for("1 row has a warning: 1 respond-by on a weekend or holiday.")
    terminal.answer("Type 2 to send 2 projects to iwi and keep 1 as drafts", "2")
    assert (terminal.end(), person.sends()) == (0, 2)


def test_a_plan_counts_its_warnings_and_keeps_them(person):
    rows = [csv_row(n, **{"Respond by": SATURDAY}) for n in (1, 2)]
    write_csv(person.folder / "m.csv", [*rows, csv_row(3)])
    words = "2 rows have warnings: 2 respond-by on a weekend or holiday."
    made = person.run("plan", "m.csv", "-o", "plan.json").stdout
    shown = person.run("plan", "plan.json").stdout
    totals = json.loads((person.folder / "plan.json").read_text("utf-8"))["totals"]
    carried_out = person.run("submit", "plan.json", "--yes", "3", "--no-input").stdout
    assert all(words in each.splitlines() for each in (made, shown, carried_out))
    assert totals["rows_with_warnings"] == 2
    assert totals["warnings"] == {"respond-by-day-off": 2}


@pytest.mark.parametrize("words", [("check",), ("check", "--offline"), ("plan",)])
def test_strictly_a_row_with_a_warning_is_to_correct(person, words):
    rows = [csv_row(1, **{"Respond by": SATURDAY}), csv_row(2)]
    write_csv(person.folder / "m.csv", rows)
    lax = person.run(words[0], "m.csv", *words[1:])
    strict = person.run(words[0], "m.csv", "--strict", *words[1:])
    assert (lax.returncode, strict.returncode) == (0, 3)
    assert "m!G2 [error]" in strict.stdout
    assert "With --strict, a warning stops its row." in strict.stdout
    assert "1 ready: 1 to be sent, 0 to be kept as drafts" in strict.stdout


def test_a_strict_plan_stays_strict_and_a_submit_leaves_the_row_out(person):
    rows = [csv_row(1, **{"Respond by": SATURDAY}), csv_row(2)]
    write_csv(person.folder / "m.csv", rows)
    person.run("plan", "m.csv", "--strict", "-o", "plan.json")
    shown = person.run("plan", "plan.json").stdout
    assert "It was made with --strict." in shown.splitlines()
    flag = person.run("submit", "plan.json", "--strict", "--no-input")
    done = person.document("submit", "plan.json", "--yes", "2", "--no-input")
    assert (flag.returncode, done["exit_code"], person.sends()) == (2, 3, 1)
    assert done["counts"] == {"sent": 1, "to correct": 1}


def test_strictly_a_row_that_was_sent_before_stays_sent(person):
    write_csv(person.folder / "m.csv", [csv_row(1, **{"Respond by": SATURDAY})])
    person.run("submit", "m.csv", "--yes", "1", "--no-input")
    again = person.document("submit", "m.csv", "--strict", "--no-input")
    assert (again["exit_code"], again["counts"]) == (0, {"sent": 1})


def test_each_row_says_to_which_iwi_it_goes_and_went(person):
    rows = [csv_row(1), csv_row(2, **BOTH)]
    with (person.folder / "m.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [[*HEADINGS, "Iwi"], [*rows[0], ""], [*rows[1], "all"]]
        )
    checked = person.document("check", "m.csv")
    planned = person.document("plan", "m.csv", "-o", "plan.json")
    told = person.run("plan", "plan.json").stdout
    done = person.run("submit", "m.csv", "--yes", "2", "--no-input")
    reported = person.document("status", "--write")
    expected = [[RAKI], [RAKI, WAENGA]]
    assert [
        [each["iwi"] for each in document["rows"]]
        for document in (checked, planned, reported)
    ] == [expected] * 3
    assert [each["iwi"] for each in planned["order_of_sends"]] == expected
    assert f"2. m!3 R-2 to {RAKI}; {WAENGA}" in told
    assert [each["To iwi"] for each in results(person)] == [RAKI, f"{RAKI}; {WAENGA}"]
    assert "A project can go to several iwi: 3 in all, for 2 projects." in done.stdout


def test_a_sheet_of_people_has_no_column_of_iwi_and_no_two_counts(person):
    (person.folder / "m.csv").write_text(
        "Name,Email,Role\nHēmi,h@example.org,Member\n", "utf-8"
    )
    checked = person.document("check", "m.csv")
    assert (
        checked["ready_to_send"],
        checked["ready_to_draft"],
        checked["remarks"],
        "To iwi" in results(person)[0],
    ) == (None, None, [], False)


@pytest.mark.parametrize(("typed", "end"), [("1", (0, 3)), ("", (3, 2))])
def test_a_row_like_a_project_of_before_goes_where_their_number_is_typed(
    person, typed, end
):
    write_csv(person.folder / "march.csv", [csv_row(1)])
    person.run("submit", "march.csv", "--yes", "1", "--no-input")
    again = csv_row(1, Reference="April 7", **{"Respond by": SATURDAY})
    write_csv(person.folder / "april.csv", [again, csv_row(2)])
    terminal = Terminal(person, "submit", "april.csv")
    terminal.wait_for("1 row looks like what is there already:")
    terminal.answer("Type 1 if each is another one, and goes as well.", typed)
    more = end[1] - 1
    terminal.answer(f"Type {more} to send", str(more))
    assert (terminal.end(), person.sends()) == end
