"""`--all-profiles`: how the accounts of a bureau stand, each in a few lines."""

from collections import Counter

import pytest

from doubles.command import csv_row, write_csv
from doubles.hosts import COUNCILS, bureau_on, started_twins

AGREES = ("--yes", "99", "--no-input")


@pytest.fixture
def bureau(tmp_path):
    """Give a bureau with tokens for two rows of each council; nobody has submitted."""
    with started_twins(tmp_path, tokens=2) as twins:
        yield bureau_on(tmp_path, twins)


def submit(bureau, council, rows):
    write_csv(bureau.folder / "monthly.csv", [csv_row(n) for n in range(rows)])
    bureau.run("submit", "monthly.csv", "--profile", council, *AGREES)


def accounts(document):
    return {each["profile"]: each for each in document["accounts"]}


def break_journal(bureau, council):
    state = bureau.folder / "home" / "state"
    (journal,) = (state / "kawe" / council).glob("*.journal")
    journal.write_bytes(b"SQLite format 3\0" + bytes(4096))


def test_each_account_has_its_line_and_an_own_code(bureau):
    submit(bureau, "hurunui", 2)
    submit(bureau, "waimate", 3)
    done = bureau.run("status", "--all-profiles")
    lines = [each.partition(": ") for each in done.stdout.splitlines()]
    assert done.returncode == 4
    assert [(name, said.partition(": ")[2] or said) for name, _, said in lines] == [
        ("hurunui", "2 sent in 1 batch."),
        ("waimate", "2 sent, 1 deferred in 1 batch."),
        ("waimate", "1 deferred."),
        ("ōpōtiki", "No batch yet."),
    ]
    assert {
        name: (each["code"], each["counts"], each["not_done"]["counts"])
        for name, each in accounts(bureau.document("status", "--all-profiles")).items()
    } == {
        "hurunui": (0, {"sent": 2}, {}),
        "waimate": (4, {"sent": 2, "deferred": 1}, {"deferred": 1}),
        "ōpōtiki": (0, {}, {}),
    }


def test_what_waits_is_counted_for_each_account(bureau):
    submit(bureau, "waimate", 4)
    done = bureau.run("waiting", "--all-profiles")
    assert (done.returncode, done.stdout.splitlines()) == (
        4,
        ["hurunui: No row waits.", "waimate: 2 for tokens.", "ōpōtiki: No row waits."],
    )
    found = accounts(bureau.document("waiting", "--all-profiles"))
    assert {name: each["tokens_needed"] for name, each in found.items()} == {
        "hurunui": 0,
        "waimate": 2,
        "ōpōtiki": 0,
    }


def test_months_are_reported_with_a_page_of_each_account(bureau):
    *worked_for, new = COUNCILS
    for council in worked_for:
        submit(bureau, council, 2)
    found = bureau.document("status", "--all-profiles", "--since", "1/7/2026")
    counts = {name: each["counts"] for name, each in accounts(found).items()}
    assert counts == {each: {"sent": 2} for each in worked_for} | {new: {}}
    pages = [each.name for each in bureau.folder.glob("kawe status*")]
    assert Counter(name.split()[2] for name in pages) == dict.fromkeys(worked_for, 2)


def test_an_account_that_cannot_be_read_is_said_and_the_others_follow(bureau):
    for council in COUNCILS:
        submit(bureau, council, 2)
    break_journal(bureau, "hurunui")
    for command in (["status"], ["waiting"], ["status", "--since", "1/7/2026"]):
        found = bureau.document(*command, "--all-profiles")
        codes = {name: each["code"] for name, each in accounts(found).items()}
        assert (found["exit_code"], codes) == (
            6,
            {"hurunui": 6, "waimate": 0, "ōpōtiki": 0},
        )
        assert accounts(found)["hurunui"]["trouble"]


@pytest.mark.parametrize(
    "words",
    [
        ["status", "--all-profiles", "--profile", "hurunui"],
        ["status", "monthly", "--all-profiles"],
        ["status", "--all-profiles", "--write"],
        ["waiting", "--all-profiles", "--first", "R-1"],
    ],
)
def test_what_is_for_one_account_is_refused(bureau, words):
    assert bureau.run(*words).returncode == 2


def test_a_journal_in_the_environment_would_hold_for_all(bureau):
    bureau.environment["KAWE_JOURNAL"] = "one.journal"
    assert "would hold for" in bureau.stderr_of("status", "--all-profiles", code=2)
