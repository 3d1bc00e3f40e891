"""`kawe schedule print`: what is pasted runs, and a scheduler finds it well made."""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from doubles.command import csv_row, write_csv

AWKWARD = "he rārangi'% $HOME `x` &;|<>\"#~*?!()"


@pytest.fixture
def person(person_with):
    """Give a person in a folder with every mark in its name, and a key file."""
    person = person_with(tokens=9)
    key = person.folder / "live.key"
    key.write_text(person.twin.address.live_key)
    key.chmod(0o600)
    person.environment["KAWE_API_KEY"] = ""
    person.folder = person.folder / AWKWARD
    person.folder.mkdir()
    write_csv(person.folder / "monthly upload.csv", [csv_row(1)])
    return person


def _print(person, scheduler, *more):
    words = ("--yes", "5", "--key-file", "../live.key", *more)
    return person.run(
        *("schedule", "print", "--for", scheduler, "monthly upload.csv"), *words
    )


def test_the_line_for_cron_submits_with_nothing_but_a_home(person):
    done = _print(person, "cron", "--log", "../runs.log")
    (line,) = [each for each in done.stdout.splitlines() if each[0] != "#"]
    shell = line.split(" ", 5)[5].replace("\\%", "%")
    home = person.surroundings()["HOME"]
    cron = {"HOME": home, "PATH": "/usr/bin:/bin"}
    ended = subprocess.run(["/bin/sh", "-c", shell], cwd="/", env=cron, check=False)
    log = (person.folder.parent / "runs.log").read_text("utf-8")
    assert (done.returncode, done.stderr, ended.returncode, "1 sent to iwi" in log) == (
        0,
        "",
        0,
        True,
    )


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd is not installed"
)
def test_systemd_finds_nothing_wrong_with_the_units(person, tmp_path):
    printed = _print(person, "systemd").stdout
    _, service, timer = printed.split("# Save this as ")
    paths = []
    for unit in (service, timer):
        place, _, text = unit.partition("\n")
        paths.append(tmp_path / Path(place).name)
        paths[-1].write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", *paths],
        capture_output=True,
        text=True,
        check=False,
    )
    names = [path.name for path in paths]
    lines = [line for line in done.stderr.splitlines() if "kawe-" in line]
    assert (names, done.returncode, lines) == (
        ["kawe-monthly-upload.service", "kawe-monthly-upload.timer"],
        0,
        [],
    )


def test_the_task_for_windows_is_a_file_that_its_programs_read(person):
    (person.folder.parent / "plain").mkdir()
    person.folder = person.folder.parent / "plain"
    _print(person, "windows", "-o", "kawe.xml")
    written = (person.folder / "kawe.xml").read_bytes()
    task = ET.fromstring(written)
    tag = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
    program = task.find(f".//{tag}Command").text
    arguments = task.find(f".//{tag}Arguments").text
    shown = (written[:2], program, f'"{person.folder}/monthly upload.csv"' in arguments)
    assert shown == (b"\xff\xfe", "cmd.exe", True)


def test_a_place_that_cannot_be_written_is_said_in_words(person):
    done = _print(person, "cron", "-o", "none/kawe.cron")
    first = done.stderr.splitlines()[0]
    assert (done.returncode, first.startswith("kawe: The schedule cannot be")) == (
        5,
        True,
    )


def test_a_schedule_behind_a_link_is_written_where_it_leads(person):
    (person.folder / "own").mkdir()
    (person.folder / "kawe.cron").symlink_to("own/kawe.cron")
    _print(person, "cron", "-o", "kawe.cron")
    written = (person.folder / "own" / "kawe.cron").read_text("utf-8")
    assert ((person.folder / "kawe.cron").is_symlink(), "submit" in written) == (
        True,
        True,
    )


def test_no_key_is_printed_and_what_a_schedule_lacks_is_said(person):
    key = person.twin.address.live_key
    person.environment.update(KAWE_API_KEY=key, KAWE_NOTIFY="json://127.0.0.1:9")
    done = person.run("schedule", "print", "--for", "systemd", "next.xlsx")
    notes = [line.split(".")[0] for line in done.stderr.splitlines()]
    assert (key in done.stdout + done.stderr, notes) == (
        False,
        [
            "Note: next",
            "Note: without --yes N a live run is refused, because nobody can be asked",
            "Note: the key is in KAWE_API_KEY, which a schedule does not have",
            "Note: KAWE_NOTIFY is not in a schedule: name the targets in your settings",
        ],
    )


def test_variables_of_this_terminal_become_options(person):
    journal = person.folder.parent / "own.journal"
    person.environment["KAWE_JOURNAL"] = str(journal)
    printed = _print(person, "systemd", "--drafts-only", "--day", "28").stdout
    (start,) = [each for each in printed.splitlines() if each.startswith("ExecStart=")]
    (when,) = [each for each in printed.splitlines() if each.startswith("OnCalendar=")]
    told = f"--drafts-only --yes 5 --base-url {person.twin.address.api_url} --journal "
    assert (told in start, str(journal) in start, when) == (
        True,
        True,
        "OnCalendar=*-*-28 07:30:00",
    )


def test_a_day_that_not_every_month_has_is_refused(person):
    assert _print(person, "cron", "--day", "31").returncode == 2


def test_the_line_for_a_watch_looks_with_nothing_but_a_home(person):
    words = ("--key-file", "../live.key", "--near", "3", "--log", "../news.log")
    done = person.run("schedule", "watch", "--for", "cron", *words)
    (line,) = [each for each in done.stdout.splitlines() if each[0] != "#"]
    *times, shell = line.split(" ", 5)
    home = person.surroundings()["HOME"]
    cron = {"HOME": home, "PATH": "/usr/bin:/bin"}
    ended = subprocess.run(
        ["/bin/sh", "-c", shell.replace("\\%", "%")], cwd="/", env=cron, check=False
    )
    log = (person.folder.parent / "news.log").read_text("utf-8")
    known = "kawe knows now how they stand" in log
    person.write_settings("[profile.te-awa]\nworkers = 2\n")
    night = person.run(
        *("schedule", "watch", "--for", "systemd", "--every", "night"),
        *("--profile", "te-awa", "--key-file", "../live.key", "-o", "units.txt"),
    )
    units = (person.folder / "units.txt").read_text("utf-8")
    odd = person.run("schedule", "watch", "--for", "cron", "--time", "03:00")
    assert (done.returncode, done.stderr, times, ended.returncode, known) == (
        *(0, "", ["*/10", "*", "*", "*", "*"]),
        *(0, True),
    ), done.stderr + log
    assert "Save this as ~/.config/systemd/user/kawe-watch-te-awa.timer" in units
    assert (night.returncode, "OnCalendar=*-*-* 02:00:00" in units) == (0, True)
    assert "--time belongs to --every night." in odd.stderr
