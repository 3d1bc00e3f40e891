"""What is no workbook, and a journal that was meddled with, are told in plain words."""

import os
import sqlite3
from contextlib import closing

import pytest

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


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
@pytest.mark.parametrize("name", ["loop.xlsx", f"{'x' * 300}.xlsx"])
@pytest.mark.parametrize("command", ["check", "plan", "submit"])
def test_a_name_that_no_file_can_have_is_refused_in_a_sentence(
    person_with, command, name
):
    person = person_with()
    (person.folder / "loop.xlsx").symlink_to("loop.xlsx")
    assert "cannot be the name of a file" in person.stderr_of(command, name, code=2)


def _pipe(path):
    os.mkfifo(path)


def _endless(path):
    path.symlink_to("/dev/zero")


def _itself(path):
    path.symlink_to(path)


def _deep(path):
    path.write_text(f"a={'[' * 5000}{']' * 5000}", "utf-8")


@pytest.mark.skipif(os.name == "nt", reason="pipes and devices of POSIX")
@pytest.mark.parametrize("make", [_pipe, _endless, _itself, _deep])
def test_settings_in_no_ordinary_file_are_refused_at_once(person_with, make):
    person = person_with()
    make(person.folder / "kawe.toml")
    assert "kawe.toml" in person.stderr_of("status", code=2)


COMMANDS = [
    ("submit", "monthly.csv", *YES),
    ("plan", "monthly.csv"),
    ("status",),
    ("status", "--write"),
    ("waiting",),
    ("release", *YES),
    ("resolve", "R-1", "--retry"),
    ("journal", "verify"),
]


def told_after(change, person):
    """Change a journal behind kawe's back; give what each command says then."""
    words = ("--journal", "my.journal")
    person.run("submit", "monthly.csv", *YES, *words)
    with closing(sqlite3.connect(person.folder / "my.journal")) as db:
        db.execute(change)
        db.commit()
    return {" ".join(each): person.run(*each, *words) for each in COMMANDS}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE batch SET name = 'other'",
        "UPDATE reading SET batch = 'x'",
        "DELETE FROM reading",
    ],
)
def test_a_journal_whose_batches_were_altered_is_called_damaged(person_with, change):
    told = told_after(change, person_with(tokens=1, rows=(1, 2)))
    said = {(each.returncode, "it is damaged" in each.stderr) for each in told.values()}
    assert (len(told), said) == (len(COMMANDS), {(6, True)})


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entry SET moved_at = '9999-12-31T23:59:59+00:00'",
        "UPDATE reading SET read_at = '2026-11-22T10:00:00'",
    ],
)
def test_an_instant_that_kawe_never_wrote_stops_a_run_in_a_sentence(
    person_with, change
):
    told = told_after(change, person_with(tokens=1, rows=(1, 2)))
    first = " ".join(COMMANDS[0])
    assert (
        told[first].returncode,
        told["status --write"].returncode,
        [name for name, each in told.items() if each.returncode == 1],
        "kawe: " in told[first].stderr,
    ) == (6, 6, [], True)
