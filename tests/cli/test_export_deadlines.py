"""`kawe export projects`: what changed since the last export, and deadlines."""

import json
import os
import sqlite3
from contextlib import closing
from hashlib import sha256
from io import BytesIO

import pytest

from doubles.acts_office import Office
from doubles.consulted import Consulted
from kawe.domain.service.lists import ListRecord
from kawe.files.lists import calendar
from kawe.kinds.acts.world import day_of

EXPORT = ("export", "projects", "-o", "lists")


@pytest.fixture
def team(person_with):
    """Give a person, and colleagues at the same twin."""
    person = person_with(tokens=20)
    colleague = Consulted(person.twin)
    yield person, colleague
    colleague.close()


def changes(person):
    text = (person.folder / "lists/projects.changes.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def table(person):
    """Give the same changes from the file for queries."""
    path = person.folder / "lists/projects.changes.sqlite"
    with closing(sqlite3.connect(path)) as it:
        it.row_factory = sqlite3.Row
        return [dict(each) for each in it.execute("SELECT * FROM changes")]


def test_the_same_changes_are_a_table_for_queries(team):
    person, colleague = team
    name = "Robert'); DROP TABLE changes;--"
    (first,) = colleague.send(1, name=name, reference="R-1")
    assert person.run(*EXPORT).returncode == 0
    (row,), (line,) = table(person), changes(person)
    assert (row["change"], row["name"], row["reference"]) == ("new", name, "R-1")
    whole = {"change": "new", "since": None, **json.loads(row["object"])}
    assert (whole, row["since"]) == (line, None)
    colleague.close_project(first)
    assert person.run(*EXPORT).returncode == 0
    told = [(each["id"], each["change"], each["status"]) for each in table(person)]
    assert told == [(first, "changed", "CLOSED")]
    assert person.run(*EXPORT).returncode == 0
    assert table(person) == []


def test_what_a_killed_run_told_is_told_again_since_the_same_export(team):
    person, colleague = team
    base = person.folder / "lists/projects.jsonl"
    colleague.send(1)
    assert person.run(*EXPORT).returncode == 0
    before, at = base.read_bytes(), base.stat().st_mtime_ns
    colleague.send(1)
    assert person.run(*EXPORT).returncode == 0
    told = changes(person)
    # As it lies before the list that is compared with gets its name, which is the end.
    base.write_bytes(before)
    os.utime(base, ns=(at, at))
    checked = person.run("export", "verify", "lists")
    assert "ALTERED" not in checked.stdout
    assert "projects.jsonl: is of the export before: run the one that" in checked.stdout
    assert person.run(*EXPORT).returncode == 0
    again = [(row["id"], row["since"]) for row in table(person)]
    assert (changes(person), again) == (told, [(e["id"], e["since"]) for e in told])


def test_each_export_into_a_folder_says_what_has_changed_since_the_last(team):
    person, colleague = team
    first, second = colleague.send(2)
    assert person.run(*EXPORT).returncode == 0
    begun = changes(person)
    colleague.close_project(first)
    (third,) = colleague.send(1)
    assert person.run(*EXPORT).returncode == 0
    changed = changes(person)
    assert person.run(*EXPORT).returncode == 0

    came = {each["id"]: each["change"] for each in begun}
    went = {each["id"]: each["change"] for each in changed}
    assert came == {first: "new", second: "new"}
    assert went == {first: "changed", third: "new"}
    (closed,) = (each for each in changed if each["id"] == first)
    assert closed["closed_on"] is not None
    assert changes(person) == []


def test_a_project_that_is_gone_is_a_change_where_all_were_asked_for(team):
    person, colleague = team
    (first,) = colleague.send(1)
    lines = person.folder / "lists/projects.jsonl"
    assert person.run(*EXPORT).returncode == 0
    # The service cannot delete: this export has one that the service never had.
    before = lines.read_bytes()
    project = json.loads(before) | {"id": "gone"}
    lines.write_bytes(before + json.dumps(project).encode() + b"\n")
    hashes = person.folder / "lists/projects.sha256"
    was, now = (sha256(each).hexdigest() for each in (before, lines.read_bytes()))
    hashes.write_text(hashes.read_text("utf-8").replace(was, now), "utf-8")
    assert person.run(*EXPORT).returncode == 0
    assert [(e["change"], e["id"]) for e in changes(person)] == [("gone", "gone")]
    told = [(each["id"], each["change"]) for each in table(person)]
    ids = [json.loads(e)["id"] for e in lines.read_text("utf-8").splitlines()]
    assert (told, ids) == ([("gone", "gone")], [first])


def test_deadlines_are_days_of_a_calendar_folded_and_escaped(team):
    person, colleague = team
    name = "Ōtāhuhu; culvert, " + "lōng " * 12 + "\\ end"
    (open_one,) = colleague.send(1, name=name, reference="R-1")
    (closed,) = colleague.send(1)
    colleague.close_project(closed)
    colleague.draft(name="A draft")
    done = person.run(*EXPORT, "--format", "ics")
    assert done.returncode == 0, done.stderr

    raw = (person.folder / "lists/projects.ics").read_bytes()
    # No letter is cut, and no line has an octet more than it may.
    folded = [line.decode() for line in raw.split(b"\r\n")]
    assert 70 < max(len(line.encode()) for line in folded) <= 75
    text = raw.replace(b"\r\n ", b"").decode().split("\r\n")
    assert text[:4] == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//kawe//EN",
        "BEGIN:VEVENT",
    ]
    assert text.count("BEGIN:VEVENT") == 1
    assert f"UID:{open_one}@kawe" in text
    assert "DTSTART;VALUE=DATE:20300401" in text
    escaped = " ".join(name.replace("\\", "\\\\").split())
    escaped = escaped.replace(";", "\\;").replace(",", "\\,")
    assert f"SUMMARY:Respond by: {escaped} · R-1" in text
    assert text[-3:] == ["END:VEVENT", "END:VCALENDAR", ""]


def test_the_calendar_of_the_team_says_when_open_invitations_expire(person_with):
    office = Office(person_with(faults=True))
    office.accept(office.invite("hemi")["hemi@example.org"]["id"])
    mere = office.invite("mere")["mere@example.org"]
    office.did("export", "team", "-o", "team.ics")
    text = (office.person.folder / "team.ics").read_text("utf-8").replace("\n ", "")
    said = ("UID", "DTSTART", "SUMM", "URL")
    assert [line for line in text.splitlines() if line.startswith(said)] == [
        f"UID:{mere['id']}@kawe",
        f"DTSTART;VALUE=DATE:{day_of(mere['expired_on']).replace('-', '')}",
        "SUMMARY:Invitation expires: mere · mere@example.org",
    ]


@pytest.mark.parametrize("odd", ["invited", ["invited"], [None], [{"status": []}]])
def test_what_is_no_invitation_is_no_day_of_a_calendar(odd):
    file = BytesIO()
    with calendar(file, None) as put:
        put(ListRecord(item={"status": [], "invitations": odd}, about={}))
    assert file.getvalue().count(b"\r\n") == 4
