"""What is no workbook, and a journal that was meddled with, are told in plain words."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing

import pytest

from doubles.command import csv_row, write_csv
from doubles.planned import YES

FOLDER = "is a folder. Name the workbook inside it."
PIPE = (
    "is a pipe or a device, and no workbook. Save the rows in a workbook or a CSV "
    "file, and name that."
)


@pytest.mark.skipif(os.name == "nt", reason="pipes and devices of POSIX")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        (".", f"“.” {FOLDER}"),
        ("", f"“.” {FOLDER}"),
        ("folder.json", f"“folder.json” {FOLDER}"),
        ("pipe.xlsx", f"“pipe.xlsx” {PIPE}"),
        ("pipe.json", f"“pipe.json” {PIPE}"),
        ("/dev/null", f"“null” {PIPE}"),
    ],
)
def test_what_is_no_file_is_refused_in_a_sentence(person_with, name, said):
    person = person_with()
    (person.folder / "folder.json").mkdir()
    for pipe in ("pipe.xlsx", "pipe.json"):
        os.mkfifo(person.folder / pipe)
    told = [person.run(command, name) for command in ("check", "plan", "submit")]
    ended = [(each.returncode, each.stderr) for each in told]
    assert ended == [(5, f"kawe: {said}\n")] * 3


COMMANDS = [
    ("submit", "monthly.csv", *YES),
    ("plan", "monthly.csv"),
    ("status",),
    ("report",),
    ("deferred",),
    ("held",),
    ("release", *YES),
    ("resolve", "R-1", "--retry"),
    ("journal", "verify"),
]


@pytest.mark.parametrize(
    "table", ["batch SET name = 'other'", "reading SET batch = 'x'"]
)
def test_a_journal_whose_batches_were_altered_is_called_damaged(person_with, table):
    person = person_with(tokens=1)
    write_csv(person.folder / "monthly.csv", [csv_row(1), csv_row(2)])
    words = ("--journal", "my.journal")
    person.run("submit", "monthly.csv", *YES, *words)
    with closing(sqlite3.connect(person.folder / "my.journal")) as db:
        db.execute(f"UPDATE {table}")
        db.commit()
    told = [person.run(*each, *words) for each in COMMANDS]
    said = ["it is damaged" in each.stderr for each in told]
    assert ([each.returncode for each in told], said) == (
        [6] * len(COMMANDS),
        [True] * len(COMMANDS),
    )
