"""What other systems do differently, with doubles for what they would do."""

import json
import logging
import os
import signal
import stat

import pytest

from doubles.command import HEADINGS, csv_row, write_csv
from doubles.terminal import Terminal
from kawe.cases.doctor.examining import may_be_read_by_others
from kawe.cli.output.exit import Stopping, handle_termination
from kawe.cli.output.log import SharedLog
from kawe.cli.output.printing import print_json
from kawe.durable import sync_folder
from kawe.errors import ResultNotWritable
from kawe.files.saving import save_named
from kawe.settings import files
from kawe.system import OperatingSystem
from kawe.workbook.replacing import write_whole

MOST_BYTES = 60
LINE = "x" * 40


@pytest.fixture
def windows(monkeypatch):
    monkeypatch.setattr("kawe.system.HERE", OperatingSystem.WINDOWS)


@pytest.fixture
def logs(tmp_path):
    """Give a function that opens the same log once more, as another process does."""
    opened = []

    def another():
        log = SharedLog(
            tmp_path / "kawe.log", maxBytes=MOST_BYTES, backupCount=3, encoding="utf-8"
        )
        opened.append(log)
        return lambda word: log.emit(
            logging.makeLogRecord({"msg": f"{word} {LINE}", "levelno": 20})
        )

    yield another
    for log in opened:
        log.close()


def written(folder):
    """Give the words of every log, the newest file first."""
    return {
        path.name: [line.split()[0] for line in path.read_text("utf-8").splitlines()]
        for path in sorted(folder.iterdir())
        if path.is_file()
    }


def test_a_log_that_cannot_be_renamed_grows_and_loses_nothing(tmp_path, logs):
    # Windows refuses the rename while another kawe is writing; so does a folder there.
    log = logs()
    log("one")
    (tmp_path / "kawe.log.1").write_text("older\n", "utf-8")
    in_the_way = tmp_path / "kawe.log.0"
    in_the_way.mkdir()
    log("two")
    log("three")
    meanwhile = written(tmp_path)
    in_the_way.rmdir()
    log("four")
    assert (meanwhile, written(tmp_path)) == (
        {"kawe.log": ["one", "two", "three"], "kawe.log.1": ["older"]},
        {
            "kawe.log": ["four"],
            "kawe.log.1": ["one", "two", "three"],
            "kawe.log.2": ["older"],
        },
    )


def test_two_that_write_one_log_begin_a_new_file_once(tmp_path, logs):
    mine, others = logs(), logs()
    mine("one")
    others("two")
    mine("three")
    assert written(tmp_path) == {"kawe.log": ["two", "three"], "kawe.log.1": ["one"]}


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_every_file_of_the_log_is_its_owners_alone(tmp_path, logs):
    log = logs()
    before = os.umask(0)
    log("one")
    log("two")
    os.umask(before)
    modes = {oct(stat.S_IMODE(path.stat().st_mode)) for path in tmp_path.iterdir()}
    assert modes == {"0o600"}


@pytest.fixture
def ctrl_break(monkeypatch):
    """Let another signal stand for Ctrl-Break, which is on Windows alone."""
    number = signal.SIGUSR1
    monkeypatch.setattr("signal.SIGBREAK", number, raising=False)
    before = {each: signal.getsignal(each) for each in (number, signal.SIGTERM)}
    yield number
    for each, handler in before.items():
        signal.signal(each, handler)


def test_ctrl_break_stops_a_run_as_ctrl_c_does(ctrl_break, capfd):
    stopping = Stopping()
    with stopping.on_signals():
        os.kill(os.getpid(), ctrl_break)
        asked = stopping.asked
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), ctrl_break)
    assert (asked, "Press Ctrl-C again to stop now" in capfd.readouterr().err) == (
        True,
        True,
    )


def test_ctrl_break_before_a_run_is_no_fault(ctrl_break):
    handle_termination()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), ctrl_break)


@pytest.mark.usefixtures("windows")
def test_on_windows_json_survives_every_code_page(capsys):
    print_json({"team": "Kaunihera o Ōtepoti", "sign": "\x1b[31m"})
    text = capsys.readouterr().out
    assert (text.isascii(), json.loads(text)) == (
        True,
        {"team": "Kaunihera o Ōtepoti", "sign": "\x1b[31m"},
    )


def test_rights_of_a_file_count_only_where_the_system_has_them(tmp_path, monkeypatch):
    path = tmp_path / "live.key"
    path.write_text("kawe_live_canary7f3a9c21", "utf-8")
    path.chmod(0o644)
    here = files.others_can_read(path)
    monkeypatch.setattr("kawe.system.HERE", OperatingSystem.WINDOWS)
    assert (here, files.others_can_read(path)) == (True, False)


def test_on_windows_a_key_file_outside_the_user_folder_deserves_a_look(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("HOME", str(tmp_path / "mere"))
    places = (tmp_path / "mere" / "keys" / "live.json", tmp_path / "live.key")
    here = [may_be_read_by_others(path) for path in places]
    monkeypatch.setattr("kawe.system.HERE", OperatingSystem.WINDOWS)
    there = [may_be_read_by_others(path) for path in places]
    assert (here, there) == ([False, False], [False, True])


@pytest.mark.usefixtures("windows")
def test_on_windows_no_folder_is_synced(tmp_path):
    def refuse(handle):
        raise AssertionError(handle)

    sync_folder(tmp_path, sync=refuse)


def test_a_path_that_is_too_long_is_said_in_words(tmp_path):
    # Windows has 260 characters for a path, unless it is told otherwise.
    with pytest.raises(ResultNotWritable) as caught:
        save_named(tmp_path / ("a" * 300), b"x", called="plan")
    assert caught.value.message.endswith(": File name too long.")
    assert caught.value.hint.startswith("Choose another name, in a")


def test_a_terminal_without_macrons_shows_the_rest(newcomer):
    # As the code page 1252 of Windows, and terminals of old servers.
    newcomer.environment = {"PYTHONIOENCODING": "cp1252"}
    write_csv(newcomer.folder / "mahi-ā.csv", [csv_row(1)])
    terminal = Terminal(newcomer, "check", "mahi-ā.csv", "--offline")
    code = terminal.end()
    assert (code, "mahi-\\u0101" in terminal.screen, "fault" in terminal.screen) == (
        0,
        True,
        False,
    )


def test_a_file_with_macrons_is_looked_for_where_no_name_has_them(newcomer):
    newcomer.environment = {"PYTHONUTF8": "0", "LC_ALL": "C"}
    row, headings = [*csv_row(1), "Ōtaki.pdf"], (*HEADINGS, "Files")
    write_csv(newcomer.folder / "a.csv", [row], headings=headings)
    done = newcomer.run("check", "a.csv", "--offline")
    assert (done.returncode, "There is no file" in done.stdout) == (3, True)


def test_a_workbook_is_its_own_under_every_spelling_of_its_name(tmp_path):
    # Where case does not matter, two names mean one file; here a link does so.
    own, other = tmp_path / "monthly.xlsx", tmp_path / "MONTHLY.xlsx"
    own.write_bytes(b"mine")
    other.hardlink_to(own)
    with pytest.raises(ResultNotWritable) as caught:
        write_whole(other, lambda file: file.write(b"result"), protect=frozenset({own}))
    assert (caught.value.message, own.read_bytes()) == (
        "“MONTHLY.xlsx” is your own workbook; kawe never overwrites it.",
        b"mine",
    )


def test_a_result_that_cannot_be_replaced_is_written_beside(tmp_path):
    # A folder refuses the rename, as Windows does while Excel has the file open.
    (tmp_path / "m.result.xlsx").mkdir()
    written = write_whole(
        tmp_path / "m.result.xlsx", lambda file: file.write(b"x"), protect=frozenset()
    )
    assert (written.name, written.read_bytes()) == ("m.result (2).xlsx", b"x")
