"""`kawe check` and `kawe plan` know what was sent, whoever's journal knows it."""

import json

import pytest

from doubles.command import csv_row, write_csv
from doubles.planned import in_the_portal

YES = ("--yes", "9", "--no-input")
ROWS = [csv_row(1), csv_row(2, Send="no"), csv_row(3)]
ELSEWHERE = "by another computer or a lost journal"


@pytest.fixture
def person(person_with):
    """Give somebody whose rows are with the service: sent, a draft, and sent."""
    someone = person_with(tokens=9)
    write_csv(someone.folder / "m.csv", ROWS)
    someone.run("submit", "m.csv", *YES, "--journal", "lost.journal")
    return someone


def _requests(person):
    return {
        name: count
        for name, count in person.state()["requests"].items()
        if name == "project_list"
    }


def test_a_check_says_what_another_journal_sent(person):
    write_csv(person.folder / "m.csv", [*ROWS, csv_row(4)])
    in_the_portal(person, "R-2", description="Theirs.")
    checked = person.document("check", "m.csv")
    assert (
        checked["exit_code"],
        checked["counts"],
        [row["what_to_do"] for row in checked["rows"]],
        checked["iwi_load"][0]["projects"],
        list(person.folder.rglob("*-any.journal")),
    ) == (
        0,
        {"sent": 2, "held": 1, "ready": 1},
        [
            f"It is sent already, {ELSEWHERE}. Nothing is sent for it.",
            (
                "The service already has a project with the reference R-2 that differs "
                "from the row in description: “Ōtāhuhu culvert 2”, a draft. Look in "
                "the portal; submitted as it is, the row is held."
            ),
            f"It is sent already, {ELSEWHERE}. Nothing is sent for it.",
            "",
        ],
        1,
        [],
    )


def test_a_draft_of_a_lost_journal_is_said_to_be_taken_over(person):
    write_csv(person.folder / "m.csv", [csv_row(2)])
    checked = person.run("check", "m.csv")
    planned = person.document("plan", "m.csv")
    words = "m!A2 [warning] Reference “R-2”: A draft of it is there already, made "
    assert (
        checked.returncode,
        f"{words}{ELSEWHERE}. The submit takes it over after a pause."
        in checked.stdout,
        "      1 ready: 1 to be sent, 0 to be kept as drafts" in checked.stdout,
        planned["counts"],
        planned["tokens_needed"],
        planned["upload_files"],
    ) == (0, True, True, {"take over and send": 1}, 1, 0)


def test_a_plan_counts_no_token_for_what_another_journal_sent(person):
    write_csv(person.folder / "m.csv", [*ROWS, csv_row(4)])
    done = person.run("plan", "m.csv", "-o", "plan.json")
    rows = json.loads((person.folder / "plan.json").read_text("utf-8"))["rows"]
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert (
        done.returncode,
        [row["action"] for row in rows],
        [each for each in lines if "token" in each and "balance" not in each][1:],
        f"2 will not be sent: sent already, {ELSEWHERE}" in lines,
    ) == (
        0,
        ["note as sent", "take over", "note as sent", "create and send"],
        ["1 project goes to iwi, and 6 tokens stay. Sending cannot be undone."],
        True,
    )


def test_a_plan_of_rows_that_another_journal_sent_is_not_stale_for_it(person):
    write_csv(person.folder / "m.csv", [ROWS[0], csv_row(4)])
    person.run("plan", "m.csv", "-o", "plan.json")
    done = person.document("submit", "plan.json", *YES, "--settle", "1")
    assert (done["exit_code"], done["counts"], person.sends()) == (0, {"sent": 2}, 3)


def test_a_submit_asks_for_no_more_sends_than_the_plan_says(person):
    write_csv(person.folder / "m.csv", [*ROWS, csv_row(4)])
    refused = person.run("submit", "m.csv", "--no-input")
    done = person.run("submit", "m.csv", "--yes", "1", "--no-input", "--settle", "1")
    assert (
        refused.returncode,
        "would send 1 project to iwi" in refused.stderr,
        done.returncode,
        "4 rows read; 2 sent already elsewhere; 1 draft to make" in done.stdout,
        person.sends(),
    ) == (2, True, 0, True, 3)


@pytest.mark.parametrize("tokens", [2, 3, 9])
def test_drafts_that_another_journal_sent_are_sent_whatever_the_tokens(
    person_with, tokens
):
    person = person_with(tokens=tokens)
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2)])
    mine, theirs = (("--journal", f"{name}.journal") for name in ("mine", "theirs"))
    person.run("submit", "m.csv", "--drafts-only", "--no-input", *mine)
    person.run("submit", "m.csv", *YES, "--settle", "1", *theirs)
    checked = person.document("check", "m.csv", *mine)
    done = person.document(
        "submit", "m.csv", "--yes", "0", "--no-input", "--settle", "1", *mine
    )
    assert (
        checked["counts"],
        (done["exit_code"], done["counts"]),
        person.run("waiting", *mine).returncode,
        person.sends(),
    ) == ({"sent": 2}, (0, {"sent": 2}), 0, 2)


def test_a_check_and_a_plan_hold_a_draft_that_a_colleague_changed(person_with):
    person = person_with(tokens=9)
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2)])
    person.run("submit", "m.csv", "--drafts-only", "--no-input")
    in_the_portal(person, "R-1", description="Theirs.")
    checked = person.document("check", "m.csv")
    planned = person.document("plan", "m.csv")
    done = person.document("submit", "m.csv", *YES)
    assert planned["ready_to_send"] == 1
    assert (checked["counts"], planned["counts"], done["counts"], person.sends()) == (
        {"held": 1, "ready": 1},
        {"skip: held for a person": 1, "send": 1},
        {"held": 1, "sent": 1},
        1,
    )


def test_a_saved_plan_holds_the_rows_that_it_said_only_a_person_can_decide(person_with):
    person = person_with(tokens=9)
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2)])
    person.run("submit", "m.csv", "--drafts-only", "--no-input")
    in_the_portal(person, "R-1", description="Theirs.")
    write_csv(person.folder / "other.csv", [csv_row(3)])
    colleague = ("--journal", "colleague.journal")
    person.run("submit", "other.csv", "--drafts-only", "--no-input", *colleague)
    row = csv_row(3, Description="Other words.")
    write_csv(person.folder / "m.csv", [csv_row(1), csv_row(2), row])
    person.run("plan", "m.csv", "-o", "plan.json")
    done = person.document("submit", "plan.json", *YES)
    held = person.document("waiting")["held"]
    assert (done["counts"], done["remarks"], person.sends()) == (
        {"held": 2, "sent": 1},
        [],
        1,
    )
    assert [(each["reference"], each["why"]) for each in held] == [
        ("R-1", "Its draft was changed in the portal, it seems: description"),
        (
            "R-3",
            (
                "The service already has a project with the reference R-3 that differs "
                "from the row in description: “Ōtāhuhu culvert 3”, a draft."
            ),
        ),
    ]


def test_a_check_knows_what_its_own_journal_knows(person):
    journal = ("--journal", "lost.journal")
    before = (person.folder / "lost.journal").read_bytes()
    rows = [
        csv_row(1, Description="Else."),
        csv_row(2, Send="no"),
        csv_row(3, Name="Bridge", Description="A bridge."),
        csv_row(4, Reference="r 03"),
    ]
    write_csv(person.folder / "m.csv", rows[:3])
    checked = person.document("check", "m.csv", *journal)
    write_csv(person.folder / "m.csv", [*rows[:2], rows[3]])
    alike = person.document("check", "m.csv", *journal)
    asked = _requests(person)
    assert (
        checked["exit_code"],
        checked["counts"],
        checked["changed_too_late"],
        [
            [f["rule"] for f in row["findings"] if f["severity"] == "error"]
            for row in (*checked["rows"], alike["rows"][2])
        ],
        (person.folder / "lost.journal").read_bytes() == before,
    ) == (
        3,
        {"sent": 1, "drafted": 1, "to correct": 1},
        1,
        [["edited-too-late"], [], ["reference-used"], ["likely-repeat"]],
        True,
    )
    # Nothing was to be made: nothing was looked for.
    write_csv(person.folder / "m.csv", rows[:2])
    person.run("check", "m.csv", *journal)
    assert _requests(person) == asked


def test_a_row_with_mistakes_that_was_sent_is_sent(person):
    checked = person.document("check", "m.csv", "--journal", "lost.journal")
    write_csv(person.folder / "m.csv", [csv_row(1, Type="?"), csv_row(2, Type="?")])
    wrong = person.document("check", "m.csv", "--journal", "lost.journal")
    assert (
        checked["counts"],
        wrong["counts"],
        wrong["rows"][0]["what_to_do"].partition(";")[0],
    ) == (
        {"sent": 2, "drafted": 1},
        {"sent": 1, "to correct": 1},
        "R-1 was already sent, as Ōtāhuhu culvert 1",
    )
