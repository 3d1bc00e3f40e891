"""Whoever signals twice, or before anything was asked, waits for nothing."""

import signal
import subprocess
import sys
import time

import pytest

from doubles.switchboard import Switchboard
from kawe.cli.output.command_run import loading

SUBMIT = ("submit", "monthly.csv", "--yes", "9", "--no-input")
SIGNALS = (signal.SIGTERM, signal.SIGINT)
STOPPED = 130


@pytest.fixture
def person(person_with):
    someone = person_with(tokens=9, faults=True, rows=(1, 2))
    yield someone
    # Nobody waits any more for answers that take ten minutes.
    for server in someone.twin._listening.servers:
        server.force_exit = True


def until(happens, process):
    deadline = time.monotonic() + 60
    while not happens() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)


@pytest.mark.parametrize("number", SIGNALS, ids=str)
def test_a_second_signal_ends_a_run_whose_request_has_no_answer(person, number):
    switches = Switchboard(person.twin.address)
    fault = switches.set("latency", "project_create", seconds=600)
    process = person.start(*SUBMIT)
    until(lambda: switches.happened(fault), process)
    process.send_signal(number)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(1)
    process.send_signal(number)
    assert process.wait(10) == STOPPED


@pytest.mark.parametrize("number", SIGNALS, ids=str)
@pytest.mark.parametrize(
    "words", [SUBMIT, ("plan", "monthly.csv"), ("check", "monthly.csv")]
)
def test_one_signal_ends_a_command_that_changes_nothing_yet(person, words, number):
    switches = Switchboard(person.twin.address)
    fault = switches.set("latency", "user_read", seconds=600)
    process = person.start(*words)
    until(lambda: switches.happened(fault), process)
    process.send_signal(number)
    assert (process.wait(10), person.state()["projects"]) == (STOPPED, [])


@pytest.mark.parametrize("number", SIGNALS, ids=str)
@pytest.mark.parametrize("words", [SUBMIT, ("watch", "--once")])
def test_one_signal_ends_a_pause_before_another_attempt(person, words, number):
    switches = Switchboard(person.twin.address)
    fault = switches.set("drop", "project_list", when="before")
    process = person.start(*words)
    until(lambda: switches.happened(fault) > 3, process)
    process.send_signal(number)
    process.wait(5)
    assert person.state()["projects"] == []


def test_a_signal_before_kawe_is_loaded_shows_no_traceback():
    early = (
        "import sys, types",
        "def stop(): raise KeyboardInterrupt",
        "sys.modules['kawe.cli.app'] = types.SimpleNamespace(main=stop)",
        "from kawe.__main__ import main",
        "main()",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(early)], stderr=subprocess.PIPE, check=False
    )
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def test_a_first_signal_waits_until_what_is_loading_is_loaded():
    def load(signals, seen):
        with loading():
            for number in range(signals):
                seen.append(number)
                signal.raise_signal(signal.SIGINT)
            seen.append("loaded")

    once, twice = [], []
    for seen, signals in ((once, 1), (twice, 2)):
        with pytest.raises(KeyboardInterrupt):
            load(signals, seen)
    assert (once, twice) == ([0, "loaded"], [0, 1])
