"""Where nobody is at the keyboard: nothing asks, a second run waits for nobody."""

import ast
import os
import re
import signal
import subprocess
import time

import click
import pytest

from architecture.house import SOURCE
from docs_commands import all_commands
from doubles.command import csv_row, write_csv
from doubles.listeners import Program
from doubles.terminal import Terminal

ROWS = 60
YES = ("--yes", str(ROWS), "--no-input")
# They run until somebody stops them, or at length; neither has a question.
LONG = {"kawe serve", "kawe demo", "kawe desk"}
# In this order each finds what it needs, and those that could ask would have to.
WORDS = {
    "kawe init": ("--no-input",),
    "kawe template": ("projects", "-o", "empty.xlsx"),
    "kawe demo": ("--samples", "try"),
    "kawe check": ("monthly.csv",),
    "kawe plan": ("monthly.csv",),
    "kawe submit": ("monthly.csv", "--no-input"),
    "kawe status": (),
    "kawe release": ("--no-input",),
    "kawe waiting": (),
    "kawe resolve": ("R-1", "--retry"),
    "kawe journal verify": (),
    "kawe journal purge": ("--older-than", "365", "--results", "--no-input"),
    "kawe export receipts": ("-o", "receipts"),
    "kawe watch": ("--once",),
    "kawe work": ("--once",),
    "kawe export projects": ("-o", "lists"),
    "kawe export reports": ("-o", "lists"),
    "kawe export invoices": ("-o", "lists"),
    "kawe export team": ("-o", "lists"),
    "kawe export case": ("R-1", "-o", "cases"),
    "kawe export sample": ("3", "--seed", "x", "-o", "sample"),
    "kawe export organisations": ("-o", "lists"),
    "kawe export groups": ("-o", "lists"),
    "kawe export verify": ("receipts",),
    "kawe audit": ("--since", "1/1/2026", "--sign", "--no-input"),
    "kawe doctor": (),
    "kawe columns": ("--no-input",),
    "kawe journal backup": ("copy.journal",),
    "kawe journal restore": ("copy.journal",),
    "kawe journal move": ("elsewhere",),
    "kawe journal hold": (),
    "kawe approve": ("--show-key", "--no-input"),
    "kawe help": ("--path",),
}
ASKS = {"typed", "prompt", "confirm", "getchar", "pause", "edit", "input", "getpass"}


@pytest.fixture
def person(person_with):
    return person_with(tokens=99, latency_ms=15, rows=range(ROWS))


def _leaves():
    every = dict(all_commands())
    return {n: c for n, c in every.items() if not isinstance(c, click.Group)}


def test_every_command_is_tried_without_anybody_at_the_keyboard():
    assert set(_leaves()) == set(WORDS) | LONG


@pytest.mark.short_campaign
def test_no_command_waits_for_a_keyboard_when_told_not_to(person):
    """A terminal is there, so whoever asks would wait for an answer."""
    person.run("submit", "monthly.csv", *YES, "--max-tokens", "20")
    write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(90)])
    ended = {
        name: Terminal(person, *name.split()[1:], *words).end()
        for name, words in WORDS.items()
    }
    # The terminal is closed on whoever asks, which ends it with 130.
    assert {name: code for name, code in ended.items() if code in {1, 130}} == {}


def test_only_commands_that_can_be_told_not_to_ask_ever_ask():
    asking = {
        path.stem
        for path in (SOURCE / "cli").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        if ast.unparse(node.func).rpartition(".")[2] in ASKS
    }
    told = {
        name
        for name, command in _leaves().items()
        if any("--no-input" in parameter.opts for parameter in command.params)
    }
    # What stands in `cli/shared` asks for all but init.
    assert (asking, told) == (
        {"agreeing", "init", "read_words", "sheets"},
        {
            *("kawe approve", "kawe audit", "kawe check", "kawe init", "kawe plan"),
            "kawe columns",
            *("kawe journal purge", "kawe release", "kawe resolve", "kawe submit"),
        },
    )


def test_a_second_run_says_who_holds_the_journal_and_ends_with_code_6(person):
    first = person.start("submit", "monthly.csv", *YES)
    _wait_for_projects(person, first)
    program = Program(folder=person.folder)
    second = person.run("submit", "monthly.csv", *YES, "--notify-cmd", program.command)
    first.wait(60)
    held = re.search(
        rf"is in use by another kawe on .+ \(process {first.pid}\)\.", second.stderr
    )
    assert (second.returncode, held is not None, program.heard().titles) == (
        6,
        True,
        ["kawe submit monthly: the journal could not be used"],
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_polite_kill_ends_tidily_and_the_next_run_goes_on(person, number):
    process = person.start("submit", "monthly.csv", *YES)
    _wait_for_projects(person, process)
    process.send_signal(number)
    stopped = process.wait(60)
    again = person.run("submit", "monthly.csv", *YES)
    sends = [each["sends"] for each in person.state()["projects"]]
    assert (stopped, again.returncode, sends) == (130, 0, [1] * ROWS)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_kill_before_the_run_has_begun_is_no_fault_either(person, number):
    program = Program(folder=person.folder)
    log = person.folder / "home" / "state" / "kawe" / "log" / "kawe.log"
    words = ("submit", "monthly.csv", *YES, "--notify-cmd", program.command)
    process = person.start(*words)
    while process.poll() is None and not log.exists():
        pass
    process.send_signal(number)
    # While it is still loading, Python itself may end it with SIGINT, which a shell
    # calls 130 too.
    ended = process.wait(60)
    assert (ended in {130, -signal.SIGINT}, program.heard().titles) == (
        True,
        ["kawe submit monthly: was stopped"],
    )


def test_a_terminal_that_goes_without_a_word_is_told_of(person):
    """No signal comes here: it is not the terminal that controls the process."""
    program = Program(folder=person.folder)
    words = ("submit", "monthly.csv", *YES, "--notify-cmd", program.command)
    terminal = Terminal(person, *words)
    terminal.wait_for("creating drafts")
    os.close(terminal._ours)
    assert (terminal.process.wait(60), program.heard().titles) == (
        130,
        ["kawe submit monthly: was stopped"],
    )


def test_output_that_nobody_reads_is_no_success(person):
    process = subprocess.Popen(
        person.command("submit", "monthly.csv", *YES),
        cwd=person.folder,
        env=person.surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    process.stdout.close()
    assert (process.wait(60), person.sends()) == (130, 0)


def _wait_for_projects(person, process):
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        if person.state()["projects"]:
            break
