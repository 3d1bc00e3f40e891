"""A row that stands in several workbooks, and one that stands in none any more."""

import csv
from collections import Counter

import pytest

from doubles.command import HEADINGS, csv_row, write_csv
from doubles.terminal import Terminal
from unit.workbook.books import book

YES = ("--yes", "99", "--no-input")
NOVEMBER, DECEMBER = range(1, 31), range(101, 111)


def write(person, name, numbers, **changes):
    rows = [csv_row(n, Name=f"Weir {n}", **changes) for n in numbers]
    return write_csv(person.folder / name, rows)


@pytest.fixture
def person(person_with):
    """Give a person whose November has ten rows sent and twenty that wait."""
    person = person_with(tokens=10)
    write(person, "November.csv", NOVEMBER)
    assert person.run("submit", "November.csv", *YES).returncode == 4
    return person


def buy(person, packs):
    for _ in range(packs):
        person.twin.buy_tokens(50)


def all_once(person, numbers):
    return person.sends_of_each() == Counter({f"R-{n}": 1 for n in numbers})


def test_a_copy_that_says_nothing_of_the_send_sends_no_row_and_leaves_the_queue_whole(
    person,
):
    write(person, "Copy of November.csv", NOVEMBER, Send="")
    buy(person, 1)
    done = person.document("submit", "Copy of November.csv", *YES)
    assert (done["exit_code"], person.sends()) == (0, 10)
    assert (
        "20 rows are left to another workbook or sheet, which asks for their send."
        in done["remarks"]
    )
    assert person.document("waiting")["tokens_needed"] == 20
    person.run("plan", "Copy of November.csv", "-o", "plan.json")
    done = person.document("submit", "plan.json", *YES)
    assert person.sends() == 10
    assert (
        "20 rows are left alone: not part of the plan, or left to another workbook or "
        "sheet." in done["remarks"]
    )


@pytest.mark.parametrize("shared", [1, 25], ids=["sent", "waiting"])
def test_december_with_a_row_of_november_leaves_the_queue_whole(person, shared):
    write(person, "December.csv", [shared, *DECEMBER])
    planned = person.run("plan", "December.csv", "--json")
    done = person.document("submit", "December.csv", *YES)
    assert (planned.returncode, done["rows_read"], done["batch"]) == (0, 11, "december")
    assert (
        "1 row of this workbook belongs to another batch: november (1)."
        in (done["remarks"])
    )
    assert person.document("waiting")["tokens_needed"] == 30
    assert all("no longer" not in each for each in done["remarks"])
    assert done["orphans"] == []

    buy(person, 1)
    released = person.run("release", *YES)
    assert (released.returncode, all_once(person, [*NOVEMBER, *DECEMBER])) == (0, True)


def test_the_status_and_report_of_november_have_its_rows_and_not_december_s(person):
    write(person, "December.csv", [1, *DECEMBER])
    person.run("submit", "December.csv", *YES)
    status = {
        name: person.document("status", name)["batches"][0]["counts"]
        for name in ("november", "december")
    }
    assert status == {
        "november": {"sent": 10, "deferred": 20},
        "december": {"deferred": 10},
    }
    person.run("status", "--write", "november", "--result", "again.xlsx")
    with (person.folder / "again.csv").open(encoding="utf-8-sig") as file:
        heading, *rows = csv.reader(file)
    at = heading.index("Reference")
    assert [row[at] for row in rows if any(row)] == [f"R-{n}" for n in NOVEMBER]


def test_both_parts_of_a_workbook_that_was_split_are_sent_once(person):
    write(person, "one.csv", NOVEMBER[:15])
    write(person, "two.csv", NOVEMBER[15:])
    for name in ("one.csv", "two.csv"):
        said = person.run("submit", name, *YES)
        assert "rows of batch november are not in this workbook and stay" in said.stdout
    buy(person, 1)
    assert person.run("release", *YES).returncode == 0
    assert all_once(person, NOVEMBER)


def test_rows_cut_out_of_their_workbook_are_named_stay_and_are_not_released(person):
    write(person, "November.csv", [n for n in NOVEMBER if n not in {20, 21}])
    planned = person.run("plan", "November.csv")
    words = "2 rows of this workbook's batch are no longer in it: R-20; R-21."
    assert words in planned.stdout
    assert words in person.stdout_of("submit", "November.csv", *YES, code=4)
    buy(person, 1)
    assert "R-20; R-21" in person.stdout_of("release", *YES, code=4)
    assert all_once(person, []) is False
    assert person.sends() == 28
    deferred = person.run("waiting")
    assert deferred.returncode == 4
    assert "2 rows that wait are no longer in the workbook" in deferred.stdout
    assert (person.run("release", *YES).returncode, person.sends()) == (4, 28)
    assert "R-20; R-21" in person.stdout_of("release", "--wait", *YES, code=4)


def test_rows_cut_out_leave_once_a_person_agrees_and_come_back_with_the_workbook(
    person,
):
    write(person, "November.csv", [n for n in NOVEMBER if n not in {20, 21}])
    person.run("submit", "November.csv", *YES)
    buy(person, 1)
    left = person.run("submit", "November.csv", "--accept", "missing", *YES)
    assert (left.returncode, person.sends()) == (0, 28)
    assert person.run("waiting").returncode == 0
    write(person, "November.csv", NOVEMBER)
    assert person.run("submit", "November.csv", *YES).returncode == 0
    assert all_once(person, NOVEMBER)


def test_a_row_cut_out_can_be_dropped_from_the_queue(person):
    write(person, "November.csv", [n for n in NOVEMBER if n != 20])
    person.run("submit", "November.csv", *YES)
    assert "R-20" in person.stdout_of("waiting", "--drop", "R-20")
    buy(person, 1)
    assert person.run("release", *YES).returncode == 0
    assert person.sends() == 29


def test_of_a_workbook_that_was_renamed_a_row_that_was_cut_out_is_asked_about(person):
    (person.folder / "November.csv").unlink()
    write(person, "November final.csv", NOVEMBER[:-1])
    done = person.document("submit", "November final.csv", *YES)
    assert (done["exit_code"], done["batch"], done["no_longer_in_workbook"]) == (
        4,
        "november",
        ["R-30"],
    )


def test_a_workbook_that_was_renamed_sends_no_row_whose_send_was_cleared(person):
    write(person, "November.csv", NOVEMBER[:-1], Send="")
    (person.folder / "November.csv").rename(person.folder / "November final.csv")
    buy(person, 1)
    person.run("submit", "November final.csv", "--accept", "missing", *YES)
    assert person.sends() == 10


def test_no_row_is_sent_where_no_workbook_asks_for_it_any_more(person):
    for name in ("v2.csv", "November.csv"):
        write(person, name, NOVEMBER, Send="")
        person.run("submit", name, *YES)
    buy(person, 1)
    assert (person.run("release", *YES).returncode, person.sends()) == (0, 10)


def test_a_workbook_in_whose_place_another_lies_asks_for_nothing_any_more(person):
    for numbers in ([30], DECEMBER):
        write(person, "next.csv", numbers)
        person.run("submit", "next.csv", *YES)
    write(person, "November.csv", NOVEMBER, Send="")
    done = person.document("submit", "November.csv", *YES)
    assert (done["batch"], person.document("waiting")["tokens_needed"]) == (
        "november",
        len(DECEMBER),
    )


def test_a_renamed_sheet_asks_about_a_row_cut_out_and_sends_none_that_was_cleared(
    person,
):
    def write_sheet(title, *rows):
        made = book({title: [HEADINGS, *(csv_row(31 + n, Send=e) for n, e in rows)]})
        (person.folder / "more.xlsx").write_bytes(made)

    write_sheet("June", *enumerate(("yes", "yes", "yes")))
    person.run("submit", "more.xlsx", *YES)
    write_sheet("July", *enumerate(("yes", "")))
    buy(person, 1)
    done = person.document("submit", "more.xlsx", *YES)
    assert (done["no_longer_in_workbook"], person.sends()) == (["R-33"], 11)


def test_a_person_at_the_screen_is_asked_whether_rows_leave(person):
    write(person, "November.csv", NOVEMBER[:-2])
    terminal = Terminal(person, "submit", "November.csv", "--yes", "99")
    terminal.answer("Type 2 if they leave", "2")
    assert terminal.end() == 4
    waiting = {each["reference"] for each in person.document("waiting")["rows"]}
    assert waiting == {f"R-{n}" for n in range(11, 29)}


def test_a_saved_plan_may_let_rows_leave_and_a_submit_of_it_does(person):
    write(person, "November.csv", NOVEMBER[:-2])
    person.run("plan", "November.csv", "--accept", "missing", "-o", "plan.json")
    person.run("submit", "plan.json", *YES)
    assert person.document("waiting")["tokens_needed"] == 18
    assert person.document("waiting")["no_longer_in_workbook"] == []
