"""`kawe template --undo`: what a batch of acts did is put back by a sheet."""

import pytest

from doubles.acts_office import Office
from doubles.command import csv_row, write_csv


@pytest.fixture
def office(person_with):
    made = Office(person_with(tokens=20, faults=True))
    made.join("hemi", "aroha")
    return made


def put_back(office, kind, count=None, *, batch=""):
    """Undo the batch of a kind; give what was said of it."""
    said = office.did("undo", batch or f"{kind}.xlsx", "-o", f"undo-{kind}.xlsx")
    office.submit(f"undo-{kind}", count)
    return said


def closed(office):
    return [office.project(n)["closed_on"] is not None for n in (1, 2)]


def test_what_was_closed_is_opened_again_once(office):
    office.do("closures", {"Project": "R-1"}, {"Project": "R-2"}, count=2)
    assert closed(office) == [True, True]
    book = office.person.folder / "closures.xlsx"
    book.rename(book.with_stem("copy"))
    office.submit("copy", 0)
    said = put_back(office, "closures", 2)
    assert "undo-closures.xlsx has 2 rows to put back." in said
    assert closed(office) == [False, False]
    office.submit("undo-closures", 0)
    assert office.done("project_reopen") == 2


def test_values_and_names_of_before_come_back(office):
    row = {"Project": "R-1", "Name": "Kōpū culvert", "New reference": "K-9"}
    office.sheet("changes", {**row, "End date": "2031-01-31"})
    was = office.project(1)
    office.submit("changes", 1)
    assert "K-9" in {each["reference"] for each in office.read("/projects", limit=100)}
    put_back(office, "changes", 1)
    names = "name", "reference", "end_date"
    assert [office.project(1)[e] for e in names] == [was[e] for e in names]
    office.sheet("team", {"New name": "Roads team"})
    old = office.team["name"]
    office.submit_killed("team", 1, during="team_rename")
    put_back(office, "team", 1)
    assert office.team["name"] == old


def test_a_group_that_a_colleague_changed_since_it_was_made_is_not_deleted(office):
    made = {"Group": "Consents", "Colour": "#1b5e20"}
    office.sheet("groups", made, {**made, "Group": "Roads"})
    office.submit("groups")
    office.did("undo", "groups.xlsx", "-o", "back.xlsx")
    office.sheet("groups", {"Group": "Roads", "Description": "Aroha's roads."})
    office.submit("groups")
    assert "It has changed since" in office.did("check", "back.xlsx", code=3)
    office.submit("back", code=3)
    assert [each["name"] for each in office.read("/groups")] == ["Roads"]


def test_a_group_that_was_made_is_deleted_and_another_is_as_it_was(office):
    made = {"Group": "Consents", "Colour": "#1b5e20", "Members": "hemi@example.org"}
    office.do("groups", made)
    (was,) = office.read("/groups")
    changed = {"Group": "Consents", "New name": "Roads", "Members": "aroha@example.org"}
    office.do("groups", changed)
    assert office.read("/groups")[0]["name"] == "Roads"
    put_back(office, "groups", batch="groups-2")
    (now,) = office.read("/groups")
    assert {**now, "updated_on": was["updated_on"]} == was


def test_an_assignment_to_nobody_comes_back(office):
    office.do("assignments", {"Project": "R-1", "Person": "hemi@example.org"})
    assert office.project(1)["sender_assigned_to"]["first_name"] == "hemi"
    put_back(office, "assignments")
    assert office.project(1)["sender_assigned_to"] is None


def test_an_undo_takes_no_project_from_whom_a_colleague_gave_it_to_since(office):
    for person in ("hemi@example.org", ""):
        office.do("assignments", {"Project": "R-1", "Person": person})
    office.did("undo", "assignments-2", "-o", "back.xlsx")
    office.do("assignments", {"Project": "R-1", "Person": "aroha@example.org"})
    office.submit("back", code=3)
    assert office.project(1)["sender_assigned_to"]["first_name"] == "aroha"


def test_what_cannot_come_back_is_named(office):
    office.do("members", {"Person": "hemi@example.org", "Remove": "Yes"}, count=1)
    said = office.did("template", "--undo", "members.xlsx")
    assert "(“hemi”): what was removed does not" in said
    assert "can be put back" in said
    assert not list(office.person.folder.glob("undo-*"))


def test_what_somebody_changed_since_is_held(office):
    office.do("changes", {"Project": "R-1", "Name": "Kōpū culvert"}, count=1)
    office.did("template", "--undo", "changes.xlsx", "-o", "back.xlsx")
    office.do("changes", {"Project": "R-1", "Name": "Another name"}, count=1)
    assert "it is “Another name” now." in office.did("check", "back.xlsx", code=3)


def test_a_send_is_not_undone_and_neither_is_nothing(office):
    write_csv(office.person.folder / "works.csv", [csv_row(9)])
    office.did("submit", "works.csv", "--yes", "1", "--no-input")
    said = office.did("template", "--undo", "works.csv", code=2)
    assert "sent projects or invited people, and that cannot be undone" in said
    person = "Aroha", "aroha@example.com", "Member"
    names = "Name", "Email", "Role"
    write_csv(office.person.folder / "people.csv", [person], headings=names)
    office.did("submit", "people.csv", "--yes", "1", "--no-input")
    said = office.did("template", "--undo", "people.csv", code=2)
    assert "sent projects or invited people, and that cannot be undone" in said
    assert "A send cannot be undone" in office.did("undo", code=2)
    assert "is not the name of a batch" in office.did("undo", "nobody", code=2)


def test_each_row_that_cannot_come_back_is_named(office):
    note = {"Project": "R-1", "Meeting type": "Phone call"}
    office.do("notes", {**note, "Note": "One."}, {**note, "Note": "Two."})
    said = office.did("template", "--undo", "notes.xlsx")
    assert said.startswith("2 rows are not put back (“Ōtāhuhu culvert 1”, “Ōtāhuhu")


def test_a_group_that_a_project_had_not_is_taken_from_it_again(office):
    with office.client() as client:
        body = {"name": "Consents", "colour": "#1b5e20", "memberIds": []}
        client.post("/groups", json=body).raise_for_status()
    office.do("assignments", {"Project": "R-1", "Group": "Consents"})
    put_back(office, "assignments")
    assert office.project(1)["sender_assigned_to_group"] is None
