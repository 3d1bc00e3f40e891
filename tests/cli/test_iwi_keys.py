"""With the key of an iwi: projects that were received, and what an iwi does."""

import csv
from datetime import UTC, datetime, timedelta

import pytest

from doubles.acts_office import Office
from doubles.at_the_twin import buy
from doubles.bodies import project_body
from doubles.command import csv_row, write_csv


@pytest.fixture
def office(person_with):
    made = Office(person_with(tokens=3, faults=True))
    made.be_iwi()
    return made


def test_an_iwi_answers_notes_and_completes_and_spends_no_token(office):
    said = "Ngā mihi, nau mai."
    office.sheet("responses", {"Project": "R-1", "Message": said})
    assert "no tokens are spent" in office.submit("responses", 1)
    office.do(
        "notes", {"Project": "R-1", "Note": "Ask Aroha.", "Meeting type": "Phone call"}
    )
    office.do("completions", {"Project": "Ōtāhuhu culvert 2"}, count=1)
    assert "Complete: 0 of 0" not in office.submit("completions", 0)
    assert [each["content"] for each in office.thread(1)].count(said) == 1
    assert office.project(2)["status"] == "COMPLETE"
    assert [
        office.done(each)
        for each in ("project_respond", "note_create", "project_complete")
    ] == [1, 1, 1]


def test_what_is_a_teams_is_not_fetched_or_audited_for_an_iwi(office):
    said = office.did("template", "members", "--now", code=2)
    assert "an iwi account, and a sheet of members is for a team." in said
    assert not (office.person.folder / "members.xlsx").exists()
    assert "completions.xlsx has 3 rows" in office.did(
        "template", "completions", "--now"
    )
    office.do("responses", {"Project": "R-1", "Message": "Kia ora."}, count=1)
    said = office.did("audit", "--since", "1/1/2026", code=2)
    assert "An audit is of what a team sent, and the key is an iwi's." in said
    assert not [*office.person.folder.glob("kawe audit*")]


@pytest.mark.parametrize("command", ["check", "plan", "submit"])
def test_what_only_a_team_does_is_said_before_anything_is_asked(office, command):
    before = office.board.ledger()[-1]["number"]
    office.sheet("closures", {"Project": "R-1"})
    said = office.did(command, "closures.xlsx", "--no-input", code=3)
    assert "Closures!A2 [error] Project * “R-1”: The key is an iwi's" in said
    write_csv(office.person.folder / "works.csv", [csv_row(1)])
    said = office.did(command, "works.csv", "--no-input", code=2)
    can = "assignments, groups, notes, completions, responses, acts"
    assert f"sheet of projects is for a team. An iwi can submit {can}." in said
    assert "If it is one of these, say which, as --kind notes." in said
    asked = {each["operation"] for each in office.board.ledger(after=before)}
    assert asked == {"user_read"}


def test_an_iwi_lists_what_it_received_and_is_told_what_is_new(office):
    office.did("export", "projects", "-o", "received.csv")
    text = (office.person.folder / "received.csv").read_text("utf-8-sig")
    assert len(list(csv.reader(text.splitlines()))) == 4
    assert "3 projects of Ngāti Tauira ki te Raki" in office.did("watch", "--once")
    said = office.did("doctor")
    assert "live: what you answer reaches teams, and no token is spent" in said
    assert "an iwi spends no tokens" in said
    assert "to answer: " in said
    assert "to submit projects" not in said
    # It makes a journal, in which nothing was submitted.
    office.did("export", "receipts", "-o", "receipts")
    assert "that is late or soon will be." in office.did("status", "late")


def test_an_iwi_is_told_what_it_received_since_a_day(office):
    said = office.did("watch", "--once", "--since", "2026-01-01")
    assert said.count("Project received: Ōtāhuhu culvert") == 3
    assert "new" in office.did("watch", "--once")


def test_an_iwi_is_told_what_waits_for_its_answer_until_it_has_answered(office):
    office.did("watch", "--once")
    # Nothing was sent from here, and there is no journal.
    said = office.did("status", "late")
    assert "your own answer, with an iwi's key: kawe watch --once" in said
    buy(office.person.twin.address, 1)
    soon = (datetime.now(tz=UTC) + timedelta(days=2)).date().isoformat()
    asked = project_body("Kōpū weir", reference="R-9", respond_by_date=soon)
    with office.client() as client:
        made = client.post("/projects", json=asked).json()["response_object"]
        where = f"/projects/{made['id']}/send"
        client.put(where, json={"message": "Kia ora."}).raise_for_status()
    said = office.did("watch", "--once")
    assert "Project received: Kōpū weir (Ngāti Tauira ki te Raki)" in said
    assert "Respond by is near, no answer: Kōpū weir" in said
    office.do("responses", {"Project": "R-9", "Message": "Ngā mihi."}, count=1)
    assert "no answer" not in office.did("watch", "--once")


def test_an_iwi_assigns_what_it_received_on_its_own_side(office):
    with office.client(office.person.key) as client:
        member = client.get("/user").json()["response_object"]
    office.did("template", "assignments", "--now")
    office.edit("assignments", "Assignments", R_1={"Person": member["email"]})
    office.submit("assignments")
    project = office.project(1)
    assert project["assigned_to"]["first_name"] == member["first_name"]
    assert project["sender_assigned_to"] is None
    office.did("template", "--undo", "assignments")
    office.submit("undo-assignments")
    assert office.project(1)["assigned_to"] is None
