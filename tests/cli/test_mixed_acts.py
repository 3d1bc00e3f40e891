"""A sheet that mixes kinds of acts: each row says under Do what is to be done."""

import json

import openpyxl
import pytest

from doubles.acts_office import Office

CLOSE = {"Do": "Kati", "Project": "R-1", "Message": "Thank you."}
ANSWER = {"Do": "whakautu", "Project": "R-2", "Message": "Kia ora."}
NOTE = {"Do": "Note", "Project": "R-3", "Note": "Ring Aroha."}
NOTE |= {"Meeting type": "Phone call"}
REMOVE = {"Do": "Remove", "Person": "hemi@example.org"}
ASSIGN = {"Do": "Assign", "Project": "R-2", "Person": "aroha@example.org"}
RESEND = {"Do": "Invite again", "Person": "rewi@example.org"}
ROWS = (CLOSE, ANSWER, NOTE, REMOVE, ASSIGN, RESEND)
DONE = {
    "project_close": 1,
    "project_respond": 1,
    "note_create": 1,
    "team_revoke": 1,
    "project_assign": 1,
    "invitation_resend": 1,
}


@pytest.fixture
def office(person_with):
    made = Office(person_with(tokens=20, faults=True))
    made.person.write_settings("settle = 0.5\n")
    made.join("hemi", "aroha")
    made.invite("rewi")
    return made


def done(office):
    return {each: office.done(each) for each in DONE}


def test_every_row_is_planned_agreed_to_and_done_as_its_kind_is(office):
    office.sheet("acts", *ROWS)
    planned = office.did("plan", "acts.xlsx")
    assert "R-1 Ōtāhuhu culvert 1: Project “open” → “closed”." in planned
    assert "“in the team” → “removed”" in planned
    assert "Assigned" not in office.submit("acts", 5, code=2)
    assert not any(done(office).values())
    office.submit("acts", 6)
    assert office.results("acts") == ["Done"] * 6
    assert done(office) == DONE
    assert office.project(1)["status"] == "CLOSED"
    assert "hemi@example.org" not in {each["email"] for each in office.team["users"]}
    office.submit("acts", 0)
    assert done(office) == DONE


CHANGE = {"Do": "Change", "Project": "R-1", "Name": "New"}


@pytest.mark.parametrize(
    ("row", "was", "now"),
    [
        (CHANGE, {"Was Name": "Bridge"}, "culvert 1"),
        ({"Do": "Close", "Project": "R-1"}, {"Was": "closed"}, "open"),
        (ASSIGN, {"Was Person": "hemi@example.org"}, "empty now"),
        (RESEND, {"Was": "expired"}, "pending"),
    ],
    ids=["a name", "a project", "an assignee", "an invitation"],
)
def test_what_has_changed_since_is_held_here_too(office, row, *, was, now):
    said = " ".join(office.check("acts", {**row, **was}, code=3).split())
    assert ("It has changed since: it is " in said, now in said) == (True, True)


def test_the_template_offers_the_words(office):
    office.did("template", "acts")
    book = openpyxl.load_workbook(office.person.folder / "acts.xlsx")
    lists = [str(e) for row in book["Lists"].iter_rows(values_only=True) for e in row]
    assert {"Close", "Respond", "Remove member", "Delete note"} <= {*lists}


def test_cells_that_are_headings_elsewhere_are_cells(office):
    office.do("acts", {**NOTE, "Meeting type": "Email"}, count=1)
    assert office.results("acts") == ["Done"]


def test_a_word_that_nobody_knows_is_refused_at_its_cell(office):
    rows = {"Do": "Demolish", "Project": "R-1"}, {"Project": "R-2"}
    said = office.check("acts", *rows, code=3)
    found = "Acts!A2", "Demolish", "Reopen"
    assert [each for each in found if each not in said] == []
    assert "Acts!A3" in said or "Acts, row 3" in said
    assert office.asked("project_close") == 0


def test_groups_organisations_and_the_team_are_mixed_too(office):
    office.make_organisation("Kōpū Roading")
    office.make_organisation("Thames Water")
    group = {"Do": "Make group", "Group": "Consents", "Colour": "#1b5e20"}
    group |= {"Description": "Who answers iwi.", "Members": "hemi@example.org"}
    body = {"Do": "Update organisation", "Organisation": "Thames Water"}
    office.sheet(
        "acts",
        group,
        {**body, "City": "Thames", "Organisation email": "office@example.org"},
        {"Do": "Delete organisation", "Organisation": "Kōpū Roading"},
        {"Do": "Rename the team", "New name": "Consents team"},
        {"Do": "Change role", "Email": "hemi@example.org", "Org role": "Other"},
    )
    planned = office.did("plan", "acts.xlsx")
    assert "Acts!2 Consents Group empty → “Consents”. Colour empty" in planned
    office.submit("acts", 5)
    assert office.results("acts") == ["Done"] * 5
    (made,) = office.read("/groups")
    assert (made["name"], made["description"]) == ("Consents", "Who answers iwi.")
    assert len(made["member_ids"]) == 1
    (left,) = office.read("/organisations")
    now = {"name": "Thames Water", "city": "Thames", "email": "office@example.org"}
    assert {name: left[name] for name in now} == now
    assert office.team["name"] == "Consents team"


def test_a_group_of_a_mixed_sheet_is_checked_as_a_sheet_of_groups_checks_it(office):
    said = office.check(
        "acts",
        {"Do": "Change group", "Group": "Consents", "Members": "rewi@example.org"},
        {"Do": "Delete group", "Colour": "#1b5e20"},
        {"Do": "Rename team", "Group": "Consents", "New name": "Permits"},
        code=3,
    )
    assert "Nobody in the team has the address “rewi@example.org”." in said
    assert "Group is missing" in said
    assert "“Rename team” has no use for Group." in said


def test_a_plan_says_what_the_acts_that_it_has_may_cost(office):
    for row, costs in (CLOSE, ""), (ANSWER, "first response to a project is free"):
        office.sheet("acts", row)
        planned = office.did("plan", "acts.xlsx")
        assert [each in planned for each in ("A report may", costs)] == [False, True]


def test_an_act_is_asked_for_what_it_needs_and_for_no_other_cell(office):
    lacking = {"Do": "Respond", "Project": "R-1"}, {"Do": "Close"}
    idle = {"Do": "Reopen", "Project": "R-1", "Message": "Kia ora."}
    said = office.check("acts", *lacking, idle, code=3)
    found = (
        "Message is missing",
        "Project is missing",
        "“Reopen” has no use for Message.",
    )
    assert [each for each in found if each not in said] == []


def test_an_iwi_may_only_do_what_is_for_iwi(office):
    office.be_iwi()
    said = office.check("acts", CLOSE, ANSWER, code=3)
    assert "The key is an iwi's, and only a team can close projects." in said


def test_a_killed_run_does_every_act_once(office):
    office.sheet("acts", CLOSE, ANSWER, NOTE, REMOVE, ASSIGN)
    office.submit_killed("acts", 5, during="project_respond")
    assert office.results("acts") == ["Done"] * 5
    assert done(office) == {**DONE, "invitation_resend": 0}


@pytest.mark.parametrize(
    ("operation", "when"), [("project_close", "after"), ("project_respond", "before")]
)
def test_a_lost_answer_is_settled_as_its_kind_is(office, when, operation):
    office.board.set("drop", operation, count=1, when=when)
    office.sheet("acts", CLOSE, ANSWER, ASSIGN, {**CLOSE, "Project": "R-2"})
    for _ in range(2):
        office.person.run("submit", "acts.xlsx", "--yes", "4", "--no-input")
    assert office.results("acts") == ["Done"] * 4
    assert [done(office)[e] for e in ("project_close", "project_respond")] == [2, 1]


def test_what_waits_for_tokens_is_released(office):
    note, close = ({**each, "Project": "R-2"} for each in (NOTE, CLOSE))
    office.sheet("acts", CLOSE, ANSWER, note, close)
    office.board.set("no_tokens", "project_respond", count=1)
    office.person.run("submit", "acts.xlsx", "--yes", "4", "--no-input")
    assert office.results("acts") == ["Done", "Deferred", "Done", "Deferred"]
    assert "before it on this project waits" in office.results("acts", "What to do")[3]
    office.did("release", "--yes", "2", "--no-input")
    assert [done(office)[e] for e in ("project_respond", "project_close")] == [1, 2]


def test_what_follows_on_the_target_of_a_row_that_is_held_is_held_with_it(office):
    close = {**CLOSE, "Project": "R-2"}
    office.board.set("drop", "project_report", count=1, when="after")
    office.sheet("acts", {"Do": "Report", "Project": "R-2"}, ASSIGN, close, NOTE)
    office.submit("acts", 4, code=4)
    assert office.results("acts") == ["Held", "Held", "Held", "Done"]
    words = "--retry", "--held-for", "Decide about that one", "--reason", "It is there."
    office.did("resolve", "--all", *words, "--yes", "2", "--no-input")
    office.submit("acts", 2, code=4)
    assert office.results("acts") == ["Held", "Done", "Done", "Done"]
    others = {"project_respond": 0, "team_revoke": 0, "invitation_resend": 0}
    assert done(office) == {**DONE, **others}


def test_what_a_later_sheet_asks_of_the_target_of_a_held_row_is_held_too(office):
    office.board.set("drop", "project_report", count=1, when="after")
    book = openpyxl.Workbook()
    for title, rows in ("Reports", ("R-1",)), ("Closures", ("R-1", "R-2")):
        sheet = book.create_sheet(title)
        for row in ("Project", *rows):
            sheet.append([row])
    book.remove(book.active)
    book.save(office.person.folder / "both.xlsx")
    words = "submit", "both.xlsx", "--all-sheets", "--yes", "3", "--no-input"
    office.did(*words, code=4)
    assert [office.project(n)["status"] == "CLOSED" for n in (1, 2)] == [False, True]


def test_undo_writes_a_sheet_for_each_kind(office):
    office.do("acts", CLOSE, ASSIGN, REMOVE, count=3)
    ran = office.person.run(
        "template", "--undo", "acts.xlsx", "-o", "back.xlsx", "--json"
    )
    told = json.loads(ran.stdout)
    assert told["workbooks"] == ["back.reopenings.xlsx", "back.assignments.xlsx"]
    assert told["rows"] == 2
    assert [why for _, why in told["left"]] == ["what was removed does not come back"]
    office.submit("back.reopenings", 1)
    office.submit("back.assignments")
    assert office.project(1)["status"] != "CLOSED"


def test_rows_that_want_opposite_things_of_one_project_are_both_refused(office):
    reopen = {"Do": "Reopen", "Project": "Ōtāhuhu culvert 1"}
    said = office.check("acts", CLOSE, reopen, ANSWER, code=3)
    assert "Acts!B2 [error] Project “R-1”: Row 3 asks for something else." in said
    assert "Acts!B3 [error] Project “Ōtāhuhu culvert 1”: Row 2 asks for" in said
    office.submit("acts", 1, code=3)
    assert office.results("acts") == ["To correct", "To correct", "Done"]
    assert done(office)["project_close"] == 0


def test_an_act_is_about_a_project_as_the_rows_before_it_leave_it(office):
    rows = ANSWER, {"Do": "Report"}, ASSIGN, {"Do": "Change", "Phase": "Hearing"}
    office.do("acts", CLOSE, *({**each, "Project": "R-1"} for each in rows), count=5)
    assert office.results("acts") == ["Done"] * 5


def test_what_was_done_may_be_done_otherwise_later_from_the_same_sheet(office):
    office.do("acts", CLOSE, count=1)
    office.do("acts", CLOSE, {"Do": "Reopen", "Project": "R-1"}, count=1)
    assert office.results("acts") == ["Done", "Done"]
    assert office.project(1)["status"] != "CLOSED"


def test_headings_in_te_reo_and_in_another_order_are_read(office):
    path = office.person.folder / "mahi.xlsx"
    book = openpyxl.Workbook()
    book.active.title = "Acts"
    book.active.append(["Karere", "Mahi", "Kaupapa"])
    book.active.append(["Kia ora.", "respond", "Ōtāhuhu culvert 2"])
    book.save(path)
    office.submit("mahi", 1)
    assert office.done("project_respond") == 1
