"""Two people with one workbook, each at a computer of their own: real processes."""

import json
import os
from collections import Counter

import pytest

from doubles.command import Person, csv_row, write_csv
from doubles.hosts import wait_for as wait_until
from doubles.typed_commands import start_command

ROWS = 12
SUBMIT = ("submit", "monthly.csv", "--yes", "99", "--no-input", "--settle", "3")


@pytest.fixture
def colleagues(person_with, tmp_path):
    """Give two people of one team, each with a copy of the workbook."""
    one = person_with(tokens=99)
    folder = tmp_path / "colleague"
    folder.mkdir()
    other = Person(folder=folder, twin=one.twin)
    for each in (one, other):
        write_csv(each.folder / "monthly.csv", [csv_row(n) for n in range(ROWS)])
    return one, other


def begin(person):
    said = person.folder / "said.json"
    said.touch()
    return start_command(
        (*SUBMIT, "--json", "--workers", "2"),
        folder=person.folder,
        environment=person.surroundings(),
        screen=str(said),
        errors=os.devnull,
    ), said


def ended(begun):
    """Give the exit code and how many rows stand how."""
    process, said = begun
    return process.wait(300), json.loads(said.read_text("utf-8"))["counts"]


def wait_for(person, *, projects, sent):
    def is_so_far():
        there = person.state()["projects"]
        return len(there) >= projects and person.sends() >= sent

    wait_until(is_so_far)


@pytest.mark.parametrize(
    ("projects", "sent"),
    [
        pytest.param(0, 0, marks=pytest.mark.short_campaign),
        pytest.param(ROWS // 2, 0, marks=pytest.mark.short_campaign),
        (ROWS, 1),
    ],
    ids=["start", "drafts", "a send"],
)
def test_a_second_computer_sends_nothing_again_whenever_it_begins(
    colleagues, projects, sent
):
    one, other = colleagues
    first = begin(one)
    wait_for(one, projects=projects, sent=sent)
    second = begin(other)
    codes = [ended(first)[0], ended(second)[0]]
    once_at_most = max(one.sends_of_each().values()) <= 1
    last = [ended(begin(each)) for each in (one, other)]
    assert (once_at_most, set(codes) <= {0, 6}, one.sends_of_each(), last) == (
        True,
        True,
        Counter({f"R-{n}": 1 for n in range(ROWS)}),
        [(0, {"sent": ROWS})] * 2,
    )


def test_what_another_computer_sent_is_sent_and_said_to_be(colleagues):
    one, other = colleagues
    assert one.run(*SUBMIT).returncode == 0
    done = other.run(*SUBMIT)
    assert (done.returncode, one.sends_of_each().total()) == (0, ROWS)
    assert (
        f"{ROWS} rows were sent already, by another computer, by hand, or by a journal "
        "that was lost. Nothing was sent for them again." in done.stdout
    )
