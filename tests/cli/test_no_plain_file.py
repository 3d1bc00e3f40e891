"""A pipe, a device or a folder in the place of a file keeps nobody waiting."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
SUBMIT = ("submit", "plan.json", "--yes", "9", "--no-input")
CHECK = ("check", "monthly.csv", "--no-input")
CASES = [
    (("submit", "ODD", "--no-input"), 5),
    (("plan", "ODD"), 5),
    (("approve", "ODD"), 2),
    ((*CHECK, "--places", "ODD"), 5),
    ((*CHECK, "--key-file", "ODD"), 2),
    (("status", "--journal", "ODD"), 6),
    (("journal", "verify", "--journal", "ODD"), 6),
    (("export", "verify", "ODD"), 2),
]


@pytest.fixture
def person(person_with):
    someone = person_with(tokens=9, rows=(1,))
    assert someone.run("plan", "monthly.csv", "-o", "plan.json").returncode == 0
    os.mkfifo(someone.folder / "pipe")
    (someone.folder / "folder").mkdir()
    return someone


def ended(person, *words):
    """Give the code of a command; one that waits for a pipe is not waited for."""
    process = person.start(*words)
    try:
        return process.wait(60)
    finally:
        process.kill()


def test_what_is_named_and_is_no_file_is_refused_at_once(person):
    for odd, cases in (("pipe", CASES), ("/dev/zero", CASES[::4])):
        said = [
            (words, ended(person, *(odd if each == "ODD" else each for each in words)))
            for words, _ in cases
        ]
        assert said == cases


def test_a_folder_of_files_that_is_none_is_refused_at_once(person):
    for odd in ("monthly.csv", "no such folder"):
        assert odd in person.stderr_of(*CHECK, "--files", odd, code=2)


def test_a_settings_file_that_is_none_is_refused_at_once(person):
    for odd in ("pipe", "/dev/zero", "folder"):
        person.environment["KAWE_CONFIG"] = odd
        assert ended(person, *CHECK) == 2


@pytest.mark.parametrize("odd", ["pipe", "folder", "/dev/zero"])
def test_a_key_file_that_is_none_is_named(person, odd):
    done = person.run(*CHECK, "--key-file", odd)
    assert (done.returncode, f"key file {odd}" in done.stderr) == (2, True)
    assert "chmod" not in done.stderr


def test_what_is_no_file_is_not_named_as_a_workbook_to_plan(person):
    assert "plan WORKBOOK -o plan.json" in person.run("approve", "pipe").stderr


def test_a_pipe_beside_a_workbook_or_a_plan_is_left_alone(person):
    os.mkfifo(person.folder / "other.json")
    os.mkfifo(person.folder / "other.xlsx")
    os.mkfifo(person.folder / "plan.approval.json")
    assert (ended(person, *CHECK), ended(person, *SUBMIT)) == (0, 0)


def closed(person, *words, how):
    """Run a command whose output is redirected as a shell does it."""
    return subprocess.run(
        ["sh", "-c", how.format('exec "$@"'), "sh", *person.command(*words)],
        cwd=person.folder,
        env=person.surroundings(),
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


def test_a_command_that_can_print_nowhere_does_its_work(person):
    assert closed(person, "template", "projects", how="{} >&- 2>&-").returncode == 0


def test_a_disk_without_room_for_what_is_printed_is_named(person):
    done = closed(person, "--help-all", how="ulimit -f 0; {} > said.txt")
    assert (done.returncode, "cannot be written: file too large" in done.stderr) == (
        5,
        True,
    )
