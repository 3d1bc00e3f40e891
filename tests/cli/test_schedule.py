"""What the pages give for a scheduler runs, and a scheduler finds it well made."""

import shlex
import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest

from doubles.command import csv_row, write_csv
from doubles.schedules import (
    MONTHLY,
    WATCH,
    Filling,
    cron_shell,
    crontab,
    program,
    systemd_units,
    windows_task,
)

AWKWARD = "he rārangi'% $HOME `x` &;|<>\"#~*?!()"


@pytest.fixture
def person(person_with):
    """Give a person in a folder with every mark in its name, and a key file."""
    person = person_with(tokens=9)
    key = person.folder / "live.key"
    key.write_text(person.twin.address.live_key)
    key.chmod(0o600)
    person.folder = person.folder / AWKWARD
    person.folder.mkdir()
    write_csv(person.folder / "monthly upload.csv", [csv_row(1)])
    return person


@pytest.fixture
def own(person):
    return Filling(
        program=program(), folder=str(person.folder), workbook="monthly upload.csv"
    )


def _as_cron_does(person, text):
    """Run a line with nothing but a home; the address and key are options of it."""
    _, shell = cron_shell(text)
    url = shlex.quote(person.twin.address.api_url)
    options = f"--quiet --base-url {url} --key-file ../live.key"
    return subprocess.run(
        ["/bin/sh", "-c", shell.replace("--quiet", options)],
        cwd="/",
        env={"HOME": person.surroundings()["HOME"], "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=False,
    )


def test_the_line_for_cron_submits_with_nothing_but_a_home(person, own):
    ended = _as_cron_does(person, crontab(MONTHLY, own).replace("--yes 60", "--yes 5"))
    log = (person.folder / "monthly.log").read_text("utf-8")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b""), log
    assert ("1 sent to iwi" in log, person.sends()) == (True, 1)


def test_the_line_for_a_watch_looks_with_nothing_but_a_home(person, own):
    ended = _as_cron_does(person, crontab(WATCH, own))
    log = (person.folder / "watch.log").read_text("utf-8")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b""), log
    assert "kawe knows now how they stand" in log


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd is not installed"
)
@pytest.mark.parametrize("page", [MONTHLY, WATCH])
def test_systemd_finds_nothing_wrong_with_the_units(page, own, tmp_path):
    paths = [tmp_path / "kawe-own.service", tmp_path / "kawe-own.timer"]
    for path, text in zip(paths, systemd_units(page, own), strict=True):
        path.write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", *paths],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stderr.splitlines() if "kawe-" in line]
    assert (done.returncode, lines) == (0, [])


@pytest.mark.parametrize("page", [MONTHLY, WATCH])
def test_the_task_for_windows_is_a_file_that_its_programs_read(page, own):
    task = ET.fromstring(windows_task(page, own).encode("utf-16"))
    tag = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
    folder = task.find(f".//{tag}WorkingDirectory").text
    assert (task.find(f".//{tag}Command").text, folder) == ("cmd.exe", own.folder)
