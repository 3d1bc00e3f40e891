"""What a result says of people: how each invitation stands, and until when."""

import csv
import json
import sqlite3
from contextlib import closing
from datetime import datetime

import jsonschema_rs
import pytest
from openpyxl import Workbook, load_workbook

from doubles.at_the_twin import with_key
from doubles.consulted import Consulted
from kawe.domain.text.new_zealand import NEW_ZEALAND
from write_result_schema import schema

THEIRS = ("Name", "Email", "Role", "Invitation status")
PEOPLE = [(f"Hēmi {n}", f"hemi{n}@example.org", "Member", "told her") for n in range(3)]
OURS = (
    *("Outcome", "What to do", "Invitation status (kawe)", "Invitation expires"),
    *("Invitation id", "Invitation made", "Time"),
)
YES = ("--yes", "3", "--no-input")
RESULT = "people.result"


@pytest.fixture
def person(person_with):
    person = person_with(tokens=0)
    book = Workbook()
    sheet = book.active
    sheet.title = "Invitations"
    for row in (THEIRS, *PEOPLE):
        sheet.append(row)
    book.save(person.folder / "people.xlsx")
    return person


def team(person):
    """Give the invitations of the team by address, as the service shows them."""
    with with_key(person.twin.address) as client:
        (mine,) = client.get("/user").json()["response_object"]["teams"]
        answer = client.get(f"/team/{mine['id']}").json()["response_object"]
    return {each["email"]: each for each in answer["invitations"]}


def wall(text):
    at = datetime.fromisoformat(text).astimezone(NEW_ZEALAND)
    return at.replace(tzinfo=None, microsecond=0)


def iso(text):
    return wall(text).replace(tzinfo=NEW_ZEALAND).isoformat()


def sheets(person):
    book = load_workbook(person.folder / f"{RESULT}.xlsx")
    return {
        name: [list(row) for row in book[name].iter_rows(values_only=True)]
        for name in ("Invitations", "Results")
    }


def rows(person, name=RESULT):
    document = json.loads((person.folder / f"{name}.json").read_text("utf-8"))
    jsonschema_rs.validator_for(schema(), validate_formats=True).validate(document)
    return document["rows"]


def expected(person, *statuses):
    """Give what follows outcome and advice in their sheet, but for the time."""
    there = team(person)
    return [
        [
            status,
            wall(there[email]["expired_on"]),
            there[email]["id"],
            wall(there[email]["created_on"]),
        ]
        for status, (_, email, *_) in zip(statuses, PEOPLE, strict=True)
    ]


def test_a_result_of_people_has_status_expiry_and_id_of_each_invitation(person):
    done = person.run("submit", "people.xlsx", *YES)
    said, there = expected(person, *["Pending"] * 3), team(person)
    found, page = sheets(person), (person.folder / f"{RESULT}.html").read_text("utf-8")
    with (person.folder / f"{RESULT}.csv").open(encoding="utf-8-sig") as file:
        table = list(csv.DictReader(file))

    assert (done.returncode, found["Invitations"][0]) == (0, [*THEIRS, *OURS])
    assert [each[:5] for each in found["Invitations"][1:]] == [
        [*each, "Invited"] for each in PEOPLE
    ]
    assert [each[6:10] for each in found["Invitations"][1:]] == said
    assert found["Results"][:2] == [
        [
            *("Row", "Email", "Name", "Outcome", "What to do"),
            *("Invitation status", "Invitation expires"),
            *("Invitation id", "Invitation made", "Time"),
        ],
        [
            *("Row", "Reference", "Name", "ResultCode", "WhatToDo"),
            *("InvitationStatus", "InvitationExpires"),
            *("InvitationId", "InvitationMade", "Time"),
        ],
    ]
    assert [[*each[5:8], each[8]] for each in found["Results"][2:]] == [
        [*each[:3], iso(there[email]["created_on"])]
        for each, (_, email, *_) in zip(said, PEOPLE, strict=True)
    ]
    names = ("invitation_id", "invitation_status")
    assert [[each[name] for name in names] for each in rows(person)] == [
        [each[2], "PENDING"] for each in said
    ]
    assert [each["Invitation expires"] for each in table] == [
        iso(there[email]["expired_on"]) for _, email, *_ in PEOPLE
    ]
    assert page.count("<td>Pending until ") == 3


def test_a_result_that_goes_in_again_shows_whose_invitation_was_withdrawn(person):
    person.run("submit", "people.xlsx", *YES)
    colleague = Consulted(person.twin)
    colleague.expire(team(person)["hemi1@example.org"]["id"])
    colleague.close()

    again = person.run("submit", f"{RESULT}.xlsx", "--no-input")
    first = sheets(person)["Invitations"]
    person.run("status", "--write", "--result", "told.xlsx")

    assert (again.returncode, len(person.state()["invitations"])) == (4, 3)
    assert first[0] == [*THEIRS, *OURS]
    assert [each[:4] for each in first[1:]] == [list(each) for each in PEOPLE]
    assert [each[6:10] for each in first[1:]] == expected(
        person, "Pending", "Withdrawn", "Pending"
    )
    assert [
        [each["invitation_status"] for each in rows(person, name)]
        for name in (RESULT, "told")
    ] == [["PENDING", "WITHDRAWN", "PENDING"]] * 2
    assert sorted(each.name for each in person.folder.glob("*.xlsx")) == [
        *("people.result.xlsx", "people.xlsx", "told.xlsx")
    ]


def test_a_key_that_may_not_read_the_team_leaves_all_but_the_id_empty(person):
    colleague = Consulted(person.twin)
    person.key = colleague.new_key("users:invite")
    colleague.close()

    done = person.run("submit", "people.xlsx", *YES)

    assert done.returncode == 0, done.stderr
    assert [each[6:10] for each in sheets(person)["Invitations"][1:]] == [
        [None, None, said[2], None] for said in expected(person, *["Pending"] * 3)
    ]


def test_a_journal_of_an_older_kawe_has_no_invitations_until_the_next_submit(person):
    person.run("submit", "people.xlsx", *YES)
    (journal,) = person.folder.glob("home/state/kawe/**/*.journal")
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.execute("DROP TRIGGER entry_is_first_read")
        for table in ("invitation", "report_step", "team_project", "first_read"):
            db.execute(f"DROP TABLE {table}")
        db.execute("PRAGMA user_version = 9")

    person.run("status", "--write", "--result", "told.xlsx")
    person.run("submit", "people.xlsx", "--no-input")

    names = ("invitation_id", "invitation_status")
    assert [
        [[each[said] for said in names] for each in rows(person, name)]
        for name in ("told", RESULT)
    ] == [
        [[None, None]] * 3,
        [[said[2], "PENDING"] for said in expected(person, *["Pending"] * 3)],
    ]
    assert person.run("journal", "verify").returncode == 0
