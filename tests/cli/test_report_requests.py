"""Requests for reports: one each, whatever happens to the process and the answer."""

from __future__ import annotations

import os
import time

import pytest

from doubles.at_the_twin import with_key
from doubles.bodies import project_body
from doubles.command import Person
from doubles.switchboard import Switchboard
from kawe_twin.serving import TwinOptions, start_twin

PROJECT = project_body()
ASK = ("export", "reports", "-o", "lists", "--yes", "1", "--no-input", "--request")


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    folder = tmp_path_factory.mktemp("twin")
    options = TwinOptions(folder=folder, tokens=9, rate_limit=100_000, faults=True)
    with start_twin(options) as running:
        with with_key(running.address) as client:
            for name in ("killed", "lost", "twice"):
                body = PROJECT | {"name": name, "reference": f"R-{name}"}
                client.post("/projects", json=body).raise_for_status()
        yield running


@pytest.fixture
def board(twin):
    address = twin.address
    board = Switchboard(address.switchboard_url, address.switchboard_secret)
    board.forget()
    yield board
    board.clear()


@pytest.fixture
def person(twin, tmp_path):
    return Person(folder=tmp_path, twin=twin)


def _asked(board):
    return len(board.ledger(operation="project_report"))


def test_a_kill_after_the_request_left_is_followed_by_no_second_request(person, board):
    board.set("latency", "project_report", seconds=4.0, when="after", count=1)
    process = person.start(*ASK, "R-killed")
    while process.poll() is None and not _asked(board):
        time.sleep(0.02)
    process.kill()
    process.wait()
    stood = person.document("status")["report_requests"]
    shown = person.run("status").stdout
    done = person.run(*ASK, "R-killed")
    said = " ".join(done.stdout.split())
    assert (done.returncode, _asked(board)) == (0, 1)
    assert [(each["reference"], each["answer"]) for each in stood] == [
        ("R-killed", None)
    ]
    assert "looked last: the report of R-killed (killed), asked for at" in shown
    assert "Not asked for again: the report of R-killed (killed), asked for at" in said
    assert "(kawe ended before it read the answer)" in said
    assert len([*(person.folder / "lists" / "pdf").glob("R-killed*.pdf")]) == 1
    assert person.document("status")["report_requests"] == []


def test_a_lost_request_is_asked_again_only_where_a_person_says_so(person, board):
    board.set("drop", "project_report", when="before", count=1)
    first, second = (person.run(*ASK, "R-lost", "--wait", "0") for _ in range(2))
    both = [" ".join(each.stdout.split()) for each in (first, second)]
    assert [each.returncode for each in (first, second)] == [7, 7]
    assert "(the answer was lost). Run the same command again" in both[0]
    assert "(the answer was lost). To have another one, use --again." in both[1]
    assert ("Not asked for again" in both[0], "Not asked for again" in both[1]) == (
        False,
        True,
    )
    plain = person.document("export", "reports", "-o", "lists")
    assert plain["is_complete"]
    assert plain["requests"][0].startswith("Not listed yet: the report of R-lost")
    again = person.run(*ASK, "R-lost", "--again")
    assert (again.returncode, _asked(board)) == (0, 2)
    whole = person.run("journal", "verify")
    assert whole.returncode == 0, whole.stderr


def test_two_colleagues_with_one_journal_ask_once(person, board):
    board.set("latency", "project_report", seconds=0.5, when="after")
    words = (*ASK, "R-twice", "--journal", os.fspath(person.folder / "ours.journal"))
    pair = [person.start(*words) for _ in range(2)]
    codes = sorted(each.wait(60) for each in pair)
    # The other one found the journal in use, or came when all was done.
    assert (codes in ([0, 0], [0, 6]), _asked(board)) == (True, 1)
    assert (person.run(*words).returncode, _asked(board)) == (0, 1)


def test_again_without_request_is_refused(person):
    done = person.run("export", "reports", "-o", "lists", "--again")
    assert (done.returncode, "--again belongs to --request." in done.stderr) == (
        2,
        True,
    )
