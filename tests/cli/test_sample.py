"""`kawe export sample`: case files of some sends that nobody chose."""

import hashlib
import json

import pytest

from doubles.command import csv_row, write_csv
from doubles.switchboard import Switchboard

SAMPLE = ("export", "sample", "3", "--seed", "audit")


@pytest.fixture
def person(person_with):
    """Give a person who has sent seven projects, and kept a draft of one."""
    person = person_with(tokens=9, faults=True)
    rows = [*map(csv_row, range(1, 8)), csv_row(8, Send="no")]
    write_csv(person.folder / "monthly.csv", rows)
    sent = person.run("submit", "monthly.csv", "--yes", "7", "--no-input")
    assert sent.returncode == 0, sent.stderr
    return person


def drawn(folder):
    return json.loads((folder / "sample.json").read_text("utf-8"))


def test_the_same_word_draws_the_same_sends_and_anybody_can_reckon_them(person):
    for name in ("one", "again"):
        done = person.run(*SAMPLE, "-o", name)
        assert done.returncode == 0, done.stderr
    found = drawn(person.folder / "one")
    every = drawn_of_all(person)
    by_hand = sorted(
        every, key=lambda key: hashlib.sha256(f"audit {key}".encode()).hexdigest()
    )
    assert drawn(person.folder / "again") == found
    assert (found["seed"], found["sends"]) == ("audit", 7)
    assert [each["project_id"] for each in found["sample"]] == by_hand[:3]


def drawn_of_all(person):
    done = person.run("export", "sample", "99", "--seed", "x", "-o", "all", "--json")
    return [each["project_id"] for each in json.loads(done.stdout)["sample"]]


def test_each_has_its_row_and_its_case_file_and_all_are_listed(person):
    done = person.run(*SAMPLE, "-o", "whole")
    folder = person.folder / "whole"
    found = drawn(folder)["sample"]
    numbers = [int(each["reference"].removeprefix("R-")) for each in found]
    said = [[*each["values"].values()] for each in found]
    assert said == [csv_row(number) for number in numbers]
    assert [each["row"] for each in found] == [f"monthly!{n + 1}" for n in numbers]
    for each in found:
        names = {path.name for path in (folder / each["folder"]).iterdir()}
        assert {"project.xlsx", "receipts", "documents"} <= names
        assert each["folder"] in done.stdout
    assert "as it was saved" in person.stdout_of("export", "verify", "whole")


def test_a_case_file_that_is_not_complete_says_why(person):
    board = Switchboard(person.twin.address)
    board.set("gateway_page", "storage_get", status_code=200, count=1)
    done = person.run(*SAMPLE, "-o", "lacking")
    board.clear()
    said = done.stdout.count("Not saved: "), done.stdout.count("to have it complete.")
    assert (done.returncode, *said) == (7, 1, 1)


def test_what_was_altered_afterwards_is_found_without_the_list_of_all_too(person):
    person.run(*SAMPLE, "-o", "altered")
    folder = person.folder / "altered"
    (folder / "manifest-sha256.txt").unlink()
    for changed in (folder / "sample.json", next(folder.rglob("KR-*.pdf"))):
        was = changed.read_bytes()
        changed.write_bytes(b"{}")
        found = person.run("export", "verify", "altered").returncode
        changed.write_bytes(was)
        assert (found, person.run("export", "verify", "altered").returncode) == (9, 0)


@pytest.mark.parametrize(
    "words",
    [
        ("export", "sample", "3", "-o", "none"),
        ("export", "sample", "0", "--seed", "x", "-o", "none"),
        (*SAMPLE, "-o", "none", "--since", "1/1/2020", "--until", "2/1/2020"),
    ],
)
def test_without_a_word_a_number_or_a_send_nothing_is_written(person, words):
    done = person.run(*words)
    assert (done.returncode, (person.folder / "none").exists()) == (2, False)
