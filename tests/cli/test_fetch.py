"""`kawe template --now`: what is so now, changed in Excel and submitted."""

import openpyxl
import pytest

from doubles.acts_office import Office
from doubles.planned import YES, in_the_portal
from kawe.kinds.acts import FETCHABLE


@pytest.fixture
def office(person_with):
    made = Office(person_with(tokens=20, faults=True))
    made.join("hemi", "aroha")
    made.invite("mere")
    made.make_organisation("Kōpū Roading")
    row = {"Group": "Consents", "Colour": "#1b5e20", "Members": "hemi@example.org"}
    made.do("groups", row)
    (made.person.folder / "groups.xlsx").unlink()
    return made


def edit(office, kind, **cells):
    """Change cells of the rows that were fetched: by target, heading and text."""
    path = office.person.folder / f"{kind}.xlsx"
    book = openpyxl.load_workbook(path)
    sheet = book[kind.capitalize()]
    headings = [str(cell.value).rstrip(" *") for cell in sheet[1]]
    for row in sheet.iter_rows(min_row=2):
        for heading, text in cells.get(str(row[0].value), {}).items():
            row[headings.index(heading)].value = text
    book.save(path)


@pytest.mark.parametrize("kind", FETCHABLE)
def test_what_was_fetched_and_left_as_it_was_asks_for_nothing(office, kind):
    if kind == "completions":
        office.be_iwi()
    if kind == "reopenings":
        with office.client() as client:
            where = f"/projects/{office.project(1)['id']}/close"
            client.put(where, json={"all": False})
    if kind == "notes":
        note = {"Project": "R-1", "Meeting type": "Phone call", "Note": "One."}
        office.do(kind, note)
        (office.person.folder / "notes.xlsx").unlink()
    office.did("template", kind, "--now")
    before = len(office.board.ledger())
    said = office.did("check", f"{kind}.xlsx")
    assert "left as fetched" in said
    assert "No row is ready to be submitted." in said
    office.submit(kind, 0)
    after = office.board.ledger(after=before)
    assert [line["operation"] for line in after if line["effect"]] == []
    assert not any(line["operation"] == "project_read" for line in after)


def test_only_the_cells_that_were_changed_are_sent(office):
    office.did("template", "changes", "--now")
    edit(office, "changes", **{"R-1": {"Name": "Kōpū culvert"}})
    in_the_portal(office.person, "R-1", description="Two culverts are replaced.")
    said = office.did("check", "changes.xlsx")
    assert "“Ōtāhuhu culvert 1” → “Kōpū culvert”." in said
    office.submit("changes", 1)
    now = office.project(1)
    assert (now["name"], now["description"]) == (
        "Kōpū culvert",
        "Two culverts are replaced.",
    )
    assert office.done("project_update") == 2
    office.submit("changes", 0)
    assert office.done("project_update") == 2


def test_what_somebody_changed_since_is_held_empty_cells_too(office):
    office.did("template", "changes", "--now")
    row = {"Name": "Kōpū culvert", "Phase": "Works underway"}
    emptied = {"Name": "Kōpū culvert", "Was Name": None}
    edit(office, "changes", **{"R-1": row, "R-2": row, "R-3": emptied})
    in_the_portal(office.person, "R-1", name="A culvert of mine")
    in_the_portal(office.person, "R-2", phase="ON_HOLD")
    said = office.did("check", "changes.xlsx", code=3)
    assert "It has changed since: it is “A culvert of mine” now." in said
    gone = "It has changed since, or what stood in its column Was is gone: it is"
    assert f"{gone} “On hold” now." in said
    assert f"{gone} “Ōtāhuhu culvert 3” now." in said
    before = office.done("project_update")
    office.submit("changes", 0, code=3)
    assert office.done("project_update") == before


def test_a_cell_that_was_emptied_is_an_error(office):
    office.did("template", "changes", "--now")
    edit(office, "changes", **{"R-1": {"Description": None}, "R-2": {"Type": "Fun"}})
    said = office.did("check", "changes.xlsx", code=3)
    assert "Description: The cell was emptied" in said
    assert ("“Fun” is not one of" in said, said.count("was emptied")) == (True, 1)


def test_an_owner_who_is_removed_is_not_one_who_becomes_an_owner(office):
    for change in {"Role": "Owner"}, {"Remove": "Yes"}:
        office.did("template", "members", "--now")
        edit(office, "members", **{"hemi@example.org": change})
        owner = ("--allow-owner",) if "Role" in change else ()
        said = office.did("submit", "members.xlsx", *owner, *YES)
        assert ("becomes an owner" in said) is bool(owner)
        (office.person.folder / "members.xlsx").unlink()
    assert "hemi@example.org" not in [each["email"] for each in office.team["users"]]


def test_people_groups_and_assignments_are_changed_from_what_is_there(office):
    for kind in ("members", "groups", "assignments"):
        office.did("template", kind, "--now")
    edit(office, "members", **{"hemi@example.org": {"Org role": "Planner"}})
    office.submit("members", 1)
    people = {each["email"]: each for each in office.team["users"]}
    assert people["hemi@example.org"]["org_role"] == "Planner"
    assert people["hemi@example.org"]["role"] == "MEMBER"
    edit(office, "groups", Consents={"Members": "aroha@example.org"})
    office.submit("groups")
    (group,) = office.read("/groups")
    assert group["member_ids"] == [people["aroha@example.org"]["id"]]
    edit(office, "assignments", **{"R-1": {"Person": "hemi@example.org"}})
    office.submit("assignments")
    assert office.project(1)["sender_assigned_to"]["first_name"] == "hemi"
    (office.person.folder / "assignments.xlsx").unlink()
    office.did("template", "assignments", "--now")
    edit(office, "assignments", **{"R-1": {"Group": "Consents"}})
    office.submit("assignments")
    assert office.project(1)["sender_assigned_to"]["first_name"] == "hemi"
    assert office.project(1)["sender_assigned_to_group"]["name"] == "Consents"
    (office.person.folder / "assignments.xlsx").unlink()
    office.did("template", "assignments", "--now")
    edit(office, "assignments", **{"R-1": {"Person": None}})
    office.submit("assignments")
    assert office.project(1)["sender_assigned_to"] is None


def test_a_group_that_was_renamed_since_is_not_made_again(office):
    office.did("template", "groups", "--now")
    edit(office, "groups", Consents={"Colour": "#000000"})
    (group,) = office.read("/groups")
    body = {"name": "Permits", "colour": "#1b5e20", "memberIds": group["member_ids"]}
    with office.client() as client:
        answer = client.put(f"/groups/{group['id']}", json=body)
        assert answer.status_code < 300, answer.text
    said = office.did("check", "groups.xlsx", code=3)
    assert "The team has none called “Consents”." in said


def test_what_guards_a_fetched_row_may_be_hidden(office):
    office.did("template", "members", "--now")
    path = office.person.folder / "members.xlsx"
    book = openpyxl.load_workbook(path)
    for cell in book["Members"][1]:
        if str(cell.value).startswith(("Was", "Called", "Fetched", "Org role")):
            letter = cell.column_letter
            book["Members"].column_dimensions[letter].hidden = True
    book.save(path)
    said = office.did("check", "members.xlsx")
    assert said.count("is hidden, and was read.") == said.count("“Org role") == 2


def test_no_workbook_is_written_over(office):
    office.did("template", "team", "--now")
    assert "is there already" in office.did("template", "team", "--now", code=5)
    assert "Only these are fetched" in office.did(
        "template", "responses", "--now", code=2
    )


def test_projects_are_closed_and_reopened_from_the_list_of_them(office):
    office.did("template", "closures", "--now")
    edit(office, "closures", **{"R-1": {"Do": "close"}, "R-2": {"Do": "Close"}})
    office.submit("closures", 2)
    assert [office.project(n)["status"] == "CLOSED" for n in (1, 2, 3)] == [
        True,
        True,
        False,
    ]
    office.did("template", "reopenings", "--now")
    edit(office, "reopenings", **{"R-2": {"Do": "reopen"}})
    office.submit("reopenings", 1)
    assert office.project(2)["closed_on"] is None
    assert (office.done("project_close"), office.done("project_reopen")) == (2, 1)


def test_a_fetched_row_that_does_not_say_what_is_to_be_done_is_an_error(office):
    office.did("template", "closures", "--now")
    rows = {"R-1": {"Message": "Thank you."}, "R-2": {"Do": "reopen"}}
    edit(office, "closures", **rows)
    said = office.did("check", "closures.xlsx", code=3)
    assert said.count("Type close under Do.") == 1
    assert "rows 3 and 4" in said or "2 rows" in said
    office.submit("closures", 0, code=3)
    assert office.done("project_close") == 0


def test_a_column_that_was_taken_out_of_a_fetched_sheet_is_left_as_it_was(office):
    assigned = {"Person": "hemi@example.org", "Group": "Consents"}
    office.do("assignments", {"Project": "R-1", **assigned})
    for kind, heading in (("assignments", "Group"), ("changes", "Description")):
        office.did("fetch", kind, "-o", f"{kind}-now.xlsx")
        path = office.person.folder / f"{kind}-now.xlsx"
        book = openpyxl.load_workbook(path)
        page = book.worksheets[0]
        headings = [str(cell.value) for cell in page[1]]
        page.delete_cols(headings.index(heading) + 1)
        book.save(path)
        said = office.did("check", path.name)
        assert "already there: so already" in said
        assert "ready to submit" not in said


def test_a_fetched_row_is_a_row_however_short_its_words_are(office):
    with office.client() as client:
        for name in ("A", "B"):
            body = {"name": name, "colour": "#1b5e20", "memberIds": []}
            client.post("/groups", json=body).raise_for_status()
    office.did("fetch", "groups", "-o", "groups-now.xlsx")
    assert "3 already there" in office.did("check", "groups-now.xlsx")
