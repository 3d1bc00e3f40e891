"""Whoever is not at the screen hears of every run once, whatever its end was."""

import signal
import time
from collections import Counter
from contextlib import ExitStack

import pytest

from doubles.command import csv_row, write_csv
from doubles.listeners import PASSWORD, Program, mail_server, webhook
from doubles.switchboard import Switchboard

YES = ("--yes", "99", "--no-input", "--settle", "0.2")
NAME = "Ōtāhuhu culvert"
BUG = """
from kawe.flows.submit import sending
async def _send(run, leaving):
    raise LookupError(leaving.content.name)
sending._send = _send
"""


class Office:
    """A person's computer, and three ways in which people hear of its runs."""

    def __init__(self, person, stack):
        self.person = person
        address, self.page = stack.enter_context(webhook())
        mail, self.mailbox = stack.enter_context(mail_server())
        self.program = Program(folder=person.folder)
        person.environment["KAWE_NOTIFY"] = f"{address} {mail}"
        self.sheet(csv_row(1), csv_row(2), csv_row(3))

    def sheet(self, *rows):
        write_csv(self.person.folder / "monthly.csv", rows)

    @property
    def words(self):
        """Give the words of the run."""
        command = ("submit", "monthly.csv", *YES)
        return (*command, "--notify-cmd", self.program.command)

    def run(self):
        """Submit; give the exit code."""
        return self.person.run(*self.words).returncode

    def board(self):
        """Give the switchboard of the twin."""
        return Switchboard(self.person.twin.address)

    def heard(self):
        """Give what each of the three has heard."""
        return {
            "program": self.program.heard().messages,
            "page": [(title, text.strip()) for title, text in self.page.messages],
            "mail": [(title, text.strip()) for title, text in self.mailbox.messages],
        }

    def titles(self):
        """Give how often each title was heard, by target."""
        heard = self.heard()
        return {who: Counter(title for title, _ in heard[who]) for who in heard}


def _succeeds(office):
    return office.run()


def _runs_out_of_tokens(office):
    # The first is the question whether the key may send.
    office.board().set("no_tokens", "project_send", nth=3)
    return office.run()


def _holds_rows(office):
    targets = office.person.environment.pop("KAWE_NOTIFY")
    office.person.run("submit", "monthly.csv", "--drafts-only")
    office.person.environment["KAWE_NOTIFY"] = targets
    office.sheet(csv_row(1, Description="Otherwise."), csv_row(2), csv_row(3))
    return office.run()


def _breaks(office):
    (office.person.folder / "sitecustomize.py").write_text(BUG)
    office.person.environment["PYTHONPATH"] = str(office.person.folder)
    return office.run()


def _is_stopped(office):
    office.sheet(*(csv_row(number) for number in range(60)))
    return _signalled(office, signal.SIGINT)


def _is_killed_politely(office):
    office.sheet(*(csv_row(number) for number in range(60)))
    return _signalled(office, signal.SIGTERM)


def _loses_the_network(office):
    office.board().set("drop", nth=12, when="before")
    return office.run()


def _signalled(office, number):
    process = office.person.start(*office.words)
    while process.poll() is None and not office.person.state()["projects"]:
        time.sleep(0.01)
    process.send_signal(number)
    return process.wait(60)


ENDS = {
    "success": (_succeeds, 0, ["kawe submit monthly: done"]),
    "402": (
        _runs_out_of_tokens,
        4,
        [
            "kawe submit monthly: the tokens have run out",
            "kawe submit monthly: 2 deferred",
        ],
    ),
    "held rows": (_holds_rows, 4, ["kawe submit monthly: 1 held"]),
    "crash": (_breaks, 1, ["kawe submit monthly: stopped by a fault of kawe's"]),
    "Ctrl-C": (_is_stopped, 130, ["kawe submit monthly: was stopped"]),
    "SIGTERM": (_is_killed_politely, 130, ["kawe submit monthly: was stopped"]),
    "network loss": (
        _loses_the_network,
        7,
        ["kawe submit monthly: the service could not be worked with"],
    ),
}


@pytest.fixture
def office(person_with):
    with ExitStack() as stack:
        yield Office(person_with(tokens=99, faults=True, latency_ms=15), stack)


@pytest.mark.parametrize(
    "end",
    [
        *(end for end in ENDS if end != "network loss"),
        pytest.param("network loss", marks=pytest.mark.short_campaign),
    ],
)
def test_each_target_hears_of_each_end_exactly_once(office, end):
    happen, code, titles = ENDS[end]
    told = Counter(titles)
    assert (happen(office), office.titles()) == (
        code,
        {"program": told, "page": told, "mail": told},
    )


def test_the_alert_comes_before_the_end(office):
    _runs_out_of_tokens(office)
    kinds = [document["kind"] for document in office.program.documents]
    assert kinds == ["alert", "closing"]


def test_a_mail_says_how_the_rows_stand_and_what_to_do(office):
    _holds_rows(office)
    ((_, text),) = office.mailbox.messages
    assert text.splitlines() == [
        "Kaunihera o Tauira (twin), live:",
        "      2 sent to iwi",
        "      1 held for a person to look at",
        "      3 rows in all",
        "",
        "1 row is held: kawe waiting says why, kawe resolve decides.",
    ]


@pytest.mark.parametrize("end", ["crash", "held rows"])
def test_no_message_has_a_word_of_a_row_a_secret_or_a_folder(office, end):
    ENDS[end][0](office)
    said = str(office.heard()) + str(office.program.documents)
    told = {
        word: word in said
        for word in (
            NAME,
            "R-1",
            "Otherwise",
            PASSWORD,
            office.person.twin.address.live_key,
            str(office.person.folder),
        )
    }
    assert told == dict.fromkeys(told, False)
