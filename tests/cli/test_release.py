"""Releases: of all batches together, and those that wait for tokens."""

import json
import os
import signal

import pytest

from doubles.command import csv_row, write_csv
from doubles.terminal import Terminal

YES = ("--yes", "9", "--no-input")
WAIT = ("release", "--wait", *YES)


def _write(person, file, numbers, *, name="Weir", **changes):
    rows = [csv_row(n, Name=f"{name} {n}", **changes) for n in numbers]
    write_csv(person.folder / file, rows)


def _batch(person, name, numbers, **changes):
    _write(person, name, numbers, **changes)
    assert person.run("submit", name, *YES).returncode == 4


@pytest.fixture
def person(person_with):
    """Give a person with rows of two batches that wait, and no token."""
    person = person_with(tokens=0)
    _batch(person, "monthly.csv", (1, 2), **{"Respond by": "2030-03-20"})
    _batch(person, "weekly.csv", (3, 4), **{"Respond by": "2030-03-10"})
    return person


def test_the_most_urgent_rows_of_all_batches_get_the_tokens(person):
    person.twin.buy_tokens(1)
    person.twin.buy_tokens(1)
    done = person.document("release", *YES)
    counts = {each["batch"]: each["counts"] for each in done["batches"]}
    assert (done["schema"], done["exit_code"], counts) == (
        "kawe.releases/1",
        4,
        {"monthly": {"deferred": 2}, "weekly": {"sent": 2}},
    )
    assert person.sent() == {"R-3", "R-4"}


def test_a_batch_that_is_named_is_released_alone(person):
    person.twin.buy_tokens(5)
    done = person.document("release", "monthly", *YES)
    assert (done["schema"], done["exit_code"]) == ("kawe.release/1", 0)
    assert person.sent() == {"R-1", "R-2"}


def test_of_a_workbook_in_whose_place_the_next_was_read_nothing_is_said(person):
    person.twin.buy_tokens(5)
    _write(person, "weekly.csv", (8, 9))
    person.run("submit", "weekly.csv", "--drafts-only", "--no-input")
    assert "saved after" not in person.stdout_of("release", "weekly", *YES)


def test_a_release_names_the_workbook_that_was_saved_after_it_was_read(person):
    """What goes is what was read."""
    person.twin.buy_tokens(5)
    _write(person, "monthly.csv", (1, 2), name="Dam")
    (person.folder / "weekly.csv").unlink()
    done = person.run("release", *YES)
    said = [line for line in done.stdout.splitlines() if "saved" in line]
    words = (
        "Batches monthly, weekly: monthly.csv was saved after kawe read it; what goes "
        "is what it said then. To send what it says now, submit it first."
    )
    assert said == [words]
    names = {each["name"] for each in person.state()["projects"]}
    assert (done.returncode, names) == (0, {f"Weir {n}" for n in (1, 2, 3, 4)})


BOTH = ("--failed", "wrong.xlsx", "--geojson", "map.geojson")


def test_each_batch_of_a_release_has_its_rows_to_correct_and_its_map(person):
    refused = person.run("release", *YES, "--failed", "none/wrong.xlsx")
    person.twin.buy_tokens(1)
    person.twin.buy_tokens(1)
    waits = person.document("release", *YES, *BOTH)
    person.twin.buy_tokens(5)
    done = person.document("release", "monthly", *WAIT[1:], *BOTH)
    maps = {
        path.name: [
            each["properties"]["outcome"]
            for each in json.loads(path.read_bytes())["features"]
        ]
        for path in person.folder.glob("map*.geojson")
    }
    assert refused.returncode == 5
    assert "“wrong.monthly.xlsx” cannot be written" in refused.stderr
    failed = [each["result_failed"] for each in waits["batches"]]
    assert failed == ["wrong.monthly.xlsx", "wrong.weekly.xlsx"]
    assert maps == {
        "map.monthly.geojson": ["deferred"] * 2,
        "map.weekly.geojson": ["sent"] * 2,
        "map.geojson": ["sent"] * 2,
    }
    assert done["result_failed"] == "wrong.xlsx"
    assert done["result_geojson"] == "map.geojson"


def test_a_release_that_waits_ends_when_nothing_waits_any_more(person):
    person.twin.buy_tokens(5)
    done = person.run(*WAIT)
    assert (done.returncode, len(person.sent())) == (0, 4)
    assert "looks again" not in done.stderr


def test_while_a_release_waits_others_submit_and_ctrl_c_loses_nothing(person):
    terminal = Terminal(person, "release", "--wait", "--yes", "4")
    terminal.wait_for("Others can submit meanwhile.")
    _batch(person, "other.csv", (5,))
    os.killpg(terminal.process.pid, signal.SIGINT)
    stopped = terminal.end()
    rows = person.document("waiting")["rows"]
    assert stopped == 130
    assert [each["reference"] for each in rows] == ["R-3", "R-4", "R-1", "R-2", "R-5"]
    assert "4 rows wait for tokens; the team has 0. kawe looks" in terminal.screen


def test_when_the_time_to_wait_is_up_the_code_is_4_and_the_rows_wait_on(person):
    done = person.document(*WAIT, "--for", "0.0001")
    counts = [(each["exit_code"], each["counts"]) for each in done["batches"]]
    assert (done["exit_code"], counts) == (4, [(4, {"deferred": 2})] * 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--poll", "10"), "--poll and --for go with --wait."),
        (("--for", "1"), "--poll and --for go with --wait."),
        (("--wait", "--poll", "1"), "1.0 is not in the range 5<=x<=15."),
        (("--wait", "--yes", "3"), "and 3 were agreed to."),
        (("--wait", "--no-input"), "nobody can be asked."),
    ],
    ids=" ".join,
)
def test_what_cannot_be_waited_for_is_code_2(person, words, said):
    person.twin.buy_tokens(5)
    done = person.run("release", *words)
    assert (done.returncode, said in done.stderr, person.sent()) == (2, True, set())
