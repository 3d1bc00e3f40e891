"""`kawe journal verify`: a whole history, and one that somebody altered."""

from __future__ import annotations

import sqlite3

import pytest

from doubles.command import csv_row, write_csv

VERIFY = ("journal", "verify", "--journal", "one.journal")


@pytest.fixture
def person(person_with):
    person = person_with(tokens=9)
    write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(3)])
    person.run(
        *("submit", "monthly.csv", "--yes", "9", "--no-input"),
        *("--journal", "one.journal"),
    )
    return person


def test_a_journal_that_nobody_touched_is_whole(person):
    done = person.run(*VERIFY)
    assert (done.returncode, done.stdout.startswith("The journal is whole")) == (
        0,
        True,
    )


def test_an_altered_event_is_found(person):
    with sqlite3.connect(person.folder / "one.journal") as db:
        for (name,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("UPDATE event SET detail = 'never happened' WHERE seq = 4")
    db.close()
    done = person.run(*VERIFY)
    assert (done.returncode, "Traceback" in done.stderr) == (6, False)
