"""A key that may not send is found out before anything is made."""

from collections import Counter

import pytest

from doubles.at_the_twin import new_key
from doubles.command import csv_row, write_csv
from kawe_contract.enums import Scope

YES = ("--yes", "9", "--no-input")
SAID = "The key may not send projects: it lacks projects:send"


@pytest.fixture
def person(person_with):
    person = person_with(tokens=9)
    person.key = person.twin.address.live_key
    write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(3)])
    return person


def without_sending(person):
    """Make a key of the person's team that may do all but send."""
    return new_key(person.twin.address, *set(Scope) - {Scope.PROJECTS_SEND})


def asked(person, name):
    return person.state()["requests"].get(name, {})


def test_nothing_is_made_with_a_key_that_may_not_send(person):
    person.key = without_sending(person)
    assert (
        SAID in person.stderr_of("submit", "monthly.csv", *YES, code=7),
        person.state()["projects"],
        asked(person, "upload_presign"),
        asked(person, "project_send"),
    ) == (True, [], {}, {"403": 1})


def test_drafts_alone_need_no_such_key_and_no_question(person):
    person.key = without_sending(person)
    assert (
        person.run("submit", "monthly.csv", "--drafts-only", *YES).returncode,
        len(person.state()["projects"]),
        asked(person, "project_send"),
    ) == (0, 3, {})


def test_the_question_costs_one_request_and_no_token(person):
    person.run("submit", "monthly.csv", *YES)
    first = Counter(asked(person, "project_send"))
    person.run("submit", "monthly.csv", *YES)
    again = Counter(asked(person, "project_send"))
    balances = {each["balance"] for each in person.state()["accounts"]}
    assert (first, again, person.sends(), 6 in balances) == (
        Counter({"200": 3, "400": 1}),
        first,
        3,
        True,
    )


def test_a_release_with_a_key_that_may_not_send_leaves_the_queue_as_it_is(person_with):
    person = person_with(tokens=1)
    person.key = person.twin.address.live_key
    write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(3)])
    person.run("submit", "monthly.csv", *YES)
    person.twin.buy_tokens(5)
    before = person.run("waiting").stdout
    person.key = without_sending(person)
    assert (
        SAID in person.stderr_of("release", *YES, code=7),
        person.run("waiting").stdout,
        person.sends(),
    ) == (True, before, 1)


def test_a_plan_that_the_key_cannot_carry_out_is_not_made_and_a_check_notes_it(person):
    person.key = without_sending(person)
    planned = person.run("plan", "monthly.csv", "-o", "plan.json")
    checked = person.run("check", "monthly.csv")
    drafts = person.run("plan", "monthly.csv", "--drafts-only")
    assert (
        planned.returncode,
        SAID in planned.stderr,
        (person.folder / "plan.json").exists(),
        SAID in checked.stdout,
        (checked.returncode, drafts.returncode),
    ) == (7, True, False, True, (0, 0))
