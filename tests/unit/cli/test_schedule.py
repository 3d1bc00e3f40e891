"""What is printed for a scheduler means the same command, whatever its paths are."""

from __future__ import annotations

import shlex
import xml.etree.ElementTree as ET
from datetime import UTC, datetime, time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kawe.cli.schedules.times import daily, every, monthly
from kawe.cli.schedules.writing import Schedule, crontab, systemd_files, windows_xml
from kawe.errors import SettingsError

TASK = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"


def _names(without):
    letters = st.characters(codec="utf-8", exclude_characters=f"/\0{without}")
    return st.text(letters, min_size=1, max_size=12).filter(
        lambda text: text.isprintable() and text.strip() == text
    )


def _schedule(name="monthly.xlsx", **changes):
    values = {
        "name": "kawe-monthly",
        "words": ("/opt/kawe/bin/kawe", "submit", f"/srv/{name}", "--no-input"),
        "folder": Path(f"/srv/{name} folder"),
        "log": Path(f"/var/log/{name}.log"),
        "does": "Submit a workbook",
        "missed": "Nothing catches up.",
        "when": monthly(day=1, at=time(7, 30)),
        "first_at": datetime(2026, 7, 1, 7, 30, tzinfo=UTC),
        **changes,
    }
    return Schedule(**values)


def _cron_reads(text):
    """Take a crontab apart as cron does: times, and what it hands to the shell."""
    (line,) = [each for each in text.splitlines() if not each.startswith("#")]
    *times, command = line.split(" ", 5)
    shell, position = "", 0
    while position < len(command):
        if command.startswith("\\%", position):
            position += 1
        else:
            # An unescaped percent sign would end the command.
            assert command[position] != "%"
        shell += command[position]
        position += 1
    return times, shlex.split(shell)


def _systemd_reads(line):
    """Take a command line apart as systemd.service(5) says."""
    words, word, quoted, position = [], None, False, 0
    while position < len(line):
        two, one = line[position : position + 2], line[position]
        position += 1
        if two in {"%%", "$$"} or (quoted and two == '\\"'):
            word = (word or "") + two[1]
            position += 1
        elif one == '"':
            quoted, word = not quoted, word or ""
        elif one == " " and not quoted:
            words, word = [*words, word], None
        else:
            assert one not in "%$\\"
            word = (word or "") + one
    return [*words, word]


def _setting(unit, name):
    (line,) = [each for each in unit.splitlines() if each.startswith(f"{name}=")]
    return line.partition("=")[2]


@given(_names(without="\\"))
def test_cron_runs_the_same_words_in_the_same_folder(name):
    schedule = _schedule(name)
    assert _cron_reads(crontab(schedule)) == (
        ["30", "07", "1", "*", "*"],
        [
            *("cd", str(schedule.folder), "&&"),
            *schedule.words,
            *(">>", str(schedule.log), "2>&1"),
        ],
    )


@given(_names(without="\\"))
def test_a_shell_hands_over_the_same_words(name):
    assert shlex.split(shlex.join(_schedule(name).words)) == list(_schedule(name).words)


@given(_names(without="\\"))
def test_systemd_runs_the_same_words_in_the_same_folder(name):
    schedule = _schedule(name)
    service, _ = systemd_files(schedule)
    folder = _setting(service, "WorkingDirectory").replace("%%", "%")
    log = _setting(service, "StandardOutput").replace("%%", "%")
    assert (_systemd_reads(_setting(service, "ExecStart")), folder, log) == (
        list(schedule.words),
        str(schedule.folder),
        f"append:{schedule.log}",
    )


@given(_names(without='%"'))
def test_windows_runs_the_same_words_in_the_same_folder(name):
    schedule = _schedule(name)
    task = ET.fromstring(windows_xml(schedule).partition("?>")[2])
    arguments = task.find(f".//{TASK}Arguments").text
    inner = arguments.removeprefix('/d /s /c "').removesuffix(' 2>&1"')
    quoted = inner.replace(" >> ", " ").removeprefix('"').split('" "')
    read = [each.removesuffix('"') for each in quoted]
    ending = "\\" * (len(name) - len(name.rstrip("\\")))
    assert (read, task.find(f".//{TASK}WorkingDirectory").text) == (
        [
            *schedule.words[:2],
            f"/srv/{name}{ending}",
            "--no-input",
            f"/var/log/{name}.log",
        ],
        str(schedule.folder),
    )


def test_a_missed_run_is_caught_up_by_systemd_and_windows():
    _, timer = systemd_files(_schedule())
    task = ET.fromstring(windows_xml(_schedule()).partition("?>")[2])
    assert (
        _setting(timer, "Persistent"),
        _setting(timer, "OnCalendar"),
        task.find(f".//{TASK}StartWhenAvailable").text,
        task.find(f".//{TASK}StartBoundary").text,
        task.find(f".//{TASK}DaysOfMonth/{TASK}Day").text,
        len(task.find(f".//{TASK}Months")),
    ) == ("true", "*-*-01 07:30:00", "true", "2026-07-01T07:30:00", "1", 12)


@pytest.mark.parametrize(
    ("when", "cron", "systemd", "first"),
    [
        (monthly(day=3, at=time(9)), "00 09 3 * *", "*-*-03 09:00:00", "12-03T09:00"),
        (daily(time(2)), "00 02 * * *", "*-*-* 02:00:00", "11-24T02:00"),
        (every(10), "*/10 * * * *", "*-*-* *:00/10:00", "11-23T00:00"),
    ],
)
def test_each_scheduler_runs_it_at_the_same_times(when, cron, systemd, *, first):
    now = datetime(2026, 11, 23, 9, tzinfo=UTC)
    schedule = _schedule(when=when, first_at=when.first(now))
    service, timer = systemd_files(schedule)
    task = ET.fromstring(windows_xml(schedule).partition("?>")[2])
    trigger = [
        each.tag.removeprefix(TASK) for each in task.find(f".//{TASK}Triggers/*")
    ]
    is_often = bool(when.repeats)
    assert (
        " ".join(_cron_reads(crontab(schedule))[0]),
        _setting(timer, "OnCalendar"),
        task.find(f".//{TASK}StartBoundary").text,
        # The next round does what one that failed has not done.
        "Restart=" in service,
        "StartLimitBurst=" in service,
        # Windows writes and reads the parts of a trigger in this order.
        trigger[:3] == ["Repetition", "StartBoundary", "Enabled"],
    ) == (
        *(cron, systemd, f"2026-{first}:00"),
        *(not is_often, not is_often, is_often),
    )


def test_a_settings_file_that_was_chosen_goes_along():
    chosen = _schedule(environment=(("KAWE_CONFIG", "/srv/100 % own.toml"),))
    _, words = _cron_reads(crontab(chosen))
    service, _ = systemd_files(chosen)
    windows = _schedule(environment=(("KAWE_CONFIG", "C:\\own.toml"),))
    assert (
        words[3:6],
        _setting(service, "Environment"),
        '"set "KAWE_CONFIG=C:\\own.toml"&amp;&amp; ' in windows_xml(windows),
    ) == (
        ["/usr/bin/env", "KAWE_CONFIG=/srv/100 % own.toml", "/opt/kawe/bin/kawe"],
        '"KAWE_CONFIG=/srv/100 %% own.toml"',
        True,
    )


@pytest.mark.parametrize(
    ("write", "name"),
    [
        (crontab, "a\nb.xlsx"),
        (crontab, "a\\b.xlsx"),
        (crontab, "a" * 1000),
        (systemd_files, "a\nb.xlsx"),
        (systemd_files, "a\\b.xlsx"),
        (windows_xml, "a\nb.xlsx"),
        (windows_xml, "%PATH%.xlsx"),
        (windows_xml, 'a"b.xlsx'),
    ],
)
def test_what_a_scheduler_would_read_otherwise_is_refused(write, name):
    with pytest.raises(SettingsError):
        write(_schedule(name))


def test_a_program_with_a_dollar_sign_is_refused_for_systemd():
    with pytest.raises(SettingsError):
        systemd_files(_schedule(words=("/opt/$x/kawe", "submit")))
