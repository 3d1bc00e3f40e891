"""Sheets of acts from the command line: the twin counts what was asked for."""

import html
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import openpyxl
import pytest

from doubles.acts_office import Office
from doubles.at_the_twin import buy
from doubles.bodies import project_body
from doubles.command import write_csv
from doubles.desk import Desk, read
from doubles.planned import in_the_portal

HEMI = "hemi@example.org"


@pytest.fixture
def office(person_with):
    return Office(person_with(tokens=20, faults=True))


def test_projects_are_closed_once_by_reference_name_or_id(office):
    assert "“open” → “closed”." in office.check(
        "closures",
        {"Project": "R-1", "Message": "Thank you.", "All": "Yes"},
        {"Project": "Ōtāhuhu culvert 2"},
        {"Project": office.project(3)["id"]},
    )
    planned = office.did("plan", "closures.xlsx")
    assert "R-1 Ōtāhuhu culvert 1: Project “open” → “closed”." in planned
    assert planned.count("“open” → “closed”.") == 3
    assert office.asked("project_close") == 0
    office.submit("closures", 3)
    assert office.results("closures") == ["Done"] * 3
    listed = office.results("closures", "Name", sheet="Results")[1:]
    assert listed == [f"Ōtāhuhu culvert {n}" for n in (1, 2, 3)]
    assert {office.project(n)["status"] for n in (1, 2, 3)} == {"CLOSED"}
    assert "3 done" in office.did("status", "closures.xlsx")
    assert "No row waits" in office.did("waiting", "closures.xlsx")
    office.submit("closures", 0)
    assert office.asked("project_close") == 3


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_lost_answer_is_settled_by_reading_and_nothing_is_asked_twice(office, when):
    office.person.write_settings("settle = 0.2\n")
    office.board.set("drop", "project_close", nth=2, count=1, when=when)
    office.do("closures", *({"Project": f"R-{n}"} for n in (1, 2, 3)), count=3)
    assert office.results("closures") == ["Done"] * 3
    assert office.asked("project_close") == 3
    office.submit("closures", 0)
    assert office.asked("project_close") == 3


def test_closing_wants_the_count_and_completing_is_for_iwi(office):
    assert "is for iwi" in office.check("completions", {"Project": "R-1"}, code=3)
    assert "--yes" in office.do("closures", {"Project": "R-1"}, code=2)
    assert office.asked("project_close") == 0


def test_a_project_that_nobody_knows_is_named_with_the_cell(office):
    rows = {"Project": "Otahuhu culvert"}, {"Project": "R-4"}
    said = office.check("closures", *rows, code=3)
    near = "There is “Ōtāhuhu culvert 1”"
    for words in "Closures!A2", near, "Closures!A3", "never sent":
        assert words in said
    assert office.asked("project_close") == 0


def test_projects_of_one_name_are_told_apart_by_the_day_in_new_zealand(office):
    in_the_portal(office.person, "R-1", name="Ōtāhuhu culvert 2")
    office.sheet("closures", {"Project": "Ōtāhuhu culvert 2"})
    made = datetime.fromisoformat(office.project(1)["created_on"])
    day = made.astimezone(ZoneInfo("Pacific/Auckland")).date()
    assert f"R-1, made {day}" in office.did("check", "closures.xlsx", code=3)


def test_a_killed_run_tells_the_tokens_that_its_responses_may_have_used(office):
    rows = ({"Project": f"R-{n}", "Message": "Kia ora."} for n in (1, 2, 3))
    office.sheet("responses", *rows)
    office.person.write_settings("settle = 0.2\n")
    planned = office.submit_killed("responses", 3, during="project_respond")
    assert "will be asked about first: in doubt, and done only if" in planned
    runs = office.person.document("status")["runs"]
    assert (len(runs), sum(each["tokens"] for each in runs)) == (3, 3)


def test_what_is_closed_already_is_not_asked_for(office):
    with office.client() as client:
        client.put(f"/projects/{office.project(1)['id']}/close", json={"all": False})
    office.do("closures", {"Project": "R-1"}, count=0)
    assert office.asked("project_close") == 1


@pytest.mark.parametrize("more", [{}, {"Do": "change group"}])
def test_a_new_name_is_as_long_as_the_service_takes(office, more):
    row = {"Group": "Consents", "Colour": "#1b5e20", "New name": "x" * 121, **more}
    said = office.check("acts" if more else "groups", row, code=3)
    assert "New name has 121 characters; 120 is the most." in said


@pytest.mark.parametrize(
    ("kind", "cells", "end"),
    [
        ("closures", {"Ref": "R-1", "Comment to iwi": "Thank you."}, (5, "Message?")),
        ("closures", {"Ref": "R-1", "Remarks": "Wet."}, (0, "“open” → “closed”")),
        ("resends", {"E-mail": HEMI, "What to do": "x"}, (3, "or Expire. 1 to")),
        ("groups", {"Group name": "A", "Color": "#1b5e20", "People": HEMI}, (0, HEMI)),
        ("notes", {"Ref": "R-1", "Notes": "x", "How we met": "hui"}, (0, "In person")),
    ],
)
def test_a_sheet_of_ones_own_is_read_by_what_people_call_its_columns(
    office, kind, *, cells, end
):
    office.join("hemi", "aroha")
    path = office.person.folder / "own.csv"
    write_csv(path, [[*cells.values()]], headings=[*cells])
    said = office.did("check", "own.csv", "--kind", kind, "--verbose", code=end[0])
    assert end[1] in said


@pytest.mark.parametrize("is_iwi", [False, True])
def test_a_response_by_another_name_of_its_project_is_the_same_one(office, is_iwi):
    one, two = ({"Project": "R-1", "Message": f"Kia ora {n}."} for n in (1, 2))
    ids = {name: office.project(1)[name] for name in ("id", "name")}
    if is_iwi:
        office.be_iwi()
    office.do("responses", one, two, count=2)
    office.sheet("responses", *({**one, "Project": each} for each in ids.values()))
    assert "2 done" in office.did("check", "responses.xlsx")
    assert "1 done already" in office.do("responses", {**two, "Project": ids["name"]})
    assert office.asked("project_respond") == 2


def test_a_colleague_with_a_journal_of_their_own_sends_no_response_again(office):
    row = {"Project": "R-1", "Message": "Kia ora."}
    office.do("responses", row, count=1)
    office.take_another_computer()
    said = office.did("submit", "responses.xlsx", "--yes", "1", "--no-input", code=3)
    said += office.do("responses", {**row, "Occasion": "June"}, count=1, code=3)
    once = office.asked("project_respond")
    office.did("submit", "responses.xlsx", "--accept=repeats", "--yes=1", "--no-input")
    assert (said.count("same was said on this project"), once) == (2, 1)
    assert office.asked("project_respond") == 2


def test_a_response_that_was_corrected_after_it_was_sent_is_asked_about(office):
    one, two = ({"Project": "R-1", "Message": f"Kia ora, {n} pou."} for n in "12")
    office.do("responses", one, count=1)
    office.do("responses", one, two, {**one, "Message": "Kia ora, 1 pou e."}, count=2)
    corrected = {**one, "Message": "Kia  ora, 1 Pou!"}
    said = office.do("responses", corrected, two, count=1, code=3)
    assert "Nearly the same was sent: “Kia ora, 1 pou.”. Undo the edit here." in said
    office.do("responses", {**corrected, "Occasion": "July"}, count=1)
    row = {**one, "Message": "Kia ora: 1 pou.", "Occasion": "July"}
    assert "Nearly the same" in office.do("responses", row, code=3)
    office.take_another_computer()
    assert "Nearly the same" in office.do("responses", row, code=3)
    office.did("submit", "responses.xlsx", "--accept=repeats", "--yes=1", "--no-input")
    assert office.asked("project_respond") == 5


@pytest.mark.parametrize(
    ("kind", "words"),
    [("responses", "Message"), ("notes", "Note"), ("changes", "Name")],
)
def test_words_sorted_away_from_their_projects_are_asked_about(office, kind, words):
    more = {"Meeting type": "Email"} if kind == "notes" else {}
    one, two = ({"Project": f"R-{n}", words: f"He mea {n}.", **more} for n in "12")
    office.do(kind, one, two, count=2)
    one[words], two[words] = two[words], one[words]
    said = office.do(kind, one, two, count=2, code=3)
    assert said.count("Another row") == 2


def test_a_note_whose_meeting_type_or_words_were_corrected_is_asked_about(office):
    row = {"Project": "R-1", "Note": "Ring Aroha.", "Meeting type": "Email"}
    office.do("notes", row)
    said = office.do("notes", {**row, "Meeting type": "Phone call"}, code=3)
    assert "The same was noted on this project already" in said
    said = office.do("notes", {**row, "Note": "RING  Aroha"}, code=3)
    assert "Nearly the same was sent: “Ring Aroha.”" in said
    assert office.asked("note_create") == 1


def test_an_iwi_answers_with_the_words_that_were_sent_to_it(office):
    office.be_iwi()
    office.do("responses", {"Project": "R-1", "Message": "Tēnā koutou."}, count=1)
    assert office.results("responses") == ["Done"]


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("members", [{"Role": "Owner"}, {"Role": "Member"}]),
        ("members", [{"Remove": "Yes"}, {"Remove": "Yes", "Role": "Member"}]),
        ("resends", [{"Do": "resend"}, {"Do": "expire"}]),
        ("changes", [{"Name": "One"}, {"Name": "Two", "Phase": "Hearing"}]),
        ("responses", [{"Message": "Kia ora."}, {"Message": "KIA  ORA."}]),
    ],
)
def test_two_rows_that_disagree_about_one_target_are_refused(office, kind, rows):
    office.join("hemi")
    office.invite("rewi")
    hemi, rewi = ({"Person": f"{each}@example.org"} for each in ("hemi", "rewi"))
    named = {"members": hemi, "resends": rewi}.get(kind, {"Project": "R-1"})
    office.sheet(kind, *({**named, **each} for each in rows))
    said = office.did("check", f"{kind}.xlsx", "--allow-owner", code=3)
    assert said.count("asks for something else") + said.count("asks for the same") == 2


def test_rows_that_change_other_cells_of_one_target_are_all_done(office):
    rows = {"Project": "R-1", "Name": "One"}, {"Project": "R-1", "Phase": "Hearing"}
    office.do("changes", *rows, count=2)
    assert office.project(1)["name"] == "One"
    assert office.project(1)["phase"] == "HEARING"


def test_what_may_use_tokens_is_said_before_it_is_done(office):
    free = "first response to a project is free, the second uses a token, and so on"
    office.sheet("responses", {"Project": "R-1", "Message": "Kia ora."})
    assert free in office.did("plan", "responses.xlsx")
    assert free in office.did("submit", "responses.xlsx", "--no-input", code=2)
    office.sheet("closures", {"Project": "R-1"})
    assert "uses a token" not in office.did("plan", "closures.xlsx")
    office.be_iwi()
    assert free not in office.did("plan", "responses.xlsx")


def test_a_sheet_of_acts_under_another_name_needs_the_word(office):
    name = office.person.folder / office.sheet("closures", {"Project": "R-1"})
    book = openpyxl.load_workbook(name)
    del book["kawe"]
    book["Closures"].title = "Done in June"
    book.save(name)
    said = office.did("check", "closures.xlsx", "--kind", "closures", "--verbose")
    assert "“open” → “closed”." in said


def again(office, kind, operation, *rows, count=None):
    """Submit a sheet twice: what it asks for is asked for once.

    Without rows it is filled in already.
    """
    if rows:
        office.sheet(kind, *rows)
    office.submit(kind, count)
    assert set(office.results(kind)) == {"Done"}
    assert office.asked(operation) == 1
    office.submit(kind, None if count is None else 0)
    for row in rows if kind != "team" else ():
        # It is the same one however its target is spelt.
        target, name = next(iter(row.items()))
        office.sheet(kind, {**row, target: name.swapcase()})
        office.submit(kind, None if count is None else 0)
    assert office.asked(operation) == 1


def test_a_closed_project_is_reopened(office):
    office.do("closures", {"Project": "R-1"}, count=1)
    again(office, "reopenings", "project_reopen", {"Project": "R-1"}, count=1)
    assert office.project(1)["closed_on"] is None
    said = office.did("check", "closures.xlsx", "--verbose")
    assert "it is not closed any more; kawe does nothing twice" in said
    office.do("closures", {"Project": "R-1", "Occasion": "June"}, count=1)
    assert office.project(1)["status"] == "CLOSED"


def test_two_references_that_differ_in_capitals_are_two_projects(office):
    with office.client() as client:
        client.post("/projects", json=project_body("Bridge", reference="r-1"))
    for reference in "R-1", "r-1":
        office.do("changes", {"Project": reference, "Name": "Kōpū"}, count=1)
        office.submit("changes", 0)
    assert office.done("project_update") == 2


def test_projects_are_changed_but_for_what_nobody_named(office):
    before = office.project(1)
    row = {"Project": "R-1", "Name": "Kōpū culvert", "Start date": "2030-03-02"}
    office.sheet("changes", {**row, "Phase": "Works underway"})
    said = office.did("check", "changes.xlsx", "--verbose")
    assert "“Ōtāhuhu culvert 1” → “Kōpū culvert”." in said
    assert "Phase: empty → “Works underway”." in said
    again(office, "changes", "project_update", count=1)
    now = office.project(1)
    assert (now["name"], now["end_date"]) == ("Kōpū culvert", before["end_date"])
    assert now["start_date"] != before["start_date"]


def test_what_stood_before_is_put_back_and_what_was_empty_stays_and_is_named(office):
    old = office.project(1)["name"]
    office.sheet("changes", {"Project": "R-1", "Name": "Kōpū", "Phase": "Hearing"})
    office.submit("changes", 1)
    said = office.did("template", "--undo", "changes")
    assert "(“Ōtāhuhu culvert 1: Phase”): there was nothing" in said
    office.submit("undo-changes", 1)
    now = office.project(1)
    assert (now["name"], now["phase"]) == (old, "HEARING")


def test_a_warning_about_a_day_is_shown_where_one_agrees_to_the_changes(office):
    later = {"Project": "R-1", "Start date": "2030-12-01"}
    taken = {"Project": "R-2", "New reference": "R-3"}
    said = office.do("changes", later, taken, count=2)
    assert "[warning] Start date “2030-12-01”: The start date" in said
    assert "3 [warning] New reference “R-3”: Another project has it." in said


def test_a_guard_that_was_typed_holds_what_has_changed_since(office):
    row = {"Project": "R-1", "Name": "Kōpū culvert", "Was Name": "Kopu drain"}
    said = office.check("changes", row, code=3)
    assert "It has changed since: it is “Ōtāhuhu culvert 1” now." in said
    office.submit("changes", 0, code=3)
    assert office.asked("project_update") == 0


def test_members_get_roles_and_leave_and_the_last_owner_stays(office):
    people = office.join("hemi", "aroha")
    owner = next(e for e, each in people.items() if each["role"] == "OWNER")
    office.sheet(
        "members",
        {"Person": "hemi@example.org", "Org role": "Planner"},
        {"Person": "aroha@example.org", "Remove": "Yes"},
        {"Person": owner, "Role": "Member"},
    )
    said = office.did("check", "members.xlsx", "--verbose", code=3)
    assert "This is the last owner" in said
    office.submit("members", 2, code=3)
    assert office.results("members")[:2] == ["Done", "Done"]
    now = {each["email"]: each for each in office.team["users"]}
    assert now["hemi@example.org"]["org_role"] == "Planner"
    assert "aroha@example.org" not in now
    office.submit("members", 0, code=3)
    assert (office.asked("team_role"), office.asked("team_revoke")) == (1, 1)


def test_owners_are_made_where_they_are_meant_and_none_stops_being_one(office):
    own = next(e for e, each in office.join("hemi").items() if each["role"] == "OWNER")
    row = {"Person": "hemi@example.org", "Role": "Owner"}
    assert "--allow-owner" in office.check("members", row, code=3)
    office.did("submit", "members.xlsx", "--allow-owner", "--yes=1", "--no-input")
    for cell in ({"Role": "Member"}, {"Remove": "Yes"}):
        said = office.check("members", {"Person": own, **cell}, code=3)
        assert "This is the person behind the key" in said


def test_invitations_are_sent_again_or_ended(office):
    before = office.invite("hemi", "aroha")
    aroha = "aroha@example.org"
    rows = {"Person": HEMI, "Do": "resend"}, {"Person": aroha, "Do": "expire"}
    said = office.check("resends", *rows)
    ends = datetime.fromisoformat(before[HEMI]["expired_on"])
    day = ends.astimezone(ZoneInfo("Pacific/Auckland")).date()
    assert f"“pending until {day}” → “sent again”." in said
    assert "2 will be resent or ended" in office.did("plan", "resends.xlsx")
    again(office, "resends", "invitation_resend", count=2)
    now = {each["email"]: each for each in office.team["invitations"]}
    assert now[HEMI]["expired_on"] > before[HEMI]["expired_on"]
    assert now[aroha]["status"] == "EXPIRED"


def test_a_side_of_a_project_assigns_it_for_itself(office):
    row = {"Project": "R-1", "Person": "hemi@example.org", "Side": "Recipient"}
    office.join("hemi")
    office.sheet("assignments", row, row | {"Project": "R-2", "Side": "Sender"})
    said = office.did("check", "assignments.xlsx", "--verbose", code=3)
    assert "[error] Side “Recipient”: That is the other side of the project" in said
    office.submit("assignments", code=3)
    assert office.asked("project_assign") == 1
    assert office.results("assignments") == ["To correct", "Done"]


@pytest.mark.parametrize(
    ("headings", "words"),
    [
        ("Ref Planner", "There is no column Person or Group."),
        ("Email New role", "Role? guess by name What is not sure is not read."),
    ],
)
def test_a_column_that_is_not_read_changes_nothing(office, headings, words):
    named, row = headings.split(maxsplit=1), [["R-1", "Owner"]]
    path = write_csv(office.person.folder / "own.csv", row, headings=named)
    kind = "members" if "Email" in headings else "assignments"
    said = office.did("check", path.name, "--kind", kind, "--verbose", code=3)
    assert (words in said, "Was" in said) == (True, False)


def test_groups_are_made_and_projects_are_assigned_to_them(office):
    people = office.join("hemi")
    row = {"Group": "Consents", "Colour": "#1b5e20", "Members": "hemi@example.org"}
    again(office, "groups", "group_create", row)
    (group,) = office.read("/groups")
    assert group["member_ids"] == [people["hemi@example.org"]["id"]]
    row = {"Project": "R-1", "Person": "hemi@example.org", "Group": "Consents"}
    again(office, "assignments", "project_assign", row)
    project = office.project(1)
    assert project["sender_assigned_to"]["first_name"] == "hemi"
    assert project["sender_assigned_to_group"]["name"] == "Consents"
    row = {"Group": "Consents", "New name": "Permits"}
    again(office, "groups", "group_update", row)
    office.do("groups", {"Group": "PERMITS", "Description": "Who answers."})
    assert [each["name"] for each in office.read("/groups")] == ["Permits"]
    row = {"Group": "Permits", "Delete": "Yes"}
    again(office, "groups", "group_delete", row)
    assert office.read("/groups") == []


def test_organisations_are_changed_and_deleted(office):
    office.make_organisation("Kōpū Roading")
    row = {"Organisation": "kopu roading", "City": "Thames"}
    again(office, "organisations", "organisation_update", row, count=1)
    (one,) = office.read("/organisations")
    assert (one["city"], one["address"]) == ("Thames", "1 Queen Street")
    row = {"Organisation": "Kōpū Roading", "Delete": "Yes"}
    again(office, "organisations", "organisation_delete", row, count=1)


def test_notes_are_written_changed_and_deleted(office):
    row = {"Project": "R-1", "Note": "Ring Aroha.", "Meeting type": "Phone call"}
    again(office, "notes", "note_create", row)
    thread = f"/projects/{office.project(1)['id']}/engagements"
    note = next(e for e in office.read(thread) if e["is_internal"])
    row |= {"Note": "Ring Hēmi.", "Note id": note["id"]}
    again(office, "notes", "note_edit", row)
    gone = {"Project": "R-1", "Note id": note["id"], "Delete": "Yes"}
    again(office, "notes", "note_delete", gone)
    assert not [e for e in office.read(thread) if e["is_internal"]]


def test_the_team_is_renamed(office):
    again(office, "team", "team_rename", {"New name": "Kaunihera hou"}, count=1)
    assert office.team["name"] == "Kaunihera hou"


def test_notes_are_changed_and_deleted_in_a_sheet_that_was_fetched(office):
    note = {"Note": "Ring Aroha.", "Meeting type": "Phone call"}
    office.do("notes", *({"Project": f"R-{n}", **note} for n in (1, 2, 3)))
    office.did("template", "notes", "--now", "-o", "fetched.xlsx")
    office.edit("fetched", "Notes", R_1={"Note": "Ring Hēmi."}, R_2={"Delete": "Yes"})
    office.submit("fetched")
    ended = office.results("fetched", sheet="Notes")
    assert ended == ["Already there", "Done", "Done"]
    assert (office.done("note_edit"), office.done("note_delete")) == (1, 1)
    threads = map(office.thread, (1, 2, 3))
    left = [[e["content"] for e in each if e["is_internal"]] for each in threads]
    assert left == [["Ring Hēmi."], [], ["Ring Aroha."]]


def test_what_was_changed_since_it_was_fetched_is_not_deleted(office):
    office.join("hemi")
    office.do("groups", {"Group": "Consents", "Colour": "#1b5e20"})
    office.did("template", "groups", "--now", "-o", "fetched.xlsx")
    office.do("groups", {"Group": "Consents", "Members": "hemi@example.org"})
    office.edit("fetched", "Groups", Consents={"Delete": "Yes"})
    said = office.did("check", "fetched.xlsx", code=3)
    assert "is gone: it is “hemi@example.org” now." in said


def test_a_fetched_sheet_without_its_columns_was_is_to_be_fetched_again(office):
    path = office.person.folder / "changes.xlsx"
    office.did("template", "changes", "--now")
    office.edit("changes", "Changes", R_1={"Name": "Kōpū"})
    book = openpyxl.load_workbook(path)
    for at in range(book["Changes"].max_column, 0, -1):
        if str(book["Changes"].cell(row=1, column=at).value).startswith("Was"):
            book["Changes"].delete_cols(at)
    book.save(path)
    said = office.did("check", "changes.xlsx", code=3)
    assert "The sheet was fetched, and its columns Was are gone." in said


def test_a_fetch_of_nothing_says_so_and_an_undo_names_no_row_that_was_left(office):
    said = office.did("template", "--now", "groups")
    assert said == "groups.xlsx has no rows: there are none now."
    office.did("template", "--now", "changes")
    office.edit("changes", "Changes", R_1={"Name": "Kōpū"})
    office.submit("changes", 1)
    assert "not put back" not in office.did("template", "--undo", "changes")


def test_reports_of_a_fetched_sheet_are_asked_for(office):
    office.did("template", "reports", "--now")
    office.edit("reports", "Reports", R_1={"Do": "Get report"})
    office.submit("reports", 1)
    assert office.done("project_report") == 1


def test_a_field_in_a_rows_own_message_is_pointed_out(office):
    office.sheet("responses", {"Project": "R-1", "Message": "Kia ora, {Respond by}."})
    said = office.did("check", "responses.xlsx")
    assert "{Respond by} leaves as it stands: a row's own message is not" in said


def test_reports_are_asked_for_once_and_a_lost_answer_is_never_repeated(office):
    office.person.write_settings("settle = 0.2\n")
    again(office, "reports", "project_report", {"Project": "R-1"}, count=1)
    office.board.set("drop", "project_report", count=1, when="before")
    office.do("reports", {"Project": "R-2"}, count=1, code=4)
    office.submit("reports", 0, code=4)
    assert office.asked("project_report") == 1
    assert office.results("reports") == ["Held"]
    said = office.did("waiting", code=4)
    assert "--retry" in said
    assert "--adopt" not in said


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_response_carries_its_files_also_where_the_answer_is_lost(office, when):
    office.person.write_settings("settle = 0.2\n")
    for name in ("plan.pdf", "notes.pdf"):
        (office.person.folder / name).write_bytes(b"%PDF-1.4 " + name.encode())
    row = {"Project": "R-1", "Message": "Here it is.", "Files": "plan.pdf; notes.pdf"}
    office.sheet("responses", row)
    assert "2 files will be uploaded" in office.did("plan", "responses.xlsx")
    assert office.asked("upload_presign") == 0
    office.board.set("drop", "project_respond", count=1, when=when)
    again(office, "responses", "project_respond", count=1)
    (sent,) = [e for e in office.thread(1) if e["content"] == "Here it is."]
    names = sorted(each["name"] for each in sent["documents"])
    assert names == ["notes.pdf", "plan.pdf"]
    assert office.done("upload_complete") == 2


def test_a_response_whose_file_is_missing_is_not_sent(office):
    row = {"Project": "R-1", "Message": "Here it is.", "Files": "plan.pdf"}
    assert "Responses!C2" in office.check("responses", row, code=3)
    office.submit("responses", 0, code=3)
    assert office.asked("project_respond") == 0


def test_a_file_that_changed_after_the_plan_is_not_sent(office):
    file = office.person.folder / "plan.pdf"
    file.write_bytes(b"%PDF-1.4 one")
    row = {"Project": "R-1", "Message": "Here it is.", "Files": "plan.pdf"}
    office.sheet("responses", row)
    office.did("plan", "responses.xlsx", "-o", "plan.json")
    file.write_bytes(b"%PDF-1.4 two")
    said = office.did("submit", "plan.json", "--yes", "1", "--no-input", code=2)
    assert "Responses!2" in said
    assert office.asked("project_respond") == 0


def test_without_tokens_responses_wait_in_the_queue_and_a_release_sends_them(
    person_with,
):
    office = Office(person_with(tokens=3, faults=True))
    office.do("responses", {"Project": "R-1", "Message": "Kia ora 1."}, count=1)
    # The first response to a project is free.
    texts = ("R-1", "2."), ("R-1", "3."), ("R-2", "4."), ("R-2", "5.")
    rows = ({"Project": each, "Message": f"Kia ora {n}"} for each, n in texts)
    office.sheet("responses", *rows)
    said = office.submit("responses", 4, code=4)
    assert "The team has no tokens left." in said
    needs = "The team has 0; 1 pack of 5 would do, with 3 left over; so would 2 packs"
    assert f"3 rows wait for tokens. {needs} of 1" in said
    assert office.asked("project_respond") == 4
    assert office.results("responses") == ["Deferred", "Deferred", "Done", "Deferred"]
    queue = office.person.document("waiting")
    rows = [(e["turn"], e["reference"], e["respond_by"]) for e in queue["rows"]]
    assert rows == [(1, "R-1", None), (2, "R-1", None), (3, "R-2", None)]
    assert queue["tokens_needed"] == 2
    twice = office.did("waiting", "--first", "R-1", code=2)
    assert "R-1 (Responses!2 of responses-2), R-1 (Responses!3" in twice
    moved = office.did("waiting", "--first", "Responses!3")
    assert "1 row goes before all others" in moved
    assert needs in office.did("release", "--yes", "0", "--no-input", code=4)
    buy(office.person.twin.address, 50)
    # Of two responses to one project, the second is free again.
    office.board.set("drop", "project_respond", count=1, when="after")
    office.did("release", "--max-tokens", "1", "--yes", "2", "--no-input", code=4)
    office.did("release", "--yes", "1", "--no-input")
    said = [each["content"] for each in office.thread(1)]
    assert [said.count(f"Kia ora {n}.") for n in (1, 2, 3)] == [1, 1, 1]
    assert office.person.document("waiting")["rows"] == []


def test_responses_take_no_more_tokens_than_a_limit_allows(person_with):
    office = Office(person_with(tokens=3))
    buy(office.person.twin.address, 50)
    before = _tokens(office)
    texts = [f"Kia ora {n}." for n in range(1, 8)]
    office.sheet("responses", *({"Project": "R-1", "Message": text} for text in texts))
    most = ("--max-tokens", "1")
    told = "At most 1 token may be used; more must wait."
    assert told in office.did("plan", "responses.xlsx", *most, "-o", "plan.json")
    office.did("submit", "plan.json", "--yes", "7", "--no-input", code=4)
    assert office.results("responses") == ["Done"] * 2 + ["Deferred"] * 5
    # A second run, and a release that waits: each has its own limit, over all rounds.
    again = ("submit", "responses.xlsx", *most, "--yes", "5", "--no-input")
    assert told in office.did(*again, code=4)
    assert office.results("responses") == ["Done"] * 4 + ["Deferred"] * 3
    held = office.did("release", *most[:1], "0", "--yes", "0", "--no-input", code=4)
    assert "--max-tokens leaves no token; waiting: 3." in held
    words = ("--wait", "--poll", "5", "--for", "0.001", "--no-input")
    office.did("release", *most, "--yes", "2", *words, code=4)
    assert office.results("responses") == ["Done"] * 6 + ["Deferred"]
    assert office.asked("project_respond") == 6
    assert before - _tokens(office) == 3


def _tokens(office):
    return office.read("/user")["teams"][0]["current_credit_balance"]


def two_that_wait(person_with):
    """Give an office whose second and third response to R-1 wait, and their rows."""
    office = Office(person_with(tokens=3))
    rows = [{"Project": "R-1", "Message": f"Kia ora {n}."} for n in (1, 2, 3)]
    office.do("responses", rows[0], count=1)
    office.do("responses", *rows[1:], count=2, code=4)
    return office, rows[1:]


def test_at_the_desk_one_of_two_responses_to_a_project_leaves_the_queue(person_with):
    office, _ = two_that_wait(person_with)
    with Desk(office.person) as desk:
        page = desk.client.get("/queue").text
        asked = re.findall(r'href="[^"]*/queue/drop\?row=([^"]*)', page)
        question = desk.client.get(f"/queue/drop?row={asked[1]}")
        key = question.text.partition('name="row" value="')[2].partition('"')[0]
        desk.post("/queue/drop", row=html.unescape(key), typed="drop")
    assert (len({*asked}), question.status_code) == (2, 200)
    assert "draft" not in read(page) + read(question.text)
    left = office.person.document("waiting")["rows"]
    assert [(each["row"], each["reference"]) for each in left] == [(2, "R-1")]


def test_a_queued_response_goes_with_its_workbook_too_or_leaves_with_it(person_with):
    office, rows = two_that_wait(person_with)
    buy(office.person.twin.address, 50)
    office.sheet("responses", rows[0])
    accepted = "--yes", "1", "--no-input", "--accept", "missing"
    office.did("submit", "responses.xlsx", *accepted)
    said = [each["content"] for each in office.thread(1)]
    assert [said.count(f"Kia ora {n}.") for n in (1, 2, 3)] == [1, 1, 0]
    assert office.person.document("waiting")["rows"] == []


def test_a_name_that_means_another_project_since_the_plan_closes_nothing(office):
    office.sheet("closures", {"Project": "Ōtāhuhu culvert 2"})
    office.did("plan", "closures.xlsx", "-o", "plan.json")
    in_the_portal(office.person, "R-2", name="Another culvert")
    in_the_portal(office.person, "R-1", name="Ōtāhuhu culvert 2")
    two, one = office.project(2)["id"], office.project(1)["id"]
    said = office.did("submit", "plan.json", "--yes", "1", "--no-input", code=2)
    assert f"Closures!2 meant project {two} in the plan, and means {one} now." in said
    assert office.asked("project_close") == 0


def test_people_to_invite_on_a_sheet_called_members_are_asked_about(office):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Members"
    sheet.append(["Name", "Email", "Role"])
    sheet.append(["Aroha Smith", "aroha@example.org.nz", "Member"])
    book.save(office.person.folder / "staff.xlsx")
    said = office.did("check", "staff.xlsx", "--no-input", code=5)
    assert "could be a list of members or of invitations" in said
    said = office.did("check", "staff.xlsx", "--kind", "invitations", "--no-input")
    assert "PEOPLE TO INVITE" in said


def test_at_the_desk_acts_are_shown_before_they_are_agreed_to(office):
    office.sheet("closures", {"Project": "R-1"}, {"Project": "R-2"})
    content = (office.person.folder / "closures.xlsx").read_bytes()
    with Desk(office.person) as desk:
        place = desk.place(desk.put_in("closures.xlsx", content))
        planned = desk.post(f"{place}/plan", sends="all")
        assert "Type 2 to close 2 projects" in read(planned.text)
        assert read(planned.text).count("“open” → “closed”.") == 2
        assert "2 done" in read(desk.agree(planned, f"{place}/submit", typed="2").text)
    assert office.asked("project_close") == 2


DONE = "Ōtāhuhu culvert 1 Project “open” → “closed”."


def test_at_the_desk_responses_have_attachments_and_nothing_that_puts_them_back(office):
    content = b"Project,Response,Files\nR-1,Kia ora.,a.txt\n"
    with Desk(office.person) as desk:
        place = desk.place(desk.put_in("responses.csv", content))
        assert "Folder of the attachments" in desk.get(place)
        desk.post(f"{place}/files", files={"attachments": ("a.txt", b"Kia ora")})
        planned = desk.post(f"{place}/plan", sends="all")
        done = desk.agree(planned, f"{place}/submit", typed="1")
        assert "1 done" in read(done.text)
        for page in (planned, done):
            assert "Message empty → “Kia ora.”." in read(page.text)
        batch = read(desk.client.get("/batch?name=responses").text)
        assert "Put back what this batch did" not in batch


def test_at_the_desk_a_batch_of_acts_is_put_back_by_a_sheet_of_its_own(office):
    office.sheet("closures", {"Project": "R-1"})
    content = (office.person.folder / "closures.xlsx").read_bytes()
    with Desk(office.person) as desk:
        place = desk.place(desk.put_in("closures.xlsx", content))
        planned = desk.post(f"{place}/plan", sends="all")
        desk.agree(planned, f"{place}/submit", typed="1")
        batch = read(desk.client.get("/batch?name=closures").text)
        assert ("Put back what this batch did" in batch, DONE in batch) == (True, True)
        assert DONE in read(desk.client.get("/find?q=R-1").text)
        said = desk.post("/batch/undo", name="closures")
        assert "1 row can be put back. Nothing was changed yet" in read(said.text)
        (again,) = re.findall(r'action="[^"]*(/works/[^"]+)/sheet"', said.text)
        assert "1 row of sheet" in read(desk.post(f"{again}/sheet").text)


_NOTE = "Project,Note id,Delete\n"
_NONE = "8f6f0f52-8f0e-4d5c-9a55-0d6f1b6f3c11"


@pytest.mark.parametrize(
    ("name", "text", "code", "said"),
    [
        ("reopenings.csv", "Kaupapa\nR-1\n", 0, "1 already there"),
        ("team.csv", "New name\nKōpū\n", 0, "→ “Kōpū”."),
        ("changes.csv", "Project,End date\nR-1,1/10/30\n", 0, "2030” → “1 Oct 2030”."),
        (
            "changes.csv",
            "Project,End date\nR-1,2029-01-01\n",
            3,
            "changes!B2 [error] End date “2029-01-01”: Respond by (1 Apr 2030) is",
        ),
        (
            "changes.csv",
            "Project,Start date\nR-1,2030-12-01\n",
            0,
            "changes!B2 [warning] Start date “2030-12-01”: The start date (1 Dec 2030)",
        ),
        (
            "changes.csv",
            "Project,Respond by\nR-1,2030-04-06\n",
            0,
            "changes!B2 [warning] Respond by “2030-04-06”: Respond by (6 Apr 2030)",
        ),
        ("notes.csv", f"{_NOTE}R-1,{_NONE},Yes\n", 3, "The project has no such note"),
        ("closures.csv", "Project,Do\nR-3,Close project\n", 0, "“open” → “closed”."),
        ("closures.csv", "Project,Do\nR-3,tuku\n", 3, "is not one of the choices for"),
        ("groups.csv", "Group,Delete\nConsnts,Yes\n", 3, "There is “Consents”."),
        ("members.csv", "Person,Remove\nhemi@x.nz,Yes\n", 3, "Nobody in the team has"),
        (
            "organisations.csv",
            "Organisation,Delete\nKopu Rowding,Yes\n",
            3,
            "There is “Kōpū Roading”.",
        ),
        (
            "responses.csv",
            "Project,Message\nR-4,Kia ora.\n",
            3,
            "The project is a draft: it was never sent.",
        ),
        (
            "groups.csv",
            "Group,Colour\nConsents,red\n",
            3,
            "groups!B2 [error] Colour “red”: A group needs a colour in hex form.",
        ),
        (
            "organisations.csv",
            "Organisation,Email\nKōpū Roading,nobody\n",
            3,
            "organisations!B2 [error] Email: “nobody” is not an email address.",
        ),
        ("closures.csv", "Project\nr-3\n", 3, "There is “R-3”."),
        (
            "groups.csv",
            f"Group,Colour,Description\n{'ō' * 121},#1b5e20,{'d' * 501}\n",
            3,
            "Group has 121 characters; 120 is the most.",
        ),
    ],
)
def test_a_check_says_what_the_service_would_refuse_or_nobody_means(
    office, name, text, *, code, said
):
    office.make_organisation("Kōpū Roading")
    with office.client() as client:
        body = {"name": "Consents", "colour": "#1b5e20", "memberIds": []}
        client.post("/groups", json=body).raise_for_status()
    (office.person.folder / name).write_text(text, "utf-8")
    assert said in office.did("check", name, code=code)


def test_no_group_gets_the_name_of_another_one(office):
    row = {"Colour": "#1b5e20"}
    office.do("groups", {"Group": "Consents", **row}, {"Group": "Roads", **row})
    said = office.check("groups", {"Group": "Roads", "New name": "consents"}, code=3)
    assert "The team has another one called “consents”. Choose another" in said


def test_what_is_deleted_is_not_changed_by_another_row(office):
    office.join("hemi")
    person = {"Person": "hemi@example.org"}
    office.sheet(
        "members", {**person, "Org role": "Planner"}, {**person, "Remove": "Yes"}
    )
    said = office.did("check", "members.xlsx", code=3)
    assert ("Row 3 asks for something else" in said, "2 to correct" in said) == (
        True,
        True,
    )


def test_a_note_is_told_of_the_cell_that_it_lacks(office):
    note = {"Project": "R-1", "Note": "Ring Aroha."}
    said = office.check("notes", note, {**note, "Meeting type": "zoom"}, code=3)
    assert "Notes!C2" in said
    assert "In person, Email or Other. " in said
    assert "Or leave the cell empty" not in said
