"""With the key of an iwi: projects that were received, and what an iwi does."""

import csv

import pytest

from doubles.acts_office import Office
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
    office.sheet(
        "notes", {"Project": "R-1", "Note": "Ask Aroha.", "Meeting type": "Phone call"}
    )
    office.submit("notes")
    office.sheet("completions", {"Project": "Ōtāhuhu culvert 2"})
    office.submit("completions", 1)
    office.submit("completions", 0)
    assert [each["content"] for each in office.thread(1)].count(said) == 1
    assert office.project(2)["status"] == "COMPLETE"
    assert [
        office.done(each)
        for each in ("project_respond", "note_create", "project_complete")
    ] == [1, 1, 1]


def test_what_is_a_teams_is_not_fetched_or_audited_for_an_iwi(office):
    said = office.did("fetch", "members", code=2)
    assert "an iwi account, and a sheet of members is for a team." in said
    assert not (office.person.folder / "members.xlsx").exists()
    assert "completions.xlsx has 3 rows" in office.did("fetch", "completions")
    office.sheet("responses", {"Project": "R-1", "Message": "Kia ora."})
    office.submit("responses", 1)
    said = office.did("audit", "--since", "1/1/2026", code=2)
    assert "An audit is of what a team sent, and the key is an iwi's." in said
    assert not [*office.person.folder.glob("kawe audit*")]


@pytest.mark.parametrize("command", ["check", "plan", "submit"])
def test_what_only_a_team_does_is_said_before_anything_is_asked(office, command):
    before = office.board.ledger()[-1]["number"]
    office.sheet("closures", {"Project": "R-1"})
    write_csv(office.person.folder / "works.csv", [csv_row(1)])
    for workbook, kind in (("closures.xlsx", "closures"), ("works.csv", "projects")):
        said = office.did(command, workbook, "--no-input", code=2)
        assert f"an iwi account, and a sheet of {kind} is for a team" in said
        assert "An iwi can submit notes, completions, responses, acts." in said
    asked = {each["operation"] for each in office.board.ledger(after=before)}
    assert asked == {"user_read"}


def test_an_iwi_lists_what_it_received_and_is_told_what_is_new(office):
    office.did("export", "projects", "-o", "received.csv")
    text = (office.person.folder / "received.csv").read_text("utf-8-sig")
    assert len(list(csv.reader(text.splitlines()))) == 4
    said = office.did("watch", "--once")
    assert "3 projects of Ngāti Tauira ki te Raki" in said
    said = office.did("doctor")
    assert "an iwi spends no tokens" in said
