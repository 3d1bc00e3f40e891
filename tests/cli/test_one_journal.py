"""A journal belongs to one account and one process; losing it doubles nothing."""

import asyncio
import os
import re
import shutil

import pytest

from doubles.command import csv_row, write_csv
from kawe.journal.journal import StoreJournal
from kawe_twin.serving import TwinOptions, start_twin

YES = ("--yes", "9", "--no-input", "--quiet", "--journal", "mine/one.journal")


@pytest.fixture
def person(person_with):
    """Give a person with one journal, of which one row was sent."""
    person = person_with(tokens=9, rows=(1,))
    assert person.run("submit", "monthly.csv", *YES).returncode == 0
    write_csv(person.folder / "monthly.csv", [csv_row(1), csv_row(2)])
    return person


def test_a_key_of_the_other_mode_is_refused_with_a_plain_sentence(person):
    person.key = person.twin.address.sandbox_key
    done = person.run("submit", "monthly.csv", *YES)
    assert (done.returncode, person.sends()) == (6, 1)
    assert re.search(
        r"^kawe: This journal belongs to .+ at http.+ \(live\), but the key is for "
        r".+ \(sandbox\)\. Use the key that it belongs to, or another file with "
        r"--journal\.$",
        done.stderr.strip(),
    )


def test_another_service_is_refused_with_a_plain_sentence(person, tmp_path):
    with start_twin(TwinOptions(folder=tmp_path / "other")) as other:
        person.environment = {"KAWE_BASE_URL": other.address.api_url}
        person.key = other.address.live_key
        done = person.run("submit", "monthly.csv", *YES)
    person.environment, person.key = {}, None
    assert (done.returncode, "This journal belongs to" in done.stderr) == (6, True)
    assert person.sends() == 1


def test_a_second_process_is_told_who_holds_the_journal(person):
    held = StoreJournal.open(person.folder / "mine" / "one.journal")
    try:
        done = person.run("submit", "monthly.csv", *YES)
    finally:
        asyncio.run(held.aclose())
    assert (done.returncode, person.sends()) == (6, 1)
    assert re.search(
        r"in use by another kawe on \S+, since \d\d:\d\d on \d+ \w+ \d{4}, NZ time "
        rf"\(process {os.getpid()}\)\.",
        done.stderr,
    )


def test_a_lost_journal_leads_to_adoption_and_not_to_a_second_project(person):
    person.run("submit", "monthly.csv", "--drafts-only", *YES)
    shutil.rmtree(person.folder / "mine")
    done = person.document("submit", "monthly.csv", *YES, "--settle", "1")
    outcomes = {row["reference"]: row["outcome"] for row in done["rows"]}
    projects = {each["reference"]: each["sends"] for each in person.state()["projects"]}
    assert (outcomes, projects, len(person.state()["projects"])) == (
        {"R-1": "sent", "R-2": "sent"},
        {"R-1": 1, "R-2": 1},
        2,
    )
