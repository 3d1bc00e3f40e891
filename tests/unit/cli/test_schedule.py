"""What the pages give for a scheduler means the same command, whatever its paths."""

import shlex
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubles.schedules import (
    MONTHLY,
    WATCH,
    Filling,
    blocks,
    cron_shell,
    crontab,
    systemd_units,
    windows_task,
)

TASK = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
AGREED = ("--yes", "60", "--no-input", "--quiet")


def _names(without):
    letters = st.characters(codec="utf-8", exclude_characters=f"/\0{without}")
    return st.text(letters, min_size=1, max_size=12).filter(
        lambda text: text.isprintable() and text.strip() == text
    )


def _own(name="monthly.xlsx"):
    return Filling(
        program="/opt/kawe's/bin/kawe", folder=f"/srv/{name} folder", workbook=name
    )


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


def _task(page, own):
    return ET.fromstring(windows_task(page, own).partition("?>")[2])


@given(_names(without="\\"))
def test_cron_runs_the_same_words_in_the_same_folder(name):
    own = _own(name)
    times, shell = cron_shell(crontab(MONTHLY, own))
    assert (times, shlex.split(shell)) == (
        ["30", "7", "1", "*", "*"],
        [
            *("cd", own.folder, "&&", own.program, "submit", name, *AGREED),
            *(">>", "monthly.log", "2>&1"),
        ],
    )


@given(_names(without="\\"))
def test_systemd_runs_the_same_words_in_the_same_folder(name):
    own = _own(name)
    service, _ = systemd_units(MONTHLY, own)
    folder = _setting(service, "WorkingDirectory").replace("%%", "%")
    log = _setting(service, "StandardOutput").replace("%%", "%")
    assert (_systemd_reads(_setting(service, "ExecStart")), folder, log) == (
        [own.program, "submit", name, *AGREED],
        own.folder,
        f"append:{own.folder}/monthly.log",
    )


@given(_names(without='%"\\'))
def test_windows_runs_the_same_words_in_the_same_folder(name):
    own = _own(name)
    task = _task(MONTHLY, own)
    arguments = task.find(f".//{TASK}Arguments").text
    agreed = " ".join(AGREED)
    assert (
        task.find(f".//{TASK}Command").text,
        arguments,
        task.find(f".//{TASK}WorkingDirectory").text,
    ) == (
        "cmd.exe",
        f'/d /s /c ""{own.program}" submit "{name}" {agreed} >> "monthly.log" 2>&1"',
        own.folder,
    )


@pytest.mark.parametrize("page", [MONTHLY, WATCH])
def test_a_missed_run_is_caught_up_by_systemd_and_windows(page):
    _, timer = systemd_units(page, _own())
    task = _task(page, _own())
    assert (
        _setting(timer, "Persistent"),
        task.find(f".//{TASK}StartWhenAvailable").text,
    ) == ("true", "true")


def test_a_run_of_every_month_is_tried_again_and_has_a_day_of_every_month():
    service, timer = systemd_units(MONTHLY, _own())
    task = _task(MONTHLY, _own())
    assert (
        _setting(timer, "OnCalendar"),
        _setting(service, "Restart"),
        # Those that only a person can mend, as docs/exit-codes.md has them.
        _setting(service, "RestartPreventExitStatus"),
        _setting(service, "StartLimitBurst"),
        task.find(f".//{TASK}StartBoundary").text,
        task.find(f".//{TASK}DaysOfMonth/{TASK}Day").text,
        len(task.find(f".//{TASK}Months")),
    ) == (
        *("*-*-01 07:30:00", "on-failure", "1 2 3 4 5 6", "4"),
        *("2026-12-01T07:30:00", "1", 12),
    )


def test_each_scheduler_watches_every_ten_minutes_and_tries_nothing_again():
    times, shell = cron_shell(crontab(WATCH, _own()))
    service, timer = systemd_units(WATCH, _own())
    task = _task(WATCH, _own())
    program, look = _own().program, ("watch", "--once", "--quiet", "-o")
    assert (
        times,
        _setting(timer, "OnCalendar"),
        task.find(f".//{TASK}Interval").text,
        # Windows writes and reads the parts of a trigger in this order.
        [each.tag.removeprefix(TASK) for each in task.find(f".//{TASK}Triggers/*")],
        # The next round does what one that failed has not done.
        "Restart" in service,
        _systemd_reads(_setting(service, "ExecStart")),
        shlex.split(shell),
        task.find(f".//{TASK}Arguments").text,
    ) == (
        *(["*/10", "*", "*", "*", "*"], "*-*-* *:00/10:00", "PT10M"),
        ["Repetition", "StartBoundary", "Enabled", "ScheduleByDay"],
        False,
        [program, *look, "what-is-new"],
        [
            *("cd", _own().folder, "&&", program, *look, "what-is-new"),
            *(">>", "watch.log", "2>&1"),
        ],
        f'/d /s /c ""{program}" {" ".join(look)} "what-is-new" >> "watch.log" 2>&1"',
    )


def test_nothing_to_copy_is_too_long_for_cron_or_has_a_key_in_it():
    whole = [
        text
        for page in (MONTHLY, WATCH)
        for language in ("text", "ini", "xml")
        for text in blocks(page, language)
    ]
    lines = [line for text in whole for line in text.splitlines()]
    assert (max(map(len, lines)) < 300, [each for each in lines if "KEY" in each]) == (
        True,
        [],
    )
