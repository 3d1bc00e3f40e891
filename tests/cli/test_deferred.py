"""Rows that wait for tokens: listed, put in order, exported and taken out."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import openpyxl
import pytest

from doubles.command import csv_row, write_csv

YES = ("--yes", "9", "--no-input")
FORMULA = '=HYPERLINK("http://x","y")'
TODAY = datetime.now(UTC).astimezone(ZoneInfo("Pacific/Auckland")).date()
SOON = TODAY + timedelta(days=3)


def _rows():
    return [
        csv_row(1),
        csv_row(2, **{"Respond by": "2030-03-20"}),
        csv_row(3, Name=FORMULA),
        csv_row(4, **{"Respond by": SOON.isoformat()}),
        csv_row(5, **{"Respond by": "2030-03-10"}),
    ]


@pytest.fixture
def person(person_with):
    """Give a person with one token, whose four other rows wait."""
    person = person_with(tokens=1)
    (person.folder / "kawe.toml").write_text('owner = "Aroha, consents"\n', "utf-8")
    write_csv(person.folder / "monthly.csv", _rows())
    assert person.run("submit", "monthly.csv", *YES).returncode == 4
    return person


def _order(person, *words):
    return [each["reference"] for each in person.document("waiting", *words)["rows"]]


def test_deferred_lists_who_waits_in_the_order_of_going_without_the_service(person):
    person.twin.stop()
    done = person.run("waiting")
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr, lines[0], lines[-4:]) == (
        4,
        "",
        "4 rows wait for tokens. When tokens come, this is the order:",
        [
            "Who answers for monthly: Aroha, consents",
            "4 tokens are needed; where the team has none, 1 pack of 5 would do.",
            "kawe never buys: an owner of the team does, in the portal. When they are",
            "there, run kawe release; kawe release --wait looks for them by itself.",
        ],
    )
    assert lines[1].startswith("1.  R-5 (Ōtāhuhu culvert 5)")


def test_a_row_is_told_with_its_place_its_date_and_why_it_waits(person):
    row = person.document("waiting")["rows"][0]
    del row["waits_since"], row["project_id"]
    assert row == {
        "turn": 1,
        "sheet": "monthly",
        "row": 6,
        "reference": "R-5",
        "name": "Ōtāhuhu culvert 5",
        "batch": "monthly",
        "owner": "Aroha, consents",
        "respond_by": "2030-03-10",
        "days_left": (datetime(2030, 3, 10, tzinfo=UTC).date() - TODAY).days,
        "working_days_left": row["working_days_left"],
        "warning": "",
        "refused_at": None,
        "why": "the run had no token for it",
        "put_first": False,
    }


def test_a_near_date_is_warned_about_wherever_the_row_is_shown(person):
    # The one token went to the most urgent row: another comes near its date.
    late = csv_row(6, **{"Respond by": SOON.isoformat()})
    write_csv(person.folder / "monthly.csv", [*_rows(), late])
    person.run("submit", "monthly.csv", *YES)
    by = f"{SOON:%A} {SOON.day} {SOON:%B %Y}"
    words = f"1 row will miss its date unless tokens come by {by}."
    own = f"Will miss its date unless tokens come by {by}."
    lines = {line.strip() for line in person.run("waiting").stdout.splitlines()}
    document = person.document("waiting")
    assert (lines >= {words, own}, document["warning"]) == (True, words)
    assert document["rows"][0]["warning"] == own


def test_rows_that_are_put_first_are_released_first(person):
    usual = _order(person)
    done = person.run("waiting", "--first", "R-3", "--first", "monthly!2")
    changed = _order(person)
    undone = person.run("waiting", "--usual", "R-3")
    assert (usual, done.returncode, changed, undone.returncode, _order(person)) == (
        ["R-5", "R-2", "R-1", "R-3"],
        0,
        ["R-3", "R-1", "R-5", "R-2"],
        0,
        ["R-1", "R-5", "R-2", "R-3"],
    )


def test_a_dropped_row_is_sent_by_no_later_run_and_says_why(person):
    draft = person.document("waiting")["rows"][0]["project_id"]
    done = person.run("waiting", "--drop", "R-5")
    again = person.document("submit", "monthly.csv", *YES)
    row = next(each for each in again["rows"] if each["reference"] == "R-5")
    assert (done.returncode, done.stdout.splitlines()) == (
        0,
        [
            "R-5 (Ōtāhuhu culvert 5) waits no more: kawe does not send it.",
            (
                "Its draft stays with the service; in the portal a person can send it "
                "or remove it."
            ),
            "3 rows still wait.",
        ],
    )
    assert (row["outcome"], row["project_id"], row["what_to_do"]) == (
        "given up",
        draft,
        (
            "A person took the row out of the queue for tokens. Nothing: kawe does "
            "nothing more for this row. What the service has of it stays there until "
            "you remove it in the portal."
        ),
    )
    assert (_order(person), person.sent()) == (["R-2", "R-1", "R-3"], {"R-4"})


def test_the_export_holds_every_row_as_text_and_no_formula(person):
    done = person.run("waiting", "-o", "waiting.xlsx")
    sheet = openpyxl.load_workbook(person.folder / "waiting.xlsx").active
    rows = list(sheet.iter_rows(min_row=2))
    assert (done.returncode, done.stdout) == (0, "4 rows written to waiting.xlsx\n")
    assert [[cell.value for cell in row[:5]] for row in rows] == [
        [1, "monthly!6", "R-5", "Ōtāhuhu culvert 5", "monthly"],
        [2, "monthly!3", "R-2", "Ōtāhuhu culvert 2", "monthly"],
        [3, "monthly!2", "R-1", "Ōtāhuhu culvert 1", "monthly"],
        [4, "monthly!4", "R-3", FORMULA, "monthly"],
    ]
    assert {cell.data_type for row in rows for cell in row} <= {"s", "n", "d"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--first", "R-4"), "No row that waits for tokens is called R-4."),
        (("--drop", "R-9"), "Such rows are: R-5, R-2, R-1, R-3."),
        (("--drop", "R-5", "--first", "R-2"), "each for a command of their own"),
        (("yearly",), "is not the name of a batch"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_code_2_and_changes_nothing(person, words, said):
    assert (said in person.stderr_of("waiting", *words, code=2), _order(person)) == (
        True,
        ["R-5", "R-2", "R-1", "R-3"],
    )


def test_where_nobody_is_named_the_account_of_the_computer_answers(person_with):
    person = person_with(tokens=0)
    write_csv(person.folder / "monthly.csv", _rows()[:1])
    person.run("submit", "monthly.csv", *YES)
    (row,) = person.document("waiting")["rows"]
    assert row["owner"] == "nobody is named; this computer's account is mere"


def test_status_and_the_result_say_who_answers_and_by_when_tokens_must_come(person):
    late = csv_row(6, **{"Respond by": SOON.isoformat()})
    write_csv(person.folder / "monthly.csv", [*_rows(), late])
    submitted = person.run("submit", "monthly.csv", *YES).stdout.splitlines()
    status = person.run("status").stdout.splitlines()
    by = f"{SOON:%A} {SOON.day} {SOON:%B %Y}"
    said = {
        "Who answers for it: Aroha, consents",
        f"1 row will miss its date unless tokens come by {by}.",
    }
    book = openpyxl.load_workbook(person.folder / "monthly.result.xlsx")
    texts = {str(cell.value) for row in book["Summary"] for cell in row}
    waiting = {row[2].value: row[7].value for row in book["Waiting"]}
    assert [said <= set(each) for each in (submitted, status)] == [True, True]
    assert {"Aroha, consents", f"• {max(said, key=len)}"} <= texts
    assert waiting["Ōtāhuhu culvert 6"].endswith(f"unless tokens come by {by}.")


def test_rows_that_a_stopped_run_left_do_not_count_as_waiting_for_tokens(person):
    write_csv(person.folder / "later.csv", [csv_row(each) for each in range(101, 161)])
    for _ in range(2):
        person.twin.buy_tokens(50)
    process = person.start("submit", "later.csv", "--yes", "60", "--no-input")
    person.kill_when(process, projects=60, sends=2)
    queue = person.document("waiting")
    said = person.run("waiting").stdout
    left = sum(each["batch"] == "later" for each in queue["rows"])
    assert (queue["tokens_needed"], queue["packs"]) == (4, [5])
    assert f"{left} rows are left: the run stopped before them, or" in said
    assert "4 rows wait for tokens. When tokens come, this is the order:" in said
    assert "4 deferred" in person.run("status").stdout
