"""`--open` opens a result where a person is there, and says where it cannot."""

import os
import sys

import pytest

from doubles.command import csv_row, write_csv

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="xdg-open is Linux's program"
)


@pytest.fixture
def person(person_with):
    person = person_with(tokens=1)
    write_csv(person.folder / "my month.csv", [csv_row(n) for n in range(2)])
    return person


@pytest.fixture
def opener(person, tmp_path):
    """Give a function that puts an opener of this machine in place."""
    programs = tmp_path / "programs"
    programs.mkdir()

    def put(script):
        program = programs / "xdg-open"
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
        person.environment["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"

    return put


def _opened(person):
    path = person.folder / "opened.txt"
    return path.read_text("utf-8").splitlines() if path.exists() else []


def test_each_command_that_writes_a_result_opens_it(person, opener):
    opener('echo "$1" >> opened.txt')
    codes = [
        person.run(*words, "--open").returncode
        for words in (
            ("check", "my month.csv"),
            ("submit", "my month.csv", "--yes", "2"),
            ("status", "--write"),
        )
    ]
    person.twin.buy_tokens(1)
    codes.append(person.run("release", "--yes", "1", "--open").returncode)
    result = str(person.folder / "my month.result.xlsx")
    assert (codes, _opened(person)) == ([0, 4, 0, 0], [result] * 4)


@pytest.mark.parametrize(
    "words",
    [
        ("check", "my month.csv", "--json"),
        ("check", "my month.csv"),
        ("submit", "my month.csv", "--yes", "2", "--no-input"),
    ],
)
def test_programs_and_whoever_did_not_ask_get_nothing_opened(person, opener, words):
    opener('echo "$1" >> opened.txt')
    options = () if words == ("check", "my month.csv") else ("--open",)
    said = "Nothing is opened" in person.run(*words, *options).stderr
    assert (_opened(person), said) == ([], bool(options))


def test_what_cannot_be_opened_is_named_and_changes_no_code(person, opener):
    opener("exit 3")
    assert person.stderr_of("check", "my month.csv", "--open").splitlines()[-2] == (
        "my month.result.xlsx could not be opened here: xdg-open found no program "
        "for it."
    )


def test_a_machine_without_an_opener_says_so(person, tmp_path):
    person.environment["PATH"] = str(tmp_path)
    assert person.stderr_of("check", "my month.csv", "--open").splitlines()[-2] == (
        "my month.result.xlsx could not be opened here: xdg-open: No such file or "
        "directory."
    )
