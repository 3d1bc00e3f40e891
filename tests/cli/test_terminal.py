"""A real terminal: the guard, the progress bar, Ctrl-C."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from doubles.terminal import Terminal
from doubles.typed_commands import start_command
from kawe.cli.output import exit as ends


@pytest.fixture
def person(person_with):
    return person_with(tokens=99, latency_ms=20, rows=range(30))


def test_the_typed_count_lets_the_run_send(person):
    terminal = Terminal(person, "submit", "monthly.csv")
    terminal.answer("Type 30 to send", "30")
    assert (terminal.end(), person.sends()) == (0, 30)


DAYS = ": 1 Mar 2030 to 30 Sep 2030, answer by 1 Apr 2030"


def _screen(terminal):
    return terminal.screen.replace("\r", "")


def test_the_question_names_the_account_and_the_first_rows(person):
    terminal = Terminal(person, "submit", "monthly.csv")
    terminal.answer("Type 30 to send", "no")
    assert terminal.end() == 2
    assert (
        "\nThe first to go:\n"
        f"        R-0 (Ōtāhuhu culvert 0){DAYS}\n"
        f"        R-1 (Ōtāhuhu culvert 1){DAYS}\n"
        f"        R-2 (Ōtāhuhu culvert 2){DAYS}\n"
        "        and 27 more\n"
        "Type 30 to send 30 projects to iwi, anything else to stop:"
    ) in _screen(terminal)
    assert _screen(terminal).count("LIVE: Kaunihera o Tauira (twin)") == 1


def test_the_question_of_a_release_names_the_account_and_the_first_rows(person_with):
    person = person_with(tokens=1, rows=range(3))
    person.run("submit", "monthly.csv", "--yes", "3")
    person.run("waiting", "--first", "R-2")
    person.twin.buy_tokens(5)
    terminal = Terminal(person, "release")
    terminal.answer("Type 2 to send", "2")
    assert (terminal.end(), person.sends()) == (0, 3)
    assert (
        "\nLIVE: Kaunihera o Tauira (twin). The first to go:\n"
        f"        R-2 (Ōtāhuhu culvert 2){DAYS}\n"
        f"        R-1 (Ōtāhuhu culvert 1){DAYS}\n"
        "Type 2 to send 2 projects to iwi, anything else to stop:"
    ) in _screen(terminal)


def test_after_ctrl_c_the_progress_says_how_many_were_sent(person):
    told = person.folder / "told"
    told.touch()
    process = start_command(
        ("submit", "monthly.csv", "--yes", "30"),
        folder=person.folder,
        environment=person.surroundings(),
        errors=str(told),
    )
    while person.sends() < 3:
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    code, said = process.wait(60), told.read_text("utf-8").splitlines()
    assert (code, said[-2]) == (130, f"Sending to iwi: {person.sends()} of 30")


def test_another_number_sends_nothing(person):
    terminal = Terminal(person, "submit", "monthly.csv")
    terminal.answer("Type 30 to send", "3")
    assert (terminal.end(), person.state()["projects"]) == (2, [])


def test_ctrl_c_finishes_what_is_in_flight_and_the_next_run_ends_it(person):
    words = ("submit", "monthly.csv", "--yes", "30")
    terminal = Terminal(person, *words)
    terminal.wait_for("Sending to iwi")
    os.killpg(terminal.process.pid, signal.SIGINT)
    stopped = terminal.end()
    again = person.run(*words)
    sends = sorted(each["sends"] for each in person.state()["projects"])
    assert (stopped, again.returncode, sends) == (130, 0, [1] * 30)


IN_MID_WRITE = """
import io, sys
from kawe.cli.output.exit import Stopping
stopping = Stopping()
class Raw(io.RawIOBase):
    def writable(self):
        return True
    def fileno(self):
        return 2
    def write(self, data):
        if not stopping.asked:
            stopping._heard(2, None)
        return len(data)
sys.stderr = io.TextIOWrapper(io.BufferedWriter(Raw()), write_through=True)
sys.stderr.write("half of a bar")
sys.stderr.flush()
"""


def test_ctrl_c_in_the_middle_of_a_line_is_no_fault():
    done = subprocess.run(
        [sys.executable, "-c", IN_MID_WRITE], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr.split(b":")[0]) == (0, b"\nStopping")


def test_a_file_of_kawe_itself_that_is_gone_is_no_file_of_the_person(capsys):
    gone = Path(ends.__file__).with_name("gone.sql")
    end = ends.run_to_end(gone.read_bytes, ends.ExitState())
    said = " ".join(capsys.readouterr().err.split())
    why = f"kawe: its own file {gone} cannot be used: no such file or directory."
    assert (end.code, said) == (1, f"{why} Install kawe again.")
